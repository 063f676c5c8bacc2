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

#include "arguments.hpp"
#include "execution.hpp"

// What the commands share: a problem file with its method ready to run.
namespace actio::cli {

struct Session {
  io::Problem problem;  // with q0 in equilibrium where that is asked for
  std::optional<method::Statics> statics;
  std::unique_ptr<method::Integrator> integrator;
  invariant::MomentumMap momentum;
  run::Task task;
  std::unique_ptr<run::Observables> observables;  // null: there are none
};

method::BuildOptions build_options(const Arguments& arguments);
// Throws core::InputError.
Session open(const Arguments& arguments, io::Problem problem, Execution& execution);
// Makes the observables of the problem ready. Throws core::InputError where the method or the steps lack what one asks for.
void observe(Session& session, const Arguments& arguments);
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
int sweep(const Arguments& arguments);
int list(const Arguments& arguments);
int explain(const Arguments& arguments);
int spectral(const Arguments& arguments);

}  // namespace actio::cli
