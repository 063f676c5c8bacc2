#include "interpret.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "apply.hpp"

namespace actio::expr {
namespace {

// The memory a thread evaluates in; it only grows.
double* scratch(std::size_t size) {
  thread_local std::vector<double> memory;
  if (memory.size() < size) memory.resize(size);
  return memory.data();
}

// Registers by last use. One is taken before those of the operands are given back, so a result never overlaps its operands.
class Registers {
 public:
  std::int32_t take() {
    if (free_.empty()) return count_++;
    const std::int32_t r = free_.back();
    free_.pop_back();
    return r;
  }
  void give_back(std::int32_t r) { free_.push_back(r); }
  std::int32_t count() const { return count_; }

 private:
  std::vector<std::int32_t> free_;
  std::int32_t count_ = 0;
};

// One operation of m elements.
using Loop = void (*)(long m, double* __restrict to, const double* a, const double* b, const double* c);
template <Op op>
void loop(long m, double* __restrict to, const double* a, const double* b, const double* c) {
  for (long e = 0; e < m; ++e) {
    if constexpr (arity(op) == 1) to[e] = apply(op, a[e]);
    if constexpr (arity(op) == 2) to[e] = apply(op, a[e], b[e]);
    if constexpr (arity(op) == 3) to[e] = apply(op, a[e], b[e], c[e]);
  }
}
template <std::size_t... k>
constexpr std::array<Loop, sizeof...(k)> loops_of(std::index_sequence<k...>) {
  return {&loop<static_cast<Op>(k)>...};
}
constexpr auto loops = loops_of(std::make_index_sequence<operation_count>());

}  // namespace

Interpreted::Interpreted(const KernelSource& source) : split_(source.split) {
  allocate(lower(*source.graph, source.outputs), source.batch);
  width_ = std::clamp<long>(32768 / std::max(blocks_, 1) / 8 * 8, 16, 128);
}

// Everything is scalar for a single kernel; for a batch only what does not vary, which is then spread over a block.
void Interpreted::allocate(const Program& program, bool varying_apart) {
  const std::size_t size = program.code.size();
  const auto is_block = [&](std::size_t i) { return varying_apart && program.varying[i] != 0; };
  std::vector<std::size_t> last(size);
  std::vector<std::vector<std::int32_t>> stores(size);
  std::vector<char> spread(size, 0);
  for (std::size_t i = 0; i < size; ++i) {
    last[i] = i;
    for (Id o : {program.code[i].a, program.code[i].b, program.code[i].c}) {
      if (o < 0) continue;
      last[static_cast<std::size_t>(o)] = i;
      if (is_block(i) && !is_block(static_cast<std::size_t>(o))) spread[static_cast<std::size_t>(o)] = 1;
    }
  }
  for (std::size_t j = 0; j < program.outputs.size(); ++j) {
    const auto i = static_cast<std::size_t>(program.outputs[j]);
    stores[i].push_back(static_cast<std::int32_t>(j));
    if (varying_apart && !is_block(i)) spread[i] = 1;
  }

  Registers scalars, blocks;
  std::vector<std::int32_t> in_scalar(size, -1), in_block(size, -1);
  for (std::size_t i = 0; i < size; ++i)  // spread values keep their place through all blocks
    if (spread[i]) in_block[i] = blocks.take();
  for (const bool block : {false, true}) {
    Registers& registers = block ? blocks : scalars;
    std::vector<std::int32_t>& place = block ? in_block : in_scalar;
    std::vector<Instruction>& code = block ? block_ : scalar_;
    for (std::size_t i = 0; i < size; ++i) {
      if (is_block(i) == block) {
        const Node& n = program.code[i];
        Instruction instruction{.op = n.op, .to = registers.take(), .k = n.k, .value = n.value};
        place[i] = instruction.to;
        if (n.op == Op::constant) instruction.kind = Instruction::Kind::constant;
        if (n.op == Op::column) instruction.kind = Instruction::Kind::column;
        if (n.op == Op::uniform) instruction.kind = Instruction::Kind::uniform;
        if (n.a >= 0) instruction.a = place[static_cast<std::size_t>(n.a)];
        if (n.b >= 0) instruction.b = place[static_cast<std::size_t>(n.b)];
        if (n.c >= 0) instruction.c = place[static_cast<std::size_t>(n.c)];
        code.push_back(instruction);
        const Id operands[] = {n.a, n.b, n.c};
        for (int k = 0; k < 3; ++k) {
          const bool again = (k > 0 && operands[k] == operands[0]) || (k > 1 && operands[k] == operands[1]);
          const auto o = static_cast<std::size_t>(operands[k]);
          if (operands[k] >= 0 && !again && last[o] == i && !spread[o]) registers.give_back(place[o]);
        }
      }
      if (block == varying_apart)
        for (std::int32_t j : stores[i]) code.push_back({.kind = Instruction::Kind::store, .to = j, .a = place[i]});
      if (is_block(i) == block && last[i] == i && !spread[i]) registers.give_back(place[i]);
    }
  }
  for (std::size_t i = 0; i < size; ++i)
    if (spread[i]) fills_.push_back({in_scalar[i], in_block[i]});
  scalars_ = scalars.count();
  blocks_ = blocks.count();
}

void Interpreted::scalar(const std::vector<Instruction>& code, const double* u, const double* a, const double* b, long split,
                         double* r, double* out) {
  for (const Instruction& i : code) switch (i.kind) {
      case Instruction::Kind::constant:
        r[i.to] = i.value;
        break;
      case Instruction::Kind::column:
        r[i.to] = i.k < split ? a[i.k] : b[i.k - split];
        break;
      case Instruction::Kind::uniform:
        r[i.to] = u[i.k];
        break;
      case Instruction::Kind::store:
        out[i.to] = r[i.a];
        break;
      case Instruction::Kind::operation:
        switch (i.op) {
          case Op::add:
            r[i.to] = r[i.a] + r[i.b];
            break;
          case Op::sub:
            r[i.to] = r[i.a] - r[i.b];
            break;
          case Op::mul:
            r[i.to] = r[i.a] * r[i.b];
            break;
          default:
            r[i.to] = apply(i.op, r[i.a], r[i.b], r[i.c]);
        }
    }
}

void Interpreted::run_single(const void* self, const double* u, const double* a, const double* b, double* out) {
  const auto& program = *static_cast<const Interpreted*>(self);
  scalar(program.scalar_, u, a, b, program.split_, scratch(static_cast<std::size_t>(program.scalars_) + 1), out);
}

void Interpreted::run_batch(const void* self, long n, const double* u, const double* const* x, double* const* y) {
  const auto& program = *static_cast<const Interpreted*>(self);
  const auto width = static_cast<std::size_t>(program.width_);
  const auto size = static_cast<std::size_t>(program.blocks_) * width;
  double* const registers = scratch(size + static_cast<std::size_t>(program.scalars_) + 1);
  double* const scalars = registers + size;
  scalar(program.scalar_, u, nullptr, nullptr, 0, scalars, nullptr);
  for (const Fill& fill : program.fills_)
    std::fill_n(registers + static_cast<std::size_t>(fill.slot) * width, width, scalars[fill.scalar]);
  for (long from = 0; from < n; from += program.width_) program.block(std::min(program.width_, n - from), from, x, y, registers);
}

void Interpreted::block(long m, long from, const double* const* x, double* const* y, double* registers) const {
  const auto at = [&](std::int32_t r) { return registers + r * width_; };
  for (const Instruction& i : block_) {
    if (i.kind == Instruction::Kind::column) {
      std::memcpy(at(i.to), x[i.k] + from, static_cast<std::size_t>(m) * sizeof(double));
      continue;
    }
    if (i.kind == Instruction::Kind::store) {
      std::memcpy(y[i.to] + from, at(i.a), static_cast<std::size_t>(m) * sizeof(double));
      continue;
    }
    double* const to = at(i.to);
    const double *const a = at(i.a), *const b = at(i.b), *const c = at(i.c);
    loops[static_cast<std::size_t>(i.op)](m, to, a, b, c);
  }
}

Kernel Interpreted::kernel() const { return {&run_single, this}; }
BatchKernel Interpreted::batch() const { return {&run_batch, this}; }

}  // namespace actio::expr
