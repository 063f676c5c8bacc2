#include "element_values.hpp"

#include <algorithm>

#include <actio/core/parallel.hpp>
#include <actio/system/pairs.hpp>

namespace actio::run {

ElementValues::ElementValues(const system::ElementFunction& function)
    : function_(function), columns_(states_of_observable * function.locals + static_cast<long>(function.data.size())) {
  for (const int k : expr::columns_of(function.graph, function.value)) {
    Column column{k, State::position};
    const long states = states_of_observable * function.locals;
    if (k < states) {
      column.state = static_cast<State>(k / function.locals);
      column.local = k % function.locals;
      if (!function.pairs) {
        const auto begin = function.dofs.begin() + column.local * function.elements, end = begin + function.elements;
        const bool apart = std::adjacent_find(begin, end, [](auto a, auto b) { return b != a + 1; }) != end;
        if (!apart) column.first = *begin;
      }
    } else {
      column.datum = static_cast<std::size_t>(k - states);
    }
    used_.push_back(column);
  }
  scratch_.resize(static_cast<std::size_t>(function.elements > run ? core::threads() : 1));
}

expr::KernelSource ElementValues::source(std::string name) const {
  return {std::move(name), &function_.graph,       {function_.value}, true, static_cast<int>(columns_), 0,
          nullptr,         function_.elements == 1};
}

bool ElementValues::asks_for(State state) const {
  return std::any_of(used_.begin(), used_.end(), [&](const Column& c) { return c.local >= 0 && c.state == state; });
}

// Of the elements begin, begin + 1, ...
void ElementValues::gather(const Column& column, long begin, long count, const StateColumns& from, double* to) const {
  const double* const x = column.local >= 0 ? from[static_cast<std::size_t>(column.state)] : function_.data[column.datum].data();
  if (!function_.pairs) {
    const std::int32_t* const dof = function_.dofs.data() + column.local * function_.elements + begin;
    for (long e = 0; e < count; ++e) to[e] = x[dof[e]];
    return;
  }
  const auto local = static_cast<std::size_t>(column.local);
  const expr::Affine& at = column.local >= 0 ? function_.pairs->dofs[local] : function_.pairs->data[column.datum];
  function_.pairs->for_each_run(begin, count, [&](long k, long i, long j, long length) {
    const double* entry = x + at(i, j);
    for (long e = 0; e < length; ++e, entry += at.by_j) to[k + e] = *entry;
  });
}

void ElementValues::operator()(const double* uniforms, const StateColumns& from, double* out) {
  const long n = function_.elements, runs = (n + run - 1) / run;
  const auto one = [&](long k, int slot) {
    const long begin = k * run, count = std::min(run, n - begin);
    std::vector<double>& scratch = scratch_[static_cast<std::size_t>(slot)];
    scratch.resize(used_.size() * run);
    thread_local std::vector<const double*> inputs;
    inputs.assign(static_cast<std::size_t>(columns_), nullptr);
    double* free = scratch.data();
    for (const Column& column : used_) {
      const double*& input = inputs[static_cast<std::size_t>(column.number)];
      if (column.first >= 0) {
        input = from[static_cast<std::size_t>(column.state)] + column.first + begin;
      } else if (column.local < 0 && !function_.pairs) {
        input = function_.data[column.datum].data() + begin;
      } else {
        gather(column, begin, count, from, free);
        input = free;
        free += run;
      }
    }
    double* y = out + begin;
    kernel_(count, uniforms, inputs.data(), &y);
  };
  if (runs == 1) return one(0, 0);
  core::parallel_for(runs, one);
}

}  // namespace actio::run
