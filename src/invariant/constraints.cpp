#include <actio/invariant/constraints.hpp>

#include <cmath>
#include <deque>

namespace actio::invariant {

ConstraintMap::ConstraintMap(std::span<const system::Constraint> constraints, const system::Model& model,
                             const expr::CompileOptions& options)
    : n_(model.size()), fixed_(static_cast<std::size_t>(model.size()), false) {
  for (const std::int32_t i : model.fixed) fixed_[static_cast<std::size_t>(i)] = true;
  uniforms_.assign(1, 0.0);
  uniforms_.insert(uniforms_.end(), model.parameters.begin(), model.parameters.end());

  std::vector<expr::KernelSource> sources;
  std::deque<expr::Graph> graphs;
  for (const system::Constraint& c : constraints) {
    expr::Graph& g = graphs.emplace_back(c.graph);
    std::vector<expr::Id> x{g.uniform(0)};
    for (long l = 0; l < c.locals; ++l) x.push_back(g.column(static_cast<int>(l)));
    std::vector<expr::Id> outputs = expr::gradient(g, c.value, x);
    moving_ = moving_ || !g.is_constant(outputs[0], 0);
    outputs.insert(outputs.begin(), c.value);

    Batch b;
    b.locals = c.locals;
    b.elements = c.elements;
    b.first = m_;
    b.dofs = c.dofs;
    b.columns.assign(static_cast<std::size_t>(c.locals), std::vector<double>(static_cast<std::size_t>(c.elements)));
    b.columns.insert(b.columns.end(), c.data.begin(), c.data.end());
    b.out.assign(outputs.size(), std::vector<double>(static_cast<std::size_t>(c.elements)));
    b.inputs.resize(b.columns.size());
    b.outputs.resize(b.out.size());
    sources.push_back(
        {"constraint" + std::to_string(sources.size()), &g, std::move(outputs), true, static_cast<int>(b.columns.size()), 0});
    m_ += c.elements;
    batches_.push_back(std::move(b));
  }
  if (sources.empty()) return;
  module_ = expr::Module::build(sources, options);
  for (std::size_t k = 0; k < batches_.size(); ++k) batches_[k].kernel = module_.batch(k);
}

void ConstraintMap::evaluate(Batch& b, double t, const Eigen::VectorXd& q) {
  uniforms_[0] = t;
  const auto elements = static_cast<std::size_t>(b.elements);
  for (std::size_t l = 0; l < static_cast<std::size_t>(b.locals); ++l)
    for (std::size_t e = 0; e < elements; ++e) b.columns[l][e] = q[b.dofs[l * elements + e]];
  for (std::size_t c = 0; c < b.columns.size(); ++c) b.inputs[c] = b.columns[c].data();
  for (std::size_t c = 0; c < b.out.size(); ++c) b.outputs[c] = b.out[c].data();
  b.kernel(b.elements, uniforms_.data(), b.inputs.data(), b.outputs.data());
}

void ConstraintMap::operator()(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& g,
                               Eigen::VectorXd& rate, Eigen::VectorXd& slope) {
  g.resize(m_);
  rate.resize(m_);
  slope.setZero(m_);
  for (Batch& b : batches_) {
    evaluate(b, t, q);
    const auto elements = static_cast<std::size_t>(b.elements);
    for (std::size_t e = 0; e < elements; ++e) {
      const long k = b.first + static_cast<long>(e);
      g[k] = b.out[0][e];
      rate[k] = b.out[1][e];
      for (std::size_t l = 0; l < static_cast<std::size_t>(b.locals); ++l) {
        const std::int32_t i = b.dofs[l * elements + e];
        if (fixed_[static_cast<std::size_t>(i)]) continue;
        const double dg = b.out[2 + l][e];
        rate[k] += dg * v[i];
        slope[k] += dg * dg;
      }
    }
  }
  slope = slope.cwiseSqrt();
}

Eigen::SparseMatrix<double> ConstraintMap::jacobian(double t, const Eigen::VectorXd& q) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Batch& b : batches_) {
    evaluate(b, t, q);
    const auto elements = static_cast<std::size_t>(b.elements);
    for (std::size_t l = 0; l < static_cast<std::size_t>(b.locals); ++l)
      for (std::size_t e = 0; e < elements; ++e)
        if (const std::int32_t i = b.dofs[l * elements + e]; !fixed_[static_cast<std::size_t>(i)])
          entries.emplace_back(static_cast<int>(b.first + static_cast<long>(e)), i, b.out[2 + l][e]);
  }
  Eigen::SparseMatrix<double> G(m_, n_);
  G.setFromTriplets(entries.begin(), entries.end());
  return G;
}

}  // namespace actio::invariant
