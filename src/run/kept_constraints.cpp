#include "kept_constraints.hpp"

#include <cassert>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include <actio/system/bodies.hpp>

namespace actio::run {

KeptConstraints::KeptConstraints(method::Integrator& integrator, const Task& task, const Options& options)
    : integrator_(integrator),
      task_(task),
      map_(task.constraints),
      kept_(task.constraints.size() > 0 && !task.constraints.penalised()),
      wanted_(kept_ && options.multipliers && map_.size() > map_.of_rotations()),
      averages_(!kept_ && task.penalty && options.multipliers && task.penalty->window() > 0),
      penalty_(task.penalty) {
  seen_.count = map_.size();
  seen_.penalty = !kept_;
  seen_.moving = map_.moving();
  seen_.corrected_q = task.correction.q;
  seen_.corrected_v = task.correction.v;
}

void KeptConstraints::average(const method::Snapshot& s) { (*penalty_)(s.t, s.q, lambda_); }

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
  map_.sizes(s.q, size_);
  position_ = std::max(position_, size_.maxCoeff());
  map_.sizes(s.v, size_);
  velocity_ = std::max(velocity_, size_.maxCoeff());
  if (wanted_) {
    integrator_.multipliers(h, lambda_);
    if (lambda_.size() == 0) lambda_.setConstant(g_.size(), invariant::unmeasured);
    assert(lambda_.size() >= g_.size() - map_.of_rotations());
  }
  for (const system::Body& body : map_.bodies()) {
    const Eigen::Matrix3d R = system::rotation_of(body, s.q);
    const double off = (R.transpose() * R - Eigen::Matrix3d::Identity()).norm(), turned = std::abs(R.determinant() - 1);
    if (!(off <= turned_.orthogonality)) {
      turned_.orthogonality = off;
      turned_.orthogonality_time = s.t;
    }
    if (!(turned <= turned_.determinant)) turned_.determinant = turned;
  }
  if (averages_ && lambda_.size() == 0) average(s);
}

std::span<const double> KeptConstraints::multipliers_at(const method::Integrator& there, double h,
                                                        Eigen::VectorXd& lambda) const {
  if (!wanted_) return {};
  there.multipliers(h, lambda);
  if (lambda.size() == 0) lambda.setConstant(map_.size(), invariant::unmeasured);
  return {lambda.data(), static_cast<std::size_t>(map_.size() - map_.of_rotations())};
}

std::optional<invariant::Certificate::Constraints> KeptConstraints::report() const {
  if (map_.size() == 0) return std::nullopt;
  invariant::Certificate::Constraints out = seen_;
  // The solver's tolerance: positions are told to eps |q|, velocities as differences of them no better than that over a step.
  const double h = task_.schedule.step.smallest();
  out.allowed_distance = 1e-10 * (position_ + h * velocity_);
  out.allowed_speed = 1e-10 * (velocity_ + position_ / h);
  out.fastest = velocity_;
  return out;
}

void KeptConstraints::archive(core::Archive& a) {
  a(seen_.distance, seen_.distance_time, seen_.speed, turned_.orthogonality, turned_.orthogonality_time, turned_.determinant);
  a(position_, velocity_, lambda_);
  if (averages_) a(*penalty_);
}

std::optional<invariant::Certificate::Rotations> KeptConstraints::rotations(long steps) const {
  if (map_.bodies().empty()) return std::nullopt;
  invariant::Certificate::Rotations out = turned_;
  out.bodies = static_cast<long>(map_.bodies().size());
  // The solver's tolerance, or the rounding of a product a step.
  const double rounded = 8 * std::numeric_limits<double>::epsilon() * static_cast<double>(steps);
  out.allowed = kept_ ? 1e-10 + rounded : invariant::unmeasured;
  return out;
}

}  // namespace actio::run
