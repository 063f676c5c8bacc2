#include <actio/system/discrete_gradient_model.hpp>

#include <algorithm>

#include "assembled/constraints.hpp"
#include "assembled/state.hpp"
#include "chunks.hpp"
#include "discrete_gradient_elements.hpp"

namespace actio::system {

template <class Space>
DiscreteGradientModel<Space>::DiscreteGradientModel(std::shared_ptr<const DiscreteGradients> of)
    : DiscreteGradientModel(of, layout<Space>(of->pattern, Entries::all)) {}

template <class Space>
DiscreteGradientModel<Space>::DiscreteGradientModel(std::shared_ptr<const DiscreteGradients> of, Layout<Space> where)
    : Base(of->model, where),
      of_(std::move(of)),
      slots_(where.slots),
      mass_(of_->model->mass, where.space),
      stiffness_(of_->model->stiffness),
      signal_at_(of_->model->signals.size()),
      uniforms_(of_->model->uniforms),
      q0_(where.space.vector()),
      middle_(q0_),
      roundoff_(q0_),
      scratch_(q0_) {
  const auto& terms = of_->model->lagrangian.batches;
  const std::size_t t = terms.size();
  std::size_t columns = 0, locals = 0, entries = 0;
  const auto add = [&](std::vector<Piece>& to, const Batch& b, const DiscreteGradients::Piece& piece, const Slots::List& slots) {
    to.push_back({&b, piece.kind, &to == &constraints_, workspace_.of.size(), &slots, piece.value, {}, {}, {}, {}});
    workspace_.of.emplace_back(b.positions, piece.symmetries);
    const std::size_t places = static_cast<std::size_t>(b.elements * (b.interpolation ? b.interpolation->points : 1));
    const std::size_t l = static_cast<std::size_t>(b.positions), all = l * places;
    if (b.interpolation) workspace_.elements.reserve(b);
    columns = std::max(columns, static_cast<std::size_t>(b.columns()));
    locals = std::max(locals, l);
    entries = std::max(entries, b.entries.size());
    if (piece.kind == DiscreteGradients::Kind::quadratic) return;
    entries = std::max(entries, l * l);
    to.back().x0.resize(all);
    to.back().U0.resize(places);
    to.back().rounding.resize(places);
    if (piece.kind == DiscreteGradients::Kind::trapezoidal) to.back().slope.resize(all);
  };
  for (std::size_t j = 0; j < t; ++j) {
    const bool quadratic = of_->terms[j].kind == DiscreteGradients::Kind::quadratic;
    add(terms_, terms[j], of_->terms[j], slots_->lagrangian[quadratic || terms[j].interpolation ? j : t + j]);
  }
  if (of_->constraints)
    for (std::size_t j = 0; j < of_->constraints->lagrangian.batches.size(); ++j)
      add(constraints_, of_->constraints->lagrangian.batches[j], of_->of_constraints[j], slots_->lagrangian[2 * t + j]);
  workspace_.columns.resize(columns * static_cast<std::size_t>(block));
  workspace_.inputs.resize(columns);
  workspace_.local.resize(5 * locals + 2 * locals * locals);
  workspace_.values = Columns(2, block);
  workspace_.outputs = Columns(locals + entries, block);
  workspace_.ends = Columns(locals, block);
  workspace_.gradients = Columns(locals, block);
  workspace_.tangents = Columns(entries, block);
}

template <class Space>
template <class F>
void DiscreteGradientModel<Space>::for_each_chunk(const Batch& b, bool coloured, F&& f) {
  if (!b.chunks) return f(workspace_, 0L, b.elements);
  const auto others = static_cast<std::size_t>(core::threads() - 1);
  if (workspaces_.size() < others) workspaces_.resize(others, workspace_);
  const auto part = [&](long begin, long end, int slot) {
    f(slot == 0 ? workspace_ : workspaces_[static_cast<std::size_t>(slot - 1)], begin, end);
  };
  if (coloured)
    for_each_coloured(b, part);
  else
    for_each_chunk_at_once(b, [&](std::size_t, long begin, long end, int slot) { part(begin, end, slot); });
}

template <class Space>
void DiscreteGradientModel<Space>::gather(Workspace& workspace, const Piece& piece, const Vector& q, long e, long count) {
  const Batch& b = *piece.batch;
  std::size_t column = 0;
  for (long l = 0; l < b.locals; ++l, ++column) {
    double* to = workspace.columns.data() + static_cast<long>(column) * block;
    workspace.inputs[column] = to;
    const std::int32_t* dof = b.dofs.data() + l * b.elements + e;
    for (long k = 0; k < count; ++k) to[k] = q[dof[k]];
  }
  for (const auto& data : b.data) workspace.inputs[column++] = data.data() + e;
}

template <class Space>
void DiscreteGradientModel<Space>::begin_step(double t, const Vector& q0) {
  const CompiledModel& model = *of_->model;
  uniforms_[0] = t;
  for (std::size_t k = 0; k < signal_at_.size(); ++k)
    uniforms_[model.first_signal + k] = interpolate(model.signals[k], t, signal_at_[k]);
  q0_ = q0;
  for (Piece& piece : terms_) start(piece);
  for (Piece& piece : constraints_) start(piece);
}

template <class Space>
void DiscreteGradientModel<Space>::start(Piece& piece) {
  if (piece.kind == DiscreteGradients::Kind::quadratic) return;
  const Batch& b = *piece.batch;
  if (b.interpolation) return start_elements(piece);
  for_each_chunk(b, false, [&](Workspace& workspace, long begin, long end) {
    for (long e = begin; e < end; e += block) {
      const long count = std::min(block, end - e);
      gather(workspace, piece, q0_, e, count);
      piece.value(count, uniforms_.data(), workspace.inputs.data(), workspace.values.data());
      std::copy_n(workspace.values[0], count, piece.U0.data() + e);
      std::copy_n(workspace.values[1], count, piece.rounding.data() + e);
      for (long l = 0; l < b.locals; ++l)
        std::copy_n(workspace.inputs[static_cast<std::size_t>(l)], count, piece.x0.data() + l * b.elements + e);
      if (piece.kind != DiscreteGradients::Kind::trapezoidal) continue;
      b.first(count, uniforms_.data(), workspace.inputs.data(), workspace.outputs.data());
      for (long l = 0; l < b.locals; ++l)
        std::copy_n(workspace.outputs[static_cast<std::size_t>(l)], count, piece.slope.data() + l * b.elements + e);
    }
  });
}

template <class Space>
template <class F>
void DiscreteGradientModel<Space>::evaluate(Piece& piece, const Vector& q1, bool tangent, F&& f) {
  const Batch& b = *piece.batch;
  const bool quadratic = piece.kind == DiscreteGradients::Kind::quadratic;
  uniforms_[uniforms_.size() - 4] = quadratic ? 0.5 : 1;  // d grad U(m)/dq1
  for_each_chunk(b, true, [&](Workspace& workspace, long begin, long end) {
    for (long e = begin; e < end; e += block) {
      const long count = std::min(block, end - e);
      if (quadratic) {
        gather(workspace, piece, middle_, e, count);
        (tangent ? b.second : b.first)(count, uniforms_.data(), workspace.inputs.data(), workspace.outputs.data());
        f(Block{e, count, workspace.outputs.data(), tangent ? workspace.outputs.data() + b.locals : nullptr});
      } else {
        evaluate_elements(workspace, piece, q1, tangent, e, count);
        f(Block{e, count, workspace.gradients.data(), tangent ? workspace.tangents.data() : nullptr});
      }
    }
  });
}

// The workspace's gradients and tangents of the elements [e, e + count)
template <class Space>
void DiscreteGradientModel<Space>::evaluate_elements(Workspace& workspace, Piece& piece, const Vector& q1, bool tangent, long e,
                                                     long count) {
  const Batch& b = *piece.batch;
  ElementGradient& element = workspace.of[piece.number];
  const bool midpoint = piece.kind == DiscreteGradients::Kind::midpoint;
  const std::size_t n = static_cast<std::size_t>(b.locals);
  double *x0 = workspace.local.data(), *x1 = x0 + n, *slope = x1 + n, *end = slope + n, *DU = end + n, *H = DU + n,
         *T = H + n * n;
  const auto from = [&](long l) { return static_cast<std::size_t>(l); };
  gather(workspace, piece, q1, e, count);
  piece.value(count, uniforms_.data(), workspace.inputs.data(), workspace.values.data());
  if (midpoint) {
    if (tangent) b.first(count, uniforms_.data(), workspace.inputs.data(), workspace.ends.data());
    gather(workspace, piece, middle_, e, count);
  }
  (tangent ? b.second : b.first)(count, uniforms_.data(), workspace.inputs.data(), workspace.outputs.data());
  for (long k = 0; k < count; ++k) {
    for (long l = 0; l < b.locals; ++l) {
      const double here = workspace.inputs[from(l)][k], start = piece.x0[from(l * b.elements + e + k)],
                   f = workspace.outputs[from(l)][k];
      x0[l] = start;
      x1[l] = midpoint ? q1[b.dofs[from(l * b.elements + e + k)]] : here;
      slope[l] = midpoint ? f : 0.5 * (piece.slope[from(l * b.elements + e + k)] + f);
      end[l] = midpoint ? workspace.ends[from(l)][k] : f;
    }
    const ElementGradient::Energy U{
        piece.U0[from(e + k)], workspace.values[0][k], piece.rounding[from(e + k)] + workspace.values[1][k], slope, end, H};
    if (!tangent) {
      element.gradient(x0, x1, U, DU);
    } else {
      std::fill_n(H, n * n, 0.0);
      for (std::size_t s = 0; s < b.entries.size(); ++s) {
        const auto& [row, column, mirrored] = b.entries[s];
        const double y = 0.5 * workspace.outputs[n + s][k];
        H[from(row + column * b.locals)] = y;
        if (mirrored) H[from(column + row * b.locals)] = y;
      }
      element.tangent(x0, x1, U, DU, T);
      for (std::size_t s = 0; s < n * n; ++s) workspace.tangents.data()[s][k] = T[s];
    }
    for (std::size_t l = 0; l < n; ++l) workspace.gradients.data()[l][k] = DU[l];
    if (const double roundoff = element.roundoff(); roundoff > 0 && !piece.constraint)
      for (long l = 0; l < b.locals; ++l) roundoff_[b.dofs[from(l * b.elements + e + k)]] += roundoff;
  }
}

template <class Space>
void DiscreteGradientModel<Space>::add_terms(const Vector& q1, double wV, Vector& f, Matrix* K) {
  middle_ = 0.5 * (q0_ + q1);
  roundoff_.setZero();
  f.setZero();
  for (Piece& piece : terms_) {
    const Batch& b = *piece.batch;
    if (b.interpolation) {
      add_elements(piece, q1, wV, f, K);
      continue;
    }
    evaluate(piece, q1, K != nullptr, [&](const Block& at) {
      for (long l = 0; l < b.locals; ++l) {
        const std::int32_t* dof = b.dofs.data() + l * b.elements + at.e;
        for (long k = 0; k < at.count; ++k) f[dof[k]] += at.gradient[l][k];
      }
      if (K)
        add_entries(
            piece, at, [wV](long) { return -wV; }, *K);
    });
  }
  if (!stiffness_.empty()) {
    stiffness_.multiply(middle_, scratch_);
    f -= scratch_;
  }
  for (const std::int32_t i : of_->model->fixed_dofs) f[i] = 0;
}

// K += w(k) T of each element k of a block
template <class Space>
template <class W>
void DiscreteGradientModel<Space>::add_entries(const Piece& piece, const Block& at, W&& w, Matrix& K) {
  const Batch& b = *piece.batch;
  double* entries = values(K);
  const std::int32_t* slot = piece.slots->data() + at.e;
  const auto add = [&](const double* y) {
    for (long k = 0; k < at.count; ++k) entries[slot[k]] += w(k) * y[k];
    slot += b.elements;
  };
  if (piece.kind != DiscreteGradients::Kind::quadratic) {
    for (long s = 0; s < b.locals * b.locals; ++s) add(at.tangent[s]);
    return;
  }
  for (std::size_t s = 0; s < b.entries.size(); ++s) add(at.tangent[s]);
  for (std::size_t s = 0; s < b.entries.size(); ++s)
    if (b.entries[s].mirrored) add(at.tangent[s]);
}

template <class Space>
void DiscreteGradientModel<Space>::discrete_stiffness(const Vector& q1, double wM, double wV, Vector& f, Matrix& K) {
  constexpr bool sparse = std::is_same_v<Space, algebra::SparseSpace>;
  Space::clear(K);
  double* entries = values(K);
  if (mass_.diagonal()) {
    const Vector& m = mass_.diagonal_entries();
    for (std::size_t k = 0; k < slots_->mass.size(); ++k) entries[slots_->mass[k]] += wM * m[static_cast<long>(k)];
  } else if constexpr (sparse) {
    for (std::size_t k = 0; k < slots_->mass.size(); ++k) entries[slots_->mass[k]] += wM * mass_.full().valuePtr()[k];
  } else {
    K += wM * mass_.full();
  }
  if (!stiffness_.empty()) {  // wV S/2
    if constexpr (sparse) {
      for (std::size_t k = 0; k < slots_->stiffness.size(); ++k)
        entries[slots_->stiffness[k]] += 0.5 * wV * (*stiffness_).valuePtr()[k];
    } else {
      K += 0.5 * wV * *stiffness_;
    }
  }
  add_terms(q1, wV, f, &K);
  pin(K);
}

template <class Space>
void DiscreteGradientModel<Space>::add_constraints(const Vector& q1, const Multipliers* eta, double w, Jacobian& DG, Matrix* K) {
  middle_ = 0.5 * (q0_ + q1);
  clear(DG);
  for (std::size_t j = 0; j < constraints_.size(); ++j) {
    Piece& piece = constraints_[j];
    const ConstraintBatch& rows = of_->model->constraints.batches[j];
    evaluate(piece, q1, K != nullptr, [&](const Block& at) {
      for (std::size_t s = 0; s < rows.entries.size(); ++s) {
        const std::int32_t* slot = slots_->constraints[j].data() + static_cast<long>(s) * rows.elements + at.e;
        const double* y = at.gradient[rows.entries[s]];
        for (long k = 0; k < at.count; ++k) jacobian_entry(DG, slot[k]) += y[k];
      }
      if (K)
        add_entries(
            piece, at, [&](long k) { return w * (*eta)[rows.at + at.e + k]; }, *K);
    });
  }
  for (const std::int32_t slot : slots_->pinned_constraints) jacobian_entry(DG, slot) = 0;
  if (K) pin(*K);
}

template <class Space>
void DiscreteGradientModel<Space>::pin(Matrix& K) const {
  const auto& fixed = of_->model->fixed_dofs;
  if (fixed.empty()) return;
  double* entries = values(K);
  for (const std::int32_t slot : slots_->pinned) entries[slot] = 0;
  for (std::size_t k = 0; k < fixed.size(); ++k) entries[slots_->pinned_diagonal[k]] = mass_.of(fixed[k]);
}

template class DiscreteGradientModel<algebra::DenseSpace<Eigen::Dynamic>>;
template class DiscreteGradientModel<algebra::SparseSpace>;

}  // namespace actio::system
