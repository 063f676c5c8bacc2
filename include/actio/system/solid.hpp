#pragma once
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <actio/system/finite_elements.hpp>
#include <actio/system/model.hpp>

// Solids of finite elements in a model. Its coordinates are the places x of the nodes [m], at rest those of the mesh.
//
//   auto mesh = std::make_shared<system::Mesh>(io::read_mesh("beam.msh"));
//   system::SolidPart steel{"steel", mesh->groups[0].cells, {}, -1, 7850};
//   steel.energy = system::neo_hookean(steel.graph, system::deformation(steel.graph), system::lame_of(210e9, 0.3));
//   system::add_solid(model, "x", mesh, std::array{steel}, system::MassOfSolid::consistent);
namespace actio::system {

// Cells of one material.
struct SolidPart {
  std::string name;
  Cells cells;  // of dimension 3
  expr::Graph graph;
  expr::Id energy = -1;  // W(F) [J/m^3], columns 0 to 8 are F
  double density = 0;    // [kg/m^3], positive
  double viscosity = 0;  // [Pa s]
};
enum class MassOfSolid { consistent, lumped };

// A family of 3 coordinates a node at the end of the model's, terms for each part and kind of cell, and the mass. Throws
// core::InputError where an element is inverted, or a node is in no part.
void add_solid(Model& model, const std::string& name, std::shared_ptr<const Mesh> mesh, std::span<const SolidPart> parts,
               MassOfSolid mass);

// The mesh without nodes that are in no cell of dimension 3, and without cells that name such nodes.
Mesh without_loose_nodes(const Mesh& mesh);
// The nodes of some cells, ascending, once each.
std::vector<std::int32_t> nodes_of(const Mesh& mesh, CellSpan cells);

// A vector field over the solid at rest: columns 0, 1, 2 of the graph are X, Y, Z [m]; uniforms as in a Term.
struct Field {
  expr::Graph graph;
  std::array<expr::Id, 3> value{-1, -1, -1};
};
// A load per area (of faces) or volume (of elements) at rest, whose direction stays: a force, or where it does not depend on the
// time the potential -load . x.
void add_load(Model& model, const SolidBody& solid, CellSpan cells, const Field& load, const std::string& name);
// -m g . x with the masses of the solid's nodes; g(t) [m/s^2] depends on the time alone.
void add_gravity(Model& model, const SolidBody& solid, const Field& g, const std::string& name);
// A pressure on faces as they move: -p n on each area, n the normal of the right-handed order of the nodes, outward in a mesh of
// a mesher. A force: pressure(X, Y, Z, t) [Pa] is the first component of the field.
void add_pressure(Model& model, const SolidBody& solid, CellSpan faces, const Field& pressure, const std::string& name);
// x_i = X_i + displacement_i(X, Y, Z, t) of nodes, for the components that are given (Field::value >= 0).
void drive(Model& model, const SolidBody& solid, std::span<const std::int32_t> nodes, const Field& displacement,
           const std::string& name);
// Friction of D = a M + b K [N s/m], a [1/s], b [s], K the second derivatives of the solid's energies at rest. It dissipates in
// rotations too. b K is a dissipation of the rate of F at each point, so no matrix is made of it.
void add_rayleigh(Model& model, const SolidBody& solid, double a, double b);

// The places of all solids' nodes at rest, (n); empty where there is no solid. Beside solids are no other coordinates.
Eigen::VectorXd rest_of(const Model& model);
// A term that is an energy of the solid's elements.
bool is_of(const Term& term, const SolidBody& solid);
// The element with the lowest det F < 0 where the nodes are at q (n), in words; "" where there is none.
std::string inside_out(const Model& model, const Eigen::VectorXd& q);
struct SolidFigures {
  double mass = 0, volume = 0;  // [kg], at rest [m^3]
  double smallest_det = 0;      // det dX/dxi at a point, over the mean of all elements of its kind and material
};
SolidFigures figures_of(const Model& model, const SolidBody& solid);

}  // namespace actio::system
