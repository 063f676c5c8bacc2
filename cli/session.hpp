#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <actio/invariant/certificate.hpp>
#include <actio/invariant/momentum.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/statics.hpp>
#include <actio/run/integrate.hpp>
#include <actio/run/trajectory.hpp>

// What the commands share: a problem file with its method ready to run, and the words of the command line.
namespace actio::cli {

// Exit codes.
inline constexpr int ok = 0, run_failed = 1, wrong_input = 2;

struct Arguments {
  std::string file;
  std::vector<std::string> overrides;  // key=value
  std::string output;
  std::vector<std::string> methods;
  std::string method;
  std::string kernels = "auto", space = "automatic";
  std::string certificate;  // the level of it, "": the file's
  bool json = false, quiet = false;
  bool spectral = false;
  std::vector<std::string> checkpoint;  // every=STEPS, seconds=S, file=NAME
  double xi = 0;                        // damping ratio of the motion whose spectrum is asked for
};

// Where several processes run one problem together, each calling the same functions: what they do together, or one for all.
struct Execution {
  long processes = 1, rank = 0;
  // What each of them saves: on the first all of it by rank, or one where it is the same on all; on the others none.
  std::function<std::vector<std::string>(std::string_view saved)> gather;
  std::function<std::unique_ptr<method::Integrator>(const system::Model&, const method::Spec&, const method::BuildOptions&)>
      integrator;
  // Of the start; throws where the problem's method cannot run on the processes.
  std::function<method::Statics(const io::Problem&, const method::BuildOptions&)> equilibrium;
  // How coordinates were dealt out to the last integrator: for an output that each writes a piece of, and a checksum of it.
  std::function<run::Pieces()> pieces;
  std::function<std::uint32_t()> partition_checksum;
  // What is opened is written by one of them.
  std::function<std::unique_ptr<run::Trajectory>(const std::function<std::unique_ptr<run::Trajectory>()>& open)> output;
  // f() on one of them, before there are steps; it throws core::InputError, which is thrown on all.
  std::function<void(const std::function<void()>& f)> before;
  // f() on one of them, at a step; what it throws is thrown on all.
  std::function<void(long step, double t, const std::function<void()>& f)> alone;
  std::function<double()> clock;            // run::Options::clock
  const std::atomic<bool>* stop = nullptr;  // the same on all
};

struct Session {
  io::Problem problem;  // with q0 in equilibrium where that is asked for
  std::optional<method::Statics> statics;
  std::unique_ptr<method::Integrator> integrator;
  invariant::MomentumMap momentum;
  run::Task task;
};

method::BuildOptions build_options(const Arguments& arguments);
// Throws core::InputError. `method` replaces the file's when not empty.
Session open(const Arguments& arguments, const std::string& method = {});
// The same of a problem that was read already.
Session open(const Arguments& arguments, io::Problem problem, const Execution* execution = nullptr);
// Throws core::InputError when no method has that name; `where` is "", or the option that named it.
void require_method(const std::string& name, const std::string& where = {});
// Whether the machine code of a problem's energies and generators is in use.
struct Kernels {
  bool any = false;             // false: a library says it all
  std::string why_interpreted;  // "" when compiled
};
Kernels kernels(const Session& session, const Arguments& arguments);
// A message as a field of JSON: without the "error: " it starts with on a terminal.
std::string bare(const std::string& message);
// A trajectory header that repeats the run.
run::TrajectoryHeader header(const Session& session);
// "beta" -> "0.25" for every field of the method chosen.
std::vector<std::pair<std::string, std::string>> fields_of(const method::Spec& spec);
std::string version();

// One file a command; each returns an exit code and throws core::InputError for wrong input.
int run(const Arguments& arguments, const Execution* execution = nullptr);
int resume(const Arguments& arguments, const Execution* execution = nullptr);
int check(const Arguments& arguments);
int compare(const Arguments& arguments);
int list(const Arguments& arguments);
int explain(const Arguments& arguments);
int spectral(const Arguments& arguments);

}  // namespace actio::cli
