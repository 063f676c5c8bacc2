#include <actio/invariant/momentum.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <actio/system/constraints_alone.hpp>

namespace actio::invariant {

namespace {

// d2 xi / dq2 is zero by structure, and the time does not appear.
bool is_affine(const system::GeneratorBlock& block) {
  expr::Graph g = block.graph;
  std::vector<expr::Id> x;
  for (int l : expr::columns_of(g, block.value))
    if (l < block.locals) x.push_back(g.column(l));
  if (expr::depends_on_uniform(g, block.value, 0)) return false;
  const auto second = expr::hessian(g, block.value, x);
  return std::all_of(second.begin(), second.end(), [&](expr::Id id) { return g.is_constant(id, 0); });
}

// One graph for all components written on their own: columns are the coordinates they read, tables become constants.
struct Merged {
  expr::Graph graph;
  std::vector<expr::Id> outputs;
  std::vector<std::int32_t> coordinates;

  void add(const system::GeneratorBlock& block, std::size_t parameters) {
    std::vector<expr::Id> columns, uniforms;
    for (long l = 0; l < block.locals; ++l) columns.push_back(graph.column(column(block.dofs[static_cast<std::size_t>(l)])));
    for (const auto& data : block.data) columns.push_back(graph.constant(data[0]));
    for (std::size_t k = 0; k <= parameters; ++k) uniforms.push_back(graph.uniform(static_cast<int>(k)));
    outputs.push_back(expr::substitute(graph, block.graph, block.value, columns, uniforms));
  }
  int column(std::int32_t dof) const {
    return static_cast<int>(std::lower_bound(coordinates.begin(), coordinates.end(), dof) - coordinates.begin());
  }
};

}  // namespace

MomentumMap::MomentumMap(std::vector<system::Symmetry> symmetries, const expr::CompileOptions& options)
    : MomentumMap(
          [&] {
            std::int32_t last = 0;
            for (const auto& symmetry : symmetries)
              for (const auto& block : symmetry.blocks) {
                for (const std::int32_t row : block.rows) last = std::max(last, row);
                for (const std::int32_t dof : block.dofs) last = std::max(last, dof);
              }
            system::Model model;
            model.families = {{"q", last + 1, 0, true}};
            model.symmetries = std::move(symmetries);
            return model;
          }(),
          options) {}

MomentumMap::MomentumMap(const system::Model& model, const expr::CompileOptions& options) {
  coordinates_ = model.size();
  uniforms_.assign(1, 0.0);
  uniforms_.insert(uniforms_.end(), model.parameters.begin(), model.parameters.end());

  Merged merged;
  for (const auto& symmetry : model.symmetries)
    for (const auto& block : symmetry.blocks)
      if (block.elements == 1) merged.coordinates.insert(merged.coordinates.end(), block.dofs.begin(), block.dofs.end());
  auto& read = merged.coordinates;
  std::sort(read.begin(), read.end());
  read.erase(std::unique(read.begin(), read.end()), read.end());

  std::vector<expr::KernelSource> sources;
  for (std::size_t k = 0; k < model.symmetries.size(); ++k) {
    const auto& symmetry = model.symmetries[k];
    symmetries_.push_back({symmetry.name, true});
    for (const auto& block : symmetry.blocks) {
      if (!is_affine(block)) symmetries_.back().affine = false;
      if (block.elements == 1) {
        merged.add(block, model.parameters.size());
        components_.push_back({k, block.rows[0], 0});
      } else if (block.elements > 1) {
        Batch b;
        b.symmetry = k;
        b.locals = block.locals;
        b.elements = block.elements;
        b.rows = block.rows;
        b.dofs = block.dofs;
        b.columns.assign(static_cast<std::size_t>(block.locals), std::vector<double>(static_cast<std::size_t>(block.elements)));
        b.columns.insert(b.columns.end(), block.data.begin(), block.data.end());
        b.out.resize(static_cast<std::size_t>(block.elements));
        sources.push_back({"generator" + std::to_string(sources.size()),
                           &block.graph,
                           {block.value},
                           true,
                           static_cast<int>(b.columns.size()),
                           0});
        batches_.push_back(std::move(b));
      }
    }
  }
  if (!components_.empty()) {
    const int columns = static_cast<int>(read.size());
    sources.push_back({"generators", &merged.graph, merged.outputs, false, columns, columns});
  }
  if (sources.empty()) return;
  if (model.constraint_count() > 0)
    constraints_ = std::make_shared<const system::Assembled<algebra::SparseSpace>>(system::constraints_alone(model, options));
  module_ = expr::Module::build(sources, options);
  for (std::size_t b = 0; b < batches_.size(); ++b) batches_[b].kernel = module_.batch(b);
  if (!components_.empty()) single_ = module_.single(sources.size() - 1);

  gathered_ = read;
  in_place_ = true;
  for (std::size_t i = 0; i < gathered_.size(); ++i) in_place_ = in_place_ && gathered_[i] == static_cast<std::int32_t>(i);
  single_in_.resize(gathered_.size());
  single_out_.resize(components_.size());

  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.size());
  const auto finite = [](double x) { return std::isfinite(x) ? x : 0.0; };
  if (!components_.empty()) {
    evaluate_single(0, zero);
    for (std::size_t c = 0; c < components_.size(); ++c) components_[c].at_zero = finite(single_out_[c]);
  }
  for (auto& b : batches_) {
    evaluate(b, 0, zero);
    b.at_zero = b.out;
    for (double& x : b.at_zero) x = finite(x);
  }
}

void MomentumMap::evaluate_single(double t, const Eigen::VectorXd& q) {
  uniforms_[0] = t;
  if (in_place_) {
    single_(uniforms_.data(), q.data(), nullptr, single_out_.data());
  } else {
    for (std::size_t i = 0; i < gathered_.size(); ++i) single_in_[i] = q[gathered_[i]];
    single_(uniforms_.data(), single_in_.data(), nullptr, single_out_.data());
  }
}

void MomentumMap::evaluate(Batch& b, double t, const Eigen::VectorXd& q) {
  uniforms_[0] = t;
  const auto elements = static_cast<std::size_t>(b.elements);
  for (std::size_t l = 0; l < static_cast<std::size_t>(b.locals); ++l)
    for (std::size_t e = 0; e < elements; ++e) b.columns[l][e] = q[b.dofs[l * elements + e]];
  b.inputs.resize(b.columns.size());
  for (std::size_t c = 0; c < b.columns.size(); ++c) b.inputs[c] = b.columns[c].data();
  double* y = b.out.data();
  b.kernel(b.elements, uniforms_.data(), b.inputs.data(), &y);
}

void MomentumMap::operator()(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& p, std::span<double> J,
                             std::span<double> scale, double impulse) {
  assert(J.size() == size() && scale.size() == size());
  for (std::size_t k = 0; k < J.size(); ++k) J[k] = scale[k] = 0;
  const auto add = [&](double& sum, double& size, double pi, double xi, double at_zero) {
    sum += pi * xi;
    size += std::abs(pi) * (std::abs(at_zero) + std::abs(xi - at_zero)) + impulse * std::abs(xi);
  };
  if (!components_.empty()) {
    evaluate_single(t, q);
    for (std::size_t c = 0; c < components_.size(); ++c) {
      const Component& of = components_[c];
      add(J[of.symmetry], scale[of.symmetry], p[of.row], single_out_[c], of.at_zero);
    }
  }
  for (auto& b : batches_) {
    evaluate(b, t, q);
    // Eight sums, as additions wait for one another.
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> sums{}, scales{};
    const std::size_t whole = b.out.size() / lanes * lanes;
    for (std::size_t e = 0; e < whole; e += lanes)
      for (std::size_t l = 0; l < lanes; ++l) add(sums[l], scales[l], p[b.rows[e + l]], b.out[e + l], b.at_zero[e + l]);
    double &sum = J[b.symmetry], &size = scale[b.symmetry];
    for (std::size_t l = 0; l < lanes; ++l) {
      sum += sums[l];
      size += scales[l];
    }
    for (std::size_t e = whole; e < b.out.size(); ++e) add(sum, size, p[b.rows[e]], b.out[e], b.at_zero[e]);
  }
}

void MomentumMap::field(std::size_t k, double t, const Eigen::VectorXd& q, Eigen::VectorXd& xi) {
  xi.setZero(q.size());
  if (!components_.empty()) {
    evaluate_single(t, q);
    for (std::size_t c = 0; c < components_.size(); ++c)
      if (components_[c].symmetry == k) xi[components_[c].row] += single_out_[c];
  }
  for (auto& b : batches_) {
    if (b.symmetry != k) continue;
    evaluate(b, t, q);
    for (std::size_t e = 0; e < b.out.size(); ++e) xi[b.rows[e]] += b.out[e];
  }
}

}  // namespace actio::invariant
