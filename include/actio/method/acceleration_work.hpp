#pragma once
#include <actio/method/equilibrium.hpp>
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
namespace actio::method {

template <class S>
class AccelerationWork {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;

  void archive(core::Archive& a) { a(second_); }  // what the next step takes for its start

  explicit AccelerationWork(const Space& space) : d_(space.vector()), first_(space), second_(space) {}

  // Forces and r at both ends.
  template <class State>
  Work between(Equilibrium<S>& equilibrium, const State& before, const State& after) {
    using algebra::dot;
    const bool known = is_at(second_, before);  // the end of the last step asked for
    if (known)
      std::swap(first_, second_);
    else
      evaluate(equilibrium, before, first_);
    evaluate(equilibrium, after, second_);
    d_ = 1.0 * after.q - 1.0 * before.q;
    return {.external = 0.5 * (dot(d_, first_.external) + dot(d_, second_.external)),
            .dissipated = -0.5 * (dot(d_, first_.friction) + dot(d_, second_.friction)),
            .residual = 0.5 * (dot(d_, first_.rest) + dot(d_, second_.rest))};
  }
  // Forces and r at one state between the ends, where a step from q0 to q1 balances them.
  Work at(Equilibrium<S>& equilibrium, double t, const Vector& q, const Vector& v, const Vector& a, const Vector& q0,
          const Vector& q1) {
    using algebra::dot;
    equilibrium.account(t, q, v, a, first_.external, first_.friction, first_.rest);
    d_ = 1.0 * q1 - 1.0 * q0;
    return {.external = dot(d_, first_.external), .dissipated = -dot(d_, first_.friction), .residual = dot(d_, first_.rest)};
  }

 private:
  struct End {
    void archive(core::Archive& to) {
      to(set);
      if (set) to(t, q, v, a, external, friction, rest);
    }
    explicit End(const Space& space) : q(space.vector()), v(q), a(q), external(q), friction(q), rest(q) {}
    bool set = false;
    double t = 0;
    Vector q, v, a, external, friction, rest;
  };

  template <class State>
  void evaluate(Equilibrium<S>& equilibrium, const State& x, End& end) {
    end.set = true;
    end.t = x.t;
    end.q = x.q;
    end.v = x.v;
    end.a = x.a;
    equilibrium.account(x.t, x.q, x.v, x.a, end.external, end.friction, end.rest);
  }
  template <class State>
  bool is_at(const End& end, const State& x) {
    return end.set && std::abs(end.t - x.t) <= some_eps * std::abs(x.t) && same(end.q, x.q) && same(end.v, x.v) &&
           same(end.a, x.a);
  }
  bool same(const Vector& x, const Vector& y) {
    using algebra::dot;
    d_ = 1.0 * x - 1.0 * y;
    return dot(d_, d_) == 0;
  }

  Vector d_;
  End first_, second_;
};

}  // namespace actio::method
