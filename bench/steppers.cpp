#include "steppers.hpp"

#include <actio/method/newmark.hpp>
#include <actio/method/runge_kutta.hpp>
#include <actio/method/variational.hpp>
#include <actio/method/verlet.hpp>

#include "oscillator_system.hpp"

namespace bench {
namespace {

using System = actio::system::Mechanical<Oscillator>;
using Vector = Oscillator::Vector;

template <actio::method::Stepper S>
Phase run(S stepper, const Phase& s, double h, long steps) {
  typename S::State state = stepper.start(0, Vector{s.x, s.y}, Vector{s.u, s.v});
  long iterations = 0;
  for (long k = 0; k < steps; ++k) {
    const actio::method::StepReport report = stepper.step(state, h);
    if (!report.converged) break;
    iterations += report.iterations;
  }
  Vector q, p;
  stepper.phase(state, q, p);
  return {q[0], q[1], p[0], p[1], iterations};
}

}  // namespace

Phase actio_verlet(Phase s, double h, long steps) { return run(actio::method::VerletStepper(System(Oscillator{})), s, h, steps); }
Phase actio_midpoint(Phase s, double h, long steps) {
  using Ld = actio::discrete::Quadrature<System>;
  return run(actio::method::VariationalStepper(Ld(System(Oscillator{}), actio::discrete::Nodes::one(0.5))), s, h, steps);
}
Phase actio_newmark(Phase s, double h, long steps) {
  return run(actio::method::NewmarkStepper(System(Oscillator{}), actio::method::Newmark{}), s, h, steps);
}
Phase actio_rk4(Phase s, double h, long steps) {
  return run(actio::method::RungeKutta4Stepper(System(Oscillator{})), s, h, steps);
}

}  // namespace bench
