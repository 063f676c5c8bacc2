#pragma once
#include <actio/system/assembled.hpp>
#include <algorithm>

// Holonomic constraints g(t, q) = 0 of a model: g, g_t = dg/dt and G = dg/dq; the columns of G of fixed coordinates are zero.
// A space of a few coordinates has room for more of them: what lies beyond m is not written, and zero from the start.
namespace actio::system {

// Entry `slot` of a Jacobian, as the layout numbers them.
template <int M, int N>
double& jacobian_entry(algebra::SmallRows<M, N>& G, std::int32_t slot) {
  return G(slot / N, slot % N);
}
inline double& jacobian_entry(Eigen::MatrixXd& G, std::int32_t slot) { return G.data()[slot]; }
inline double& jacobian_entry(algebra::SparseJacobian& G, std::int32_t slot) { return G.valuePtr()[slot]; }
template <int M, int N>
void clear(algebra::SmallRows<M, N>& G) {
  G.setZero();
}
inline void clear(Eigen::MatrixXd& G) { G.setZero(); }
inline void clear(algebra::SparseJacobian& G) { G.coeffs().setZero(); }

template <class Space>
auto Assembled<Space>::kkt_solver() const -> KktSolver {
  const Constraints& c = model_->constraints;
  if constexpr (std::is_same_v<Space, algebra::SparseSpace>)
    return KktSolver(where_.space, where_.slots->jacobian, c.least_squares);
  else if constexpr (Space::static_size)
    return KktSolver(c.count, c.least_squares);
  else
    return KktSolver(model_->n, c.count, c.least_squares);
}

template <class Space>
std::optional<ConstraintGroups> Assembled<Space>::constraint_groups() const requires of_many_coordinates<Space> {
  if (!model_->separable || !mass_.diagonal() || motion_) return {};
  return ConstraintGroups::of(model_, mass_.inverse_diagonal());
}

template <class Space>
void Assembled<Space>::constraint(double t, const Vector& q, Multipliers& g) {
  uniforms_[0] = t;
  const Fused& fused = model_->constraints.fused;
  if (fused.available)
    fused.value(uniforms_.data(), q.data(), nullptr, g.data());
  else
    constraint_batches(q, g, nullptr, nullptr);
}

template <class Space>
void Assembled<Space>::constraint_tangent(double t, const Vector& q, Multipliers& g, Multipliers& g_t, Jacobian& G) {
  uniforms_[0] = t;
  const Fused& fused = model_->constraints.fused;
  if (fused.available) {
    const long m = model_->constraints.count, n = model_->n;
    double* out = fused_.data();  // g, g_t, and G row by row
    fused.second(uniforms_.data(), q.data(), nullptr, out);
    for (long k = 0; k < m; ++k) {
      g[k] = out[k];
      g_t[k] = out[m + k];
    }
    if constexpr (!std::is_same_v<Space, algebra::SparseSpace>) {  // never fused
      for (long k = 0; k < m; ++k)
        for (long i = 0; i < n; ++i) G(k, i) = out[2 * m + k * n + i];
    }
  } else {
    constraint_batches(q, g, &g_t, &G);
  }
  for (const std::int32_t slot : where_.slots->pinned_constraints) jacobian_entry(G, slot) = 0;
}

// g; where they are given g_t and G too
template <class Space>
void Assembled<Space>::constraint_batches(const Vector& q, Multipliers& g, Multipliers* g_t, Jacobian* G) {
  const bool moving = model_->constraints.moving;
  if (G) {
    clear(*G);
    if (!moving) g_t->setZero();
  }
  const auto& batches = model_->constraints.batches;
  for (std::size_t j = 0; j < batches.size(); ++j) {
    const ConstraintBatch& b = batches[j];
    for_each_chunk(b, [&](Workspace& workspace, long begin, long end) {
      for (long e = begin; e < end; e += block) {
        const long count = std::min(block, end - e);
        gather(workspace, b, {&q}, e, count);
        (G ? b.second : b.value)(count, uniforms_.data(), workspace.inputs.data(), workspace.outputs.data());
        std::copy_n(workspace.outputs[0], count, g.data() + b.at + e);
        if (!G) continue;
        std::size_t output = 1;
        if (moving) std::copy_n(workspace.outputs[output++], count, g_t->data() + b.at + e);
        for (std::size_t l = 0; l < b.entries.size(); ++l) {
          const std::int32_t* slot = where_.slots->constraints[j].data() + static_cast<long>(l) * b.elements + e;
          const double* y = workspace.outputs[output + l];
          for (long k = 0; k < count; ++k) jacobian_entry(*G, slot[k]) += y[k];
        }
      }
    });
  }
}

}  // namespace actio::system
