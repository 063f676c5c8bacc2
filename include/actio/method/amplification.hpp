#pragma once
#include <Eigen/Core>
#include <actio/algebra/vector.hpp>
#include <cmath>

// The matrix of one step on what a stepper keeps, by stepping unit states: (q, v, a) where the acceleration is a state of its
// own, else (q, p). It describes the method where the equations are linear and no load acts. step(x, h) is the stepper's, or some
// of its steps in turn.
namespace actio::method {

template <class S, class Step>
Eigen::MatrixXd amplification(S& stepper, Step&& step, double h) {
  using Vector = typename S::Vector;
  using State = typename S::State;
  constexpr bool keeps_a = requires(State x) { x.v, x.a; };
  const Vector zero = stepper.system().space().vector();
  const long n = zero.size(), parts = keeps_a ? 3 : 2;
  Eigen::MatrixXd A(parts * n, parts * n);
  const auto put = [&](const Vector& x, long row, long column) {
    for (long i = 0; i < n; ++i) A(row + i, column) = x[i];
  };
  Vector q = zero, p = zero;
  for (long column = 0; column < parts * n; ++column) {
    const long part = column / n, i = column % n;
    Vector unit = zero;
    unit[i] = 1;
    State x = stepper.start(0, !keeps_a && part == 0 ? unit : zero, !keeps_a && part == 1 ? unit : zero);
    if constexpr (keeps_a) (part == 0 ? x.q : part == 1 ? x.v : x.a) = unit;
    if (!step(x, h).converged) return Eigen::MatrixXd::Constant(parts * n, parts * n, std::nan(""));
    if constexpr (keeps_a) {
      put(x.q, 0, column);
      put(x.v, n, column);
      put(x.a, 2 * n, column);
    } else {
      stepper.phase(x, q, p);
      put(q, 0, column);
      put(p, n, column);
    }
  }
  return A;
}

}  // namespace actio::method
