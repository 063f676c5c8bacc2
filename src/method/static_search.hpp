#pragma once
#include <fmt/format.h>

#include <actio/algebra/vector.hpp>
#include <actio/core/error.hpp>
#include <actio/method/statics.hpp>
#include <actio/solve/forcing.hpp>
#include <actio/system/solid.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

// The search of statics.hpp, of systems on one machine and of those distributed over processes.
namespace actio::method {

// What is sought.
struct StaticProblem {
  const system::Model* model = nullptr;  // as it is given
  system::Model supported;               // what constraints of one coordinate give is fixed; of no mass to speak of
  double t = 0;
  Eigen::VectorXd start;  // (n)
  // How far nodes that are given have gone from a mesh at rest, put on in steps as loads are; or empty.
  Eigen::VectorXd prescribed;
};
// Throws core::InputError where statics are not of such a model.
StaticProblem static_problem(const system::Model& model, double t, const Eigen::VectorXd& q0);
[[noreturn]] void no_statics(const std::string& why);

// The linear solver, beside what solve/forcing.hpp says of one that takes eta:
//   bool factor(const Matrix& K);
//   bool singular() const;                 // K is, as far as is known
//   bool singular(const Vector& x) const;  // by x, which a failed iteration has left
template <class System, class Solver>
class StaticSearch {
 public:
  using Space = typename System::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  StaticSearch(System system, Solver solver, const StaticProblem& problem)
      : problem_(problem),
        system_(std::move(system)),
        solver_(std::move(solver)),
        K_(system_.space().matrix()),
        q_(system_.space().vector()),
        start_(q_),
        rest_(q_),
        r_(q_),
        dq_(q_),
        other_(q_),
        force_(q_) {
    from_eigen(problem.start, start_);
    if (!driving()) return;
    prescribed_ = q_;
    from_eigen(problem.prescribed, prescribed_);
  }

  Statics operator()() {
    using algebra::dot;
    Statics out{problem_.start};
    q_ = start_;
    if (driving()) q_ -= prescribed_;
    residual(q_, r_);
    if (!std::isfinite(dot(r_, r_))) no_statics("the forces at [initial] are not finite");
    const Vector r0 = r_;
    forces_ = norm(r0);
    if (driving()) forces_ += norm(drag(r0));
    if (forces_ == 0) return out;
    Vector good = q_, goal = r0;
    double s = 0, step = 1;
    while (s < 1) {
      const double next = std::min(1.0, s + step);
      goal = (1 - next) * r0;
      stuck_ = false;
      if (drive(next - s) && newton(goal, next == 1 ? 1e-10 : 1e-4)) {
        good = q_;
        s = next;
        ++out.load_steps;
        inside_out_.clear();
        step *= 2;
        continue;
      }
      q_ = good;
      step /= 2;
      if (stuck_ || step < least_step) refuse(s);
    }
    out.iterations = iterations_;
    to_eigen(q_, out.q);
    // where prescribed, but for rounding
    for (const std::int32_t i : problem_.supported.fixed_dofs) out.q[i] = problem_.start[i];
    out.moved = (out.q - problem_.start).template lpNorm<Eigen::Infinity>();
    return out;
  }

 private:
  static constexpr double least_step = 1.0 / 1024;  // of the load
  static constexpr int most_iterations = 25;
  static constexpr double most_inexact = 0.1;  // of a linear solve: the increment estimates the distance to the equilibrium

  bool driving() const { return problem_.prescribed.size() > 0; }
  static double norm(const Vector& x) {
    using algebra::dot;
    return std::sqrt(dot(x, x));
  }

  // All numbers of a vector, which may be distributed over processes.
  void from_eigen(const Eigen::VectorXd& from, Vector& to) const {
    if constexpr (requires { system_.scatter(from, to); })
      system_.scatter(from, to);
    else
      to = from;
  }
  void to_eigen(const Vector& from, Eigen::VectorXd& to) const {
    if constexpr (requires { system_.gather(from, to); })
      system_.gather(from, to);
    else
      to = from;
  }

  // r and, in K_, dr/dq
  void residual(const Vector& q, Vector& r) {
    system_.stiffness(problem_.t, q, 0, 1, r, K_);
    if (system_.forced()) {
      system_.applied_tangent(problem_.t, q, rest_, -1, 0, force_, K_);
      r += force_;
    }
    r *= -1;
  }

  // K_fd d at q_, where the residual is r, by a difference of it; K_ is that at q_ thereafter.
  Vector drag(const Vector& r) {
    const double small =
        1e-7 * problem_.start.template lpNorm<Eigen::Infinity>() / problem_.prescribed.template lpNorm<Eigen::Infinity>();
    other_ = q_ + small * prescribed_;
    residual(other_, dq_);
    Vector out = (1 / small) * dq_ - (1 / small) * r;
    residual(q_, dq_);
    return out;
  }

  // Prescribed places go on by `part` of their way, and the others as they would on a stiffness that stays: -K_ff^-1 K_fd d.
  bool drive(double part) {
    using algebra::dot;
    if (!driving()) return true;
    residual(q_, r_);
    const Vector f = drag(r_);
    stuck_ = true;
    if (!std::isfinite(dot(f, f)) || !increment(f, 1e-6)) return false;
    stuck_ = false;
    q_ += part * prescribed_ - part * dq_;
    residual(q_, r_);
    return std::isfinite(dot(r_, r_));
  }

  // r(q_) = goal, until an increment is `close` of the way from the start, or round-off.
  bool newton(const Vector& goal, double close) {
    using algebra::dot;
    constexpr double eps = std::numeric_limits<double>::epsilon();
    residual(q_, r_);
    forcing_.begin();
    for (int k = 0; k < most_iterations; ++k) {
      ++iterations_;
      r_ -= goal;
      const double rr = dot(r_, r_);
      if (rr == 0) return true;
      if (!increment(r_, std::min(most_inexact, forcing_.next(rr)))) {
        stuck_ = k == 0 && !driving();
        return false;
      }
      double part = 1;
      for (;; part /= 2) {
        if (part < least_step) return false;
        other_ = q_ - part * dq_;
        residual(other_, r_);
        if (std::isfinite(dot(r_, r_))) break;  // no element is inside out
      }
      q_ = other_;
      const double moved = part * norm(dq_);
      other_ = r_ - goal;
      const bool balanced = norm(other_) <= 1e-3 * forces_;
      other_ = q_ - start_;
      if (part < 1 || !(moved <= 64 * eps * norm(start_) || (balanced && moved <= close * norm(other_)))) continue;
      Eigen::VectorXd all;
      to_eigen(q_, all);
      const std::string inside_out =
          system::inside_out(*problem_.model, all);  // an energy that is finite there has equilibria of no body
      if (inside_out.empty()) return true;
      inside_out_ = inside_out;
      return false;
    }
    return false;
  }

  // dq_ = K_^-1 b
  bool increment(const Vector& b, double eta) {
    unsolved_.clear();
    const bool made = solver_.factor(K_);
    free_ = solver_.singular();
    if (free_ || !made) return failed();
    if (!solver_.solve(b, dq_, eta)) {
      free_ = solver_.singular(dq_);
      return failed();
    }
    const double length = norm(dq_), size = norm(start_);
    free_ = size > 0 && length >= 1e8 * size;  // the last resort: an increment of many times the positions
    return !free_ && std::isfinite(length);
  }
  bool failed() {
    if constexpr (requires { system_.why_unsolved(); }) unsolved_ = system_.why_unsolved();
    return false;
  }

  [[noreturn]] void refuse(double s) const {
    std::string why;
    if (!free_ && !unsolved_.empty())
      why = fmt::format(": {}", unsolved_);
    else if (!inside_out_.empty())
      why = fmt::format("; in the one it found there {}", inside_out_);
    throw core::InputError(
        fmt::format("no static start: Newton's method found no equilibrium beyond {:.3g} % of the forces at the start{}", 100 * s,
                    why),
        free_       ? "the stiffness matrix is singular: some part can move freely; fix more coordinates"
        : driving() ? "the structure may buckle or tear: lower the loads, reduce the prescribed displacements, or start nearer"
                    : "the structure may buckle or tear: lower the loads, or start nearer to the equilibrium");
  }

  const StaticProblem& problem_;
  System system_;
  Solver solver_;
  Matrix K_;
  Vector q_, start_, rest_, r_, dq_, other_, force_, prescribed_;
  solve::EisenstatWalker forcing_;
  double forces_ = 0;       // |r| at the start, and what prescribed nodes pull
  int iterations_ = 0;      // of Newton's method
  bool free_ = false;       // the last matrix was singular
  bool stuck_ = false;      // the matrix of the last good equilibrium has no solution: smaller steps meet it again
  std::string unsolved_;    // why the last linear solve failed
  std::string inside_out_;  // of an equilibrium of a load beyond the last good one
};

}  // namespace actio::method
