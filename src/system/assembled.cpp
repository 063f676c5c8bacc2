#include <actio/system/assembled.hpp>
#include <algorithm>
#include <cmath>

namespace actio::system {

template <class Space>
Assembled<Space>::Assembled(std::shared_ptr<const CompiledModel> model, Layout<Space> where)
    : model_(std::move(model)),
      where_(std::move(where)),
      mass_(model_->mass, where_.space),
      one_kernel_(model_->fused.available && model_->separable && !model_->library),
      first_(model_->fused.first),
      second_(model_->fused.second),
      uniforms_(model_->uniforms),
      scratch_(where_.space.vector()) {
  std::size_t columns = 0, outputs = 0;
  for (const Batch& b : model_->batches) {
    columns = std::max(columns, static_cast<std::size_t>(b.columns()));
    outputs = std::max(outputs, static_cast<std::size_t>(b.first_outputs()) + b.entries.size());
  }
  outputs = std::max<std::size_t>(outputs, 1);
  columns_.resize(columns * block);
  inputs_.resize(columns);
  outputs_ = Columns(outputs, block);
  const std::size_t n = static_cast<std::size_t>(model_->n);
  if (model_->fused.available) fused_.resize(2 * n + n * n);
  if (model_->library) fused_.resize(std::max({fused_.size(), n * n, static_cast<std::size_t>(model_->library->nonzeros)}));
}

template <class Space>
void Assembled<Space>::gather(const Batch& b, const Vector& q, const Vector& v, long e, long count) {
  std::size_t column = 0;
  const auto positions = [&](const Vector& x) {
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
  };
  positions(q);
  if (b.velocities) positions(v);
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
double Assembled<Space>::terms_value(double t, const Vector& q, const Vector& v) {
  uniforms_[0] = t;
  double sum = 0;
  if (model_->fused.available) model_->fused.value(uniforms_.data(), q.data(), v.data(), &sum);
  for (const Batch& b : model_->batches) {
    for (long e = 0; e < b.elements; e += block) {
      const long count = std::min(block, b.elements - e);
      gather(b, q, v, e, count);
      b.value(count, uniforms_.data(), inputs_.data(), outputs_.data());
      double part = 0;
      for (long k = 0; k < count; ++k) part += outputs_[0][k];
      sum += part;
    }
  }
  if (model_->library) sum -= model_->library->value(t, q.data(), model_->library_parameters.data());
  return sum;
}

template <class Space>
void Assembled<Space>::terms_first(double t, const Vector& q, const Vector& v, Vector& f, Vector* p) {
  uniforms_[0] = t;
  const long n = model_->n;
  if (model_->fused.available) {
    model_->fused.first(uniforms_.data(), q.data(), v.data(), fused_.data());
    for (long i = 0; i < n; ++i) f[i] = fused_[i];
    if (model_->velocities)
      for (long i = 0; i < n; ++i) (*p)[i] += fused_[n + i];
  } else {
    f.setZero();
  }
  for (const Batch& b : model_->batches) {
    for (long e = 0; e < b.elements; e += block) {
      const long count = std::min(block, b.elements - e);
      gather(b, q, v, e, count);
      b.first(count, uniforms_.data(), inputs_.data(), outputs_.data());
      scatter(b, f, p, e, count);
    }
  }
  if (model_->library) {
    model_->library->gradient(t, q.data(), model_->library_parameters.data(), scratch_.data());
    f -= scratch_;
  }
}

template <class Space>
void Assembled<Space>::terms_second(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector* p, Matrix& K) {
  uniforms_[0] = t;
  double* weights = uniforms_.data() + uniforms_.size() - 4;
  weights[0] = w.qq, weights[1] = w.qv, weights[2] = w.vq, weights[3] = w.vv;
  const long n = model_->n;
  double* entries = values(K);
  if (model_->fused.available) {
    model_->fused.second(uniforms_.data(), q.data(), v.data(), fused_.data());
    for (long i = 0; i < n; ++i) f[i] = fused_[i];
    if (model_->velocities)
      for (long i = 0; i < n; ++i) (*p)[i] += fused_[n + i];
    const double* H = fused_.data() + (model_->velocities ? 2 * n : n);
    for (long k = 0; k < n * n; ++k) entries[k] += H[k];
  } else {
    f.setZero();
  }
  for (std::size_t j = 0; j < model_->batches.size(); ++j) {
    const Batch& b = model_->batches[j];
    const std::int32_t* slots = where_.slots->batch[j].data();
    for (long e = 0; e < b.elements; e += block) {
      const long count = std::min(block, b.elements - e);
      gather(b, q, v, e, count);
      b.second(count, uniforms_.data(), inputs_.data(), outputs_.data());
      scatter(b, f, p, e, count);
      const std::int32_t* slot = slots + e;
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
  if (model_->library) {
    model_->library->gradient(t, q.data(), model_->library_parameters.data(), scratch_.data());
    f -= scratch_;
    model_->library->hessian(t, q.data(), model_->library_parameters.data(), fused_.data());
    const auto& slots = where_.slots->library;
    for (std::size_t k = 0; k < slots.size(); ++k) entries[slots[k]] -= w.qq * fused_[k];
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
double Assembled<Space>::lagrangian(double t, const Vector& q, const Vector& v) {
  double sum = terms_value(t, q, v);
  if (model_->mass.kind != MassMatrix::Kind::none) {
    mass_.momentum(v, scratch_);
    sum += 0.5 * algebra::dot(v, scratch_);
  }
  return sum;
}

template <class Space>
void Assembled<Space>::derivatives(double t, const Vector& q, const Vector& v, Vector& f, Vector& p) {
  if (model_->mass.kind != MassMatrix::Kind::none)
    mass_.momentum(v, p);
  else
    p.setZero();
  terms_first(t, q, v, f, &p);
}

template <class Space>
void Assembled<Space>::tangent(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector& p, Matrix& K) {
  if (model_->mass.kind != MassMatrix::Kind::none)
    mass_.momentum(v, p);
  else
    p.setZero();
  terms_second(t, q, v, w, f, &p, K);
  if (model_->mass.kind != MassMatrix::Kind::none) add_mass(w.vv, K);
}

template class Assembled<algebra::DenseSpace<1>>;
template class Assembled<algebra::DenseSpace<2>>;
template class Assembled<algebra::DenseSpace<3>>;
template class Assembled<algebra::DenseSpace<4>>;
template class Assembled<algebra::DenseSpace<Eigen::Dynamic>>;
template class Assembled<algebra::SparseSpace>;

}  // namespace actio::system
