#include "schur_complement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace actio::algebra {
namespace {

constexpr double singular = 1e-14;  // the smallest pivot beside the largest, rows scaled

// A (N x N, by columns) becomes L U with rows exchanged as `pivots` says and scaled to a largest entry of 1. The smallest pivot
// beside the largest, 0 where a row is 0.
template <int N>
double factor_dense(double* A, int* pivots, double* scale) {
  for (int i = 0; i < N; ++i) {
    double largest = 0;
    for (int j = 0; j < N; ++j) largest = std::max(largest, std::abs(A[j * N + i]));
    if (!(largest > 0)) return 0;
    scale[i] = 1 / largest;
    for (int j = 0; j < N; ++j) A[j * N + i] *= scale[i];
  }
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (int k = 0; k < N; ++k) {
    int p = k;
    for (int i = k + 1; i < N; ++i)
      if (std::abs(A[k * N + i]) > std::abs(A[k * N + p])) p = i;
    pivots[k] = p;
    const double size = std::abs(A[k * N + p]);
    if (!(size > 0)) return 0;
    least = std::min(least, size);
    most = std::max(most, size);
    if (p != k)
      for (int j = 0; j < N; ++j) std::swap(A[j * N + k], A[j * N + p]);
    const double inverse = 1 / A[k * N + k];
    for (int i = k + 1; i < N; ++i) A[k * N + i] *= inverse;
    for (int j = k + 1; j < N; ++j)
      for (int i = k + 1; i < N; ++i) A[j * N + i] -= A[k * N + i] * A[j * N + k];
  }
  return least / most;
}

template <int N>
void solve_dense(const double* A, const int* pivots, double* y) {  // y scaled
  for (int k = 0; k < N; ++k) std::swap(y[k], y[pivots[k]]);
  for (int k = 0; k < N; ++k)
    for (int i = k + 1; i < N; ++i) y[i] -= A[k * N + i] * y[k];
  for (int k = N - 1; k >= 0; --k) {
    y[k] /= A[k * N + k];
    for (int i = 0; i < k; ++i) y[i] -= A[k * N + i] * y[k];
  }
}

// f with the size of a group as a constant.
template <class F>
void with_size(int size, F&& f) {
  [&]<int... N>(std::integer_sequence<int, N...>) { ((size == N + 1 ? f(std::integral_constant<int, N + 1>()) : void()), ...); }
  (std::make_integer_sequence<int, largest_group>());
}

// Rows that share a coordinate with each row, itself among them.
std::vector<std::vector<int>> neighbours(const SparseJacobian& G) {
  const Eigen::SparseMatrix<double> columns = G;
  std::vector<std::vector<int>> out(static_cast<std::size_t>(G.rows()));
  for (int l = 0; l < G.rows(); ++l) {
    std::vector<int>& rows = out[static_cast<std::size_t>(l)];
    rows.push_back(l);
    for (SparseJacobian::InnerIterator i(G, l); i; ++i)
      for (Eigen::SparseMatrix<double>::InnerIterator k(columns, i.col()); k; ++k) rows.push_back(static_cast<int>(k.row()));
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
  return out;
}

}  // namespace

std::vector<int> groups_of(const SparseJacobian& pattern) {
  const std::vector<std::vector<int>> near = neighbours(pattern);
  std::vector<int> group(near.size(), -1), stack;
  int count = 0;
  for (std::size_t first = 0; first < near.size(); ++first) {
    if (group[first] >= 0) continue;
    stack.assign(1, static_cast<int>(first));
    group[first] = count;
    while (!stack.empty()) {
      const auto l = static_cast<std::size_t>(stack.back());
      stack.pop_back();
      for (const int k : near[l])
        if (group[static_cast<std::size_t>(k)] < 0) {
          group[static_cast<std::size_t>(k)] = count;
          stack.push_back(k);
        }
    }
    ++count;
  }
  return group;
}

double SchurAnalysis::products_of(const SparseJacobian& pattern) {
  std::vector<double> count(static_cast<std::size_t>(pattern.cols()));
  for (int s = 0; s < pattern.nonZeros(); ++s) ++count[static_cast<std::size_t>(pattern.innerIndexPtr()[s])];
  double sum = 0;
  for (const double c : count) sum += c * c;
  return sum;
}

SchurAnalysis::SchurAnalysis(const SparseJacobian& pattern) : G(pattern) {
  const int m = static_cast<int>(G.rows());
  const std::vector<std::vector<int>> near = neighbours(G);
  const std::vector<int> group = groups_of(G);
  const int count = m == 0 ? 0 : *std::max_element(group.begin(), group.end()) + 1;
  starts.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const int g : group) ++starts[static_cast<std::size_t>(g) + 1];
  const bool small = *std::max_element(starts.begin(), starts.end()) <= largest_group;
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<int> local(static_cast<std::size_t>(m)), next = starts;
  rows.resize(static_cast<std::size_t>(m));
  for (int l = 0; l < m; ++l) {
    const auto g = static_cast<std::size_t>(group[static_cast<std::size_t>(l)]);
    local[static_cast<std::size_t>(l)] = next[g] - starts[g];
    rows[static_cast<std::size_t>(next[g]++)] = l;
  }
  entries.assign(1, 0);
  for (std::size_t g = 0; g + 1 < starts.size(); ++g) {
    const int size = starts[g + 1] - starts[g];
    entries.push_back(entries.back() + (small ? size * size : 0));
  }
  // where row k of column l stands
  const auto entry = [&](int l, std::size_t at) {
    const int k = near[static_cast<std::size_t>(l)][at];
    if (!small) return S.outerIndexPtr()[l] + static_cast<int>(at);
    const auto g = static_cast<std::size_t>(group[static_cast<std::size_t>(l)]);
    return entries[g] + local[static_cast<std::size_t>(l)] * (starts[g + 1] - starts[g]) + local[static_cast<std::size_t>(k)];
  };
  if (small) {
    S.resize(std::max(entries.back(), 1), 1);
    S.reserve(entries.back());
    S.startVec(0);
    for (int s = 0; s < entries.back(); ++s) S.insertBack(s, 0) = 0;
  } else {
    S.resize(m, m);
    for (int l = 0; l < m; ++l) {
      S.startVec(l);
      for (const int k : near[static_cast<std::size_t>(l)]) S.insertBack(k, l) = 0;
    }
  }
  S.finalize();
  if (!small) lu = std::make_shared<LuAnalysis>(S, false);

  SparseJacobian numbers = G;  // entries by columns, each the number that it has by rows
  for (int s = 0; s < numbers.nonZeros(); ++s) numbers.valuePtr()[s] = s;
  const SparseMatrix columns = numbers;
  const auto for_each_product = [&](auto&& use) {
    for (int l = 0; l < m; ++l) {
      const std::vector<int>& of = near[static_cast<std::size_t>(l)];
      for (int s0 = G.outerIndexPtr()[l]; s0 < G.outerIndexPtr()[l + 1]; ++s0)
        for (SparseMatrix::InnerIterator k(columns, G.innerIndexPtr()[s0]); k; ++k) {
          const auto at = std::lower_bound(of.begin(), of.end(), static_cast<int>(k.row())) - of.begin();
          use(static_cast<std::size_t>(entry(l, static_cast<std::size_t>(at))), Product{static_cast<int>(k.value()), s0});
        }
    }
  };
  product_starts.assign(static_cast<std::size_t>(S.nonZeros()) + 1, 0);
  for_each_product([&](std::size_t s, const Product&) { ++product_starts[s + 1]; });
  std::partial_sum(product_starts.begin(), product_starts.end(), product_starts.begin());
  products.resize(static_cast<std::size_t>(product_starts.back()));
  std::vector<int> place = product_starts;
  for_each_product([&](std::size_t s, const Product& p) { products[static_cast<std::size_t>(place[s]++)] = p; });
  for (int l = 0; l < m; ++l) {
    const std::vector<int>& of = near[static_cast<std::size_t>(l)];
    diagonal.push_back(entry(l, static_cast<std::size_t>(std::lower_bound(of.begin(), of.end(), l) - of.begin())));
  }
}

SchurComplement::SchurComplement(std::shared_ptr<const SchurAnalysis> analysis)
    : analysis_(std::move(analysis)),
      lu_(analysis_->lu ? std::make_unique<Lu>(analysis_->lu) : nullptr),
      S_(analysis_->S),
      G1_(analysis_->G),
      G0_(G1_),
      rest_(Eigen::VectorXd::Zero(G1_.rows())),
      weighted_(static_cast<std::size_t>(G1_.nonZeros())),
      scale_(static_cast<std::size_t>(G1_.rows())),
      pivots_(static_cast<std::size_t>(G1_.rows())) {}

bool SchurComplement::factor(const SparseJacobian& G1, const Eigen::VectorXd& inverse, const SparseJacobian& G0,
                             const std::vector<int>* left_out, bool regularised) {
  const SchurAnalysis& a = *analysis_;
  inverse_ = inverse;
  G1_.coeffs() = G1.coeffs();
  G0_.coeffs() = G0.coeffs();
  left_out_.clear();
  if (left_out) left_out_ = *left_out;
  const auto clear = [](SparseJacobian& G, std::size_t k) {
    std::fill(G.valuePtr() + G.outerIndexPtr()[k], G.valuePtr() + G.outerIndexPtr()[k + 1], 0.0);
  };
  for (std::size_t k = 0; k < left_out_.size(); ++k)
    if (left_out_[k] != 0) {
      clear(G1_, k);
      clear(G0_, k);
    }
  const int* coordinate = G0_.innerIndexPtr();
  const double* g0 = G0_.valuePtr();
  for (std::size_t s = 0; s < weighted_.size(); ++s) weighted_[s] = inverse[coordinate[s]] * g0[s];
  const double* g1 = G1_.valuePtr();
  double* S = S_.valuePtr();
  for (std::size_t s = 0; s + 1 < a.product_starts.size(); ++s) {
    double sum = 0;
    for (int p = a.product_starts[s]; p < a.product_starts[s + 1]; ++p) {
      const SchurAnalysis::Product& of = a.products[static_cast<std::size_t>(p)];
      sum += g1[of.g1] * weighted_[static_cast<std::size_t>(of.g0)];
    }
    S[s] = sum;
  }
  for (std::size_t k = 0; k < left_out_.size(); ++k)
    if (left_out_[k] != 0) S[a.diagonal[k]] = 1;  // y_k = 0
  if (regularised) {                              // all rows alike: of the multipliers the smallest
    double sum = 0;
    for (const int k : a.diagonal) sum += std::abs(S[k]);
    for (const int k : a.diagonal) S[k] += regularisation * sum / static_cast<double>(a.diagonal.size());
  }
  if (lu_) return lu_->factor(S_) && lu_->reciprocal_condition() > singular;
  return factor_groups();
}

bool SchurComplement::factor_groups() {
  const SchurAnalysis& a = *analysis_;
  double* S = S_.valuePtr();
  bool regular = true;
  for (std::size_t g = 0; g + 1 < a.starts.size(); ++g) {
    const int first = a.starts[g];
    with_size(a.starts[g + 1] - first, [&](auto size) {
      regular = factor_dense<size.value>(S + a.entries[g], pivots_.data() + first, scale_.data() + first) > singular && regular;
    });
  }
  return regular;
}

void SchurComplement::solve_groups(double* y) const {
  const SchurAnalysis& a = *analysis_;
  const double* S = S_.valuePtr();
  for (std::size_t g = 0; g + 1 < a.starts.size(); ++g) {
    const int first = a.starts[g];
    const int* rows = a.rows.data() + first;
    with_size(a.starts[g + 1] - first, [&](auto size) {
      double local[size.value];
      for (int k = 0; k < size.value; ++k) local[k] = scale_[static_cast<std::size_t>(first + k)] * rest_[rows[k]];
      solve_dense<size.value>(S + a.entries[g], pivots_.data() + first, local);
      for (int k = 0; k < size.value; ++k) y[rows[k]] = local[k];
    });
  }
}

void SchurComplement::solve(const Eigen::VectorXd& r, const Eigen::VectorXd& g, Eigen::VectorXd& x, Eigen::VectorXd& y) {
  x = inverse_.cwiseProduct(r);
  rest_.noalias() = G1_ * x;
  rest_ = g - rest_;
  for (std::size_t k = 0; k < left_out_.size(); ++k)
    if (left_out_[k] != 0) rest_[static_cast<long>(k)] = 0;
  if (lu_)  // G1 D^-1 G0' y = g - G1 D^-1 r
    lu_->solve(rest_.data(), y.data());
  else
    solve_groups(y.data());
  x = r;
  SparseKkt::add_transposed(1, G0_, y, x);
  x = inverse_.cwiseProduct(x);  // x = D^-1 (r + G0' y)
}

void SchurComplement::archive(core::Archive& a) {
  if (lu_) lu_->archive(a);
}

}  // namespace actio::algebra
