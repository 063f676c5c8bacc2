#pragma once
#include <span>

#include <actio/method/integrator.hpp>

// What looks at a run: trajectory files, plots, a user's own code. Called every Schedule::every steps, at the start and at the
// last state that was reached.
namespace actio::run {

// From the start to now [J]: E - E0 = external + constraints + heat - dissipated + solver - method.
struct LedgerEntry {
  double external = 0;     // work of external forces
  double constraints = 0;  // of constraints that move
  double heat = 0;         // of a thermostat's noise
  double dissipated = 0;   // by friction, a thermostat's too
  double method = 0;       // lost by the method; NaN where the Lagrangian itself depends on the time
  double solver = 0;       // work of what the solver left of the equations
  void archive(core::Archive& a) { a(external, constraints, heat, dissipated, method, solver); }
};

struct Observation {
  long step = 0;                          // steps completed
  const method::Snapshot& state;          // t [s], q, v, p (n)
  double energy = 0;                      // v . dL/dv - L
  std::span<const double> momentum;       // one a declared symmetry
  const LedgerEntry* ledger = nullptr;    // where forces act, or the method claims to lose nothing
  std::span<const double> multipliers{};  // lambda (m), where the run asks for them
  std::span<const double> measured{};     // what else a file has columns for, see TrajectoryHeader
  std::span<const double> observed{};     // Observables::columns(), one after another
};

class Observer {
 public:
  virtual ~Observer() = default;
  // May throw core::RunError, which ends the run.
  virtual void observe(const Observation& now) = 0;
  // Called about once a second: what was observed so far should survive the process.
  virtual void flush() {}
};

}  // namespace actio::run
