#pragma once
#include <Eigen/Core>
#include <actio/algebra/vector.hpp>
#include <actio/core/function_ref.hpp>

// The matrix of one step on what a stepper keeps, by stepping unit states: (q, v, a) where the acceleration is a state of its
// own, else (q, p). It describes the method where the equations are linear and no load acts. step(x, h) is the stepper's, or some
// of its steps in turn.
namespace actio::method {

// A = (f(e_0), f(e_1), ...), of f(k, column) that writes the column of unit k (rows) and is false where its step fails: then NaN.
Eigen::MatrixXd matrix_of_columns(long rows, core::FunctionRef<bool(long k, double* column)> f);

template <class S, class Step>
Eigen::MatrixXd amplification(S& stepper, Step&& step, double h) {
  using Vector = typename S::Vector;
  using State = typename S::State;
  constexpr bool keeps_a = requires(State x) { x.v, x.a; };
  const Vector zero = stepper.system().space().vector();
  const long n = zero.size(), parts = keeps_a ? 3 : 2;
  Vector q = zero, p = zero, unit = zero;
  const auto column = [&](long k, double* out) {
    const long part = k / n;
    unit = zero;
    unit[k % n] = 1;
    State x = stepper.start(0, !keeps_a && part == 0 ? unit : zero, !keeps_a && part == 1 ? unit : zero);
    if constexpr (keeps_a) (part == 0 ? x.q : part == 1 ? x.v : x.a) = unit;
    if (!step(x, h).converged) return false;
    const auto put = [&](const Vector& y, long first) {
      for (long i = 0; i < n; ++i) out[first + i] = y[i];
    };
    if constexpr (keeps_a) {
      put(x.q, 0);
      put(x.v, n);
      put(x.a, 2 * n);
    } else {
      stepper.phase(x, q, p);
      put(q, 0);
      put(p, n);
    }
    return true;
  };
  return matrix_of_columns(parts * n, column);
}

}  // namespace actio::method
