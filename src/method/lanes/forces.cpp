#include "../../system/differentiate.hpp"

#include <algorithm>

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

}  // namespace actio::method::lanes
