#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <actio/algebra/alignment.hpp>
#include <actio/system/element_function.hpp>

// A mechanical system as data: coordinates, mass, energies as sums of terms, symmetries. What a problem file says, what
// Python builds, what the spaces turn into something that can be stepped. Nothing here depends on how it is solved.
namespace actio::system {

// "x" or "theta[200]": coordinates offset .. offset + size - 1.
struct Family {
  std::string name;
  long size = 1;
  long offset = 0;
  bool indexed = false;  // written with [ ]
};

// A function of time given by samples: straight lines between them, 0 before the first and after the last.
struct Signal {
  std::string name;
  std::vector<double> t, value;  // t increases
};

// Finite elements: the deformation gradient F at the points of an element from the places x_a of its nodes,
//
//   F_iK = sum_a x_ai sum_M slopes_aM inverse_MK,     energy = sum over elements and points of weight value(F, ...)
//
// One for all elements of one kind in one term. Reference coordinates xi, places X of the nodes at rest. The slopes of all nodes
// add up to 0 at every point, and the three coordinates of a node follow one another.
struct Interpolation {
  long nodes = 0, points = 0;
  std::vector<double> slopes;   // dN_a/dxi_M at point p: (p * nodes + a) * 3 + M
  std::vector<double> inverse;  // dxi_M/dX_K at point p of element e: (p * 9 + 3 * M + K) * elements + e [1/m]
  std::vector<double> weight;   // of the point in the integral over the element at rest: p * elements + e [m^3]
  // (block, cell) in the mesh of its solid, of each element; empty where there is no mesh.
  std::vector<std::pair<std::int32_t, std::int32_t>> cells{};
};

// An energy: the sum of the function over its elements. With an interpolation the local positions are F11 F12 F13 F21 ... F33 at
// a point, the local velocities those of F, data is by element, and dofs has 3 * nodes rows: coordinate i of node a of element e
// at (3 * a + i) * elements + e.
struct Term : ElementFunction {  // V, or L where `lagrangian`
  bool lagrangian = false;
  bool velocities = false;
  bool stiff = false;                                    // part of V1 in TO (19)
  std::shared_ptr<const Interpolation> interpolation{};  // null: the locals are coordinates
  int states() const { return velocities ? 2 : 1; }
};

// External forces F(t, q, v) [N], many at a time: element e adds its value to the force on coordinate rows[e]. Without locals it
// is a load p(t) = pattern g(t).
struct Force : ElementFunction {
  static constexpr int states() { return 2; }
};

// Karow (10): equations f(u'', u', u, t) = 0 in place of a Lagrangian; element e is the equation of coordinate rows[e], whose
// elements add up.
struct Equation : ElementFunction {
  static constexpr int states() { return 3; }
};

// A rigid body. Its rotation R takes body axes to those of space: a point X fixed in it is at r + R X. The nine entries of R are
// coordinates, by rows, and so is r, its centre of mass; a body without r turns about the origin. The model's mass has, for each
// row of R, the 3 x 3 block tr(inertia)/2 - inertia, so that v'Mv/2 is the kinetic energy of every motion that keeps R'R = 1,
// and among its constraints are those of R'R = 1 (Constraint::of_rotations).
struct Body {
  std::string name;
  long rotation = 0;        // the coordinate R11; R12, R13, R21, ... R33 follow
  long position = -1;       // the coordinate r1; r2, r3 follow. -1: there is none
  double mass = 0;          // [kg], with a position
  Eigen::Matrix3d inertia;  // [kg m^2], about the centre of mass, or about the origin where there is no position, in body axes
};

struct Mesh;

// A solid of finite elements: coordinate i of the place of node a is offset + 3 a + i. Its energies are among the model's terms,
// its mass is in the model's.
struct SolidBody {
  std::string name;  // of the family of its coordinates
  std::shared_ptr<const Mesh> mesh;
  long offset = 0;
};

// Holonomic constraints g(t, q) = 0, one an element, numbered through the list. No signal is among the uniforms: a constraint
// that moves has a derivative by t.
struct Constraint : ElementFunction {
  bool of_rotations = false;  // entries of R'R - 1 of bodies
  static constexpr int states() { return 1; }
};

// A gap g(q) of each element, never below 0: where it comes to 0 the bodies collide, and v_n = dg/dq v becomes -restitution v_n.
struct Contact : ElementFunction {
  double restitution = 1;  // 1: no energy is lost
  static constexpr int states() { return 1; }
};

class MassFactor;

// Constant symmetric positive definite mass matrix [kg], (n x n). Absent (kind none) when the Lagrangian says it all.
struct MassMatrix {
  enum class Kind { none, diagonal, full } kind = Kind::none;
  Eigen::VectorXd diagonal;
  Eigen::SparseMatrix<double> full;    // both triangles
  std::shared_ptr<MassFactor> factor;  // of `full`; made by whoever needs it when it is not given
};

// xi(q), a vector field: element e of a block gives component `rows[e]`. Components no block names are zero.
struct GeneratorBlock : ElementFunction {
  static constexpr int states() { return 1; }
};
struct Symmetry {
  std::string name;
  std::vector<GeneratorBlock> blocks;
};

struct Callbacks;
struct Thermostat;
struct FastPart;

struct Model {
  std::string title;
  std::vector<Family> families;
  std::vector<std::string> parameter_names;
  std::vector<double> parameters;
  std::vector<Signal> signals;
  MassMatrix mass;
  std::vector<Term> terms;
  Eigen::SparseMatrix<double> stiffness, damping;  // V += 1/2 q'Sq, phi += 1/2 v'Dv; both triangles, or empty
  std::vector<Term> dissipation;                   // phi(t, q, v) [W], `velocities` true, `lagrangian` false
  std::vector<Force> forces;
  std::vector<Equation> equations;       // when not empty there are no terms, mass, dissipation, forces
  std::vector<Term> measured_energy;     // with equations: E(t, q, v), declared to be followed; may be empty
  std::vector<std::int32_t> fixed_dofs;  // coordinates that never move, sorted
  std::vector<Body> bodies;
  std::vector<SolidBody> solids;
  std::vector<Constraint> constraints;
  bool least_squares = false;         // constraints may be redundant: of the multipliers that do, the smallest
  std::vector<Constraint> penalised;  // constraints that stiff terms stand for, see penalise()
  double omega = 0;
  std::vector<Symmetry> symmetries;
  std::string library;                           // path of a shared library with the C interface of system/potential_abi.h, or ""
  std::shared_ptr<const Thermostat> thermostat;  // or null
  std::shared_ptr<const FastPart> fast;          // the part of H that some methods solve exactly; or null
  std::shared_ptr<const Callbacks> callbacks;    // forces and tangents that a code of one's own assembles; or null
  std::vector<Contact> contacts;

  long size() const { return families.empty() ? 0 : families.back().offset + families.back().size; }
  std::string coordinate_name(long i) const;  // "x" or "theta[17]"
  long constraint_count() const;              // m
  // "rod", or "link[17]" where one constraint stands for many; without constraints of those a penalty stands for
  std::string constraint_name(long k) const;
};

// visit(list) for the lists of functions whose values and derivatives make up the motion, each a pointer to a member of Model.
// Symmetries are not among them: they only say what to measure.
template <class Visit>
void for_each_list(Visit&& visit) {
  visit(&Model::terms);
  visit(&Model::dissipation);
  visit(&Model::measured_energy);
  visit(&Model::forces);
  visit(&Model::equations);
  visit(&Model::constraints);
}
// visit(function) for every function in them: a Term, Force, Equation or Constraint. M: Model or const Model.
template <class M, class Visit>
void for_each_function(M& model, Visit&& visit) {
  for_each_list([&](auto list) {
    for (auto& function : model.*list) visit(function);
  });
}

// A function at some of its elements, in this order; one may come several times. A term at all of its elements shares its
// interpolation.
template <class Function>
Function of_elements(const Function& function, const std::vector<std::size_t>& chosen) {
  return {of_elements(static_cast<const ElementFunction&>(function), chosen)};
}
Term of_elements(const Term& term, const std::vector<std::size_t>& chosen);
Constraint of_elements(const Constraint& constraint, const std::vector<std::size_t>& chosen);

bool is_forced(const Model& model);
// Some force, friction included, depends on a velocity.
bool force_needs_velocity(const Model& model);
// Some term is a function of velocities too.
bool lagrangian_needs_velocity(const Model& model);
// Whether a function's value depends on a velocity.
bool depends_on_velocity(const ElementFunction& function);
// Whether a value of one of the model's graphs depends on the time or on a signal.
bool depends_on_time(const Model& model, const expr::Graph& graph, expr::Id id);
inline bool depends_on_time(const Model& model, const ElementFunction& function) {
  return depends_on_time(model, function.graph, function.value);
}

// The mass becomes diagonal: the sum of each row. Throws core::InputError where a sum is not positive.
void lump_mass(Model& model);

// The constraints become stiff terms V += 1/2 omega^2 g'g (TO 7), omega > 0, and are kept as model.penalised: what would be their
// multipliers is -omega^2 g, up to an oscillation (TO 8).
void penalise(Model& model, double omega);

}  // namespace actio::system
