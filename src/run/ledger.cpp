#include "ledger.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <actio/core/error.hpp>

namespace actio::run {

void Ledger::add(const method::Work& work) {
  work_ += work;
  moved_ += std::abs(work.external) + std::abs(work.constraints) + std::abs(work.heat) + std::abs(work.dissipated);
}

void Ledger::observe(double energy, double kinetic, double terms, long step, bool late) {
  energy_ = energy;
  step_ = step;
  now_ = {work_.external, work_.constraints, work_.heat, work_.dissipated, invariant::unmeasured, work_.residual};
  if (measurable_)
    now_.method = work_.external + work_.constraints + work_.heat - work_.dissipated + work_.residual - (energy - start_);
  if (late) {
    late_least_ = std::min(late_least_, now_.method);
    late_most_ = std::max(late_most_, now_.method);
  }
  worst_ = std::max(worst_, std::abs(now_.method));
  terms_ = std::max(terms_, terms);
  energies_ = std::max(energies_, std::abs(energy) + 2 * std::abs(kinetic));
  size_ = std::max(size_, std::abs(energy) + 2 * std::abs(kinetic) + terms);
}

invariant::Certificate::Ledger Ledger::report() const {
  const double k = static_cast<double>(step_);
  invariant::Certificate::Ledger out;
  out.change = energy_ - start_;
  out.external = work_.external;
  out.constraints = work_.constraints;
  out.heat = work_.heat;
  out.dissipated = work_.dissipated;
  out.residual = work_.residual;
  out.cancellation = energies_ > 0 ? terms_ / energies_ : 0;
  out.method = now_.method;
  out.worst_method = measurable_ ? worst_ : invariant::unmeasured;
  // Each step rounds the energy, and its work; errors add up as a square root, with room for a small bias.
  out.round_off = std::numeric_limits<double>::epsilon() * (size_ * (256 + 64 * std::sqrt(k) + 4 * k + sums_) + 64 * moved_) +
                  8 * round_off_ * (1 + std::sqrt(k));
  out.moved = moved_;
  if (measurable_ && late_least_ <= late_most_) out.lost = late_least_ > 0 ? late_least_ : late_most_ < 0 ? late_most_ : 0.0;
  return out;
}

}  // namespace actio::run
