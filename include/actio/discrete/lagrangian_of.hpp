#pragma once
#include <actio/system/lagrangian_of.hpp>
#include <utility>

// A discrete Lagrangian of your own, written once for any scalar, for a system of few coordinates:
//
//   struct Midpoint {                     // Ld(q0, q1) = h L((q0 + q1)/2, w),  w = (q1 - q0)/h
//     template <class T>
//     T operator()(double t, double h, const Eigen::Matrix<T, 2, 1>& q0, const Eigen::Matrix<T, 2, 1>& w) const {
//       const Eigen::Matrix<T, 2, 1> middle = q0 + (h / 2) * w;
//       return h * (0.5 * w.squaredNorm() - V(middle));
//     }
//   };
//   actio::discrete::LagrangianOf Ld(system, Midpoint{});
//
// The second point is given by w, never q1 itself: with q1 the equations would have a round-off error of eps |q|/h. Derivatives
// are exact (expr/jet.hpp).
namespace actio::discrete {

// Ld of a system S by a formula; VariationalStepper and the others take it in place of Quadrature.
template <class S, class Formula>
class LagrangianOf {
 public:
  using System = S;
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  LagrangianOf(S system, Formula formula) : system_(std::move(system)), formula_(std::move(formula)) {}

  S& system() { return system_; }

  // Ld [J s]
  double value(double t, double h, const Vector& q0, const Vector& w) {
    const Eigen::Matrix<double, N, 1> x = q0, y = w;
    return formula_(t, h, x, y);
  }
  // p0 = -D1 Ld(q0, q0 + h w) [kg m/s] (n)
  void momentum_before(double t, double h, const Vector& q0, const Vector& w, Vector& p0) {
    const auto Ld = at(t, h, q0, w);
    for (int i = 0; i < N; ++i) p0[i] = before(Ld, h, i);
  }
  // p1 = D2 Ld(q0, q0 + h w) [kg m/s] (n)
  void momentum_after(double t, double h, const Vector& q0, const Vector& w, Vector& p1) {
    const auto Ld = at(t, h, q0, w);
    for (int i = 0; i < N; ++i) p1[i] = after(Ld, h, i);
  }
  // r = -D1 Ld - p0, and K = dr/dw
  void equations(double t, double h, const Vector& q0, const Vector& p0, const Vector& w, Vector& r, Matrix& K) {
    const auto Ld = at(t, h, q0, w);
    for (int i = 0; i < N; ++i) {
      r[i] = before(Ld, h, i) - p0[i];
      for (int j = 0; j < N; ++j) K(i, j) = Ld.second(N + i, N + j) / h - Ld.second(i, N + j);
    }
  }

 private:
  static constexpr int N = S::coordinates;
  using Jet = expr::Jet<2 * N>;
  // With A(q0, w) = Ld(q0, q0 + h w): D2 Ld = A_w / h, and D1 Ld = A_q - A_w / h.
  static double after(const Jet& Ld, double h, int i) { return Ld.gradient[static_cast<std::size_t>(N + i)] / h; }
  static double before(const Jet& Ld, double h, int i) { return after(Ld, h, i) - Ld.gradient[static_cast<std::size_t>(i)]; }
  Jet at(double t, double h, const Vector& q0, const Vector& w) {
    return system::detail::differentiated<N>(q0, w, [&](const auto& x, const auto& y) { return formula_(t, h, x, y); });
  }
  S system_;
  Formula formula_;
};

}  // namespace actio::discrete
