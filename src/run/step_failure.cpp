#include "step_failure.hpp"

#include <cmath>

#include <fmt/format.h>

namespace actio::run {

core::RunError not_finite(long step, double t, const std::string& lost) {
  return {step, t, lost.empty() ? "the energy of the next state is not finite" : lost,
          lost.empty() ? "halve run.step; the state grows without bound or leaves the domain of the potential"
                       : "halve run.step; an explicit method is stable only for steps below 2 / (largest frequency)"};
}

core::RunError not_solved(long step, double t, const method::BatchReport& report, bool multipliers, const Task& task) {
  return {step, t,
          fmt::format("{}{}", report.what.empty() ? "the step was not solved" : report.what,
                      multipliers || report.failed_residual == 0 ? "" : fmt::format(", residual {:.2e}", report.failed_residual)),
          std::isnan(report.failed_residual)
              ? "a force, a load or an energy is not finite there: check its expression and its records"
          : multipliers && task.constraints.may_be_redundant()
              ? "halve run.step; if the mechanism stands exactly at a dead point, its motion is undetermined: start elsewhere"
          : multipliers ? "halve run.step; if some constraints follow from others, set system.redundant = \"least-squares\""
          : task.schedule.follows
              ? "halve run.step.eps, or run.step.first; or choose another sigma, for example of positions alone"
              : "halve run.step, or start from a state where the forces are smaller"};
}

}  // namespace actio::run
