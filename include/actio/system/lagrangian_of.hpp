#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/expr/jet.hpp>
#include <actio/system/lagrangian.hpp>
#include <utility>

// A system of N coordinates from its Lagrangian alone, written once for any scalar:
//
//   struct Pendulum {
//     template <class T>
//     T operator()(double t, const Eigen::Matrix<T, 1, 1>& q, const Eigen::Matrix<T, 1, 1>& v) const {
//       return 0.5 * v.squaredNorm() + cos(q[0]);                                     // L(t, q, v) [J]
//     }
//   };
//   actio::system::LagrangianOf<1, Pendulum> pendulum;
//
// First and second derivatives are exact (expr/jet.hpp): some N^2 times the work of the formula, for at most 19 coordinates. For
// more use Mechanical with derivatives of your own, or a model of terms. A run takes L to be the same at all times unless
// run::Task::autonomous is false.
namespace actio::system {

namespace detail {

// The formula at (a, b), both of them variables: a is 0 .. N-1, b is N .. 2N-1.
template <int N, class Vector, class Formula>
expr::Jet<2 * N> differentiated(const Vector& a, const Vector& b, Formula&& formula) {
  static_assert(N >= 1 && N <= 19, "a formula is differentiated for 1 to 19 coordinates; use system::Mechanical or a model");
  using Jet = expr::Jet<2 * N>;
  Eigen::Matrix<Jet, N, 1> x, y;
  for (int i = 0; i < N; ++i) {
    x[i] = Jet::variable(a[i], i);
    y[i] = Jet::variable(b[i], N + i);
  }
  return formula(x, y);
}

}  // namespace detail

template <int N, class Formula>
class LagrangianOf {
 public:
  static constexpr int coordinates = N;
  using Space = algebra::DenseSpace<N>;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  LagrangianOf() = default;
  explicit LagrangianOf(Formula formula) : formula_(std::move(formula)) {}

  Space space() const { return {}; }
  static constexpr bool separable() { return false; }  // L is not split into M and V

  double lagrangian(double t, const Vector& q, const Vector& v) {
    const Eigen::Matrix<double, N, 1> x = q, y = v;
    return formula_(t, x, y);
  }
  void derivatives(double t, const Vector& q, const Vector& v, Vector& f, Vector& p) { gradient(at(t, q, v), f, p); }
  void tangent(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector& p, Matrix& K) {
    const auto L = at(t, q, v);
    gradient(L, f, p);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        K(i, j) += w.qq * L.second(i, j) + w.qv * L.second(i, N + j) + w.vq * L.second(N + i, j) + w.vv * L.second(N + i, N + j);
  }

 private:
  expr::Jet<2 * N> at(double t, const Vector& q, const Vector& v) {
    return detail::differentiated<N>(q, v, [&](const auto& x, const auto& y) { return formula_(t, x, y); });
  }
  static void gradient(const expr::Jet<2 * N>& L, Vector& f, Vector& p) {
    for (std::size_t i = 0; i < N; ++i) {
      f[static_cast<Eigen::Index>(i)] = L.gradient[i];
      p[static_cast<Eigen::Index>(i)] = L.gradient[N + i];
    }
  }
  Formula formula_;
};

}  // namespace actio::system
