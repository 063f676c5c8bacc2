#pragma once
#include <actio/algebra/vector.hpp>
#include <array>
#include <cmath>
#include <vector>

// The iteration x += F(x) accelerated by what it did before: with differences dx_i and dF_i of its last iterations,
//
//   x += F - sum_i theta_i (dx_i + dF_i),   theta: |F - sum_i theta_i dF_i| is least
//
//   D. G. Anderson, Iterative procedures for nonlinear integral equations, J. ACM 12 (1965) 547.
namespace actio::solve {

// x = (u, v), two lists of vectors of fixed shape, with |F|^2 = |F_u|^2 + weight |F_v|^2.
template <class U, class V>
class Anderson {
 public:
  static constexpr int depth = 5;

  Anderson(const std::vector<U>& u, const std::vector<V>& v) {
    last_ = next_ = {u, v};
    change_.fill(last_);
    step_.fill(last_);
  }

  void begin() { seen_ = 0; }
  // u and v move on, from F = (du, dv) there.
  void advance(std::vector<U>& u, std::vector<V>& v, const std::vector<U>& du, const std::vector<V>& dv, double weight) {
    if (seen_ > 0) {
      const int newest = (seen_ - 1) % depth;
      Pair &change = change_[newest], &step = step_[newest];
      for (std::size_t j = 0; j < u.size(); ++j) {
        change.u[j] = 1.0 * du[j] - 1.0 * last_.u[j];
        step.u[j] = 1.0 * u[j] - 1.0 * next_.u[j];
        step.u[j] += 1.0 * du[j];
      }
      for (std::size_t j = 0; j < v.size(); ++j) {
        change.v[j] = 1.0 * dv[j] - 1.0 * last_.v[j];
        step.v[j] = 1.0 * v[j] - 1.0 * next_.v[j];
        step.v[j] += 1.0 * dv[j];
      }
      const int count = seen_ < depth ? seen_ : depth;
      for (int i = 0; i < count; ++i) gram_[newest][i] = gram_[i][newest] = product(change_[i], change.u, change.v, weight);
    }
    last_.u = du;
    last_.v = dv;
    for (std::size_t j = 0; j < u.size(); ++j) next_.u[j] = u[j] + 1.0 * du[j];
    for (std::size_t j = 0; j < v.size(); ++j) next_.v[j] = v[j] + 1.0 * dv[j];
    u = next_.u;
    v = next_.v;
    const int count = seen_ < depth ? seen_ : depth;
    std::array<double, depth> theta{};
    coefficients(count, weight, theta);
    for (int i = 0; i < count; ++i) {
      if (theta[i] == 0) continue;
      for (std::size_t j = 0; j < u.size(); ++j) u[j] -= theta[i] * step_[i].u[j];
      for (std::size_t j = 0; j < v.size(); ++j) v[j] -= theta[i] * step_[i].v[j];
    }
    ++seen_;
  }

 private:
  struct Pair {
    std::vector<U> u;
    std::vector<V> v;
  };
  static double product(const Pair& a, const std::vector<U>& u, const std::vector<V>& v, double weight) {
    using algebra::dot;
    double of_u = 0, of_v = 0;
    for (std::size_t j = 0; j < u.size(); ++j) of_u += dot(a.u[j], u[j]);
    for (std::size_t j = 0; j < v.size(); ++j) of_v += dot(a.v[j], v[j]);
    return of_u + weight * of_v;
  }
  // The normal equations, the newest change first; one that nearly follows from newer ones is left out.
  void coefficients(int count, double weight, std::array<double, depth>& theta) const {
    std::array<std::array<double, depth>, depth> L{};
    std::array<double, depth> y{};
    std::array<int, depth> order{};
    int rank = 0;
    for (int age = 0; age < count; ++age) {
      const int i = (seen_ - 1 - age + depth) % depth;
      std::array<double, depth> row{};
      double pivot = gram_[i][i], right = product(change_[i], last_.u, last_.v, weight);
      for (int k = 0; k < rank; ++k) {
        double sum = gram_[i][order[k]];
        for (int l = 0; l < k; ++l) sum -= row[l] * L[k][l];
        row[k] = sum / L[k][k];
        pivot -= row[k] * row[k];
        right -= row[k] * y[k];
      }
      if (!(pivot > 1e-8 * gram_[i][i])) continue;
      row[rank] = std::sqrt(pivot);
      y[rank] = right / row[rank];
      order[rank] = i;
      L[rank++] = row;
    }
    for (int k = rank - 1; k >= 0; --k) {
      double sum = y[k];
      for (int l = k + 1; l < rank; ++l) sum -= L[l][k] * theta[order[l]];
      theta[order[k]] = sum / L[k][k];
    }
  }

  Pair last_, next_;                       // F of the last iteration, and x + F
  std::array<Pair, depth> change_, step_;  // dF, dx + dF
  std::array<std::array<double, depth>, depth> gram_{};
  int seen_ = 0;
};

}  // namespace actio::solve
