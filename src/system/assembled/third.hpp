#pragma once
#include <actio/system/assembled.hpp>
#include <algorithm>
#include <cassert>

// What the linearly implicit methods ask of a model beside force and stiffness.
namespace actio::system {

template <class Space>
void Assembled<Space>::any_third(double t, const Vector& q, const Vector& a, Vector& out) {
  assert(model_->third && model_->separable && !model_->callbacks);
  set_time(t);
  out.setZero();
  if (third_.function) third_(uniforms_.data(), q.data(), a.data(), out.data());
  for (std::size_t j = 0; j < model_->third->batches.size(); ++j) {
    const expr::BatchKernel& kernel = model_->third->batches[j];
    if (!kernel.function) continue;
    const Batch& b = model_->lagrangian.batches[j];
    for_each_chunk(b, [&](Workspace& workspace, long begin, long end) {
      if (b.interpolation)
        return workspace.points.add_first(b, begin, end, kernel, uniforms_.data(), q.data(), a.data(), out.data(), nullptr);
      for (long e = begin; e < end; e += block) {
        const long count = std::min(block, end - e);
        gather(workspace, b, {&q, &a}, e, count);
        kernel(count, uniforms_.data(), workspace.inputs.data(), workspace.outputs.data());
        scatter(workspace, b, out, nullptr, e, count);
      }
    });
  }
  pin(out);
}

template <class Space>
void Assembled<Space>::stiff_stiffness(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K) {
  assert(model_->separable && !model_->lagrangian.fused.available);
  set_time(t);
  Space::clear(K);
  add_mass(wM, K);
  double* weights = uniforms_.data() + uniforms_.size() - 4;
  weights[0] = -wV, weights[1] = weights[2] = weights[3] = 0;
  f.setZero();
  for (std::size_t j = 0; j < model_->lagrangian.batches.size(); ++j) {
    const Batch& b = model_->lagrangian.batches[j];
    if (b.stiff)
      add_second(b, where_.slots->lagrangian[j], q, q, f, nullptr, values(K));
    else
      add_first(b, q, q, f, nullptr);
  }
  if (!stiffness_.empty()) {
    stiffness_.multiply(q, scratch_);
    f -= scratch_;
    add_matrix(wV, stiffness_, where_.slots->stiffness, K);
  }
  add_residual(t, q, f);
  pin(f);
  pin_matrix(K);
}

}  // namespace actio::system
