#include "start_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "snapshots.hpp"

namespace actio::run {

void check_sizes(const method::Integrator& integrator, const invariant::MomentumMap& momentum, const Task& task) {
  const long n = integrator.size();
  if (task.q0.size() != n || task.v0.size() != n || momentum.coordinates() > n)
    throw core::InputError(fmt::format("the system has {} coordinates, but q0 has {}, v0 has {}, and the symmetries need {}", n,
                                       task.q0.size(), task.v0.size(), momentum.coordinates()));
}

void check_start(const method::Integrator& integrator, const method::Snapshot& start, const Task& task, bool energy_given) {
  const Schedule& s = task.schedule;
  const double t = s.time(0);
  if (!finite(start) || !std::isfinite(integrator.energy())) {
    std::string hint = "check [initial] against the domain of the potential";
    if (const auto two = in_one_place(task.atoms, start.q))
      hint = fmt::format("points {} and {} of [system.points] are in one place, counted from 0", two->first, two->second);
    throw core::RunError(0, t, "the initial state has no finite energy", hint);
  }
  if (!energy_given && std::isfinite(task.bounds.energy))
    throw core::RunError(0, t, "certificate.energy sets a bound, but the code does not compute the energy",
                         "give the energy beside the residual");
  const double h = s.step.smallest(), latest = std::max(std::abs(t), std::abs(s.to_a_time() ? s.end : s.time(s.steps)));
  if (s.steps > 0 && std::abs(h) < 16 * std::numeric_limits<double>::epsilon() * latest)
    throw core::RunError(0, t, fmt::format("a step of {:.3g} does not change a time of {:.6g}", h, latest),
                         "set run.start nearer to 0");
}

}  // namespace actio::run
