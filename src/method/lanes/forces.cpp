#include "../../system/differentiate.hpp"

#include <algorithm>

#include <actio/system/callbacks.hpp>

#include "system.hpp"

namespace actio::method::lanes {

using expr::Graph;
using expr::Id;

Forces forces_of(const system::Model& model, bool jacobian) {
  const long n = model.size();
  system::Part minus_V = system::minus_potential_of(model);
  Forces out;
  Graph& g = out.graph = std::move(minus_V.graph);
  std::vector<Id> q;
  for (long i = 0; i < n; ++i) q.push_back(g.column(static_cast<int>(i)));
  out.f = expr::gradient(g, minus_V.values[0], q);
  if (jacobian) out.jacobian = expr::hessian(g, minus_V.values[0], q);
  if (!model.forces.empty()) {
    const system::Part rows = system::sum_of_rows(model.forces, model);
    std::vector<Id> columns = q, uniforms;
    columns.resize(static_cast<std::size_t>(rows.columns()), g.constant(0));  // no force depends on a velocity
    for (std::size_t k = 0; k <= model.parameters.size() + model.signals.size(); ++k)
      uniforms.push_back(g.uniform(static_cast<int>(k)));
    for (std::size_t i = 0; i < out.f.size(); ++i)
      out.f[i] = g.add(out.f[i], expr::substitute(g, rows.graph, rows.values[i], columns, uniforms));
  }
  const Id zero = g.constant(0);
  for (const std::int32_t i : model.fixed_dofs) {
    out.f[static_cast<std::size_t>(i)] = zero;
    if (!jacobian) continue;
    for (long j = 0; j < n; ++j) {
      const long row = std::max<long>(i, j), column = std::min<long>(i, j);
      out.jacobian[static_cast<std::size_t>(row * (row + 1) / 2 + column)] = zero;
    }
  }
  return out;
}

std::string no_steps_with(const system::Model& model) {
  if (!model.equations.empty()) return "system.equations";
  if (!model.constraints.empty() || !model.penalised.empty()) return "constraints";
  if (!model.bodies.empty()) return "bodies";
  if (!model.solids.empty()) return "solids";
  if (model.callbacks && model.callbacks->built_in()) return model.callbacks->name;
  if (!model.library.empty() || model.callbacks) return "a library";
  if (!model.signals.empty()) return "signals";
  if (!model.dissipation.empty() || model.damping.nonZeros() > 0) return "friction";
  if (system::lagrangian_needs_velocity(model)) return "a Lagrangian other than 1/2 v'Mv - V(q, t)";
  if (model.mass.kind != system::MassMatrix::Kind::diagonal) return "a full mass matrix";
  if (system::force_needs_velocity(model)) return "forces that depend on velocities";
  bool interpolated = false;
  system::for_each_function(model, [&](const auto& function) {
    if constexpr (requires { function.interpolation; }) interpolated = interpolated || function.interpolation;
  });
  return interpolated ? "finite elements" : "";
}

std::vector<double> uniforms_of(const system::Model& model) {
  std::vector<double> u{0};
  u.insert(u.end(), model.parameters.begin(), model.parameters.end());
  for (const double m : model.mass.diagonal) u.push_back(m);
  for (const double m : model.mass.diagonal) u.push_back(1 / m);
  return u;
}

std::size_t operations(const system::Model& model) {
  std::size_t sum = 2 * static_cast<std::size_t>(model.stiffness.nonZeros());
  system::for_each_function(
      model, [&](const auto& function) { sum += function.graph.size() * static_cast<std::size_t>(function.elements); });
  return sum;
}

}  // namespace actio::method::lanes
