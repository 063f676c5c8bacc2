#include "batch.hpp"

#include <algorithm>

namespace actio::run {

method::BatchReport advance(method::Integrator& integrator, const Schedule& schedule, long from, long to,
                            const method::BatchOptions& how) {
  if (schedule.step.equal()) return integrator.advance(to - from, schedule.step[0], {how.work, how.residual, from, how.until});
  method::BatchReport all;
  all.work = how.work;
  for (long k = from; k < to && all.ok;) {
    const long end = std::min(to, schedule.step.change_after(k));
    method::BatchReport part = integrator.advance(end - k, schedule.step[k], {all.work, how.residual && end == to, k});
    all.steps += part.steps;
    all.work = part.work;
    all.count(part);
    all.ok = part.ok;
    all.failed_residual = part.failed_residual;
    all.what = std::move(part.what);
    k = end;
  }
  return all;
}

}  // namespace actio::run
