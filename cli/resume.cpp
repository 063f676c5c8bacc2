#include <filesystem>

#include <fmt/format.h>

#include <actio/core/archive.hpp>
#include <actio/core/error.hpp>

#include "saved.hpp"
#include "spoil.hpp"
#include "terminal.hpp"

namespace actio::cli {

namespace fs = std::filesystem;

int resume(const Arguments& given, Execution& execution) {
  run::CheckpointFile file(given.file);
  execution.before([&] { (void)file.lock(false); });  // reading it says what is wrong with it
  const run::Checkpoint checkpoint = run::read_checkpoint(given.file);
  SavedRun saved;
  Resumed resumed;
  std::string version_of;
  try {
    core::Archive head(checkpoint.head);
    head(version_of);
    if (version_of != session::version())
      throw core::InputError(fmt::format("actio {} wrote the checkpoint, and this is actio {}", version_of, session::version()),
                             "resume with that version");
    head(saved);
    core::Archive record(checkpoint.record);
    record(resumed.bytes, resumed.state);
    if (saved.processes > 0) resumed.state = execution.saved_state(std::move(resumed.state));
  } catch (const core::InputError& e) {
    throw core::InputError(fmt::format("{}: {}", given.file, e.diagnostic().message), e.diagnostic().hint);
  }
  if (checkpoint.older && !given.quiet)
    say(stderr, "the last record of {} is damaged: the run continues from the record before it\n", given.file);

  const auto there = [&](const std::string& path) { return path.empty() ? path : (fs::path(saved.folder) / path).string(); };
  const bool moved = fs::path(saved.folder) != fs::current_path();
  Arguments arguments = given;
  arguments.kernels = saved.kernels;
  arguments.space = saved.space;
  arguments.output = moved ? there(saved.output) : saved.output;
  io::Problem problem = io::load_text(saved.text, moved ? there(saved.path) : saved.path, {saved.overrides, {}});
  refuse_to_spoil(problem, arguments.output, given.file);
  problem.path = saved.path;
  problem.equilibrium = false;  // the state has gone on from there
  Session session = session::open(std::move(problem), choices(arguments), execution);
  const CheckpointRequest request{true, saved.every, saved.seconds, given.file};
  const SavedRun now = saved_run(session, arguments, request, execution);
  if (const std::string warning = check_same(saved, now); !warning.empty() && !given.quiet) say(stderr, "{}\n", warning);
  file.begin(checkpoint.head);
  return execute(session, arguments, request, &file, &resumed, execution);
}

}  // namespace actio::cli
