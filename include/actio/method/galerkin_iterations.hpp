#pragma once
#include <actio/method/galerkin_stages.hpp>
#include <actio/solve/factorisations.hpp>
#include <algorithm>
#include <limits>
#include <span>
#include <vector>

// How the W_j of a step are found (galerkin.hpp). Where L = 1/2 v'Mv - V by W = M^-1 (p0 + h Abar f) again and again. Where that
// does not converge, and for other L, by the blended iteration of gauss: with K = L_vv + h gamma (L_vq - L_qv) - (h gamma)^2 L_qq
// in the middle of the step, one matrix whatever the number of stages, and Z_j for sum_i A_ji W_i,
//
//   eta = -(residuals of Z and W),   theta(x, y) = (gamma z, z - x/gamma) with K z = y + L_vv x/gamma,
//   (dZ, dW) = theta(gamma A^-1 eta + theta(eta - gamma A^-1 eta))
//
// lobatto takes R_j by K itself, with L_vv alone or, for longer steps, gamma^2 the mean of the eigenvalues of Abar A.
//
//   L. Brugnano, C. Magherini, Blended implementation of block implicit methods for ODEs, Appl. Numer. Math. 42 (2002) 29.
//
// A factor of K serves the steps of its h until one takes half as many iterations again as the first did, or diverges.
namespace actio::method {

// Until increments() of w, which makes w anew and returns the square of its change, is below rounding, which it amplifies: those
// that shrink by theta leave theta/(1 - theta) of the last. What is left has a direction, and would add up over steps where
// roundings cancel: it is to be far below them. floor: an increment that rounding alone explains, once it no longer shrinks as
// those before it did; an iteration that shrinks slowly is there sooner than at its end.
template <class Vector, class Increments>
StepReport iterate(const std::vector<Vector>& w, double amplification, double floor, Increments&& increments) {
  using algebra::dot;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  constexpr int most = 100;
  double last = 0, slowest = 0;
  for (int k = 1; k <= most; ++k) {
    const double d = std::sqrt(increments());
    if (!std::isfinite(d)) return {k, false, 1};
    double size = 0;
    for (const Vector& each : w) size += dot(each, each);
    size = std::sqrt(size);
    if (d == 0) return {k, true, 0};
    if (k > 1 && last <= size) {
      const double theta = d / last, left = theta < 1 ? theta / (1 - theta) * d : std::numeric_limits<double>::infinity();
      if (left <= eps / 1024 * size) return {k, true, size > 0 ? left / size * (left / size) : 0};
      const bool stalls = theta > 0.7 || (k > 2 && theta > std::max(0.25, 1.5 * slowest));
      if (stalls && (d <= 8 * eps * amplification * size || d <= floor)) return {k, true, 0};  // rounding
      if (theta > 1e3 || (k > 16 && theta > 0.98)) return {k, false, d * d};
      slowest = std::max(slowest, theta);
    }
    last = d;
  }
  return {most, false, last * last};
}
template <class Vector>
double rounding_floor(const Vector& q, double h, int degree) {
  using algebra::dot;
  return 16 * std::numeric_limits<double>::epsilon() * std::sqrt(dot(q, q) * degree) / std::abs(h);
}

template <system::Lagrangian S>
class GalerkinIterations {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  using Stages = GalerkinStages<S>;
  using State = GalerkinState<Vector>;

  explicit GalerkinIterations(const Stages& s)
      : linear_(system::is_linear(s.system)),
        z_(s.w),
        dw_(s.w),
        dz_(s.w),
        y_(s.q),
        u_(s.q),
        K_(s.system.space().matrix()),
        Lvv_(s.separable() ? Matrix() : s.system.space().matrix()),
        solver_(s.system.space()),
        kept_(s.system.space()) {}

  bool predict(Stages& s, const State& x, double h, bool mean) {
    if (s.predict(x, h, mean)) return true;
    held_ = held_ && s.separable();  // else K_ is made anew
    return s.first_velocity(
        x, K_, [&](const Matrix& K) { return solver_.factor_pivoted(K); },
        [&](const Vector& b, Vector& out) { solver_.solve_pivoted(b, out); });
  }

  // From the w of s, which are then those of the step, with f: after simple() those that w is made of.
  StepReport simple(Stages& s, const State& x, double h) requires system::Separable<S> {
    int first = 0;
    return iterate(s.w, 1, rounding_floor(x.q, h, s.rule.degree), [&] {
      const double d = simple_increments(s, x, h, first);
      first = s.starts_with_known_force() ? 1 : 0;
      return d;
    });
  }
  StepReport with_matrices(Stages& s, const State& x, double h, bool blended) {
    const bool mean = blended;
    StepReport report{0, false, 0};
    share_ = 1;
    for (int again = 0; again < most_matrices && !report.converged; ++again) {
      if (again > 0) share_ = again % 2 == 0 ? 0.25 : 0.5;  // increments that swing about the solution
      const double middle = blended || again > 0 || s.separable() ? h * s.rule.gamma : 0;
      const bool old = again == 0 && held_ && middle == key_ && !linear_ && in_memory();
      if (!(old ? (at_middle(s, x, h, middle), true) : factor(s, x, h, middle))) break;
      report = iterate(s.w, blended ? s.rule.amplification : 1, rounding_floor(x.q, h, s.rule.degree),
                       [&] { return blended ? blended_increments(s, x, h) : mass_increments(s, x, h); });
      if (old) {
        held_ = report.converged && 2 * report.iterations <= 3 * first_;
        if (report.converged) break;
        if (!predict(s, x, h, mean)) break;
        --again;  // held_ is false now
      } else {
        held_ = report.converged && again == 0 && !linear_;
        first_ = report.iterations;
      }
    }
    if (report.converged) s.evaluate(x.t, h, x.q, false);
    return report;
  }

  // A factor that is held is archived as the matrix it is of.
  void archive(core::Archive& a) {
    a.part(solver_);
    a(kept_, made_, held_);
    if (!held_) return;
    a(key_, first_);
    matrix(a, K_);
    matrix(a, Lvv_);
    in_memory_ = in_memory_ && !a.reading();
  }
  long factorisations() const { return kept_.count() + made_; }

 private:
  static constexpr int most_matrices = 6;

  static void matrix(core::Archive& a, Matrix& K) {
    if constexpr (requires { Space::archive(a, K); }) {
      Space::archive(a, K);
    } else {
      std::span<double> values(K.data(), static_cast<std::size_t>(K.size()));
      a(values);
    }
  }
  bool in_memory() {
    if (!in_memory_) in_memory_ = held_ = solver_.factor(K_);
    return in_memory_;
  }

  // Each makes w anew and returns the square of its change.
  double simple_increments(Stages& s, const State& x, double h, int first) requires system::Separable<S> {
    using algebra::dot;
    s.evaluate(x.t, h, x.q, false, first);
    double sum = 0;
    for (int j = 0; j < s.rule.degree; ++j) {
      y_ = 1.0 * x.p;
      for (int k = 0; k < s.nodes(); ++k) y_ += (h * s.rule.Abar[j][k]) * s.f[k];
      s.system.velocity(y_, u_);
      s.w[j] -= 1.0 * u_;
      sum += dot(s.w[j], s.w[j]);
      s.w[j] = u_;
    }
    return sum;
  }

  double mass_increments(Stages& s, const State& x, double h) {
    using algebra::dot;
    s.evaluate(x.t, h, x.q);
    double sum = 0;
    for (int j = 0; j < s.rule.degree; ++j) {
      s.residual_of(j, h, x.p, y_);
      solve(y_, u_);
      s.w[j] -= share_ * u_;
      sum += dot(u_, u_);
    }
    return sum;
  }

  double blended_increments(Stages& s, const State& x, double h) {
    using algebra::dot;
    const discrete::Galerkin& rule = s.rule;
    for (int k = 0; k < s.nodes(); ++k) {
      s.q = x.q + h * z_[k];
      s.v = s.w[k];
      s.forces(x.t + rule.nodes[k] * h, k, true);
    }
    for (int j = 0; j < rule.degree; ++j) {  // eta
      s.residual_of(j, h, x.p, y_);
      dw_[j] = -1.0 * y_;
      dz_[j] = -1.0 * z_[j];
      for (int i = 0; i < rule.degree; ++i) dz_[j] += rule.A[j][i] * s.w[i];
    }
    // eta1 = gamma A^-1 eta in p (of W) and f (of Z)
    for (int j = 0; j < rule.degree; ++j) {
      s.p[j] = rule.scaled_inverse[j][0] * dw_[0];
      s.f[j] = rule.scaled_inverse[j][0] * dz_[0];
      for (int i = 1; i < rule.degree; ++i) {
        s.p[j] += rule.scaled_inverse[j][i] * dw_[i];
        s.f[j] += rule.scaled_inverse[j][i] * dz_[i];
      }
    }
    double sum = 0;
    for (int j = 0; j < rule.degree; ++j) {
      dw_[j] -= 1.0 * s.p[j];
      dz_[j] -= 1.0 * s.f[j];
      theta(s, dz_[j], dw_[j]);
      dw_[j] += 1.0 * s.p[j];
      dz_[j] += 1.0 * s.f[j];
      theta(s, dz_[j], dw_[j]);
      s.w[j] += share_ * dw_[j];
      z_[j] += share_ * dz_[j];
      sum += dot(dw_[j], dw_[j]);
    }
    return sum;
  }
  // (x, y) becomes (gamma z, z - x/gamma), K z = y + L_vv x/gamma
  void theta(Stages& s, Vector& x, Vector& y) {
    const double gamma = s.rule.gamma;
    multiply_mass(s, x, u_);
    y_ = y + (1 / gamma) * u_;
    solve(y_, u_);
    y = u_ - (1 / gamma) * x;
    x = gamma * u_;
  }
  void multiply_mass(Stages& s, const Vector& x, Vector& out) {
    if constexpr (system::Separable<S>)
      if (s.system.separable()) return s.system.momentum(x, out);
    Space::multiply(Lvv_, x, out);
  }
  void solve(const Vector& b, Vector& out) {
    if (!linear_) return solver_.solve(b, out);
    if (!kept_.solve(
            key_, [](Matrix&) {}, b, out))
      out = std::numeric_limits<double>::quiet_NaN() * b;
  }

  // q and v of s in the middle of the step; z_ from w, where they are unknowns too
  void at_middle(Stages& s, const State& x, double h, double middle) {
    s.at_middle(h, x.q);
    if (!s.rule.collocated || middle == 0) return;
    for (int k = 0; k < s.rule.degree; ++k) {
      z_[k] = s.rule.A[k][0] * s.w[0];
      for (int j = 1; j < s.rule.degree; ++j) z_[k] += s.rule.A[k][j] * s.w[j];
    }
  }
  // K in the middle of the step, by w, with `middle` = h gamma, or L_vv alone (0)
  bool factor(Stages& s, const State& x, double h, double middle) {
    at_middle(s, x, h, middle);
    if (s.rule.collocated && middle != 0 && !s.separable()) {
      Space::clear(Lvv_);
      s.system.tangent(x.t + h / 2, s.q, s.v, {0, 0, 0, 1}, s.x, s.y, Lvv_);
    }
    key_ = middle;
    if (linear_)
      return kept_.solve(
          middle, [&](Matrix& K) { s.tangent(x.t + h / 2, middle, K); }, x.p, dw_[0]);
    s.tangent(x.t + h / 2, middle, K_);
    ++made_;
    return in_memory_ = solver_.factor(K_);
  }

  bool linear_;
  std::vector<Vector> z_, dw_, dz_;
  Vector y_, u_;
  Matrix K_, Lvv_;
  solve::Factor<Space> solver_;
  solve::Factorisations<Space> kept_;
  double key_ = 0, share_ = 1;  // of the matrix in use; of an increment that is made
  // The factor of K_ serves further steps, or would if it were in memory; iterations of the first step that it served.
  bool held_ = false, in_memory_ = false;
  int first_ = 0;
  long made_ = 0;
};

}  // namespace actio::method
