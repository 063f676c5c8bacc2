#pragma once
#include <actio/method/acceleration_equation.hpp>
#include <actio/method/detail/relative_residual.hpp>
#include <cmath>
#include <utility>

// Work in a step of a method whose unknown is an acceleration, Karow's (13):
//
//   external = (q1 - q0) . (F0 + F1)/2,   dissipated = (q1 - q0) . (phi_v0 + phi_v1)/2,   residual = (q1 - q0) . (r0 + r1)/2
//
// where r = M a - f - F + phi_v is what the solver left. For Newmark 1/4, 1/2 and L = 1/2 v'Mv - 1/2 q'Sq these are all of it:
// a0 + a1 = 2/h (v1 - v0) and q1 - q0 = h/2 (v0 + v1), so (q1 - q0)' M (a0 + a1)/2 = (v1 - v0)' M (v0 + v1)/2 is the change of
// the kinetic energy, (q1 - q0)' S (q0 + q1)/2 that of the potential one, and the difference is M a + S q = F - phi_v + r at both
// ends.
//
// Prescribed coordinates d (system/prescribed.hpp) are worked on by the forces that drive them, M a - f - F there: constraints is
//
//   W = -(q1 - q0)_d . (f0 + F0 + f1 + F1)_d/2 + (v0 + v1)/2 . M (v1 - v0)_d + (v0 + v1)_d/2 . M (v1 - v0)_f
//       - (q1 - q0)_f . M (a0 + a1)_d/2
//
// with f the others. The two terms in the middle are the change of the kinetic energy but for 1/2 v_f . M v_f, whose change is
// (q1 - q0)_f . M (a0 + a1)_f/2 as above, and the equations of f say (M a - f - F)_f = 0: what is left of E1 - E0 is W, exactly
// on linear systems with 1/4, 1/2, whatever the motion.
namespace actio::method {

template <class S>
class AccelerationWork {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;

  void archive(core::Archive& a) { a(second_); }  // what the next step takes for its start

  AccelerationWork(const Space& space, bool prescribed)
      : d_(space.vector()), x_(where(prescribed, d_)), y_(x_), first_(space, prescribed), second_(space, prescribed) {}

  // Forces and r at both ends.
  template <class State>
  Work between(AccelerationEquation<S>& equation, const State& before, const State& after) {
    using algebra::dot;
    const bool known = is_at(second_, before);  // the end of the last step asked for
    if (known)
      std::swap(first_, second_);
    else
      evaluate(equation, before, first_);
    evaluate(equation, after, second_);
    d_ = 1.0 * after.q - 1.0 * before.q;
    double driving = 0;
    if constexpr (system::can_prescribe<S>)
      if (second_.prescribed)
        driving = 0.5 * (dot(d_, first_.prescribed_force) + dot(d_, second_.prescribed_force)) +
                  inertia(equation, before, after, [&](Vector& a) { a = 0.5 * before.a + 0.5 * after.a; });
    return {.external = 0.5 * (dot(d_, first_.external) + dot(d_, second_.external)),
            .constraints = driving,
            .dissipated = -0.5 * (dot(d_, first_.friction) + dot(d_, second_.friction)),
            .residual = 0.5 * (dot(d_, first_.rest) + dot(d_, second_.rest))};
  }
  // Forces and r at one state between the ends, where a step balances them.
  template <class State>
  Work at(AccelerationEquation<S>& equation, double t, const Vector& q, const Vector& v, const Vector& a, const State& before,
          const State& after) {
    using algebra::dot;
    account(equation, t, q, v, a, first_);
    d_ = 1.0 * after.q - 1.0 * before.q;
    Work work{.external = dot(d_, first_.external), .dissipated = -dot(d_, first_.friction), .residual = dot(d_, first_.rest)};
    if constexpr (system::can_prescribe<S>)
      if (first_.prescribed)
        work.constraints = dot(d_, first_.prescribed_force) + inertia(equation, before, after, [&](Vector& mean) { mean = a; });
    return work;
  }

 private:
  static Vector where(bool prescribed, const Vector& like) { return prescribed || Space::static_size ? like : Vector(); }

  struct End {
    void archive(core::Archive& to) {
      to(set);
      if (set) to(t, q, v, a, external, friction, rest);
      if (set && prescribed) to(prescribed_force);
    }
    End(const Space& space, bool some)
        : prescribed(some), q(space.vector()), v(q), a(q), external(q), friction(q), rest(q), prescribed_force(where(some, q)) {}
    bool set = false, prescribed;
    double t = 0;
    Vector q, v, a, external, friction, rest;
    Vector prescribed_force;  // -(f + F)_d
  };

  template <class State>
  void evaluate(AccelerationEquation<S>& equation, const State& x, End& end) {
    end.set = true;
    end.t = x.t;
    end.q = x.q;
    end.v = x.v;
    end.a = x.a;
    account(equation, x.t, x.q, x.v, x.a, end);
  }
  void account(AccelerationEquation<S>& equation, double t, const Vector& q, const Vector& v, const Vector& a, End& end) {
    equation.account(t, q, v, a, end.external, end.friction, end.rest);
    if constexpr (system::can_prescribe<S>) {
      if (!end.prescribed) return;
      equation.momentum(a, end.prescribed_force);
      end.prescribed_force = 1.0 * end.rest - 1.0 * end.prescribed_force;
      equation.keep_prescribed(end.prescribed_force);
      equation.zero_prescribed(end.rest);
    }
  }
  // W but for its first term; set(a) to what stands for (a0 + a1)/2.
  template <class State, class Set>
  double inertia(AccelerationEquation<S>& equation, const State& before, const State& after,
                 Set&& set) requires system::can_prescribe<S> {
    using algebra::dot;
    x_ = after.v - before.v;
    equation.keep_prescribed(x_);
    equation.momentum(x_, y_);
    double sum = 0.5 * dot(before.v, y_) + 0.5 * dot(after.v, y_);
    x_ = 0.5 * before.v + 0.5 * after.v;
    equation.keep_prescribed(x_);
    equation.momentum(x_, y_);
    x_ = after.v - before.v;
    equation.zero_prescribed(x_);
    sum += dot(x_, y_);
    set(x_);
    equation.keep_prescribed(x_);
    equation.momentum(x_, y_);
    equation.zero_prescribed(y_);  // an x'' that is infinite at an end moves nothing but by M_fd
    x_ = after.q - before.q;
    equation.zero_prescribed(x_);
    return sum - dot(x_, y_);
  }
  template <class State>
  bool is_at(const End& end, const State& x) {
    return end.set && std::abs(end.t - x.t) <= detail::some_eps * std::abs(x.t) && same(end.q, x.q) && same(end.v, x.v) &&
           same(end.a, x.a);
  }
  bool same(const Vector& x, const Vector& y) {
    using algebra::dot;
    d_ = 1.0 * x - 1.0 * y;
    return dot(d_, d_) == 0;
  }

  Vector d_, x_, y_;
  End first_, second_;
};

}  // namespace actio::method
