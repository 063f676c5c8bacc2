#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include <actio/invariant/certificate.hpp>
#include <actio/invariant/constraints.hpp>
#include <actio/invariant/momentum.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/observer.hpp>
#include <actio/run/penalty_multipliers.hpp>
#include <actio/run/schedule.hpp>
#include <actio/system/model.hpp>

// Steps, looks, and certifies.
//
//   auto integrator = method::make_integrator(model, spec);
//   invariant::MomentumMap momentum(model);
//   run::Task task{model.title, spec, q0, v0, schedule};
//   auto certificate = run::integrate(*integrator, momentum, task);
//   std::cout << invariant::text(certificate);
namespace actio::run {

struct Task {
  std::string title;
  method::Spec method;
  Eigen::VectorXd q0, v0;  // (n) [m], [m/s] or what the coordinates are
  Schedule schedule;
  Bounds bounds;
  bool autonomous = true;                       // the Lagrangian does not depend on the time
  invariant::ConstraintMap constraints{};       // of the model, kept or penalised, to be followed
  std::optional<PenaltyMultipliers> penalty{};  // they are penalised; observers may be shown what their multipliers would be
  method::Correction correction{};              // that put the start on the constraints
};

struct Progress {
  long done = 0, total = 0;  // steps
  double seconds = 0;        // since the first step
};

struct Options {
  std::vector<Observer*> observers;
  std::function<void(const Progress&)> progress;  // at most ten times a second
  const std::atomic<bool>* stop = nullptr;        // set from a signal handler: the run ends after the batch it is in
  bool measure_step = true;                       // symplecticity and reversibility
  bool multipliers = false;                       // observers are shown them: each look takes one step more
};

// Runs the task from its initial state. Never throws for a run that fails: a step that is not solved, a state or energy that is
// not finite (the exact step is found), a bound that is left, an observer that cannot write; the certificate then has
// `failure`, and everything up to there was observed.
invariant::Certificate integrate(method::Integrator& integrator, invariant::MomentumMap& momentum, const Task& task,
                                 const Options& options = {});

// True when the run keeps a ledger: forces act, or the method claims to lose no energy of this system.
bool keeps_ledger(const method::Integrator& integrator, const Task& task);
// True when no energy of the model mentions the time.
bool is_autonomous(const system::Model& model);
// The method is symmetric: its step backward undoes its step forward.
bool is_symmetric(const method::Spec& spec);

}  // namespace actio::run
