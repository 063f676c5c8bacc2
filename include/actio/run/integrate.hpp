#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <actio/invariant/agreement.hpp>
#include <actio/invariant/certificate.hpp>
#include <actio/invariant/constraints.hpp>
#include <actio/invariant/momentum.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/observables.hpp>
#include <actio/run/observer.hpp>
#include <actio/run/penalty_multipliers.hpp>
#include <actio/run/probe.hpp>
#include <actio/run/schedule.hpp>
#include <actio/system/cutoff.hpp>
#include <actio/system/model.hpp>

// Steps, looks, and certifies.
//
//   auto integrator = method::make_integrator(model, spec);
//   invariant::MomentumMap momentum(model);
//   run::Task task{model.title, spec, q0, v0, schedule};
//   auto certificate = run::integrate(*integrator, momentum, task);
//   std::cout << invariant::text(certificate);
namespace actio::run {

class DenseOutput;
class Events;

struct Task {
  std::string title{};
  method::Stated method{};
  Eigen::VectorXd q0{}, v0{};  // (n) [m], [m/s] or what the coordinates are
  Schedule schedule{};
  Bounds bounds{};
  bool autonomous = true;                       // the Lagrangian does not depend on the time
  invariant::ConstraintMap constraints{};       // of the model, kept or penalised, to be followed
  std::optional<PenaltyMultipliers> penalty{};  // they are penalised; observers may be shown what their multipliers would be
  method::Correction correction{};              // that put the start on the constraints
  Eigen::VectorXd rest{};                       // (n) where the energy of q is none; empty: 0
  std::vector<system::CutoffJump> cutoffs{};    // where pairs cross, and the energy or a force jumps
  Atoms atoms{};                                // points of the system, to be named where its energy is not finite
  long terms = 1;  // energies that are added up to one, each sum rounding by an eps of it; see energies_of
  // For a potential from a library: whether its gradient and Hessian agree with its value near a state; see code_check.
  std::function<invariant::Agreement(const method::Snapshot& at, double length, double speed)> code{};
};

struct Progress {
  long done = 0, total = 0;             // steps
  double seconds = 0;                   // since the first step
  long measured = 0, measurements = 0;  // after the last step: of the states at which the step is measured
};

// When a run is written down, to be gone on with.
struct Checkpoints {
  long every = 0;      // at multiples of so many steps, but for no more than a fiftieth of the time; 0: not by steps
  double seconds = 0;  // of wall time; 0: not by time. Not for integrators that restart: the steps would depend on it
  // Takes all that the rest of the run depends on, at a step. May throw core::RunError, which ends the run.
  std::function<void(long step, double t, std::string_view state)> write{};
};

struct Options {
  std::vector<Observer*> observers;
  std::function<void(const Progress&)> progress;        // at most ten times a second
  const std::atomic<bool>* stop = nullptr;              // set from a signal handler: the run ends after the batch it is in
  invariant::Level level = invariant::Level::standard;  // of the certificate: how much of the step is measured
  Checkpoints checkpoints{};                            // one more when `stop` ends the run
  std::string_view resume{};                            // what such a checkpoint was given: the run goes on from there
  Observables* observables = nullptr;                   // evaluated along the run, and part of its checkpoints
  DenseOutput* dense = nullptr;                         // needed for Schedule::at and events
  Events* events = nullptr;                             // followed along the run, and part of its checkpoints
  bool multipliers = false;                             // observers are shown them: each look takes one step more
  std::function<double()> clock{};                      // [s] from any origin; the same on all processes of a run
};

// Runs the task from its initial state, or goes on with it: then all that is measured and observed from there is to the bit what
// the run that was written down would have come to, on the same machine; only `wall_seconds` is not. Throws core::InputError when
// `resume` is of something else. Never throws for a run that fails: a step that is not solved, a state or energy that is
// not finite (the exact step is found), a bound that is left, an observer that cannot write; the certificate then has
// `failure`, and everything up to there was observed.
invariant::Certificate integrate(method::Integrator& integrator, invariant::MomentumMap& momentum, const Task& task,
                                 const Options& options = {});

// Task::terms of a model.
long energies_of(const system::Model& model);
// Task::code of a model with a library; empty where there is none.
std::function<invariant::Agreement(const method::Snapshot&, double, double)> code_check(const system::Model& model);
// True when the run keeps a ledger: forces act, or the method claims to lose no energy of this system.
bool keeps_ledger(const method::Integrator& integrator, const Task& task);
// True when no energy of the model mentions the time.
bool is_autonomous(const system::Model& model);

}  // namespace actio::run
