#pragma once
#include <actio/system/assembled.hpp>
#include <algorithm>

// What comes from no Lagrangian: external forces, friction, equations.
namespace actio::system {

template <class Space>
void Assembled<Space>::add_rows(const Rows& rows, const std::vector<Slots::List>& slots, const Vector& q, const Vector& v,
                                const Vector& a, const double* w, Vector& out, Matrix* K) {
  const long n = model_->n;
  out.setZero();
  if (w) std::copy_n(w, 3, uniforms_.end() - 4);
  double* entries = K ? values(*K) : nullptr;
  if (rows.fused.available) {
    double* va = fused_.data() + 2 * n + n * n;
    for (long i = 0; i < n; ++i) va[i] = v[i], va[n + i] = a[i];
    (K ? rows.fused.second : rows.fused.first)(uniforms_.data(), q.data(), va, fused_.data());
    for (long i = 0; i < n; ++i) out[i] = fused_[i];
    if (K)
      for (long k = 0; k < n * n; ++k) entries[k] += fused_[n + k];
  }
  for (std::size_t j = 0; j < rows.batches.size(); ++j) {
    const RowBatch& b = rows.batches[j];
    for_each_chunk(b, [&](Workspace& workspace, long begin, long end) {
      for (long e = begin; e < end; e += block) {
        const long count = std::min(block, end - e);
        if (b.states == 2)
          gather(workspace, b, {&q, &v}, e, count);
        else
          gather(workspace, b, {&q, &v, &a}, e, count);
        (K ? b.second : b.first)(count, uniforms_.data(), workspace.inputs.data(), workspace.outputs.data());
        const std::int32_t* row = b.rows.data() + e;
        for (long k = 0; k < count; ++k) out[row[k]] += workspace.outputs[0][k];
        if (!K) continue;
        for (std::size_t l = 0; l < b.entries.size(); ++l) {
          const std::int32_t* slot = slots[j].data() + static_cast<long>(l) * b.elements + e;
          for (long k = 0; k < count; ++k) entries[slot[k]] += workspace.outputs[1 + l][k];
        }
      }
    });
  }
}

template <class Space>
void Assembled<Space>::external(double t, const Vector& q, const Vector& v, Vector& F) {
  set_time(t);
  add_rows(model_->forces, where_.slots->forces, q, v, v, nullptr, F, nullptr);
  add_own_force(t, q, v, 0, 0, F, nullptr);
  pin(F);
}

template <class Space>
void Assembled<Space>::external_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& F, Matrix& K) {
  set_time(t);
  const double w[3] = {wq, wv, 0};
  add_rows(model_->forces, where_.slots->forces, q, v, v, w, F, &K);
  add_own_force(t, q, v, wq, wv, F, &K);
  pin(F);
  pin_matrix(K);
}

template <class Space>
double Assembled<Space>::dissipation(double t, const Vector& q, const Vector& v) {
  set_time(t);
  double phi = value(model_->dissipation, q, v);
  if (!damping_.empty()) {
    damping_.multiply(v, scratch_);  // phi += 1/2 v'Dv
    phi += 0.5 * algebra::dot(v, scratch_);
  }
  return phi;
}

template <class Space>
void Assembled<Space>::dissipation_tangent(double t, const Vector& q, const Vector& v, Weights w, Vector& phi_q, Vector& phi_v,
                                           Matrix& K) {
  set_time(t);
  start_friction(v, phi_v);
  second(model_->dissipation, where_.slots->dissipation, q, v, w, phi_q, &phi_v, K);
  add_matrix(w.vv, damping_, where_.slots->damping, K);
  pin(phi_q);
  pin(phi_v);
  pin_matrix(K);
}

// phi_v = D v
template <class Space>
void Assembled<Space>::start_friction(const Vector& v, Vector& phi_v) const {
  if (damping_.empty())
    phi_v.setZero();
  else
    damping_.multiply(v, phi_v);
}

template <class Space>
void Assembled<Space>::applied(double t, const Vector& q, const Vector& v, Vector& F) {
  set_time(t);
  if (model_->forces.empty())
    F.setZero();
  else
    add_rows(model_->forces, where_.slots->forces, q, v, v, nullptr, F, nullptr);
  add_own_force(t, q, v, 0, 0, F, nullptr);
  if (!damping_.empty()) {
    damping_.multiply(v, scratch_);
    F -= scratch_;
  }
  if (!model_->dissipation.empty()) {
    scratch_.setZero();
    first(model_->dissipation, q, v, friction_, &scratch_);
    F -= scratch_;
  }
  pin(F);
}

template <class Space>
void Assembled<Space>::applied_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& F, Matrix& K) {
  set_time(t);
  const double w[3] = {wq, wv, 0};
  if (model_->forces.empty())
    F.setZero();
  else
    add_rows(model_->forces, where_.slots->forces, q, v, v, w, F, &K);
  add_own_force(t, q, v, wq, wv, F, &K);
  if (!damping_.empty()) {
    damping_.multiply(v, scratch_);
    F -= scratch_;
    add_matrix(-wv, damping_, where_.slots->damping, K);
  }
  if (!model_->dissipation.empty()) {
    scratch_.setZero();
    second(model_->dissipation, where_.slots->dissipation, q, v, {.vq = -wq, .vv = -wv}, friction_, &scratch_, K);
    F -= scratch_;
  }
  pin(F);
  pin_matrix(K);
}

template <class Space>
void Assembled<Space>::balance(double t, const Vector& q, const Vector& v, const Vector& a, Vector& r) {
  set_time(t);
  add_rows(model_->equations, where_.slots->equations, q, v, a, nullptr, r, nullptr);
  for (const std::int32_t i : model_->fixed_dofs) r[i] = a[i];
}

template <class Space>
void Assembled<Space>::balance_tangent(double t, const Vector& q, const Vector& v, const Vector& a, double wq, double wv,
                                       double wa, Vector& r, Matrix& K) {
  set_time(t);
  const double w[3] = {wq, wv, wa};
  Space::clear(K);
  add_rows(model_->equations, where_.slots->equations, q, v, a, w, r, &K);
  for (const std::int32_t i : model_->fixed_dofs) r[i] = a[i];
  pin_matrix(K);
}

}  // namespace actio::system
