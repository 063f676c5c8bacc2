#include <actio/expr/kernel.hpp>
#include <actio/system/cutoff.hpp>
#include <actio/system/pairs.hpp>
#include <algorithm>
#include <cmath>
#include <random>

namespace actio::system {
namespace {

constexpr long tried = 64;  // pairs at random, and of each table the indices with the largest values:
constexpr std::size_t extremes = 8;
constexpr double continuous = 1e-9;  // of the energy nearer by a tenth
constexpr double step = 1e-5;        // of the cutoff

// The energy of a pair, its second point moved along the line from the first to another distance.
class MovedPair {
 public:
  MovedPair(const Model& model, const Term& term, const Eigen::VectorXd& q) : model_(model), term_(term), q_(q) {
    const std::vector<expr::KernelSource> sources{
        {"inside", &term.graph, {term.pairs->near->inside}, false, static_cast<int>(columns()), static_cast<int>(columns())},
        {"near", &term.graph, {term.pairs->near->near}, false, static_cast<int>(columns()), static_cast<int>(columns())}};
    expr::CompileOptions options;
    options.compiler = "none";
    module_ = expr::Module::build(sources, options);
    uniforms_.assign(1, 0.0);
    uniforms_.insert(uniforms_.end(), model.parameters.begin(), model.parameters.end());
    uniforms_.resize(uniforms_.size() + model.signals.size(), 0.0);
  }

  // False where the two points are in one place.
  bool take(long e) {
    const NearPairs& near = *term_.pairs->near;
    const auto [i, j] = term_.pairs->place(e);
    x_.resize(static_cast<std::size_t>(columns()));
    double square = 0;
    for (std::size_t a = 0; a < near.axes.size(); ++a) {
      const NearPairs::Axis& axis = near.axes[a];
      double d = q_[axis.offset + axis.stride * j] - q_[axis.offset + axis.stride * i];
      if (axis.period > 0) d -= axis.period * std::rint(d / axis.period);
      line_[a] = d;
      square += d * d;
    }
    distance_ = std::sqrt(square);
    for (long l = 0; l < term_.locals; ++l) x_[static_cast<std::size_t>(l)] = q_[term_.dof(l, e)];
    for (std::size_t k = 0; k < term_.data.size(); ++k) x_[static_cast<std::size_t>(term_.locals) + k] = term_.datum(k, e);
    return distance_ > 0 && std::isfinite(distance_);
  }
  double energy(double r) const { return value(0, r); }
  bool interacts(double r) const { return value(1, r) < 0; }

 private:
  long columns() const { return term_.locals + static_cast<long>(term_.data.size()); }
  double value(std::size_t which, double r) const {
    const NearPairs& near = *term_.pairs->near;
    std::vector<double> x = x_;
    for (long l = 0; l < term_.locals; ++l) {
      const expr::Affine& dof = term_.pairs->dofs[static_cast<std::size_t>(l)];
      if (dof.by_j == 0) continue;
      // Its axis is that of the family of coordinates it lies in, or of its place among the coordinates of a point.
      for (std::size_t a = 0; a < near.axes.size(); ++a)
        if (along(dof.constant, a)) x[static_cast<std::size_t>(l)] += line_[a] * (r / distance_ - 1);
    }
    double out = 0;
    module_.single(which)(uniforms_.data(), x.data(), nullptr, &out);
    return out;
  }
  bool along(long coordinate, std::size_t a) const {
    const std::vector<NearPairs::Axis>& axes = term_.pairs->near->axes;
    const auto family = [&](long at) {
      return std::ranges::find_if(model_.families, [&](const Family& f) { return at >= f.offset && at < f.offset + f.size; });
    };
    if (family(coordinate) != family(axes[a].offset)) return false;
    if (axes.size() > 1 && family(axes[0].offset) == family(axes[1].offset))  // all axes in one family, in turn
      return (coordinate - axes[a].offset) % static_cast<long>(axes.size()) == 0;
    return true;
  }

  const Model& model_;
  const Term& term_;
  const Eigen::VectorXd& q_;
  expr::Module module_;
  std::vector<double> uniforms_, x_;
  std::array<double, 3> line_{};
  double distance_ = 0;
};

// Indices at which the tables of one of the two points are largest: ions among many atoms.
std::vector<long> largest(const Term& term, bool first) {
  std::vector<long> out;
  const expr::PairLoops& loops = term.pairs->loops;
  for (std::size_t c = 0; c < term.data.size(); ++c) {
    const expr::Affine& at = term.pairs->data[c];
    if ((first ? at.by_j : at.by_i) != 0) continue;
    std::vector<long> order;
    for (long k = loops.first; k <= loops.last + 1; ++k) {  // j goes one further than i
      const long entry = first ? at(k, 0) : at(0, k);
      if (entry >= 0 && entry < static_cast<long>(term.data[c].size())) order.push_back(k);
    }
    const auto size = [&](long k) { return std::abs(term.data[c][static_cast<std::size_t>(first ? at(k, 0) : at(0, k))]); };
    const auto end = order.begin() + static_cast<long>(std::min(extremes, order.size()));
    std::ranges::partial_sort(order, end, [&](long a, long b) { return size(a) > size(b) || (size(a) == size(b) && a < b); });
    out.insert(out.end(), order.begin(), end);
  }
  return out;
}

std::vector<long> pairs_to_try(const Term& term) {
  const Pairs& pairs = *term.pairs;
  std::vector<long> out;
  std::mt19937_64 random(7);
  for (long k = 0; k < tried; ++k) out.push_back(static_cast<long>(random() % static_cast<unsigned long>(pairs.elements())));
  const std::vector<long> second = largest(term, false);
  for (const long i : largest(term, true))
    for (const long j : second)
      if (i >= pairs.loops.first && i <= pairs.loops.last && j >= pairs.loops.from(i, 0) && j <= pairs.loops.to(i, 0))
        out.push_back(pairs.starts[static_cast<std::size_t>(i - pairs.loops.first)] + j - pairs.loops.from(i, 0));
  return out;
}

}  // namespace

std::vector<CutoffJump> cutoff_jumps(const Model& model, const Eigen::VectorXd& q) {
  std::vector<CutoffJump> out;
  for (const Term& term : model.terms) {
    if (!term.pairs || !term.pairs->near) continue;
    const double rc = term.pairs->near->cutoff;
    MovedPair pair(model, term, q);
    CutoffJump jump{term.name, rc, 0, 0};
    double energy = 0, force = 0;  // nearer by a tenth
    for (const long e : pairs_to_try(term)) {
      if (!pair.take(e) || !pair.interacts(0.9 * rc)) continue;
      const auto slope = [&](double r) { return (pair.energy(r + step * rc) - pair.energy(r - step * rc)) / (2 * step * rc); };
      jump.energy = std::max(jump.energy, std::abs(pair.energy(rc)));
      jump.force = std::max(jump.force, std::abs(slope(rc)));
      energy = std::max(energy, std::abs(pair.energy(0.9 * rc)));
      force = std::max(force, std::abs(slope(0.9 * rc)));
    }
    if (const double share = term.pairs->near->share; share < 1) {  // of an interaction that goes as 1/r
      energy = std::max(energy, jump.energy / share);
      force = std::max(force, jump.energy / (share * rc));
    }
    if (!(jump.energy > continuous * energy)) jump.energy = 0;
    if (!(jump.force > 10 * step * force)) jump.force = 0;  // what a switch that is smooth to second order leaves is of step^2
    if (jump.energy > 0 || jump.force > 0) out.push_back(jump);
  }
  return out;
}

}  // namespace actio::system
