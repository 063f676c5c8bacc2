#include "supernodal.hpp"

#include <actio/core/parallel.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "nested_dissection.hpp"
#include "supernodal_factor.hpp"

namespace actio::algebra {
namespace {

struct Analysis final : SupernodalAnalysis {
  Analysis(const SparseMatrix& pattern, EliminationTree of)
      : tree(std::move(of)),
        supernodes(pattern, tree),
        shape(supernodes.shape(tree.order)),
        factor(shape, tree.inverse),
        solve(shape) {}
  EliminationTree tree;
  Supernodes supernodes;
  SupernodalShape shape;
  SupernodalFactor factor;
  SupernodalSolve solve;
};

}  // namespace

std::shared_ptr<const SupernodalAnalysis> SupernodalAnalysis::make(const SparseMatrix& pattern, const std::vector<int>& order) {
  EliminationTree given(pattern, order), dissected(pattern, nested_dissection(pattern));
  EliminationTree& better = dissected.flops() < given.flops() ? dissected : given;
  if (better.flops() < supernodal_switch * better.nonzeros()) return nullptr;
  return std::make_shared<Analysis>(pattern, std::move(better));
}

// L in single precision, made at its first need: a factor may be shared by several threads.
struct InSingle {
  std::once_flag once;
  std::vector<float> values;  // none: they are not exact enough
};
// |x_single - x| / |x| up to which they are, each x_i in units of 1/sqrt(K_ii). Iterations lose about as much in each increment;
// those by the factor of an earlier matrix seldom gain more than two digits.
constexpr double exact_enough = 1e-3;

struct Supernodal::Implementation {
  std::shared_ptr<const SupernodalAnalysis> made;
  std::vector<double> values;
  int good = 0;  // columns before the first without a positive pivot
  std::unique_ptr<InSingle> single = std::make_unique<InSingle>();
  Eigen::VectorXd scale;  // sqrt(K_ii)
  const Analysis& analysis() const { return static_cast<const Analysis&>(*made); }
  const std::vector<float>& in_single(Work& work) const;
};

Supernodal::Supernodal(std::shared_ptr<const SupernodalAnalysis> analysis) : implementation_(std::make_unique<Implementation>()) {
  implementation_->made = std::move(analysis);
  implementation_->values.resize(static_cast<std::size_t>(implementation_->analysis().supernodes.starts.back()));
}

Supernodal::~Supernodal() = default;

bool Supernodal::factor(const SparseMatrix& K) {
  Implementation& s = *implementation_;
  s.good = s.analysis().factor.factor(K, s.values.data());
  s.single = std::make_unique<InSingle>();
  s.scale = K.diagonal().cwiseSqrt();
  if (s.good < K.rows()) return false;
  Eigen::VectorXd d;
  pivots(d);
  return d.allFinite();  // what is not finite in row i of K makes L_ii so
}

// Tried on a vector of its own, so that what is found does not depend on who asks first.
const std::vector<float>& Supernodal::Implementation::in_single(Work& work) const {
  std::call_once(single->once, [&] {
    std::vector<float>& values_in_single = single->values;
    try {
      values_in_single.resize(values.size());
    } catch (const std::bad_alloc&) { return; }  // there is room for the other
    core::parallel_ranges(static_cast<long>(values.size()), core::worth_a_thread, [&](long begin, long end) {
      for (long k = begin; k < end; ++k) values_in_single[k] = static_cast<float>(values[k]);
    });
    const Eigen::Index n = scale.size();
    std::uint64_t state = 1;
    const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(n, [&](Eigen::Index i) {  // signs that follow no pattern of K's
      state = state * 6364136223846793005u + 1442695040888963407u;
      return (state >> 63) == 0 ? scale[i] : -scale[i];
    });
    Eigen::VectorXd x(n), in_double(n);
    analysis().solve.solve(values.data(), b.data(), in_double.data(), work);
    analysis().solve.solve(values_in_single.data(), b.data(), x.data(), work);
    x = scale.cwiseProduct(x - in_double);
    if (!(x.norm() <= exact_enough * scale.cwiseProduct(in_double).norm())) values_in_single = {};
  });
  return single->values;
}

void Supernodal::solve(const double* b, double* x, Work& work, Digits digits) const {
  const Implementation& s = *implementation_;
  if (digits == Digits::few)
    if (const auto& values = s.in_single(work); !values.empty()) return s.analysis().solve.solve(values.data(), b, x, work);
  s.analysis().solve.solve(s.values.data(), b, x, work);
}

void Supernodal::pivots(Eigen::VectorXd& d) const {
  const Implementation& of = *implementation_;
  const SupernodalShape& shape = of.analysis().shape;
  d.setConstant(shape.n, std::nan(""));
  for (int s = 0; s < shape.count(); ++s)
    for (int k = shape.first[s]; k < std::min(shape.first[s + 1], of.good); ++k) {
      const long c = k - shape.first[s];
      const double l = of.values[static_cast<std::size_t>(shape.starts[s] + c * (shape.height(s) + 1))];
      d[shape.order[k]] = l * l;
    }
  if (of.good < shape.n) d[shape.order[of.good]] = 0;
}

double Supernodal::flops() const { return implementation_->analysis().tree.flops(); }

double Supernodal::nonzeros() const { return implementation_->analysis().tree.nonzeros(); }

}  // namespace actio::algebra
