#pragma once
#include <actio/system/assembled.hpp>
#include <algorithm>

// What a code of one's own assembles. It adds to numbers that are zero.
namespace actio::system {

template <class Space>
double Assembled<Space>::own_energy(double t, const Vector& q) const {
  const Callbacks* code = model_->callbacks.get();
  return code && code->energy ? code->energy(t, {q.data(), static_cast<std::size_t>(model_->n)}) : 0;
}

template <class Space>
void Assembled<Space>::add_residual(double t, const Vector& q, Vector& f) {
  const Callbacks* code = model_->callbacks.get();
  if (!code || !code->residual) return;
  const auto n = static_cast<std::size_t>(model_->n);
  scratch_.setZero();
  code->residual(t, {q.data(), n}, {scratch_.data(), n});
  f -= scratch_;
}

template <class Space>
void Assembled<Space>::add_tangent(double t, const Vector& q, double w, Matrix& K) {
  const Callbacks* code = model_->callbacks.get();
  if (!code || !code->tangent) return;
  std::ranges::fill(called_, 0.0);
  code->tangent(t, {q.data(), static_cast<std::size_t>(model_->n)}, called_);
  const auto& slots = where_.slots->callbacks;
  double* entries = values(K);
  for (std::size_t k = 0; k < slots.size(); ++k) entries[slots[k]] += w * called_[k];
}

template <class Space>
void Assembled<Space>::add_own_force(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& F, Matrix* K) {
  const Callbacks* code = model_->callbacks.get();
  if (!code || !code->force) return;
  const auto n = static_cast<std::size_t>(model_->n);
  scratch_.setZero();
  code->force(t, {q.data(), n}, {v.data(), n}, {scratch_.data(), n});
  F += scratch_;
  if (!K || !code->force_tangent) return;
  std::ranges::fill(called_, 0.0);
  code->force_tangent(t, {q.data(), n}, {v.data(), n}, wq, wv, called_);
  const auto& slots = where_.slots->callbacks;
  double* entries = values(*K);
  for (std::size_t k = 0; k < slots.size(); ++k) entries[slots[k]] += called_[k];
}

}  // namespace actio::system
