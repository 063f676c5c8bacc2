#include <array>
#include <boost/numeric/odeint.hpp>
#include <utility>

#include "others.hpp"

namespace bench {
namespace {

using Two = std::array<double, 2>;
using Four = std::array<double, 4>;
namespace odeint = boost::numeric::odeint;

struct Acceleration {
  void operator()(const Two& q, const Two&, Two& a, double) const {
    const double s = q[0] * q[0] + q[1] * q[1], c = -2 * (s - 1) * (3 * s - 1);
    a = {c * q[0], c * q[1]};
  }
};
struct Flow {
  void operator()(const Four& y, Four& dy, double) const {
    const double s = y[0] * y[0] + y[1] * y[1], c = -2 * (s - 1) * (3 * s - 1);
    dy = {y[2], y[3], c * y[0], c * y[1]};
  }
};

}  // namespace

Phase odeint_verlet(Phase s, double h, long steps) {
  odeint::velocity_verlet<Two> stepper;
  std::pair<Two, Two> state{{s.x, s.y}, {s.u, s.v}};
  Two a;
  Acceleration()(state.first, state.second, a, 0);
  stepper.initialize(a);
  for (long k = 0; k < steps; ++k) stepper.do_step(Acceleration(), state, static_cast<double>(k) * h, h);
  return {state.first[0], state.first[1], state.second[0], state.second[1]};
}

Phase odeint_rk4(Phase s, double h, long steps) {
  odeint::runge_kutta4<Four> stepper;
  Four y{s.x, s.y, s.u, s.v};
  for (long k = 0; k < steps; ++k) stepper.do_step(Flow(), y, static_cast<double>(k) * h, h);
  return {y[0], y[1], y[2], y[3]};
}

}  // namespace bench
