#include <actio/system/element_block.hpp>

#include <algorithm>
#include <array>

#include "element_point.hpp"
#define ACTIO_KERNEL "../system/element_kernel.hpp"
#include "../algebra/each_machine.hpp"

namespace actio::system {
namespace {

using algebra::Lanes;
using algebra::Machine;

ElementPoint at(const Batch& b, long point, long e, long count) {
  const Interpolation& of = *b.interpolation;
  return {of.nodes,
          b.elements,
          count,
          of.slopes.data() + 3 * of.nodes * point,
          of.inverse.data() + 9 * b.elements * point + e,
          of.weight.data() + b.elements * point + e};
}

template <class Eight>
Lanes* lanes_of(std::vector<Eight>& x, long from = 0) {
  return reinterpret_cast<Lanes*>(x[static_cast<std::size_t>(from)].value);
}

constexpr long in_eights(long size) { return (size + 7) / 8 * 8; }
constexpr long most_states = 3;

}  // namespace

void ElementBlock::reserve(const Batch& b) {
  const auto grow = [](auto& x, long size) {
    if (static_cast<long>(x.size()) < size) x.resize(static_cast<std::size_t>(size));
  };
  const long n = b.interpolation->nodes;
  grow(x_, most_states * 3 * n);
  grow(y_, 2 * 3 * n);
  grow(K_, 2 * in_eights(9 * n * n));  // and as much for their transposes
  grow(slopes_, 3 * n);
  grow(columns_, most_states * 9);
  grow(outputs_, std::max<long>(b.first_outputs() + static_cast<long>(b.entries.size()), 9 + 81) + 1);
  grow(inputs_, most_states * 9 + static_cast<long>(b.data.size()));
  grow(outputs_at_, static_cast<long>(outputs_.size()));
}

long ElementBlock::take(const Batch& b, long e) {
  batch_ = &b;
  e_ = e;
  return count_ = std::min(lanes, b.elements - e);
}

void ElementBlock::gather(int state, const double* q) {
  const long n = batch_->interpolation->nodes;
  double* x = x_[static_cast<std::size_t>(3 * n * state)].value;
  const std::int32_t* node = batch_->nodes.data() + e_ * n;
  for (long k = 0; k < lanes; ++k, node += k < count_ ? n : 0)  // those that are none are the last
    for (long a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i) x[(3 * a + i) * lanes + k] = q[node[a] + i];
}

void ElementBlock::deform(long point, int state, long column) {
  static const Machine machine = algebra::machine();
  const ElementPoint here = at(*batch_, point, e_, count_);
  const Lanes* x = lanes_of(x_, 3 * here.nodes * state);
  ACTIO_ON_MACHINE(machine, deform_elements(here, x, lanes_of(columns_, column)));
}

void ElementBlock::run(const expr::BatchKernel& kernel, const double* u, long positions) {
  for (long k = 0; k < positions; ++k) inputs_[static_cast<std::size_t>(k)] = columns_[static_cast<std::size_t>(k)].value;
  std::size_t k = static_cast<std::size_t>(positions);
  for (const auto& data : batch_->data) inputs_[k++] = data.data() + e_;
  if (outputs_at_[0] != outputs_[0].value)  // this is a copy
    for (std::size_t j = 0; j < outputs_.size(); ++j) outputs_at_[j] = outputs_[j].value;
  kernel(count_, u, inputs_.data(), outputs_at_.data());
}

double ElementBlock::weight(long point, long k) const {
  return batch_->interpolation->weight[static_cast<std::size_t>(batch_->elements * point + e_ + k)];
}

void ElementBlock::clear() { std::fill_n(y_.begin(), 6 * batch_->interpolation->nodes, Eight{}); }

void ElementBlock::pull(long point, int kind, long output) {
  static const Machine machine = algebra::machine();
  const ElementPoint here = at(*batch_, point, e_, count_);
  Lanes* y = lanes_of(y_, 3 * here.nodes * kind);
  ACTIO_ON_MACHINE(machine, pull_elements(here, lanes_of(outputs_, output), y));
}

void ElementBlock::pull_matrix(long point, const std::int32_t* where, bool symmetric) {
  static const Machine machine = algebra::machine();
  const ElementPoint here = at(*batch_, point, e_, count_);
  ACTIO_ON_MACHINE(machine, pull_matrix(symmetric, point == 0, here, lanes_of(outputs_), where, lanes_of(slopes_), lanes_of(K_)));
}

void ElementBlock::scatter(int kind, double* f) {
  static const Machine machine = algebra::machine();
  const long n = batch_->interpolation->nodes;
  Lanes* y = lanes_of(y_, 3 * n * kind);
  ACTIO_ON_MACHINE(machine, complete_elements(n, y));
  const double* from = y_[static_cast<std::size_t>(3 * n * kind)].value;
  const std::int32_t* node = batch_->nodes.data() + e_ * n;
  for (long k = 0; k < count_; ++k, node += n)
    for (long a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i) f[node[a] + i] += from[(3 * a + i) * lanes + k];
}

void ElementBlock::scatter_matrix(const std::int32_t* slots, bool symmetric, double* K) {
  static const Machine machine = algebra::machine();
  const long n = batch_->interpolation->nodes;
  slots += (n + 1) * n * e_;
  ACTIO_ON_MACHINE(machine, add_matrix(symmetric, n, count_, lanes_of(K_), lanes_of(K_, in_eights(9 * n * n)), slots, K));
}

double ElementBlock::value(const Batch& b, long begin, long end, const double* u, const double* q, const double* v) {
  double sum = 0;
  for (long e = begin; e < end; e += lanes) {
    const long count = take(b, e);
    gather(0, q);
    if (b.velocities) gather(1, v);
    double part = 0;
    for (long p = 0; p < b.interpolation->points; ++p) {
      deform(p, 0, 0);
      if (b.velocities) deform(p, 1, 9);
      run(b.value, u, b.first_outputs());
      for (long k = 0; k < count; ++k) part += weight(p, k) * output(0)[k];
    }
    sum += part;
  }
  return sum;
}

void ElementBlock::add_first(const Batch& b, long begin, long end, const expr::BatchKernel& kernel, const double* u,
                             const double* q, const double* v, double* f, double* p) {
  for (long e = begin; e < end; e += lanes) {
    take(b, e);
    gather(0, q);
    if (v) gather(1, v);
    clear();
    for (long point = 0; point < b.interpolation->points; ++point) {
      deform(point, 0, 0);
      if (v) deform(point, 1, 9);
      run(kernel, u, v ? 18 : 9);
      pull(point, 0, 0);
      if (p) pull(point, 1, 9);
    }
    scatter(0, f);
    if (p) scatter(1, p);
  }
}

void ElementBlock::add_second(const Batch& b, long begin, long end, const double* u, const double* q, const double* v,
                              const std::int32_t* slots, double* f, double* p, double* K) {
  std::array<std::int32_t, 81> where;
  where.fill(zero());
  for (std::size_t k = 0; k < b.entries.size(); ++k) {
    const auto& [row, column, mirrored] = b.entries[k];
    const std::int32_t output = static_cast<std::int32_t>(b.first_outputs() + static_cast<long>(k));
    where[static_cast<std::size_t>(9 * row + column)] = output;
    if (mirrored) where[static_cast<std::size_t>(9 * column + row)] = output;
  }
  const bool symmetric = !b.velocities;
  for (long e = begin; e < end; e += lanes) {
    take(b, e);
    gather(0, q);
    if (b.velocities) gather(1, v);
    clear();
    for (long point = 0; point < b.interpolation->points; ++point) {
      deform(point, 0, 0);
      if (b.velocities) deform(point, 1, 9);
      run(b.second, u, b.first_outputs());
      pull(point, 0, 0);
      if (b.velocities) pull(point, 1, 9);
      pull_matrix(point, where.data(), symmetric);
    }
    scatter(0, f);
    if (b.velocities) scatter(1, p);
    scatter_matrix(slots, symmetric, K);
  }
}

}  // namespace actio::system
