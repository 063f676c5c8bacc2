#pragma once
#include <actio/expr/kernel.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/model.hpp>
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

// A Model turned into kernels, once, for every space. Energies of the Lagrangian are written as parts of L: a potential enters as
// -V, so that first derivatives are forces and momenta.
namespace actio::system {

// A large batch cut into runs of elements, chunks, for several threads. Chunks of one colour write to no coordinate in common:
// they may run at once, and one colour after another, which makes the order of every sum the same for any number of threads.
struct Chunks {
  long size = 0;                    // elements of chunk k: [k size, (k + 1) size), as far as there are any
  long count = 0;                   // of chunks
  std::vector<std::int32_t> order;  // colour by colour
  std::vector<long> colours;        // how many of each
  std::vector<long> starts;         // of each, in that order
};

struct PairTiles;

// Which coordinates and data the elements of a batch take.
struct ElementDofs {
  long elements = 0, locals = 0;
  std::vector<std::int32_t> dofs;         // local l of element e at l * elements + e
  std::vector<long> contiguous;           // per local: its first dof when dofs run 1 by 1, else -1
  std::vector<std::vector<double>> data;  // (columns) of (elements)
  // Per local that is not contiguous: where its dofs run 1 by 1, if they mostly do; else none.
  struct Run {
    long element, dof;  // its first
  };
  std::vector<std::vector<Run>> runs;
  std::shared_ptr<const Chunks> chunks;    // null: one thread
  std::shared_ptr<const Pairs> pairs;      // in place of dofs, contiguous and runs; data are its tables
  std::shared_ptr<const PairTiles> tiles;  // of pairs

  std::int32_t dof(long l, long e) const;

  // f(k, dof, count): local l of the elements e + k, e + k + 1, ... of [e, e + length) has dofs that run 1 by 1 from `dof`.
  template <class F>
  void for_each_run(long l, long e, long length, F&& f) const {
    const std::vector<Run>& of = runs[static_cast<std::size_t>(l)];
    auto run = std::upper_bound(of.begin(), of.end(), e, [](long at, const Run& r) { return at < r.element; }) - 1;
    for (long k = 0; k < length; ++run) {
      const long begin = e + k, end = std::min(run + 1 == of.end() ? elements : (run + 1)->element, e + length);
      f(k, run->dof + (begin - run->element), end - begin);
      k = end - e;
    }
  }
};

// One energy: kernels over its elements. Columns: positions, then velocities (if any), then data. With an interpolation kernels
// are called for each point of the elements, the nine of F are their positions, and what they give is pulled back to the nodes.
struct Batch : ElementDofs {
  bool velocities = false;
  bool stiff = false;  // Term::stiff
  std::shared_ptr<const Interpolation> interpolation;
  std::vector<std::int32_t> nodes;  // with it, in place of dofs: x_a1 of node a of element e at e * interpolation->nodes + a
  long positions = 0;               // of the kernels: the locals, or the nine of F
  struct Entry {
    int row, column;  // positions
    bool mirrored;    // stands for (column, row) too
  };
  std::vector<Entry> entries;                   // of the weighted Hessian that are not structurally zero
  bool constant = false;                        // every second derivative is
  expr::BatchKernel value;                      // 1: L
  expr::BatchKernel first;                      // f (locals), then p (locals) if velocities
  expr::BatchKernel second;                     // those, then the entries, weighted by the last four uniforms qq, qv, vq, vv
  expr::PairKernel pair_value, pair_first;      // of pairs, in place of `value` and `first`
  expr::PairListKernel list_value, list_first;  // of pairs that are near, in place of those
  long list = -1;                               // its number among those with a list
  long first_outputs() const { return velocities ? 2 * positions : positions; }
  long columns() const { return first_outputs() + static_cast<long>(data.size()); }
};

// One function that each element adds to the row of one coordinate: a force F(t, q, v), or an equation f(a, v, q, t). Columns:
// positions, velocities, accelerations (equations only), then data.
struct RowBatch : ElementDofs {
  int states = 2;  // 2: q, v; 3: q, v, a
  std::vector<std::int32_t> rows;
  std::vector<int> entries;  // locals with a derivative
  expr::BatchKernel first;   // 1
  expr::BatchKernel second;  // that, then the derivatives by the entries, weighted by the last four uniforms: by q, v, a
  long columns() const { return states * locals + static_cast<long>(data.size()); }
};

// Constraints g_k(t, q) = 0, one an element. Columns: positions, then data.
struct ConstraintBatch : ElementDofs {
  long at = 0;               // k of its first element
  std::vector<int> entries;  // locals with a derivative
  expr::BatchKernel value;   // g: 1
  expr::BatchKernel second;  // that, g_t if they move, then the derivatives by the entries
  long columns() const { return locals + static_cast<long>(data.size()); }
};

// The whole system as one straight-line kernel, for a few coordinates.
struct Fused {
  bool available = false;
  expr::Kernel value;   // 1
  expr::Kernel first;   // f (n), then p (n) if velocities; without the mass
  expr::Kernel second;  // those, then the weighted Hessian (n x n), full
};

// Energies that are added up: the Lagrangian's, or the Rayleigh potentials.
struct Energies {
  bool velocities = false;     // some depend on them
  std::vector<Batch> batches;  // empty when fused
  Fused fused;
  bool empty() const { return batches.empty() && !fused.available; }
};

// Rows that are added up: forces, or equations. Fused: first (n), second those and the weighted matrix (n x n).
struct Rows {
  std::vector<RowBatch> batches;
  Fused fused;
  bool empty() const { return batches.empty() && !fused.available; }
};

// Fused: value g (m); second that, g_t (m), and G (m x n), row by row.
struct Constraints {
  long count = 0;              // m
  bool moving = false;         // some g depends on t
  bool least_squares = false;  // they may be redundant
  std::vector<ConstraintBatch> batches;
  Fused fused;
};

// V'''(q)[a, a] of the Lagrangian's potential, compiled for the methods that ask for it. Columns: positions, a, then data.
struct ThirdDerivatives {
  std::vector<expr::BatchKernel> batches;  // (locals), one beside each batch of the Lagrangian; null where it is 0
  expr::Kernel fused;                      // (n); a is the second block
  expr::Module module;
};

class Motion;

struct CompiledModel {
  long n = 0;
  long lists = 0;                     // of near pairs
  bool separable = false;             // there is a mass and no term depends on velocities
  bool linear = false;                // every matrix of second derivatives is constant
  bool stiff_linear = true;           // every V'' of a stiff term is constant; known only where the model is not fused
  bool symmetric = false;             // and they are symmetric, for any weights a method asks for
  bool force_needs_velocity = false;  // a friction, or a force that mentions v
  bool has_energy = true;             // false: equations without a declared energy, or forces of a potential nobody computes
  MassMatrix mass;
  std::vector<double> uniforms;  // t, parameters, signals, then the four weights
  std::vector<Signal> signals;
  std::size_t first_signal = 1;
  Energies lagrangian;   // parts of L; with equations: the declared energy
  Energies dissipation;  // phi
  Rows forces, equations;
  Constraints constraints;
  std::shared_ptr<const Eigen::SparseMatrix<double>> stiffness, damping;  // S, D; null when there is none
  std::vector<std::int32_t> fixed_dofs;                                   // coordinates that never move
  std::vector<std::int32_t> dirichlet;                                    // those whose rows and columns of matrices say so
  std::shared_ptr<const Motion> motion;  // of those that are prescribed; null where there are none (compile_prescribed)
  std::shared_ptr<const Eigen::SparseMatrix<double>> coupling;  // of the mass: entries that join these to others; or null
  std::shared_ptr<const ThirdDerivatives> third;                // null where it was not asked for
  expr::Module module;
  std::shared_ptr<const Callbacks> callbacks;  // of a library too

  bool dissipative() const { return !dissipation.empty() || damping; }
  bool forced() const { return dissipative() || !forces.empty() || (callbacks && callbacks->forced()); }
  bool implicit() const { return !equations.empty(); }
};

// Throws core::InputError: mass not positive definite, a library that does not fit, an interpolation that does not fit its term.
// `fuse` false: even a small system is evaluated term by term. `highest` derivatives of the energies: first leaves out the
// matrices where nothing but a potential acts; third is V'''[a, a], of a model whose terms are potentials.
enum class Highest { first, second, third };
std::shared_ptr<const CompiledModel> compile(const Model& model, const expr::CompileOptions& options = {}, bool fuse = true,
                                             Highest highest = Highest::second);

}  // namespace actio::system
