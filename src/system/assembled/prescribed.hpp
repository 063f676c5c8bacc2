#pragma once
#include <actio/system/assembled.hpp>

// Coordinates whose motion is prescribed: concept Prescribed.
namespace actio::system {

template <class Space>
void Assembled<Space>::impose_motion(double t, double bq, double bv, Vector& q, Vector& v, Vector& a) {
  motion_->at(t);
  const auto prescribed = motion_->coordinates();
  for (long k = 0; k < motion_->size(); ++k) {
    const std::int32_t i = prescribed[static_cast<std::size_t>(k)];
    a[i] = motion_->acceleration(k);
    q[i] = motion_->x(k) - bq * a[i];
    v[i] = motion_->rate(k) - bv * a[i];
  }
}

template <class Space>
void Assembled<Space>::zero_prescribed(Vector& x) const {
  for (const std::int32_t i : motion_->coordinates()) x[i] = 0;
}

template <class Space>
void Assembled<Space>::multipliers(const Vector& r, Eigen::VectorXd& lambda) const {
  const auto prescribed = motion_->coordinates();
  lambda.resize(motion_->size());
  for (long k = 0; k < motion_->size(); ++k) lambda[k] = r[prescribed[static_cast<std::size_t>(k)]] / motion_->slope(k);
}

template <class Space>
void Assembled<Space>::add_coupling(const Vector& v, Vector& p) const {
  coupling_.multiply(v, coupled_);
  p += coupled_;
}

}  // namespace actio::system
