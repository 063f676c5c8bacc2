#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "others.hpp"

namespace bench {
namespace {

int flow(double, const double y[], double dy[], void*) {
  const double s = y[0] * y[0] + y[1] * y[1], c = -2 * (s - 1) * (3 * s - 1);
  dy[0] = y[2], dy[1] = y[3], dy[2] = c * y[0], dy[3] = c * y[1];
  return GSL_SUCCESS;
}

}  // namespace

Phase gsl_rk4(Phase s, double h, long steps) {
  gsl_odeiv2_system system{flow, nullptr, 4, nullptr};
  gsl_odeiv2_step* stepper = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk4, 4);
  double y[] = {s.x, s.y, s.u, s.v}, error[4], before[4], after[4];
  flow(0, y, before, nullptr);
  for (long k = 0; k < steps; ++k) {
    if (gsl_odeiv2_step_apply(stepper, static_cast<double>(k) * h, h, y, error, before, after, &system) != GSL_SUCCESS) break;
    for (int i = 0; i < 4; ++i) before[i] = after[i];
  }
  gsl_odeiv2_step_free(stepper);
  return {y[0], y[1], y[2], y[3]};
}

}  // namespace bench
