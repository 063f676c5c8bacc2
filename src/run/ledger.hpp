#pragma once
#include <algorithm>
#include <limits>

#include <actio/invariant/certificate.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/observer.hpp>

// Follows where the energy goes: work of external forces, friction, and what is left, which the method lost (Karow 13).
namespace actio::run {

class Ledger {
 public:
  // `measurable`: the Lagrangian does no work of its own by depending on the time.
  // `terms`: energies that are added up to one.
  void start(double energy, bool measurable, long terms) {
    sums_ = static_cast<double>(terms);
    start_ = energy;
    measurable_ = measurable;
  }
  void round_off(double energy) { round_off_ = std::max(round_off_, energy); }  // round-off of an energy [J]
  void add(const method::Work& work);                                           // of a batch of steps
  // At a state of that energy; `kinetic` is p . v / 2, `terms` what the energy is added up from where matrices cancel; `late`: in
  // the last quarter.
  void observe(double energy, double kinetic, double terms, long step, bool late);
  const LedgerEntry& now() const { return now_; }
  double exchanged() const { return work_.heat - work_.dissipated; }  // with what friction and noise stand for, until now [J]
  invariant::Certificate::Ledger report() const;
  void archive(core::Archive& a) {
    a(measurable_, sums_, round_off_, late_least_, late_most_, start_, energy_, worst_, size_, moved_, terms_, energies_, step_,
      work_, now_);
  }

 private:
  bool measurable_ = true;
  double sums_ = 1;
  double round_off_ = 0;
  double late_least_ = std::numeric_limits<double>::infinity(), late_most_ = -late_least_;  // what the method lost, there
  double start_ = 0, energy_ = 0, worst_ = 0, size_ = 0, moved_ = 0, terms_ = 0, energies_ = 0;
  long step_ = 0;
  method::Work work_;
  LedgerEntry now_;
};

}  // namespace actio::run
