#pragma once
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <actio/expr/graph.hpp>
#include <actio/expr/pairs.hpp>

// Graphs to machine code. All kernels of a model become one C file, compiled once by the system compiler into a cache keyed by
// content, compiler and flags, and loaded; without a compiler the same graphs are interpreted, at the same interface.
namespace actio::expr {

// Kernels may run in several threads at once; they allocate at most the first time a thread runs them. The vector functions of a
// batch are good to 4 units in the last place, and fused multiply-add may round otherwise than in a single kernel: an element's
// result may differ in the last places with its position in the batch.

// outputs of one element: column k < split is read from a[k], column k >= split from b[k - split].
// `u` holds the uniforms. Neither pointer may alias out.
struct Kernel {
  using Function = void (*)(const void* self, const double* u, const double* a, const double* b, double* out);
  void operator()(const double* u, const double* a, const double* b, double* out) const { function(self, u, a, b, out); }
  Function function = nullptr;
  const void* self = nullptr;
};

// outputs of n elements in structure-of-arrays layout: column k of element e is x[k][e], output j is y[j][e].
// y may not alias x. No alignment is asked of the columns; a column no output depends on is not read and may be null.
struct BatchKernel {
  using Function = void (*)(const void* self, long n, const double* u, const double* const* x, double* const* y);
  void operator()(long n, const double* u, const double* const* x, double* const* y) const { function(self, n, u, x, y); }
  Function function = nullptr;
  const void* self = nullptr;
};

struct KernelSource {
  std::string name;  // a C identifier, unique in the module; appears in profiles
  const Graph* graph = nullptr;
  std::vector<Id> outputs;
  bool batch = false;
  int columns = 0;
  int split = 0;                      // single kernels only
  const PairLayout* pairs = nullptr;  // a kernel that loops over pairs, in place of a batch; fit for loops
  Id near = -1;                       // with it, over the pairs of a list where this value is negative
  bool lone = false;                  // a batch of one element: not worth vector code, which takes long to compile
};

struct CompileOptions {
  std::string compiler;          // "" = $ACTIO_CC, else cc; "none" = interpret
  std::filesystem::path cache;   // "" = $ACTIO_CACHE, else $XDG_CACHE_HOME/actio, else ~/.cache/actio
  bool vector_functions = true;  // false: exp, cos, ... of a batch one at a time, as a plain loop would call them
};

// Owns the loaded code or the interpreter's programs; the kernels it hands out live as long as any copy of it.
class Module {
 public:
  Module() = default;
  // The graphs are read only during the call. Never fails: what cannot be compiled is interpreted.
  static Module build(std::span<const KernelSource> sources, const CompileOptions& options = {});
  Kernel single(std::size_t k) const;
  BatchKernel batch(std::size_t k) const;
  PairKernel pairs(std::size_t k) const;
  PairListKernel lists(std::size_t k) const;
  bool compiled() const;                       // false: interpreted
  const std::string& why_interpreted() const;  // "" when compiled, else the reason ("compiler 'cc' not found")
  struct Implementation;

 private:
  std::shared_ptr<const Implementation> implementation_;
};

// The C text of a module, for tests and for reading.
std::string emit_c(std::span<const KernelSource> sources, bool vector_functions = true);

}  // namespace actio::expr
