#pragma once
#include <actio/expr/kernel.hpp>
#include <string>
#include <vector>

#include "interpret.hpp"

// Kernels that loop over pairs: their C, what it reads beside its arguments, and the interpreter's.
namespace actio::expr {

// The indices j of loops: [j, j_end).
struct Extent {
  long j = 0, j_end = 0;
};
Extent extent_of(const PairLoops& loops);

void emit_lists(std::string& text, const KernelSource& source, const std::string& name);
const char* lists_prologue();
void emit_pairs(std::string& text, const KernelSource& source, const std::string& name);
std::string pairs_prologue(std::span<const KernelSource> sources);  // "" where there is none

// `self` of a compiled kernel: the loops, and the constant of each column. The text of the kernel holds the strides alone, so
// that it is the same for any number of particles.
std::vector<long> constants_of(const PairLayout& layout);

class InterpretedPairs {
 public:
  explicit InterpretedPairs(const KernelSource& source);
  PairKernel kernel() const;

 private:
  static void run(const void* self, const double* u, const PairTile* tile, const double* q, const double* const* tables,
                  double* y);
  Interpreted program_;
  PairLayout layout_;
  long outputs_;
};

class InterpretedLists {
 public:
  explicit InterpretedLists(const KernelSource& source);
  PairListKernel kernel() const;

 private:
  static void run(const void* self, const double* u, const PairRows* rows, const double* q, const double* const* tables,
                  double* y);
  Interpreted near_, program_;
  PairLayout layout_;
  long outputs_;
};

}  // namespace actio::expr
