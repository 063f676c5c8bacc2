#include <actio/run/penalty_multipliers.hpp>

#include <cmath>

#include <fmt/format.h>

#include <actio/core/error.hpp>

namespace actio::run {

PenaltyMultipliers::PenaltyMultipliers(const system::Model& model, double window, const expr::CompileOptions& options)
    : constraints_(system::constraints_alone(model, options)), omega_(model.omega), window_(window) {
  if (model.penalised.empty()) throw core::InputError("the system has no constraints by penalty");
  if (!(window >= 0) || !std::isfinite(window))
    throw core::InputError(fmt::format("the window of time is {}; it must be finite and not negative", window));
}

void PenaltyMultipliers::operator()(double t, const Eigen::VectorXd& q, Eigen::VectorXd& lambda) {
  lambda.resize(count());
  constraints_.constraint(t, q, lambda);
  lambda *= -omega_ * omega_;
  const double start = t - window_;
  if (!samples_.empty() && !(t > samples_.back().t)) samples_.clear();
  while (samples_.size() > 1 && samples_[1].t <= start) samples_.pop_front();
  samples_.push_back({t, lambda});
  double seen = 0;
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(lambda.size());
  for (std::size_t k = 0; k + 1 < samples_.size(); ++k) {
    const Sample &a = samples_[k], &b = samples_[k + 1];
    if (!(b.t > start) || !(b.t > a.t)) continue;
    // from a point s on [0, 1] between a and b to b: a mean of (1 - s)/2 a + (1 + s)/2 b
    const double s = a.t >= start ? 0 : (start - a.t) / (b.t - a.t), length = (1 - s) * (b.t - a.t);
    sum += length * (0.5 * (1 - s) * a.force + 0.5 * (1 + s) * b.force);
    seen += length;
  }
  if (seen > 0) lambda = sum / seen;
}

}  // namespace actio::run
