#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include <actio/core/archive.hpp>
#include <actio/core/error.hpp>
#include <actio/invariant/json.hpp>

#include "describe.hpp"
#include "ensemble.hpp"
#include "progress.hpp"
#include "saved.hpp"
#include "spoil.hpp"
#include "terminal.hpp"

namespace actio::cli {

namespace {

// The output is safe before the checkpoint that says how long it is.
void write(run::CheckpointFile& file, run::Trajectory* output, Execution& execution, long step, double t,
           std::string_view state) {
  std::int64_t bytes = output ? output->sync() : 0;
  execution.save(step, t, state, [&](std::string_view record) {
    try {
      core::Archive a;
      a(bytes);
      a.begin_text(record.size());
      file.write(a.bytes(), record);
    } catch (const std::system_error& e) {
      throw core::RunError(step, t, fmt::format("cannot write the checkpoint {}: {}", file.path(), e.code().message()),
                           "free some space; the checkpoint before it is still there");
    }
  });
}

// As a report shows them.
invariant::Certificate with_plain_names(invariant::Certificate c) {
  c.title = one_line(c.title);
  for (auto& m : c.momentum) m.name = one_line(m.name);
  return c;
}

}  // namespace

int run(const Arguments& given, Execution& execution) {
  Arguments arguments = given;
  if (!given.certificate.empty()) arguments.overrides.push_back(fmt::format("certificate.level=\"{}\"", given.certificate));
  const CheckpointRequest request = checkpoint_request(arguments);
  run::CheckpointFile file(request.file);
  const auto lock = [&] {
    if (file.lock(true))
      throw core::InputError(fmt::format("there is a checkpoint {} already", request.file),
                             fmt::format("actio resume {} continues its run; remove the file to start another", request.file));
  };
  if (request.wanted) execution.before(lock);
  io::Problem problem = io::load(arguments.file, {arguments.overrides, {}});
  refuse_to_spoil(problem, arguments.output, request.file);
  if (arguments.member >= 0 && request.wanted)
    throw core::InputError("--member with --checkpoint: a member has no checkpoints", "give --member without --checkpoint");
  if (arguments.member >= 0)
    take_member(problem, arguments.member);
  else if (problem.ensemble)
    return run_ensemble(arguments, std::move(problem), execution);
  Session s = session::open(std::move(problem), choices(arguments), execution);
  if (!request.wanted) return execute(s, arguments, request, nullptr, nullptr, execution);
  if (request.seconds > 0 && s.integrator->restarts())
    throw core::InputError(
        fmt::format("{} restarts its history at every checkpoint, so seconds would change the result", s.problem.method.name()),
        "--checkpoint every=STEPS");
  core::Archive head;
  std::string by = session::version();
  SavedRun saved = saved_run(s, arguments, request, execution);
  head(by, saved);
  file.begin(head.take());
  return execute(s, arguments, request, &file, nullptr, execution);
}

int execute(Session& s, const Arguments& arguments, const CheckpointRequest& request, run::CheckpointFile* checkpoint,
            const Resumed* resumed, Execution& execution) {
  session::observe(s);
  tell_remarks(arguments.quiet);
  if (!arguments.quiet && !s.problem.units.empty()) say(stderr, "units: {}\n", unit_words(s.problem));
  std::unique_ptr<run::Trajectory> output;
  run::Options options;
  if (!arguments.output.empty()) {
    run::TrajectoryHeader head = session::header(s);
    head.model = &s.problem.model;
    head.compile = s.choices.build.compile;
    const auto open = [&](const run::Pieces& pieces) {
      head.pieces = pieces;
      return checkpoint ? run::open_resumable(arguments.output, head, resumed ? resumed->bytes : -1)
                        : run::open_trajectory(arguments.output, head);
    };
    output = execution.output(run::in_pieces(arguments.output), open);
    options.observers.push_back(output.get());
    options.multipliers = true;
  }
  ProgressLine line(!arguments.quiet);
  options.progress = [&](const run::Progress& now) { line.show(now); };
  if (checkpoint)
    options.checkpoints = {request.every, request.seconds, [&](long step, double t, std::string_view state) {
                             write(*checkpoint, output.get(), execution, step, t, state);
                           }};
  if (resumed) {
    options.resume = resumed->state;
    if (execution.distributed_over() > 0)  // then its vectors are, from the start on
      s.integrator->start(s.task.schedule.start, s.task.q0, s.task.v0);
  }

  const auto warn = [&](const std::string& words) {
    if (!arguments.quiet) fmt::print(stderr, "warning: {}\n", words);
  };
  invariant::Certificate c = session::run(s, options, execution, warn);
  line.clear();
  const std::vector<run::Observed> observed = session::observed(s);
  if (output) {
    try {
      output->finish(invariant::json(c, false), observed);
    } catch (const core::RunError& e) {
      if (!c.failure) c.failure = invariant::failure(e);
      invariant::judge(c);
    }
  }
  std::error_code ignored;
  const bool ended = !c.failure && !c.interrupted;
  if (checkpoint && ended) {
    execution.alone(c.steps, c.last.t, [&] { std::filesystem::remove(checkpoint->path(), ignored); });
    if (output) output->forget();
  }

  if (arguments.json)
    fmt::print("{}\n", session::json(c, observed));
  else if (!arguments.quiet)
    say("{}\n{}", invariant::text(with_plain_names(c)), session::observed_text(observed));
  if (c.failure) say(stderr, "{}\n", c.failure->text());
  for (const auto& sentence : c.broken) say(stderr, "error: {}\n", sentence);
  if (c.interrupted) say(stderr, "interrupted at step {}, t = {}\n", c.steps, c.last.t);
  using V = invariant::Certificate::Verdict;
  const bool good = c.verdict == V::kept || c.verdict == V::unresolved || c.verdict == V::no_claims;
  const std::string remains = output ? output->remains() : "";
  if (output && !good && !remains.empty())
    say(stderr, "{}\n", remains);
  else if (output && !good)
    say(stderr, "the results until then are in {}\n", arguments.output);
  if (checkpoint && !ended && std::filesystem::exists(checkpoint->path(), ignored))
    say(stderr, "actio resume {} continues from its checkpoint\n", checkpoint->path());
  return good ? ok : run_failed;
}

}  // namespace actio::cli
