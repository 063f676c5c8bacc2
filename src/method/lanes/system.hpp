#pragma once
#include <span>
#include <string>
#include <vector>

#include <actio/expr/graph.hpp>
#include <actio/method/lanes.hpp>
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

// Kick-drift-kick, drift-kick-drift, or implicit.
enum class Scheme { velocity_verlet, position_verlet, midpoint };

// What the text is about.
struct System {
  const system::Model* model = nullptr;
  std::vector<int> varied;  // parameters, ascending
  long width = 0;
  const LaneStop* stop = nullptr;
  long n() const { return model->size(); }
  std::size_t first_mass() const { return 1 + model->parameters.size(); }  // among the uniforms; inverse masses follow
};

// The functions `lanes_start` and `lanes_step`.
std::string velocity_verlet_text(const System& system, const Forces& forces);
std::string position_verlet_text(const System& system, const Forces& forces);
std::string midpoint_text(const System& system, const Forces& forces);

}  // namespace actio::method::lanes
