#pragma once
#include <actio/discrete/acceleration.hpp>
#include <actio/method/catalogue/comparison.hpp>
#include <actio/method/stepper.hpp>

// Classical Runge-Kutta of order 4 on (q, v), for comparison (KMOW 4.2). Keeps nothing.
namespace actio::method {

template <system::Lagrangian S>
class RungeKutta4Stepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  struct State {
    double t = 0;
    Vector q, v;
    void archive(core::Archive& a) { a(t, q, v); }
  };

  static constexpr Capabilities capabilities{.explains_failure = true};
  static constexpr const char* failure = "d2L/dv2 is singular or not finite, so the acceleration is not determined";

  explicit RungeKutta4Stepper(S system)
      : acceleration_(std::move(system)),
        q2_(this->system().space().vector()),
        q3_(q2_),
        q4_(q2_),
        v2_(q2_),
        v3_(q2_),
        v4_(q2_),
        a1_(q2_),
        a2_(q2_),
        a3_(q2_),
        a4_(q2_) {}

  S& system() { return acceleration_.system(); }
  void archive(core::Archive& a) {
    a(acceleration_);
    if (system::is_implicit(system())) a(a1_, a2_, a3_, a4_);  // where the solver begins
  }

  State start(double t, const Vector& q, const Vector& p) {
    State x{t, q, 0.0 * p};
    acceleration_.velocity(t, q, p, x.v);
    return x;
  }

  [[gnu::always_inline]] StepReport step(State& x, double h) {
    const double t2 = x.t + h / 2, t1 = x.t + h;
    algebra::Scratch<Space, Vector> q2 = q2_, q3 = q3_, q4 = q4_, v2 = v2_, v3 = v3_, v4 = v4_;
    algebra::Scratch<Space, Vector> a1 = a1_, a2 = a2_, a3 = a3_, a4 = a4_;
    q2 = x.q + (h / 2) * x.v;  // every position as soon as it can be known: it takes a while to reach a compiled force
    bool ok = acceleration_(x.t, x.q, x.v, a1);
    v2 = x.v + (h / 2) * a1;
    q3 = x.q + (h / 2) * v2;
    ok = acceleration_(t2, q2, v2, a2) && ok;
    v3 = x.v + (h / 2) * a2;
    q4 = x.q + h * v3;
    ok = acceleration_(t2, q3, v3, a3) && ok;
    v4 = x.v + h * a3;
    ok = acceleration_(t1, q4, v4, a4) && ok;
    if (!ok) return {0, false, 0};
    x.q += (h / 6) * x.v + (h / 3) * v2 + (h / 3) * v3 + (h / 6) * v4;
    x.v += (h / 6) * a1 + (h / 3) * a2 + (h / 3) * a3 + (h / 6) * a4;
    x.t = t1;
    return {};
  }

  void phase(const State& x, Vector& q, Vector& p) {
    q = x.q;
    acceleration_.momentum(x.t, x.q, x.v, p);
  }
  double residual(const State&, const State&, double) const { return 0; }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) { phase(x, q, p); }

 private:
  discrete::Acceleration<S> acceleration_;
  Vector q2_, q3_, q4_, v2_, v3_, v4_, a1_, a2_, a3_, a4_;
};

template <system::Lagrangian S, class Use>
auto with_stepper(const RungeKutta4&, S system, Use&& use) {
  return use(RungeKutta4Stepper<S>(std::move(system)));
}

}  // namespace actio::method
