#include <actio/system/assembled.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

namespace actio::system {

namespace {

// Straight lines between samples, 0 outside. `at` remembers where the last one was: times mostly go on.
double interpolate(const Signal& signal, double t, std::size_t& at) {
  const auto& times = signal.t;
  if (times.empty()) return 0;
  // A time that rounding has put beside an end is that end.
  const double blur = 4 * std::numeric_limits<double>::epsilon() * (std::abs(times.front()) + std::abs(times.back()));
  if (!(t >= times.front() - blur && t <= times.back() + blur)) return 0;
  if (times.size() == 1) return signal.value[0];
  t = std::clamp(t, times.front(), times.back());
  if (at + 1 >= times.size() || t < times[at] || t > times[at + 1]) {
    if (at + 2 < times.size() && t > times[at + 1] && t <= times[at + 2])
      ++at;
    else
      at = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end() - 1, t) - times.begin()) - 1;
  }
  if (at + 1 == times.size()) return signal.value[at];
  const double s = (t - times[at]) / (times[at + 1] - times[at]);
  return (1 - s) * signal.value[at] + s * signal.value[at + 1];
}

}  // namespace

template <class Space>
Assembled<Space>::Assembled(std::shared_ptr<const CompiledModel> model, Layout<Space> where)
    : model_(std::move(model)),
      where_(std::move(where)),
      mass_(model_->mass, where_.space),
      stiffness_(model_->stiffness),
      damping_(model_->damping),
      one_kernel_(model_->lagrangian.fused.available && model_->separable && !model_->library && stiffness_.empty() &&
                  model_->fixed.empty() && model_->signals.empty()),
      signal_at_(model_->signals.size()),
      first_(model_->lagrangian.fused.first),
      second_(model_->lagrangian.fused.second),
      uniforms_(model_->uniforms),
      scratch_(where_.space.vector()),
      friction_(scratch_) {
  std::size_t columns = 0, outputs = 1;
  const auto energies = [&](const Energies& energy) {
    for (const Batch& b : energy.batches) {
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
  energies(model_->lagrangian);
  energies(model_->dissipation);
  rows(model_->forces);
  rows(model_->equations);
  if (!mass_.diagonal()) {
    mass_diagonal_ = scratch_;
    for (long i = 0; i < model_->n; ++i) mass_diagonal_[i] = mass_.of(i);
  }
  columns_.resize(columns * block);
  inputs_.resize(columns);
  outputs_ = Columns(outputs, block);
  const std::size_t n = static_cast<std::size_t>(model_->n);
  if (model_->lagrangian.fused.available) fused_.resize(2 * n + n * n + 2 * n);  // outputs, then v and a side by side
  if (model_->library) fused_.resize(std::max({fused_.size(), n * n, static_cast<std::size_t>(model_->library->nonzeros)}));
}

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
  for (const std::int32_t i : model_->fixed) f[i] = 0;
}

template <class Space>
void Assembled<Space>::pin_matrix(Matrix& K) const {
  if (model_->fixed.empty()) return;
  double* entries = values(K);
  for (const std::int32_t slot : where_.slots->pinned) entries[slot] = 0;
  for (std::size_t k = 0; k < model_->fixed.size(); ++k) entries[where_.slots->pinned_diagonal[k]] = mass_.of(model_->fixed[k]);
}

template <class Space>
void Assembled<Space>::gather(const Places& b, std::initializer_list<const Vector*> states, long e, long count) {
  std::size_t column = 0;
  for (const Vector* state : states) {
    const Vector& x = *state;
    for (long l = 0; l < b.locals; ++l, ++column) {
      if (b.contiguous[l] >= 0) {
        inputs_[column] = x.data() + b.contiguous[l] + e;
        continue;
      }
      const std::int32_t* dof = b.dofs.data() + l * b.elements + e;
      double* to = columns_.data() + column * block;
      for (long k = 0; k < count; ++k) to[k] = x[dof[k]];
      inputs_[column] = to;
    }
  }
  for (const auto& data : b.data) inputs_[column++] = data.data() + e;
}

template <class Space>
void Assembled<Space>::scatter(const Batch& b, Vector& f, Vector* p, long e, long count) {
  std::size_t output = 0;
  const auto add = [&](Vector& to) {
    for (long l = 0; l < b.locals; ++l, ++output) {
      const double* y = outputs_[output];
      if (b.contiguous[l] >= 0) {
        double* x = to.data() + b.contiguous[l] + e;
        for (long k = 0; k < count; ++k) x[k] += y[k];
      } else {
        const std::int32_t* dof = b.dofs.data() + l * b.elements + e;
        for (long k = 0; k < count; ++k) to[dof[k]] += y[k];
      }
    }
  };
  add(f);
  if (b.velocities) add(*p);
}

template <class Space>
double Assembled<Space>::value(const Energies& energies, const Vector& q, const Vector& v) {
  double sum = 0;
  if (energies.fused.available) energies.fused.value(uniforms_.data(), q.data(), v.data(), &sum);
  for (const Batch& b : energies.batches) {
    for (long e = 0; e < b.elements; e += block) {
      const long count = std::min(block, b.elements - e);
      gather(b, b.velocities ? std::initializer_list<const Vector*>{&q, &v} : std::initializer_list<const Vector*>{&q}, e, count);
      b.value(count, uniforms_.data(), inputs_.data(), outputs_.data());
      double part = 0;
      for (long k = 0; k < count; ++k) part += outputs_[0][k];
      sum += part;
    }
  }
  return sum;
}

template <class Space>
void Assembled<Space>::first(const Energies& energies, const Vector& q, const Vector& v, Vector& f, Vector* p) {
  const long n = model_->n;
  if (energies.fused.available) {
    energies.fused.first(uniforms_.data(), q.data(), v.data(), fused_.data());
    for (long i = 0; i < n; ++i) f[i] = fused_[i];
    if (energies.velocities)
      for (long i = 0; i < n; ++i) (*p)[i] += fused_[n + i];
  } else {
    f.setZero();
  }
  for (const Batch& b : energies.batches) {
    for (long e = 0; e < b.elements; e += block) {
      const long count = std::min(block, b.elements - e);
      gather(b, b.velocities ? std::initializer_list<const Vector*>{&q, &v} : std::initializer_list<const Vector*>{&q}, e, count);
      b.first(count, uniforms_.data(), inputs_.data(), outputs_.data());
      scatter(b, f, p, e, count);
    }
  }
}

template <class Space>
void Assembled<Space>::second(const Energies& energies, const std::vector<Slots::List>& slots, const Vector& q, const Vector& v,
                              Weights w, Vector& f, Vector* p, Matrix& K) {
  double* weights = uniforms_.data() + uniforms_.size() - 4;
  weights[0] = w.qq, weights[1] = w.qv, weights[2] = w.vq, weights[3] = w.vv;
  const long n = model_->n;
  double* entries = values(K);
  if (energies.fused.available) {
    energies.fused.second(uniforms_.data(), q.data(), v.data(), fused_.data());
    for (long i = 0; i < n; ++i) f[i] = fused_[i];
    if (energies.velocities)
      for (long i = 0; i < n; ++i) (*p)[i] += fused_[n + i];
    const double* H = fused_.data() + (energies.velocities ? 2 * n : n);
    for (long k = 0; k < n * n; ++k) entries[k] += H[k];
  } else {
    f.setZero();
  }
  for (std::size_t j = 0; j < energies.batches.size(); ++j) {
    const Batch& b = energies.batches[j];
    for (long e = 0; e < b.elements; e += block) {
      const long count = std::min(block, b.elements - e);
      gather(b, b.velocities ? std::initializer_list<const Vector*>{&q, &v} : std::initializer_list<const Vector*>{&q}, e, count);
      b.second(count, uniforms_.data(), inputs_.data(), outputs_.data());
      scatter(b, f, p, e, count);
      const std::int32_t* slot = slots[j].data() + e;
      const auto add = [&](std::size_t entry) {
        const double* y = outputs_[static_cast<std::size_t>(b.first_outputs()) + entry];
        for (long k = 0; k < count; ++k) entries[slot[k]] += y[k];
        slot += b.elements;
      };
      for (std::size_t k = 0; k < b.entries.size(); ++k) add(k);
      for (std::size_t k = 0; k < b.entries.size(); ++k)
        if (b.entries[k].mirrored) add(k);
    }
  }
}

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
    for (long e = 0; e < b.elements; e += block) {
      const long count = std::min(block, b.elements - e);
      if (b.kinds == 2)
        gather(b, {&q, &v}, e, count);
      else
        gather(b, {&q, &v, &a}, e, count);
      (K ? b.second : b.first)(count, uniforms_.data(), inputs_.data(), outputs_.data());
      const std::int32_t* row = b.rows.data() + e;
      for (long k = 0; k < count; ++k) out[row[k]] += outputs_[0][k];
      if (!K) continue;
      for (std::size_t l = 0; l < b.entries.size(); ++l) {
        const std::int32_t* slot = slots[j].data() + static_cast<long>(l) * b.elements + e;
        for (long k = 0; k < count; ++k) entries[slot[k]] += outputs_[1 + l][k];
      }
    }
  }
}

template <class Space>
void Assembled<Space>::add_matrix(double w, const SpaceMatrix<Space>& A, const Slots::List& slots, Matrix& K) {
  if (A.empty() || w == 0) return;
  if constexpr (std::is_same_v<Space, algebra::SparseSpace>) {
    double* entries = values(K);
    const double* from = (*A).valuePtr();
    for (std::size_t k = 0; k < slots.size(); ++k) entries[slots[k]] += w * from[k];
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
    const double* m = mass_.full().valuePtr();
    for (std::size_t k = 0; k < slots.size(); ++k) entries[slots[k]] += w * m[k];
  } else {
    K += w * mass_.full();
  }
}

template <class Space>
double Assembled<Space>::potential(double t, const Vector& q) {
  set_time(t);
  double V = -value(model_->lagrangian, q, q);
  if (!stiffness_.empty()) {
    stiffness_.multiply(q, scratch_);  // V += 1/2 q'Sq
    V += 0.5 * algebra::dot(q, scratch_);
  }
  if (model_->library) V += model_->library->value(t, q.data(), model_->library_parameters.data());
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
  if (model_->library) {
    model_->library->gradient(t, q.data(), model_->library_parameters.data(), scratch_.data());
    f -= scratch_;
  }
  pin(f);
}

template <class Space>
void Assembled<Space>::any_stiffness(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K) {
  Space::clear(K);
  add_mass(wM, K);
  potential_second(t, q, q, {.qq = -wV}, f, nullptr, K);
}

// f, p and K of L without its mass
template <class Space>
void Assembled<Space>::potential_second(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector* p, Matrix& K) {
  set_time(t);
  second(model_->lagrangian, where_.slots->lagrangian, q, v, w, f, p, K);
  if (!stiffness_.empty()) {
    stiffness_.multiply(q, scratch_);
    f -= scratch_;
    add_matrix(-w.qq, stiffness_, where_.slots->stiffness, K);
  }
  if (model_->library) {
    model_->library->gradient(t, q.data(), model_->library_parameters.data(), scratch_.data());
    f -= scratch_;
    model_->library->hessian(t, q.data(), model_->library_parameters.data(), fused_.data());
    const auto& slots = where_.slots->library;
    double* entries = values(K);
    for (std::size_t k = 0; k < slots.size(); ++k) entries[slots[k]] -= w.qq * fused_[k];
  }
  pin(f);
  pin_matrix(K);
}

// p = M v, or 0 without a mass
template <class Space>
void Assembled<Space>::begin_momentum(const Vector& v, Vector& p) const {
  if (model_->mass.kind != MassMatrix::Kind::none)
    mass_.momentum(v, p);
  else
    p.setZero();
}

// p of a coordinate that never moves, where no mass says it
template <class Space>
void Assembled<Space>::pin_momentum(const Vector& v, Vector& p) const {
  for (const std::int32_t i : model_->fixed) p[i] = mass_.of(i) * v[i];
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
  if (model_->library) L -= model_->library->value(t, q.data(), model_->library_parameters.data());
  if (model_->mass.kind != MassMatrix::Kind::none) {
    mass_.momentum(v, scratch_);
    L += 0.5 * algebra::dot(v, scratch_);
  }
  return L;
}

template <class Space>
void Assembled<Space>::derivatives(double t, const Vector& q, const Vector& v, Vector& f, Vector& p) {
  if (model_->separable) {
    mass_.momentum(v, p);
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
  if (model_->library) {
    model_->library->gradient(t, q.data(), model_->library_parameters.data(), scratch_.data());
    f -= scratch_;
  }
  pin(f);
  pin_momentum(v, p);
}

template <class Space>
void Assembled<Space>::tangent(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector& p, Matrix& K) {
  begin_momentum(v, p);
  if (model_->mass.kind != MassMatrix::Kind::none) add_mass(w.vv, K);
  potential_second(t, q, v, w, f, &p, K);
  pin_momentum(v, p);
}

template <class Space>
void Assembled<Space>::external(double t, const Vector& q, const Vector& v, Vector& F) {
  set_time(t);
  add_rows(model_->forces, where_.slots->forces, q, v, v, nullptr, F, nullptr);
  pin(F);
}

template <class Space>
void Assembled<Space>::external_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& F, Matrix& K) {
  set_time(t);
  const double w[3] = {wq, wv, 0};
  add_rows(model_->forces, where_.slots->forces, q, v, v, w, F, &K);
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
  for (const std::int32_t i : model_->fixed) r[i] = a[i];
}

template <class Space>
void Assembled<Space>::balance_tangent(double t, const Vector& q, const Vector& v, const Vector& a, double wq, double wv,
                                       double wa, Vector& r, Matrix& K) {
  set_time(t);
  const double w[3] = {wq, wv, wa};
  Space::clear(K);
  add_rows(model_->equations, where_.slots->equations, q, v, a, w, r, &K);
  for (const std::int32_t i : model_->fixed) r[i] = a[i];
  pin_matrix(K);
}

template class Assembled<algebra::DenseSpace<1>>;
template class Assembled<algebra::DenseSpace<2>>;
template class Assembled<algebra::DenseSpace<3>>;
template class Assembled<algebra::DenseSpace<4>>;
template class Assembled<algebra::DenseSpace<Eigen::Dynamic>>;
template class Assembled<algebra::SparseSpace>;

}  // namespace actio::system
