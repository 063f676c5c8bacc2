#pragma once
#include <actio/method/integrator.hpp>
#include <actio/run/schedule.hpp>

namespace actio::run {

// Steps `from` to `to` of the schedule, each of its own size; the report of all.
method::BatchReport advance(method::Integrator& integrator, const Schedule& schedule, long from, long to,
                            const method::BatchOptions& how = {});

}  // namespace actio::run
