#pragma once
#include <span>
#include <string>
#include <vector>

#include <actio/expr/graph.hpp>
#include <actio/method/lanes.hpp>
#include <actio/method/splitting_coefficients.hpp>
#include <actio/system/model.hpp>

// The C of steps over lanes.
namespace actio::method::lanes {

// The forces of a whole system over its own coordinates, as one graph.
struct Forces {
  expr::Graph graph;
  std::vector<expr::Id> f;         // (n), -dV/dq + F(t, q); 0 of a fixed coordinate
  std::vector<expr::Id> jacobian;  // df/dq without F, the lower triangle by rows; empty unless it was asked for
};
Forces forces_of(const system::Model& model, bool jacobian);

// Why whole steps cannot be generated for the model: "constraints", "a full mass matrix", ...; "" where they can.
std::string no_steps_with(const system::Model& model);
// What the text reads as u: room for a time, the parameters, masses, inverse masses.
std::vector<double> uniforms_of(const system::Model& model);
// Nodes of the graphs of all elements: about how many operations a force takes.
std::size_t operations(const system::Model& model);
constexpr std::size_t most_operations = 4000;
constexpr long most_explicit = 64;  // coordinates

// Kick-drift-kick, drift-kick-drift, or implicit.
enum class Scheme { velocity_verlet, position_verlet, midpoint };

// What the text is about.
struct System {
  const system::Model* model = nullptr;
  std::vector<int> varied;  // parameters, ascending
  const LaneStop* stop = nullptr;
  long n() const { return model->size(); }
  std::size_t first_mass() const { return 1 + model->parameters.size(); }  // among the uniforms; inverse masses follow
};

// The functions `lanes_start` and `lanes_step`. ACTIO_LANES in a text is the width of a block, which stands before it.
std::string velocity_verlet_text(const System& system, const Forces& forces);
std::string position_verlet_text(const System& system, const Forces& forces);
std::string midpoint_text(const System& system, const Forces& forces);

// The functions `steps_start` and `steps_make` of explicit_steps.hpp: of one system, of width 1.
std::string kick_drift_kick_text(const System& system, const Forces& forces);
std::string splitting_text(const System& system, const Forces& forces, const SplittingCoefficients& coefficients);

}  // namespace actio::method::lanes
