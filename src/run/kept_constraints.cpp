#include "kept_constraints.hpp"

#include <cmath>

namespace actio::run {

using Eigen::VectorXd;

KeptConstraints::KeptConstraints(method::Integrator& integrator, const Task& task, const Options& options)
    : integrator_(integrator),
      task_(task),
      map_(task.constraints),
      kept_(integrator.nature().constraints > 0),
      wanted_(kept_ && options.multipliers),
      averages_(!kept_ && task.penalty > 0 && task.schedule.window > 0 && options.multipliers) {
  seen_.count = map_.size();
  seen_.penalty = !kept_;
  seen_.moving = map_.moving();
  seen_.corrected_q = task.correction.q;
  seen_.corrected_v = task.correction.v;
}

void KeptConstraints::check(invariant::MomentumMap& momentum, const method::Snapshot& s,
                            std::vector<invariant::SymmetryCheck>& checks) {
  if (!kept_ || map_.size() == 0) return;
  const VectorXd rest = VectorXd::Zero(s.q.size());
  VectorXd xi, still, rate;
  map_(s.t, s.q, rest, g_, still, slope_);
  for (std::size_t k = 0; k < checks.size(); ++k) {
    momentum.field(k, s.t, s.q, xi);
    map_(s.t, s.q, xi, g_, rate, slope_);
    double defect = 0;
    for (long i = 0; i < rate.size(); ++i) {
      const double size = slope_[i] * xi.norm();
      if (size > 0) defect = std::max(defect, std::abs(rate[i] - still[i]) / size);
    }
    if (defect > checks[k].defect) checks[k].defect = defect;
    if (!(defect < 1e-6)) checks[k].holds = false;
  }
}

void KeptConstraints::average(const method::Snapshot& s) {
  map_(s.t, s.q, s.v, g_, rate_, slope_);
  const VectorXd now = -(task_.penalty * task_.penalty) * g_;
  if (window_.empty())
    window_.push_back({s.t, VectorXd::Zero(g_.size())});
  else
    window_.push_back({s.t, window_.back().sum + 0.5 * (s.t - window_.back().t) * (now + last_)});
  last_ = now;
  // The window's start stays: two samples around it.
  while (window_.size() > 2 && std::abs(s.t - window_[1].t) >= task_.schedule.window * (1 - 1e-9)) window_.pop_front();
}

void KeptConstraints::observe(const method::Snapshot& s, double h) {
  if (map_.size() == 0) return;
  map_(s.t, s.q, s.v, g_, rate_, slope_);
  for (long k = 0; k < g_.size(); ++k) {
    const double distance = g_[k] == 0 ? 0 : std::abs(g_[k]) / slope_[k],
                 speed = rate_[k] == 0 ? 0 : std::abs(rate_[k]) / slope_[k];
    if (!(distance <= seen_.distance)) {
      seen_.distance = distance;
      seen_.distance_time = s.t;
    }
    if (!(speed <= seen_.speed)) seen_.speed = speed;
  }
  position_ = std::max(position_, s.q.lpNorm<Eigen::Infinity>());
  velocity_ = std::max(velocity_, s.v.lpNorm<Eigen::Infinity>());
  if (wanted_) {
    integrator_.multipliers(h, lambda_);
    if (lambda_.size() == 0) lambda_.setConstant(g_.size(), invariant::unmeasured);
  }
  if (averages_) {
    if (window_.empty()) average(s);
    const Sample &first = window_.front(), &last = window_.back();
    if (std::abs(last.t - first.t) >= task_.schedule.window * (1 - 1e-9))
      lambda_ = (last.sum - first.sum) / (last.t - first.t);
    else
      lambda_.setConstant(g_.size(), invariant::unmeasured);  // no whole window yet
  }
}

std::optional<invariant::Certificate::Constraints> KeptConstraints::report() const {
  if (map_.size() == 0) return std::nullopt;
  invariant::Certificate::Constraints out = seen_;
  // The solver's tolerance: positions are told to eps |q|, velocities as differences of them no better than that over a step.
  const double h = task_.schedule.step.smallest();
  out.allowed_distance = 1e-10 * (position_ + h * velocity_);
  out.allowed_speed = 1e-10 * (velocity_ + position_ / std::max(h, 1e-6));
  return out;
}

}  // namespace actio::run
