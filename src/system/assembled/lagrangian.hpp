#pragma once
#include <actio/core/parallel.hpp>
#include <actio/system/assembled.hpp>
#include <algorithm>

#include "state.hpp"

// L, V and their derivatives: mass, energies, stiffness matrix, callbacks.
namespace actio::system {

template <class Space>
double Assembled<Space>::potential(double t, const Vector& q) {
  set_time(t);
  double V = -value(model_->lagrangian, q, q);
  if (!stiffness_.empty()) {
    stiffness_.multiply(q, scratch_);  // V += 1/2 q'Sq
    V += 0.5 * algebra::dot(q, scratch_);
  }
  V += own_energy(t, q);
  return V;
}

template <class Space>
void Assembled<Space>::any_force(double t, const Vector& q, Vector& f) {
  set_time(t);
  first(model_->lagrangian, q, q, f, nullptr);
  if (!stiffness_.empty()) {
    stiffness_.multiply(q, scratch_);
    f -= scratch_;
  }
  add_residual(t, q, f);
  pin(f);
}

template <class Space>
void Assembled<Space>::take_constant_entries(const Vector& q, Vector& f, Matrix& K) {
  if constexpr (std::is_same_v<Space, algebra::SparseSpace>) {
    auto made = std::make_shared<ConstantEntries>();
    Space::clear(K);
    add_mass(1, K);
    made->mass = K.coeffs();
    Space::clear(K);
    second(model_->lagrangian, where_.slots->lagrangian, q, q, {.qq = 1}, f, nullptr, K, Hessians::constant);
    add_matrix(-1, stiffness_, where_.slots->stiffness, K);
    made->second = K.coeffs();
    constant_ = std::move(made);
  }
}

template <class Space>
void Assembled<Space>::any_stiffness(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K) {
  if constexpr (std::is_same_v<Space, algebra::SparseSpace>) {
    const auto& batches = model_->lagrangian.batches;
    const bool kept = !stiffness_.empty() || !mass_.diagonal() ||  // else there is next to nothing to keep
                      std::any_of(batches.begin(), batches.end(), [](const Batch& b) { return b.constant; });
    if (kept && !model_->linear && !model_->lagrangian.fused.available) {
      if (!constant_) take_constant_entries(q, f, K);
      if (kept_.size() == 0 || wM != kept_wM_ || wV != kept_wV_) {  // mostly those of the step before
        kept_ = wM * constant_->mass - wV * constant_->second;
        kept_wM_ = wM;
        kept_wV_ = wV;
      }
      core::parallel_ranges(kept_.size(), core::worth_a_thread, [&](long begin, long end) {
        std::copy(kept_.data() + begin, kept_.data() + end, K.valuePtr() + begin);
      });
      return potential_second(t, q, q, {.qq = -wV}, f, nullptr, K, Hessians::varying);
    }
  }
  Space::clear(K);
  add_mass(wM, K);
  potential_second(t, q, q, {.qq = -wV}, f, nullptr, K);
}

// f, p and K of L without its mass
template <class Space>
void Assembled<Space>::potential_second(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector* p, Matrix& K,
                                        Hessians which) {
  set_time(t);
  second(model_->lagrangian, where_.slots->lagrangian, q, v, w, f, p, K, which);
  if (!stiffness_.empty()) {
    stiffness_.multiply(q, scratch_);
    f -= scratch_;
    if (which == Hessians::all) add_matrix(-w.qq, stiffness_, where_.slots->stiffness, K);
  }
  add_residual(t, q, f);
  add_tangent(t, q, -w.qq, K);
  pin(f);
  pin_matrix(K);
}

// p = M v, or 0 without a mass
template <class Space>
void Assembled<Space>::begin_momentum(const Vector& v, Vector& p) const {
  if (model_->mass.kind != MassMatrix::Kind::none)
    momentum(v, p);
  else
    p.setZero();
}

// p of a coordinate that never moves, where no mass says it
template <class Space>
void Assembled<Space>::pin_momentum(const Vector& v, Vector& p) const {
  for (const std::int32_t i : model_->fixed_dofs) p[i] = pinned_mass(*model_, mass_, i) * v[i];
}

template <class Space>
double Assembled<Space>::lagrangian(double t, const Vector& q, const Vector& v) {
  if (implicit()) {
    set_time(t);
    return algebra::dot(v, v) - value(model_->lagrangian, q, v);
  }
  set_time(t);
  double L = value(model_->lagrangian, q, v);
  if (!stiffness_.empty()) {
    stiffness_.multiply(q, scratch_);
    L -= 0.5 * algebra::dot(q, scratch_);
  }
  L -= own_energy(t, q);
  if (model_->mass.kind != MassMatrix::Kind::none) {
    momentum(v, scratch_);
    L += 0.5 * algebra::dot(v, scratch_);
  }
  return L;
}

template <class Space>
void Assembled<Space>::derivatives(double t, const Vector& q, const Vector& v, Vector& f, Vector& p) {
  if (model_->separable) {
    momentum(v, p);
    any_force(t, q, f);
    return;
  }
  begin_momentum(v, p);
  set_time(t);
  first(model_->lagrangian, q, v, f, &p);
  if (!stiffness_.empty()) {
    stiffness_.multiply(q, scratch_);
    f -= scratch_;
  }
  add_residual(t, q, f);
  pin(f);
  pin_momentum(v, p);
}

template <class Space>
void Assembled<Space>::tangent(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector& p, Matrix& K) {
  begin_momentum(v, p);
  if (model_->mass.kind != MassMatrix::Kind::none) add_mass(w.vv, K);
  if (model_->separable && w.qq == 0) {  // the mass is all there is
    force(t, q, f);
    pin_matrix(K);
  } else {
    potential_second(t, q, v, w, f, &p, K);
  }
  pin_momentum(v, p);
}

}  // namespace actio::system
