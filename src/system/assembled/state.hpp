#pragma once
#include <actio/core/parallel.hpp>
#include <actio/system/assembled.hpp>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "../interpolate.hpp"

// What a system on a space is made of, and what does not depend on the kernels: time, signals, mass, fixed coordinates.
namespace actio::system {

template <class Space>
Assembled<Space>::Assembled(std::shared_ptr<const CompiledModel> model, Layout<Space> where)
    : model_(std::move(model)),
      where_(std::move(where)),
      mass_(model_->mass, where_.space),
      stiffness_(model_->stiffness),
      damping_(model_->damping),
      coupling_(model_->coupling),
      one_kernel_(model_->lagrangian.fused.available && model_->separable && !model_->callbacks && stiffness_.empty() &&
                  model_->dirichlet.empty() && model_->signals.empty()),
      signal_at_(model_->signals.size()),
      first_(model_->lagrangian.fused.first),
      second_(model_->lagrangian.fused.second),
      third_(model_->third ? model_->third->fused : expr::Kernel()),
      uniforms_(model_->uniforms),
      scratch_(where_.space.vector()),
      friction_(scratch_),
      lists_(static_cast<std::size_t>(model_->lists)) {
  if constexpr (Space::static_size) assert(model_->constraints.count <= Space::size && !model_->motion);
  if (model_->motion) motion_ = *model_->motion;
  if (!coupling_.empty()) coupled_ = scratch_;
  std::size_t columns = 0, outputs = 1;
  const auto energies = [&](const Energies& energy) {
    for (const Batch& b : energy.batches) {
      if (b.interpolation) {
        workspace_.points.reserve(b);
        continue;
      }
      columns = std::max(columns, static_cast<std::size_t>(b.columns()));
      outputs = std::max(outputs, static_cast<std::size_t>(b.first_outputs()) + b.entries.size());
    }
  };
  const auto rows = [&](const Rows& row) {
    for (const RowBatch& b : row.batches) {
      columns = std::max(columns, static_cast<std::size_t>(b.columns()));
      outputs = std::max(outputs, 1 + b.entries.size());
    }
  };
  for (const ConstraintBatch& b : model_->constraints.batches) {
    columns = std::max(columns, static_cast<std::size_t>(b.columns()));
    outputs = std::max(outputs, 2 + b.entries.size());
  }
  energies(model_->lagrangian);
  if (model_->third)
    for (const Batch& b : model_->lagrangian.batches)
      if (!b.interpolation) columns = std::max(columns, static_cast<std::size_t>(b.locals + b.columns()));
  energies(model_->dissipation);
  rows(model_->forces);
  rows(model_->equations);
  if (!mass_.diagonal()) {
    mass_diagonal_ = scratch_;
    for (long i = 0; i < model_->n; ++i) mass_diagonal_[i] = mass_.of(i);
  }
  workspace_.columns.resize(columns * block);
  workspace_.inputs.resize(columns);
  workspace_.outputs = Columns(outputs, block);
  const std::size_t n = static_cast<std::size_t>(model_->n);
  if (model_->lagrangian.fused.available) fused_.resize(2 * n + n * n + 2 * n);  // outputs, then v and a side by side
  const std::size_t m = static_cast<std::size_t>(model_->constraints.count);
  if (model_->constraints.fused.available) fused_.resize(std::max(fused_.size(), 2 * m + m * n));
  if (model_->callbacks) called_.resize(where_.slots->callbacks.size());
}

template <class Space>
Assembled<Space>::Assembled(const Assembled&) = default;
template <class Space>
Assembled<Space>::Assembled(Assembled&&) noexcept = default;
template <class Space>
Assembled<Space>& Assembled<Space>::operator=(const Assembled&) = default;
template <class Space>
Assembled<Space>& Assembled<Space>::operator=(Assembled&&) noexcept = default;
template <class Space>
Assembled<Space>::~Assembled() = default;

template <class Space>
void Assembled<Space>::set_time(double t) {
  uniforms_[0] = t;
  for (std::size_t k = 0; k < signal_at_.size(); ++k)
    uniforms_[model_->first_signal + k] = interpolate(model_->signals[k], t, signal_at_[k]);
}

template <class Space>
double Assembled<Space>::energy_terms(double h, const Vector& q, const Vector& v) const {
  const double of_q = stiffness_.diagonal_form(q), of_step = h * h * stiffness_.diagonal_form(v);
  double sum = of_q + std::sqrt(of_q) * std::sqrt(of_step) + std::abs(h) * damping_.diagonal_form(v);
  if (!mass_.diagonal())
    for (long i = 0; i < model_->n; ++i) sum += mass_diagonal_[i] * v[i] * v[i];
  return 4 * sum;
}

template <class Space>
void Assembled<Space>::pin(Vector& f) const {
  for (const std::int32_t i : model_->fixed_dofs) f[i] = 0;
}

// M_ii of a coordinate that never moves; 1 without a mass, where a vector of fixed size has entries all the same
template <class Space>
double pinned_mass(const CompiledModel& model, const ModelMass<Space>& mass, long i) {
  return model.mass.kind == MassMatrix::Kind::none ? 1.0 : mass.of(i);
}

template <class Space>
void Assembled<Space>::pin_matrix(Matrix& K) const {
  const auto& dirichlet = model_->dirichlet;
  if (dirichlet.empty()) return;
  double* entries = values(K);
  for (const std::int32_t slot : where_.slots->pinned) entries[slot] = 0;
  for (std::size_t k = 0; k < dirichlet.size(); ++k)
    entries[where_.slots->pinned_diagonal[k]] = pinned_mass(*model_, mass_, dirichlet[k]);
}

// entries[slots[k]] += w from[k]; the slots are all different
inline void add_to_slots(double w, const double* from, const Slots::List& slots, double* entries) {
  core::parallel_ranges(static_cast<long>(slots.size()), core::worth_a_thread, [&](long begin, long end) {
    for (long k = begin; k < end; ++k) entries[slots[static_cast<std::size_t>(k)]] += w * from[k];
  });
}

template <class Space>
void Assembled<Space>::add_matrix(double w, const SpaceMatrix<Space>& A, const Slots::List& slots, Matrix& K) {
  if (A.empty() || w == 0) return;
  if constexpr (std::is_same_v<Space, algebra::SparseSpace>) {
    double* entries = values(K);
    add_to_slots(w, (*A).valuePtr(), slots, entries);
  } else {
    K += w * *A;
  }
}

template <class Space>
void Assembled<Space>::add_mass(double w, Matrix& K) {
  const auto& slots = where_.slots->mass;
  double* entries = values(K);
  if (mass_.diagonal()) {
    const Vector& m = mass_.diagonal_entries();
    for (std::size_t k = 0; k < slots.size(); ++k) entries[slots[k]] += w * m[static_cast<long>(k)];
  } else if constexpr (std::is_same_v<Space, algebra::SparseSpace>) {
    add_to_slots(w, mass_.full().valuePtr(), slots, entries);
  } else {
    K += w * mass_.full();
  }
}

}  // namespace actio::system
