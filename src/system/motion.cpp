#include <actio/system/motion.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <actio/system/compiled.hpp>
#include <actio/system/constraint_error.hpp>

namespace actio::system {
namespace {

using expr::Graph;
using expr::Id;

// g = c q_i - s(t): s/c, its derivatives by t, and c.
struct Parts {
  Id x = -1, rate = -1, acceleration = -1, slope = -1;
};

Parts parts_of(const Constraint& constraint, Graph& g) {
  g = constraint.graph;
  const Id q = g.column(0), time = g.uniform(0);
  Parts out;
  out.slope = expr::gradient(g, constraint.value, std::array{q})[0];
  std::vector<Id> columns{g.constant(0)}, uniforms;
  for (std::size_t k = 0; k < constraint.data.size(); ++k) columns.push_back(g.column(static_cast<int>(k + 1)));
  int most = 0;
  for (std::size_t id = 0; id < constraint.graph.size(); ++id)
    if (const expr::Node& node = constraint.graph[static_cast<Id>(id)]; node.op == expr::Op::uniform)
      most = std::max(most, node.k);
  for (int k = 0; k <= most; ++k) uniforms.push_back(g.uniform(k));
  const Id s = g.neg(expr::substitute(g, constraint.graph, constraint.value, columns, uniforms));
  out.x = g.div(s, out.slope);
  out.rate = expr::gradient(g, out.x, std::array{time})[0];
  out.acceleration = expr::gradient(g, out.rate, std::array{time})[0];
  return out;
}

std::vector<std::int32_t> coordinates_of(const Model& model) {
  std::vector<std::int32_t> out;
  for (const Constraint& c : model.constraints) out.insert(out.end(), c.dofs.begin(), c.dofs.end());
  return out;
}

std::vector<bool> marked(const Model& model, const std::vector<std::int32_t>& coordinates) {
  std::vector<bool> out(static_cast<std::size_t>(model.size()), false);
  for (const std::int32_t i : coordinates) out[static_cast<std::size_t>(i)] = true;
  return out;
}

}  // namespace

std::string why_not_prescribed(const Model& model) {
  std::vector<bool> dirichlet = marked(model, model.fixed_dofs);
  long number = 0;
  for (const Constraint& c : model.constraints) {
    const auto name = [&](long e) { return fmt::format("\"{}\"", model.constraint_name(number + e)); };
    if (c.of_rotations) return "rigid bodies have constraints of their rotations";
    if (c.elements == 0) continue;
    if (c.locals != 1) return name(0) + (c.locals == 0 ? " depends on no coordinate" : " joins coordinates");
    Graph g;
    const Parts parts = parts_of(c, g);
    const auto used = expr::columns_of(g, parts.slope);
    if ((!used.empty() && used.front() == 0) || depends_on_time(model, g, parts.slope))
      return name(0) + " is not c times a coordinate minus a function of time";
    for (long e = 0; e < c.elements; ++e) {
      const std::int32_t i = c.dofs[static_cast<std::size_t>(e)];
      if (dirichlet[static_cast<std::size_t>(i)])
        return fmt::format("{} prescribes {}, which is fixed or prescribed already", name(e), model.coordinate_name(i));
      dirichlet[static_cast<std::size_t>(i)] = true;
    }
    number += c.elements;
  }
  return "";
}

std::vector<std::int32_t> dirichlet_coordinates(const Model& model) {
  std::vector<std::int32_t> out = coordinates_of(model);
  out.insert(out.end(), model.fixed_dofs.begin(), model.fixed_dofs.end());
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Model with_prescribed_fixed(Model model) {
  model.fixed_dofs = dirichlet_coordinates(model);
  model.constraints.clear();
  return model;
}

Motion::Motion(const Model& model, const expr::CompileOptions& options) : uniforms_(1, 0.0) {
  auto made = std::make_shared<Made>();
  made->coordinates = coordinates_of(model);
  uniforms_.insert(uniforms_.end(), model.parameters.begin(), model.parameters.end());
  std::vector<Graph> graphs(model.constraints.size());
  std::vector<expr::KernelSource> moving, constant;
  long at = 0;
  for (std::size_t k = 0; k < graphs.size(); ++k) {
    const Constraint& c = model.constraints[k];
    const Parts parts = parts_of(c, graphs[k]);
    made->moves = made->moves || depends_on_time(model, graphs[k], parts.x);  // its rate may be 0, and it jump
    Batch& batch = made->batches.emplace_back();
    batch.at = at;
    batch.elements = c.elements;
    at += c.elements;
    batch.data = c.data;
    batch.columns.push_back(nullptr);
    for (const auto& column : batch.data) batch.columns.push_back(column.data());
    const int columns = static_cast<int>(batch.columns.size());
    moving.push_back(
        {fmt::format("motion_{}", k), &graphs[k], {parts.x, parts.rate, parts.acceleration}, true, columns, columns});
    constant.push_back({fmt::format("slope_{}", k), &graphs[k], {parts.slope}, true, columns, columns});
  }
  made->module = expr::Module::build(moving, options);
  const expr::Module slopes = expr::Module::build(constant, {"none", {}});
  made->slope.resize(made->coordinates.size());
  for (std::size_t k = 0; k < made->batches.size(); ++k) {
    Batch& batch = made->batches[k];
    batch.kernel = made->module.batch(k);
    double* out = made->slope.data() + batch.at;
    if (batch.elements > 0) slopes.batch(k)(batch.elements, uniforms_.data(), batch.columns.data(), &out);
    for (long e = 0; e < batch.elements; ++e)
      if (!(std::abs(out[e]) > 0) || !std::isfinite(out[e]))
        throw ConstraintError(batch.at + e, fmt::format("the constraint \"{}\" has a factor {} before its coordinate",
                                                        model.constraint_name(batch.at + e), out[e]));
  }
  made_ = std::move(made);
  values_.resize(3 * made_->coordinates.size());
}

void Motion::at(double t) {
  if (known_ && uniforms_[0] == t) return;
  uniforms_[0] = t;
  known_ = true;
  for (const Batch& batch : made_->batches) {
    if (batch.elements == 0) continue;
    double* const x = values_.data() + batch.at;
    const std::array<double*, 3> out{x, x + size(), x + 2 * size()};
    batch.kernel(batch.elements, uniforms_.data(), batch.columns.data(), out.data());
  }
}

Eigen::SparseMatrix<double> coupling_of_prescribed(const Model& model) {
  Eigen::SparseMatrix<double> out(model.size(), model.size());
  if (model.mass.kind != MassMatrix::Kind::full) return out;
  const std::vector<bool> fixed = marked(model, model.fixed_dofs), prescribed = marked(model, coordinates_of(model));
  out = model.mass.full;
  out.prune([&](Eigen::Index i, Eigen::Index j, double) {
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    return i != j && !fixed[a] && !fixed[b] && (prescribed[a] || prescribed[b]);
  });
  out.makeCompressed();
  return out;
}

std::shared_ptr<const CompiledModel> compile_prescribed(const Model& model, const expr::CompileOptions& options, bool fuse) {
  const auto out =
      std::const_pointer_cast<CompiledModel>(compile(with_prescribed_fixed(model), options, fuse));  // nobody has seen it
  out->fixed_dofs = model.fixed_dofs;
  out->motion = std::make_shared<const Motion>(model, options);
  if (Eigen::SparseMatrix<double> coupling = coupling_of_prescribed(model); coupling.nonZeros() > 0)
    out->coupling = std::make_shared<const Eigen::SparseMatrix<double>>(std::move(coupling));
  return out;
}

}  // namespace actio::system
