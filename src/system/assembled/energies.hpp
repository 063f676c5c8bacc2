#pragma once
#include <actio/core/parallel.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/pairs.hpp>
#include <algorithm>
#include <limits>
#include <numeric>

#include "../chunks.hpp"
#include "../pair_tiles.hpp"

// Energies of a model: their columns gathered, their kernels run, their outputs added up.
namespace actio::system {

template <class Space>
void Assembled<Space>::ensure_workspaces() {
  const auto others = static_cast<std::size_t>(core::threads() - 1);
  if (workspaces_.size() < others) workspaces_.resize(others, workspace_);
}

template <class Space>
template <class F>
void Assembled<Space>::for_each_chunk(const ElementDofs& b, F&& f) {
  if (!b.chunks) return f(workspace_, 0L, b.elements);
  ensure_workspaces();
  for_each_coloured(b, [&](long begin, long end, int slot) { f(workspace_of(slot), begin, end); });
}

template <class Space>
template <class F>
double Assembled<Space>::sum_over_chunks(const ElementDofs& b, F&& f) {
  if (!b.chunks) return f(workspace_, 0L, b.elements);
  ensure_workspaces();
  sums_.resize(static_cast<std::size_t>(b.chunks->count));
  for_each_chunk_at_once(b, [&](std::size_t k, long begin, long end, int slot) { sums_[k] = f(workspace_of(slot), begin, end); });
  return std::accumulate(sums_.begin(), sums_.end(), 0.0);
}

template <class Space>
void Assembled<Space>::gather(Workspace& workspace, const ElementDofs& b, std::initializer_list<const Vector*> states, long e,
                              long count) {
  if (b.pairs) return gather_pairs(workspace, b, states, e, count);
  std::size_t column = 0;
  for (const Vector* state : states) {
    const Vector& x = *state;
    for (long l = 0; l < b.locals; ++l, ++column) {
      if (b.contiguous[l] >= 0) {
        workspace.inputs[column] = x.data() + b.contiguous[l] + e;
        continue;
      }
      double* to = workspace.columns.data() + column * block;
      workspace.inputs[column] = to;
      if (!b.runs[l].empty()) {
        b.for_each_run(l, e, count, [&](long k, long dof, long length) { std::copy_n(x.data() + dof, length, to + k); });
        continue;
      }
      const std::int32_t* dof = b.dofs.data() + l * b.elements + e;
      for (long k = 0; k < count; ++k) to[k] = x[dof[k]];
    }
  }
  for (const auto& data : b.data) workspace.inputs[column++] = data.data() + e;
}

template <class Space>
void Assembled<Space>::gather_pairs(Workspace& workspace, const ElementDofs& b, std::initializer_list<const Vector*> states,
                                    long e, long count) {
  std::size_t column = 0;
  const auto fill = [&](const double* x, const expr::Affine& index) {
    double* to = workspace.columns.data() + column * block;
    workspace.inputs[column++] = to;
    b.pairs->for_each_run(e, count, [&](long k, long i, long j, long length) {
      const double* from = x + index(i, j);
      for (long n = 0; n < length; ++n) to[k + n] = from[index.by_j * n];
    });
  };
  for (const Vector* state : states)
    for (const expr::Affine& dof : b.pairs->dofs) fill(state->data(), dof);
  for (std::size_t k = 0; k < b.data.size(); ++k) fill(b.data[k].data(), b.pairs->data[k]);
}

template <class Space>
void Assembled<Space>::gather_energy(Workspace& workspace, const Batch& b, const Vector& q, const Vector& v, long e, long count) {
  if (b.velocities)
    gather(workspace, b, {&q, &v}, e, count);
  else
    gather(workspace, b, {&q}, e, count);
}

template <class Space>
void Assembled<Space>::scatter(const Workspace& workspace, const Batch& b, Vector& f, Vector* p, long e, long count) {
  std::size_t output = 0;
  const auto add = [&](Vector& to) {
    for (long l = 0; l < b.locals; ++l, ++output) {
      const double* y = workspace.outputs[output];
      if (b.pairs) {
        const expr::Affine& index = b.pairs->dofs[static_cast<std::size_t>(l)];
        b.pairs->for_each_run(e, count, [&](long k, long i, long j, long length) {
          double* x = to.data() + index(i, j);
          for (long n = 0; n < length; ++n) x[index.by_j * n] += y[k + n];
        });
      } else if (b.contiguous[l] >= 0) {
        double* x = to.data() + b.contiguous[l] + e;
        for (long k = 0; k < count; ++k) x[k] += y[k];
      } else if (!b.runs[l].empty()) {
        b.for_each_run(l, e, count, [&](long k, long dof, long length) {
          double* x = to.data() + dof;
          for (long i = 0; i < length; ++i) x[i] += y[k + i];
        });
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
  for (const Batch& b : energies.batches)
    sum += b.list >= 0 ? value_of_list(b, q)
           : b.pairs   ? value_of_pairs(b, q)
                       : sum_over_chunks(b, [&](Workspace& workspace, long begin, long end) {
                         if (b.interpolation) return workspace.points.value(b, begin, end, uniforms_.data(), q.data(), v.data());
                         double all = 0;
                         for (long e = begin; e < end; e += block) {
                           const long count = std::min(block, end - e);
                           gather_energy(workspace, b, q, v, e, count);
                           b.value(count, uniforms_.data(), workspace.inputs.data(), workspace.outputs.data());
                           double part = 0;
                           for (long k = 0; k < count; ++k) part += workspace.outputs[0][k];
                           all += part;
                         }
                         return all;
                       });
  return sum;
}

// The tables of a batch, for all threads.
inline const double* const* tables_of(const Batch& b, std::vector<const double*>& tables) {
  for (std::size_t k = 0; k < b.data.size(); ++k) tables[k] = b.data[k].data();
  return tables.data();
}

template <class Space>
double Assembled<Space>::value_of_pairs(const Batch& b, const Vector& q) {
  const double* const* tables = tables_of(b, workspace_.inputs);
  const PairTiles& tiles = *b.tiles;
  const auto add = [&](std::size_t task, double& sum) {
    tiles.for_each_tile(task, [&](const expr::PairTile& tile) { b.pair_value(uniforms_.data(), tile, q.data(), tables, &sum); });
  };
  double sum = 0;
  if (tiles.tasks() == 1) {
    add(0, sum);
    return sum;
  }
  sums_.assign(static_cast<std::size_t>(tiles.tasks()), 0.0);
  core::parallel_for(tiles.tasks(),
                     [&](long task, int) { add(static_cast<std::size_t>(task), sums_[static_cast<std::size_t>(task)]); });
  return std::accumulate(sums_.begin(), sums_.end(), 0.0);
}

template <class Space>
void Assembled<Space>::add_first_of_pairs(const Batch& b, const Vector& q, Vector& f) {
  const double* const* tables = tables_of(b, workspace_.inputs);
  b.tiles->for_each_task([&](std::size_t task) {
    b.tiles->for_each_tile(task,
                           [&](const expr::PairTile& tile) { b.pair_first(uniforms_.data(), tile, q.data(), tables, f.data()); });
  });
}

// Rows of a list that are summed together: a task is all blocks of them whose number leaves the same remainder. Which they are
// depends on the number of points alone, and so does every sum.
constexpr long rows_of_list = 64, tasks_of_list = 8;
template <class F>
void for_each_rows(const PairList& list, const Pairs& pairs, long task, F&& f) {
  const long first = pairs.loops.first, end = pairs.loops.last + 1;
  for (long i = first + task * rows_of_list; i < end; i += tasks_of_list * rows_of_list)
    f(expr::PairRows{i, std::min(end, i + rows_of_list), list.starts(), list.j()});
}

template <class Space>
double Assembled<Space>::value_of_list(const Batch& b, const Vector& q) {
  PairList& list = lists_[static_cast<std::size_t>(b.list)];
  if (!list.update(*b.pairs->near, q.data())) return std::numeric_limits<double>::quiet_NaN();
  const double* const* tables = tables_of(b, workspace_.inputs);
  sums_.assign(static_cast<std::size_t>(tasks_of_list), 0.0);
  core::parallel_for(tasks_of_list, [&](long task, int) {
    for_each_rows(list, *b.pairs, task, [&](const expr::PairRows& rows) {
      b.list_value(uniforms_.data(), rows, q.data(), tables, &sums_[static_cast<std::size_t>(task)]);
    });
  });
  return std::accumulate(sums_.begin(), sums_.end(), 0.0);
}

template <class Space>
void Assembled<Space>::add_first_of_list(const Batch& b, const Vector& q, Vector& f) {
  PairList& list = lists_[static_cast<std::size_t>(b.list)];
  if (!list.update(*b.pairs->near, q.data())) {
    for (long i = 0; i < model_->n; ++i) f[i] = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  const double* const* tables = tables_of(b, workspace_.inputs);
  shares_.resize(static_cast<std::size_t>(tasks_of_list));
  const auto n = static_cast<std::size_t>(model_->n);
  core::parallel_for(tasks_of_list, [&](long task, int) {
    std::vector<double>& share = shares_[static_cast<std::size_t>(task)];
    share.assign(n, 0.0);
    for_each_rows(list, *b.pairs, task,
                  [&](const expr::PairRows& rows) { b.list_first(uniforms_.data(), rows, q.data(), tables, share.data()); });
  });
  core::parallel_ranges(model_->n, core::worth_a_thread / tasks_of_list, [&](long begin, long end) {
    for (const std::vector<double>& share : shares_)
      for (long i = begin; i < end; ++i) f[i] += share[static_cast<std::size_t>(i)];
  });
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
  for (const Batch& b : energies.batches) add_first(b, q, v, f, p);
}

template <class Space>
void Assembled<Space>::add_first(const Batch& b, const Vector& q, const Vector& v, Vector& f, Vector* p) {
  if (b.list >= 0) return add_first_of_list(b, q, f);
  if (b.pairs) return add_first_of_pairs(b, q, f);
  for_each_chunk(b, [&](Workspace& workspace, long begin, long end) {
    if (b.interpolation)
      return workspace.points.add_first(b, begin, end, b.first, uniforms_.data(), q.data(), b.velocities ? v.data() : nullptr,
                                        f.data(), b.velocities ? p->data() : nullptr);
    for (long e = begin; e < end; e += block) add_first_of_block(workspace, b, q, v, f, p, e, std::min(block, end - e));
  });
}

template <class Space>
void Assembled<Space>::add_first_of_block(Workspace& workspace, const Batch& b, const Vector& q, const Vector& v, Vector& f,
                                          Vector* p, long e, long count) {
  gather_energy(workspace, b, q, v, e, count);
  b.first(count, uniforms_.data(), workspace.inputs.data(), workspace.outputs.data());
  scatter(workspace, b, f, p, e, count);
}

template <class Space>
void Assembled<Space>::second(const Energies& energies, const std::vector<Slots::List>& slots, const Vector& q, const Vector& v,
                              Weights w, Vector& f, Vector* p, Matrix& K, Hessians which) {
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
    const bool counts = w.qq != 0 || b.velocities;  // an energy of q alone has no other second derivatives
    if (counts && (which == Hessians::all || b.constant == (which == Hessians::constant)))
      add_second(b, slots[j], q, v, f, p, entries);
    else
      add_first(b, q, v, f, p);
  }
}

template <class Space>
void Assembled<Space>::add_second(const Batch& b, const Slots::List& slots, const Vector& q, const Vector& v, Vector& f,
                                  Vector* p, double* entries) {
  for_each_chunk(b, [&](Workspace& workspace, long begin, long end) {
    if (b.interpolation)
      return workspace.points.add_second(b, begin, end, uniforms_.data(), q.data(), v.data(), slots.data(), f.data(),
                                         b.velocities ? p->data() : nullptr, entries);
    for (long e = begin; e < end; e += block) {
      const long count = std::min(block, end - e);
      gather_energy(workspace, b, q, v, e, count);
      b.second(count, uniforms_.data(), workspace.inputs.data(), workspace.outputs.data());
      scatter(workspace, b, f, p, e, count);
      long next = e;  // a batch whose Hessian vanishes has no slots
      const auto add = [&](std::size_t entry) {
        const double* y = workspace.outputs[static_cast<std::size_t>(b.first_outputs()) + entry];
        const std::int32_t* slot = slots.data() + next;
        for (long k = 0; k < count; ++k) entries[slot[k]] += y[k];
        next += b.elements;
      };
      for (std::size_t k = 0; k < b.entries.size(); ++k) add(k);
      for (std::size_t k = 0; k < b.entries.size(); ++k)
        if (b.entries[k].mirrored) add(k);
    }
  });
}

}  // namespace actio::system
