#pragma once
#include <actio/invariant/symmetry.hpp>
#include <actio/run/integrate.hpp>

#include "ledger.hpp"

namespace actio::run {

// The ledger of a run, with the round-off that its loss is compared with: of energies whose parts cancel, measured at some
// states.
class EnergyBalance {
 public:
  EnergyBalance(const method::Integrator& integrator, const Task& task);
  void start(const method::Integrator& integrator, const method::Snapshot& s);
  // The round-off of the energy at a state, from positions that are rounded differently.
  void measure_round_off(const method::Integrator& integrator, const method::Snapshot& s);

  // The work of steps since a state was looked at; a look adds it to the ledger.
  const method::Work& since() const { return since_; }
  void since(const method::Work& work) { since_ = work; }
  void look();
  void observe(const method::Integrator& integrator, const method::Snapshot& s, double energy, double kinetic, long step);

  // Energy that came through noise and friction, up to the state looked at last [J].
  double exchanged() const { return ledger_.exchanged(); }
  const Ledger& ledger() const { return ledger_; }
  void go_back_to(const Ledger& ledger);
  const LedgerEntry* now() const { return kept_ ? &ledger_.now() : nullptr; }  // null where no ledger is kept
  void report(invariant::Certificate& c) const;
  void archive(core::Archive& a) { a(cancelling_, since_, ledger_); }

 private:
  const Task& task_;
  const bool kept_, balanced_;  // a ledger is; the method claims to lose no energy
  invariant::Cancellation cancelling_;
  method::Work since_;
  Ledger ledger_;
};

}  // namespace actio::run
