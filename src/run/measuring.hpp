#pragma once
#include <functional>
#include <span>

#include <actio/run/integrate.hpp>

namespace actio::run {

// Measures the step at `states` of the run (each with the step that leaves it, h) as far as the level allows, into the
// certificate: symplecticity, reversibility, accuracy, and what it took. `wall_seconds` and `steps` of the certificate tell what
// a step costs. `show` is called between states.
void measure_step(const method::Integrator& integrator, std::span<const method::Snapshot> states, std::span<const double> h,
                  const Task& task, const Options& options, invariant::Certificate& certificate,
                  const std::function<void(long done, long total)>& show);

}  // namespace actio::run
