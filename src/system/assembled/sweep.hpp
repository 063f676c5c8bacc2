#pragma once
#include <actio/core/parallel.hpp>
#include <actio/system/assembled.hpp>
#include <algorithm>

#include "../sweep.hpp"

// A step of Verlet's in one pass over memory, of systems of many coordinates.
namespace actio::system {

template <class Space>
bool Assembled<Space>::takes_one_pass() requires of_many_coordinates<Space> {
  static_assert(Sweep::elements <= block);
  if (!sweep_) sweep_ = sweep_of(*model_);
  return *sweep_ != nullptr;
}

template <class Space>
void Assembled<Space>::kick_drift_kick(double t, double h, Vector& q, Vector& p, Vector& f) requires of_many_coordinates<Space> {
  set_time(t);
  const Sweep& sweep = **sweep_;
  const double* const inverse_m = mass_.inverse_diagonal();
  const double half = h / 2;
  const auto drift = [&](long begin, long end) {
    double* const __restrict Q = q.data(), * const __restrict P = p.data(), * const __restrict F = f.data();
    if (inverse_m) {
      for (long i = begin; i < end; ++i) {
        P[i] += half * F[i];
        Q[i] += h * (inverse_m[i] * P[i]);
        F[i] = 0;
      }
    } else {
      for (long i = begin; i < end; ++i) {
        P[i] += half * F[i];
        Q[i] += h * P[i];
        F[i] = 0;
      }
    }
  };
  const auto kick = [&](long begin, long end) {
    const auto& fixed = model_->fixed_dofs;
    for (auto i = std::ranges::lower_bound(fixed, begin); i != fixed.end() && *i < end; ++i) f[*i] = 0;
    double* const __restrict P = p.data();
    const double* const __restrict F = f.data();
    for (long i = begin; i < end; ++i) P[i] += half * F[i];
  };
  const auto run = [&](long range, Workspace& workspace) {
    const long end =
        range < sweep.ranges() ? sweep.starts[static_cast<std::size_t>(range + 1)] : static_cast<long>(sweep.tasks.size());
    for (long k = sweep.starts[static_cast<std::size_t>(range)]; k < end; ++k) {
      const Sweep::Task& task = sweep.tasks[static_cast<std::size_t>(k)];
      switch (task.action) {
        case Sweep::Action::drift:
          drift(task.begin, task.end);
          break;
        case Sweep::Action::push:
          add_first_of_block(workspace, model_->lagrangian.batches[static_cast<std::size_t>(task.batch)], q, q, f, nullptr,
                             task.begin, task.end - task.begin);
          break;
        case Sweep::Action::kick:
          kick(task.begin, task.end);
          break;
      }
    }
  };
  if (sweep.ranges() == 1) {
    run(0, workspace_);
  } else {
    ensure_workspaces();
    core::parallel_for(sweep.ranges(), [&](long range, int slot) { run(range, workspace_of(slot)); });
  }
  run(sweep.ranges(), workspace_);
}

}  // namespace actio::system
