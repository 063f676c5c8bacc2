#include "conservation.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/invariant/scales.hpp>
#include <actio/invariant/thresholds.hpp>

namespace actio::run {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

}  // namespace

Conservation::Conservation(invariant::MomentumMap& momentum, method::Keeps keeps, const Schedule& schedule)
    : map_(momentum),
      keeps_(keeps),
      schedule_(schedule),
      h_(schedule.step.largest()),
      momentum_(momentum.size()),
      now_(momentum.size()),
      scale_(momentum.size()),
      own_(momentum.size()),
      own_scale_(momentum.size()) {}

// Of steps that follow the motion: at the state and at some near it.
bool Conservation::scale_changes(const method::Integrator& integrator, const method::Snapshot& s, std::size_t k) {
  Eigen::VectorXd q = s.q, xi;
  const double size = 0.01 * q.norm() / std::sqrt(static_cast<double>(std::max<long>(1, q.size())));
  for (int trial = 0; trial < 4; ++trial) {
    map_.field(k, s.t, q, xi);
    if (integrator.scale_changes_along(s.t, q, xi)) return true;
    for (long i = 0; i < q.size(); ++i) q[i] += size * std::sin(static_cast<double>(1 + i + 7 * trial));
  }
  return false;
}

void Conservation::start(const method::Integrator& integrator, const method::Snapshot& s,
                         std::span<const invariant::SymmetryCheck> checks) {
  last_time_ = s.t;
  energy_ = integrator.energy();
  kinetics_.reserve(80);
  mass_.setZero(s.q.size());
  if (auto near = invariant::scales(integrator, {&s, 1}, h_); near.mass.size() > 0) mass_ = std::move(near.mass);
  p_before_ = s.p;
  if (!momentum_.empty()) force_scale_ = invariant::force_scale(integrator, s, h_);
  map_(s.t, s.q, s.p, now_, scale_);
  if (keeps_ == method::Keeps::conjugate_form && !momentum_.empty()) {
    integrator.conjugate_coordinates(h_, x_, p_);
    map_(s.t, x_, p_, own_, own_scale_);
  }
  for (std::size_t k = 0; k < momentum_.size(); ++k) {
    momentum_[k].initial = now_[k];
    momentum_[k].own_initial = own_[k];
    momentum_[k].check = checks[k];
    momentum_[k].claimed = keeps_ != method::Keeps::nothing && map_.affine(k) && checks[k].holds &&
                           integrator.keeps_momentum(k) && !scale_changes(integrator, s, k);
  }
}

void Conservation::Motion::add(const method::Snapshot& s, double of_state) {
  if (looks++ == 0) {
    v = s.v;
    p = s.p;
  } else {
    v += s.v;
    p += s.p;
  }
  kinetic += of_state;
}

// mean of |p| . |v| / 2, less that of the mean motion: a drift through space is no motion that forces make.
double Conservation::Motion::about_mean() const {
  if (looks == 0) return 0;
  const double n = static_cast<double>(looks), all = kinetic / n;
  return std::max(all - 0.5 * std::abs((p / n).dot(v / n)), 1e-3 * all);
}

void Conservation::observe(const method::Integrator& integrator, const method::Snapshot& s, double energy, double kinetic,
                           long step, double residual, bool regular, bool even) {
  energy_error_ = energy - energy_;
  // The line of the drift is through evenly spaced observations: a last, shorter gap is left out.
  if (even) {
    if (observed_ == 1) first_gap_ = step;
    if (observed_ < 2 || step - last_even_ == first_gap_) drift_.add(energy_error_);
    ++observed_;
    last_even_ = step;
  }
  const long gap = std::max(1L, step - last_step_);
  last_step_ = step;
  last_time_ = s.t;
  residual_ = residual;
  if (regular) {
    motion_.add(s, kinetic);
    if (step == 0 || schedule_.early(step, s.t)) early_motion_.add(s, kinetic);
    kinetics_.push_back(kinetic);
    errors_ += std::abs(energy_error_);
  }
  largest_kinetic_ = std::max(largest_kinetic_, std::abs(kinetic));
  if (std::abs(energy_error_) > max_energy_error_) {
    max_energy_error_ = std::abs(energy_error_);
    max_energy_error_time_ = s.t;
  }
  // Round-off of E, and where velocities are round-off themselves, the energy of velocities that are just more.
  const double h = schedule_.step_at(step), moved = 200 * h * h * kinetic, place = mass_.dot(s.q.cwiseAbs2());
  const double blur = moved > 0 && moved < 1e-12 * place ? kinetic * (1e-12 * place / moved) : 0;
  resting_ = resting_ && !(moved > 1e-22 * place);
  resolution_ = std::max(resolution_, 1e3 * eps * (std::abs(energy_) + 2 * std::abs(kinetic)) + blur);
  if (schedule_.early(step, s.t)) {
    ++early_observed_;
    early_error_ = std::max(early_error_, std::abs(energy_error_));
  }
  if (schedule_.late(step, s.t)) {
    ++late_observed_;
    late_least_ = std::min(late_least_, energy_error_);
    late_most_ = std::max(late_most_, energy_error_);
  }
  if (momentum_.empty()) return;
  // Forces that cancel in J leave round-off of h |f|: |dp| a step, and what has cancelled in dp already.
  const double impulse = (s.p - p_before_).norm() / std::sqrt(static_cast<double>(std::max(1L, static_cast<long>(s.p.size())))) /
                             static_cast<double>(gap) +
                         std::abs(h_) * force_scale_;
  p_before_ = s.p;
  map_(s.t, s.q, s.p, now_, scale_, impulse);
  const bool own = keeps_ == method::Keeps::conjugate_form;
  if (own) {
    integrator.conjugate_coordinates(h_, x_, p_);
    map_(s.t, x_, p_, own_, own_scale_, impulse);
  }
  for (std::size_t k = 0; k < momentum_.size(); ++k) {
    Momentum& m = momentum_[k];
    m.error = now_[k] - m.initial;
    m.max_error = std::max(m.max_error, std::abs(m.error));
    m.scale = std::max(m.scale, scale_[k]);
    if (own) {
      m.own_error = own_[k] - m.own_initial;
      m.own_max_error = std::max(m.own_max_error, std::abs(m.own_error));
      m.scale = std::max(m.scale, own_scale_[k]);
    }
  }
}

double Conservation::allowed(const Momentum& m, long step) const {
  // A symmetry that is a little off: four times the largest rate seen, for states between.
  return invariant::momentum_allowance(m.scale, step, residual_) +
         4 * std::abs((step == last_step_ ? last_time_ : schedule_.time(step)) - schedule_.start) * m.check.rate;
}

bool Conservation::momentum_lost(long step) const {
  const bool own = keeps_ == method::Keeps::conjugate_form;
  for (const Momentum& m : momentum_) {
    const double error = std::abs(own ? m.own_error : m.error);
    if (m.claimed && error > invariant::momentum_allowance(m.scale, 0, 0) && error > allowed(m, step)) return true;
  }
  return false;
}

void Conservation::recheck_symmetry(const method::Integrator& integrator, const method::Snapshot& s, double h, long step) {
  const auto checks = invariant::check_symmetries(integrator, map_, s, h);
  const bool own = keeps_ == method::Keeps::conjugate_form;
  for (std::size_t k = 0; k < momentum_.size(); ++k) {
    Momentum& m = momentum_[k];
    if (!m.claimed || !(std::abs(own ? m.own_error : m.error) > allowed(m, step))) continue;
    if (checks[k].holds && checks[k].resolved) {
      m.check.rate = std::max(m.check.rate, checks[k].rate);
      continue;
    }
    m.claimed = false;
    m.withdrawn = s.t;
    m.check = checks[k];
  }
}

void Conservation::check(const Bounds& bounds, long step, double t, std::string_view method) const {
  if (std::abs(energy_error_) > bounds.energy)
    throw core::RunError(step, t,
                         fmt::format("the energy is off by {:.3e}, the declared bound is {:.3e}", energy_error_, bounds.energy),
                         "halve run.step, or widen certificate.energy");
  for (std::size_t k = 0; k < momentum_.size(); ++k) {
    const Momentum& m = momentum_[k];
    if (!std::isfinite(m.error))
      throw core::RunError(step, t, fmt::format("the momentum \"{}\" is not finite", map_.name(k)),
                           "check its generator against the positions the run reaches");
    if (std::abs(m.error) > bounds.momentum)
      throw core::RunError(step, t,
                           fmt::format("the momentum \"{}\" is off by {:.3e}, the declared bound is {:.3e}", map_.name(k),
                                       m.error, bounds.momentum),
                           "halve run.step, or widen certificate.momentum");
    if (!m.claimed) continue;
    const double error = keeps_ == method::Keeps::conjugate_form ? m.own_error : m.error;
    // The least that is ever allowed first: it spares a square root an observation.
    if (std::abs(error) <= invariant::momentum_allowance(m.scale, 0, 0)) continue;
    if (std::abs(error) > allowed(m, step))
      throw core::RunError(step, t,
                           fmt::format("{} conserves the momentum \"{}\", but it changed by {:.3e}, and round-off and the solver "
                                       "allow only {:.1e}",
                                       method, map_.name(k), error, allowed(m, step)),
                           "halve run.step; if that does not help, this is a fault of the method or of the potential's "
                           "derivatives: please report it");
  }
}

void Conservation::archive(core::Archive& a) {
  a(energy_, energy_error_, max_energy_error_, max_energy_error_time_, largest_kinetic_, resolution_, force_scale_);
  a(early_observed_, early_error_, late_observed_, late_least_, late_most_, drift_, residual_);
  a(observed_, first_gap_, last_step_, last_time_, last_even_, p_before_, early_motion_, motion_, kinetics_, errors_, resting_,
    mass_);
  for (Momentum& m : momentum_) {
    a(m.initial, m.error, m.max_error, m.own_initial, m.own_error, m.own_max_error, m.scale, m.claimed, m.withdrawn);
    a(m.check.defect, m.check.holds, m.check.rate, m.check.resolved);
  }
}

void Conservation::report(invariant::Certificate& c) const {
  c.energy.initial = energy_;
  c.energy.max_error = max_energy_error_;
  c.energy.max_error_time = max_energy_error_time_;
  c.energy.largest_kinetic = largest_kinetic_;
  c.energy.last_error = energy_error_;
  c.energy.resolution = resolution_;
  c.energy.resting = resting_;
  c.energy.late_looks = late_observed_;
  if (late_observed_ > 0) {
    c.energy.lost = late_least_ > 0 ? late_least_ : late_most_ < 0 ? late_most_ : 0.0;
    c.energy.late_error = std::max(std::abs(late_least_), std::abs(late_most_));
  }
  if (early_observed_ > 0) c.energy.early_error = early_error_;
  const double mean = motion_.looks > 0 ? motion_.kinetic / static_cast<double>(motion_.looks) : 0;
  for (std::size_t k = 1; k < kinetics_.size(); ++k) c.energy.swings += (kinetics_[k] > mean) != (kinetics_[k - 1] > mean);
  // A part of a swing has a mean velocity that is no drift through space.
  const bool swings = c.energy.swings >= invariant::threshold::fewest_swings;
  c.energy.motion = swings ? motion_.about_mean() : mean;
  c.energy.early_motion = swings || early_motion_.looks == 0 ? early_motion_.about_mean()
                                                             : early_motion_.kinetic / static_cast<double>(early_motion_.looks);
  if (motion_.looks > 0) c.energy.typical_error = errors_ / static_cast<double>(motion_.looks);
  const auto slope = drift_.slope();
  if (first_gap_ > 0) {
    c.energy.drift_per_step = slope.slope / static_cast<double>(first_gap_);
    c.energy.drift_confidence = slope.confidence / static_cast<double>(first_gap_);
  }
  for (std::size_t k = 0; k < momentum_.size(); ++k) {
    const Momentum& m = momentum_[k];
    invariant::Certificate::Momentum out;
    out.name = map_.name(k);
    out.initial = m.initial;
    out.max_error = m.max_error;
    if (keeps_ == method::Keeps::conjugate_form) out.own_max_error = m.own_max_error;
    out.bound = allowed(m, last_step_);
    out.withdrawn = m.withdrawn;
    out.affine = map_.affine(k);
    out.symmetry = m.check.holds;
    out.symmetry_defect = m.check.defect;
    out.claimed = m.claimed;
    c.momentum.push_back(std::move(out));
  }
}

}  // namespace actio::run
