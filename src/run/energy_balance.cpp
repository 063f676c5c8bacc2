#include "energy_balance.hpp"

#include <actio/invariant/scales.hpp>

#include "claims.hpp"

namespace actio::run {

EnergyBalance::EnergyBalance(const method::Integrator& integrator, const Task& task)
    : task_(task), kept_(keeps_ledger(integrator, task)), balanced_(claims(integrator, task).energy_balanced) {}

void EnergyBalance::start(const method::Integrator& integrator, const method::Snapshot& s) {
  ledger_.start(integrator.energy(), task_.autonomous, task_.terms);
  if (!balanced_) return;
  if (const long n = task_.rest.size(); n > 0)
    ledger_.round_off(invariant::rounding_of_energy(integrator, s.t, task_.rest, Eigen::VectorXd::Zero(n)));
  cancelling_ = invariant::cancellation(integrator, s, task_.schedule.step_at(0));
}

void EnergyBalance::measure_round_off(const method::Integrator& integrator, const method::Snapshot& s) {
  if (balanced_) ledger_.round_off(invariant::rounding_of_energy(integrator, s.t, s.q, s.v));
}

void EnergyBalance::look() {
  ledger_.add(since_);
  since_ = {};
}

void EnergyBalance::observe(const method::Integrator& integrator, const method::Snapshot& s, double energy, double kinetic,
                            long step) {
  if (!kept_) return;
  ledger_.observe(energy, kinetic, integrator.energy_terms(task_.schedule.step.largest()) + cancelling_.at(s.q, task_.rest), step,
                  task_.schedule.late(step, s.t));
}

void EnergyBalance::go_back_to(const Ledger& ledger) {
  ledger_ = ledger;
  since_ = {};
}

void EnergyBalance::report(invariant::Certificate& c) const {
  if (!kept_) return;
  c.ledger = ledger_.report();
  if (c.ledger->round_off > c.energy.resolution) c.energy.resolution = c.ledger->round_off;
}

}  // namespace actio::run
