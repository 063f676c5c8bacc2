#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/invariant/json.hpp>

#include "interrupt.hpp"
#include "progress.hpp"
#include "session.hpp"

namespace actio::cli {

int run(const Arguments& arguments) {
  Session s = open(arguments);
  std::unique_ptr<run::Trajectory> output;
  run::Options options;
  if (!arguments.output.empty()) {
    output = run::open_trajectory(arguments.output, header(s));
    options.observers.push_back(output.get());
    options.multipliers = true;
  }
  ProgressLine line(!arguments.quiet);
  options.progress = [&](const run::Progress& now) { line.show(now); };
  options.stop = &catch_interrupts();

  invariant::Certificate c = run::integrate(*s.integrator, s.momentum, s.task, options);
  line.clear();
  if (output) {
    try {
      output->finish(invariant::json(c, false));
    } catch (const core::RunError& e) {
      if (!c.failure) c.failure = {e.step, e.t, e.what()};
      invariant::judge(c);
    }
  }

  if (arguments.json)
    fmt::print("{}\n", invariant::json(c));
  else if (!arguments.quiet)
    fmt::print("{}\n", invariant::text(c));
  if (c.failure) fmt::print(stderr, "{}\n", c.failure->message);
  for (const auto& sentence : c.broken) fmt::print(stderr, "error: {}\n", sentence);
  if (c.interrupted) fmt::print(stderr, "interrupted at step {}, t = {}\n", c.steps, c.last.t);
  using V = invariant::Certificate::Verdict;
  const bool good = c.verdict == V::kept || c.verdict == V::unresolved || c.verdict == V::unclaimed;
  if (output && !good) fmt::print(stderr, "what was computed until then is in {}\n", arguments.output);
  return good ? ok : run_failed;
}

}  // namespace actio::cli
