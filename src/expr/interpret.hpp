#pragma once
#include <vector>

#include <actio/expr/kernel.hpp>

#include "program.hpp"

namespace actio::expr {

// A program with registers: what runs when there is no compiler. Evaluation is safe from several threads at once and allocates
// only the first time a thread runs a program larger than any before.
class Interpreted {
 public:
  explicit Interpreted(const KernelSource& source);
  Kernel kernel() const;
  BatchKernel batch() const;

 private:
  struct Instruction {
    enum class Kind : std::uint8_t { operation, constant, column, uniform, store } kind = Kind::operation;
    Op op = Op::constant;
    std::int32_t to = 0, a = 0, b = 0, c = 0;  // registers; of a store: `to` is the output, `a` the register
    std::int32_t k = 0;                        // column or uniform
    double value = 0;                          // constant
  };
  struct Fill {
    std::int32_t scalar, slot;  // register of the scalar part, register of the block part
  };
  void allocate(const Program& program, bool varying_apart);
  static void run_single(const void* self, const double* u, const double* a, const double* b, double* out);
  static void run_batch(const void* self, long n, const double* u, const double* const* x, double* const* y);
  static void scalar(const std::vector<Instruction>& code, const double* u, const double* a, const double* b, long split,
                     double* r, double* out);
  void block(long m, long from, const double* const* x, double* const* y, double* registers) const;

  std::vector<Instruction> scalar_, block_;
  std::vector<Fill> fills_;  // scalars spread over a block, once a call
  std::int32_t scalars_ = 0, blocks_ = 0;
  long width_ = 0;  // elements of a block
  long split_ = 0;
};

}  // namespace actio::expr
