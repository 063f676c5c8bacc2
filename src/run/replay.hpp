#pragma once
#include <actio/method/integrator.hpp>
#include <actio/run/schedule.hpp>

#include "conservation.hpp"
#include "seen.hpp"

// Steps of a run taken once more by a copy of its integrator, which is left as it was.
namespace actio::run {

// From the good state `last` one by one, until the next step is step `end` or one whose state or energy is not finite: `last`
// becomes the state before it.
void replay_to_failure(const method::Integrator& integrator, const Schedule& schedule, long end, Seen& last);

// Before a method is blamed for a momentum: was its generator a symmetry on the way from the state after `from` steps to that
// seen now? Looks at some thirty states.
void recheck_symmetry(Conservation& conservation, const method::Integrator& integrator, const Schedule& schedule,
                      const method::Snapshot& before, long from, const Seen& now);

}  // namespace actio::run
