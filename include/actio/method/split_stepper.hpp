#pragma once
#include <actio/method/kick.hpp>
#include <actio/method/split_scheme.hpp>
#include <actio/method/stepper.hpp>
#include <limits>
#include <utility>

// Steps of H = A + B that take turns between the exact motion of A (a FastFlow: kepler_flow.hpp, linear_flow.hpp) and kicks by B:
//
//   e^{a_1 h A} e^{b_1 h B} e^{a_2 h A} ... e^{a_1 h A},   or with A and B the other way round
//
// A drift with the next step's first is one drift, and a corrector and its inverse cancel between two steps. So between steps of
// one size the state is one in which the first part of the next step has been made already, in the coordinates of the flow; where
// the state is read, a copy goes back. Symplectic, keeps the momentum map of every affine symmetry that the flow keeps. Forces
// F(t, q) that come from no Lagrangian are added to the kicks.
namespace actio::method {

// z: numbers (rows) that the flow moves.
template <class F, class S>
concept FastFlow = std::copy_constructible<F> && requires(F& flow, S& system, const typename S::Space::Vector& q,
                                                          typename S::Space::Vector& out, double* z, const double* from) {
  { flow.rows() } -> std::convertible_to<long>;
  flow.enter(q, q, z);                                  // from q and p
  flow.leave(from, out, out);                           // to q and p
  { flow.drift(z, 1.0) } -> std::convertible_to<bool>;  // e^{dt A}; false: it has no solution
  flow.kick(system, 1.0, z, 1.0);                       // e^{dt B} at a time t
};

template <system::Separable S, class Flow>
class SplitStepper {
  static_assert(FastFlow<Flow, S>);

 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  static constexpr Capabilities capabilities{.explains_failure = true};
  static constexpr const char* failure =
      "the motion of the fast part has no solution over the step: two points meet, or the force is not finite; "
      "a shorter step may have one";
  struct State {
    double t = 0, h = 0;  // h = 0: at the start, and (q, p) is the state; else z is, of steps of h
    Vector q, p;
    Eigen::VectorXd z;
    void archive(core::Archive& a) { a(t, h, q, p, z); }
  };

  SplitStepper(S system, Flow flow, SplitScheme scheme)
      : system_(std::move(system)), flow_(std::move(flow)), scheme_(std::move(scheme)), z_(flow_.rows()) {}

  S& system() { return system_; }
  State start(double t, const Vector& q, const Vector& p) const { return {t, 0, q, p, Eigen::VectorXd::Zero(flow_.rows())}; }

  StepReport step(State& x, double h) {
    z_ = x.z;
    if (x.h != h && !enter(x, h)) return {.converged = false};
    const std::size_t last = scheme_.part.size() - 1;
    double at = scheme_.drift_first ? scheme_.part[0] : 0;  // the time of the positions, in steps
    bool drift = !scheme_.drift_first;
    for (std::size_t k = 1; k <= last; ++k, drift = !drift)
      if (!one(z_, x.t, h, drift, k < last ? scheme_.part[k] : scheme_.part[last] + scheme_.part[0], at))
        return {.converged = false};
    x.z.swap(z_);
    x.h = h;
    x.t += h;
    return {};
  }

  void phase(const State& x, Vector& q, Vector& p) {
    if (x.h != 0 && leave(x, q, p)) return;
    const double known = x.h == 0 ? 1 : std::numeric_limits<double>::quiet_NaN();
    q = known * x.q;
    p = known * x.p;
  }
  double residual(const State&, const State&, double) const { return 0; }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) { phase(x, q, p); }

 private:
  // c h of A or of B, from a time of the positions of t + at h.
  bool one(Eigen::VectorXd& z, double t, double h, bool drift, double c, double& at) {
    if (drift) {
      at += c;
      return flow_.drift(z.data(), c * h);
    }
    flow_.kick(system_, t + at * h, z.data(), c * h);
    return true;
  }
  bool turn(Eigen::VectorXd& z, double t, double h, double a, double b) {
    double at = 0;
    return one(z, t, h, true, a, at) && one(z, t, h, false, b, at) && one(z, t, h, true, -a, at);
  }

  // z_, for steps of h, from the state.
  bool enter(State& x, double h) {
    if (x.h != 0 && !leave(x, x.q, x.p)) return false;
    x.h = 0;
    flow_.enter(x.q, x.p, z_.data());
    for (const auto [a, b] : scheme_.corrector)
      if (!turn(z_, x.t, h, a, b)) return false;
    double at = 0;
    return one(z_, x.t, h, scheme_.drift_first, scheme_.part[0], at);
  }
  bool leave(const State& x, Vector& q, Vector& p) {
    read_ = x.z;
    double at = scheme_.drift_first ? scheme_.part[0] : 0;
    if (!one(read_, x.t, x.h, scheme_.drift_first, -scheme_.part[0], at)) return false;
    for (auto turned = scheme_.corrector.rbegin(); turned != scheme_.corrector.rend(); ++turned)
      if (!turn(read_, x.t, x.h, turned->a, -turned->b)) return false;
    flow_.leave(read_.data(), q, p);
    return true;
  }

  S system_;
  Flow flow_;
  SplitScheme scheme_;
  Eigen::VectorXd z_, read_;
};

}  // namespace actio::method
