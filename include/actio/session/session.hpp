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
#include <actio/run/events.hpp>
#include <actio/run/integrate.hpp>
#include <actio/run/trajectory.hpp>
#include <actio/session/execution.hpp>

// A problem file with its method ready to run: what the program and the Python package share.
//
//   OneProcess here(stop);
//   Session session = open(io::load("oscillator.toml"), {}, here);
//   invariant::Certificate certificate = run(session, {}, here);
namespace actio::session {

struct Choices {
  method::BuildOptions build;
  bool must_compile = false;  // kernels that are interpreted are an error
};

// kernels: "auto", "compile" or "interpret"; space: "automatic", "fixed", "dense" or "sparse". Throws core::InputError.
Choices choices(const std::string& kernels, const std::string& space);

struct Session {
  io::Problem problem;  // with q0 in equilibrium where that is asked for
  Choices choices;
  std::optional<method::Statics> statics;
  std::unique_ptr<method::Integrator> integrator;
  invariant::MomentumMap momentum;
  run::Task task;
  // Null: there are none, or observe() was not called.
  std::unique_ptr<run::Observables> observables;
  std::unique_ptr<run::Events> events;
  std::unique_ptr<run::DenseOutput> dense;  // where observations or events are within steps
};

// Where initial.static asks for it, the problem's q0 goes to where the forces are in balance. Throws core::InputError.
std::optional<method::Statics> find_equilibrium(io::Problem& problem, const Choices& choices, Execution& execution);
// Throws core::InputError.
Session open(io::Problem problem, const Choices& choices, Execution& execution);
// Makes the observables and events of the problem ready. Throws core::InputError where the method or the steps lack what one asks
// for.
void observe(Session& session);
// Whether the machine code of a problem's energies and generators is in use.
struct Kernels {
  bool any = false;             // false: a library says it all
  std::string why_interpreted;  // "" when compiled
};
Kernels kernels(const Session& session);
// A trajectory header that repeats the run.
run::TrajectoryHeader header(const Session& session);
// Steps, looks and certifies as the problem asks. Level, observables, stop and clock are set here; a failure is given its likely
// cause. `warn` gets a sentence about a step that the method does not allow, before the first one.
invariant::Certificate run(Session& session, run::Options options, Execution& execution,
                           const std::function<void(const std::string&)>& warn = {});
// The reductions of observables, and the tables of events, so far; empty where there are none.
std::vector<run::Observed> observed(const Session& session);
// For those who read, below the certificate: one line a column that is one number, with its largest absolute value; one a
// reduction and more of a histogram; "" where there are none.
std::string observed_text(std::span<const run::Observed> observed);
// The certificate as JSON, with the reductions of observables under "observed", the extremes of columns under "observables", and
// the tables of events under "events".
std::string json(const invariant::Certificate& certificate, std::span<const run::Observed> observed);
// "beta" -> "0.25" for every field of the method chosen.
std::vector<std::pair<std::string, std::string>> fields_of(method::Spec spec);
std::string version();

}  // namespace actio::session
