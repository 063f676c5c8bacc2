#pragma once
#include <actio/method/stepper.hpp>
#include <actio/system/acceleration.hpp>

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
  };

  explicit RungeKutta4Stepper(S system)
      : acceleration_(std::move(system)),
        q_(this->system().space().vector()),
        v_(q_),
        v2_(q_),
        v3_(q_),
        v4_(q_),
        a1_(q_),
        a2_(q_),
        a3_(q_),
        a4_(q_) {}

  S& system() { return acceleration_.system(); }

  State start(double t, const Vector& q, const Vector& p) {
    State x{t, q, p};
    acceleration_.velocity(t, q, p, x.v);
    return x;
  }

  [[gnu::always_inline]] StepReport step(State& x, double h) {
    const double t2 = x.t + h / 2, t1 = x.t + h;
    bool ok = acceleration_(x.t, x.q, x.v, a1_);
    q_ = x.q + (h / 2) * x.v;
    v2_ = x.v + (h / 2) * a1_;
    ok = acceleration_(t2, q_, v2_, a2_) && ok;
    q_ = x.q + (h / 2) * v2_;
    v3_ = x.v + (h / 2) * a2_;
    ok = acceleration_(t2, q_, v3_, a3_) && ok;
    q_ = x.q + h * v3_;
    v4_ = x.v + h * a3_;
    ok = acceleration_(t1, q_, v4_, a4_) && ok;
    if (!ok) return {0, false, 0};
    x.q += (h / 6) * x.v + (h / 3) * v2_ + (h / 3) * v3_ + (h / 6) * v4_;
    x.v += (h / 6) * a1_ + (h / 3) * a2_ + (h / 3) * a3_ + (h / 6) * a4_;
    x.t = t1;
    return {};
  }

  void phase(const State& x, Vector& q, Vector& p) {
    q = x.q;
    acceleration_.momentum(x.t, x.q, x.v, p);
  }
  double residual(const State&, const State&, double) const { return 0; }
  void own_coordinates(const State& x, double, Vector& q, Vector& p) { phase(x, q, p); }

 private:
  system::Acceleration<S> acceleration_;
  Vector q_, v_, v2_, v3_, v4_, a1_, a2_, a3_, a4_;
};

}  // namespace actio::method
