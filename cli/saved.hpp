#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <actio/run/checkpoint.hpp>

#include "commands.hpp"

// What a checkpoint says beside the state: the run, and what it runs on.
namespace actio::cli {

// --checkpoint every=1000,seconds=60,file=NAME
struct CheckpointRequest {
  bool wanted = false;
  long every = 0;
  double seconds = 0;
  std::string file;
};
// Throws core::InputError. The file's name, unless it is given: OUT.checkpoint, or PROBLEM.checkpoint beside the problem file.
CheckpointRequest checkpoint_request(const Arguments& arguments);

struct SavedRun {
  std::string version, machine, compiler, threads;  // of who wrote it
  std::string folder;                               // where the program was started: paths are relative to it
  std::string path, text;                           // of the problem
  std::vector<std::string> overrides;
  std::vector<std::pair<std::string, std::uint32_t>> files;  // that it names, and their CRC-32
  std::string kernels, space, output;
  bool compiled = false;                 // kernels are machine code
  std::int64_t processes = 0;            // that share the problem; 0: it is not distributed
  std::uint32_t partition_checksum = 0;  // checksum of what is whose
  long every = 0;
  double seconds = 0;
  void archive(core::Archive& a);
};

// Of this program, on this machine.
SavedRun saved_run(const Session& session, const Arguments& arguments, const CheckpointRequest& request,
                   const Execution& execution);
// Throws core::InputError when a file is not what it was, or this is another program, or one of the two is not distributed over
// processes; on another machine, or with other threads or processes, or coordinates dealt out to them otherwise, a sentence that
// says so.
std::string check_same(const SavedRun& saved, const SavedRun& now);

// Runs or goes on, and reports; the exit code. `checkpoint` and `resumed` may be null.
struct Resumed {
  std::string state;
  std::int64_t bytes = 0;  // of the output
};
int execute(Session& session, const Arguments& arguments, const CheckpointRequest& request, run::CheckpointFile* checkpoint,
            const Resumed* resumed, Execution& execution);

}  // namespace actio::cli
