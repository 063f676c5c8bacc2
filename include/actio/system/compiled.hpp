#pragma once
#include <actio/system/potential_abi.h>
#include <actio/expr/kernel.hpp>
#include <actio/system/model.hpp>
#include <memory>
#include <utility>
#include <vector>

// A Model turned into kernels, once, for every space. Energies are written as parts of L throughout: a potential enters as -V, so
// that first derivatives are forces and momenta.
namespace actio::system {

// One term: kernels over its elements. Columns: positions, then velocities (if any), then data.
struct Batch {
  long elements = 0, locals = 0;
  bool velocities = false;
  std::vector<std::int32_t> dofs;         // local l of element e at l * elements + e
  std::vector<long> contiguous;           // per local: its first dof when dofs run 1 by 1, else -1
  std::vector<std::vector<double>> data;  // (columns) of (elements)
  struct Entry {
    int row, column;  // locals
    bool mirrored;    // stands for (column, row) too
  };
  std::vector<Entry> entries;  // of the weighted Hessian that are not structurally zero
  expr::BatchKernel value;     // 1: L
  expr::BatchKernel first;     // f (locals), then p (locals) if velocities
  expr::BatchKernel second;    // those, then the entries, weighted by the last four uniforms qq, qv, vq, vv
  long first_outputs() const { return velocities ? 2 * locals : locals; }
  long columns() const { return first_outputs() + static_cast<long>(data.size()); }
};

// The whole system as one straight-line kernel, for a few coordinates.
struct Fused {
  bool available = false;
  expr::Kernel value;   // 1
  expr::Kernel first;   // f (n), then p (n) if velocities; without the mass
  expr::Kernel second;  // those, then the weighted Hessian (n x n), full
};

struct CompiledModel {
  long n = 0;
  bool velocities = false;  // some term depends on velocities
  bool separable = false;   // there is a mass and no term depends on velocities
  MassMatrix mass;
  std::vector<double> uniforms;  // t, parameters, then the four weights
  std::vector<Batch> batches;    // empty when fused
  Fused fused;
  expr::Module module;
  std::shared_ptr<const actio_potential> library;
  std::vector<double> library_parameters;
};

// Throws core::InputError: mass not positive definite, a library that does not fit.
// `fuse` false: even a small system is evaluated term by term.
std::shared_ptr<const CompiledModel> compile(const Model& model, const expr::CompileOptions& options = {}, bool fuse = true);

}  // namespace actio::system
