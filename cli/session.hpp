#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <actio/invariant/certificate.hpp>
#include <actio/invariant/momentum.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/statics.hpp>
#include <actio/run/integrate.hpp>
#include <actio/run/trajectory.hpp>

#include "execution.hpp"

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

struct Session {
  io::Problem problem;  // with q0 in equilibrium where that is asked for
  std::optional<method::Statics> statics;
  std::unique_ptr<method::Integrator> integrator;
  invariant::MomentumMap momentum;
  run::Task task;
};

method::BuildOptions build_options(const Arguments& arguments);
// On this process alone. Throws core::InputError. `method` replaces the file's when not empty.
Session open(const Arguments& arguments, const std::string& method = {});
// The same of a problem that was read already.
Session open(const Arguments& arguments, io::Problem problem, Execution& execution);
// Throws core::InputError when no method has that name; `where` is "", or the option that named it.
void require_method(const std::string& name, const std::string& where = {});
// Whether the machine code of a problem's energies and generators is in use.
struct Kernels {
  bool any = false;             // false: a library says it all
  std::string why_interpreted;  // "" when compiled
};
Kernels kernels(const Session& session, const Arguments& arguments);
// A trajectory header that repeats the run.
run::TrajectoryHeader header(const Session& session);
// "beta" -> "0.25" for every field of the method chosen.
std::vector<std::pair<std::string, std::string>> fields_of(method::Spec spec);
std::string version();

// One file a command; each returns an exit code and throws core::InputError for wrong input.
int run(const Arguments& arguments, Execution& execution);
int resume(const Arguments& arguments, Execution& execution);
int check(const Arguments& arguments);
int compare(const Arguments& arguments);
int list(const Arguments& arguments);
int explain(const Arguments& arguments);
int spectral(const Arguments& arguments);

}  // namespace actio::cli
