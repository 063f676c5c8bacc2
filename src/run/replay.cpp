#include "replay.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <actio/core/error.hpp>

#include "batch.hpp"
#include "snapshots.hpp"

namespace actio::run {

void replay_to_failure(const method::Integrator& integrator, const Schedule& schedule, long end, Seen& last) {
  auto replay = integrator.clone();
  if (last.integrator.empty()) {
    replay->start(last.state.t, last.state.q, last.state.v);
  } else {
    core::Archive there(last.integrator);
    replay->archive(there);
  }
  method::Snapshot s = last.state;
  try {
    for (; last.step < end - 1; ++last.step) {
      const auto report = advance(*replay, schedule, last.step, last.step + 1);
      replay->snapshot(s);
      if (!report.ok || !finite(s) || !std::isfinite(replay->energy())) break;
      last.ledger.add(report.work);
      std::swap(last.state, s);
    }
  } catch (const core::InputError&) {}  // the next step
}

void recheck_symmetry(Conservation& conservation, const method::Integrator& integrator, const Schedule& schedule,
                      const method::Snapshot& before, long from, const Seen& now) {
  if (!conservation.momentum_lost(now.step)) return;
  conservation.recheck_symmetry(integrator, now.state, schedule.step_at(now.step), now.step);
  auto replay = integrator.clone();
  method::Snapshot s = before;
  try {
    replay->start(before.t, before.q, before.v);
    const long stride = std::max(1L, (now.step - from + 31) / 32);
    for (long k = from; k < now.step && conservation.momentum_lost(now.step); k += stride) {
      conservation.recheck_symmetry(*replay, s, schedule.step_at(k), now.step);
      if (const auto report = advance(*replay, schedule, k, k + stride); !report.ok) return;
      replay->snapshot(s);
      if (!finite(s)) return;
    }
  } catch (const core::InputError&) { return; }
}

}  // namespace actio::run
