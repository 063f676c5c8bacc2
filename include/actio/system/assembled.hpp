#pragma once
#include <actio/algebra/kkt_of.hpp>
#include <actio/system/compiled.hpp>
#include <actio/system/constrained.hpp>
#include <actio/system/constraint_groups.hpp>
#include <actio/system/element_block.hpp>
#include <actio/system/model_mass.hpp>
#include <actio/system/motion.hpp>
#include <actio/system/near_pairs.hpp>
#include <actio/system/prescribed.hpp>
#include <cassert>
#include <optional>

// A compiled model on a space: gathers coordinates into the kernels' columns, adds their outputs into vectors and into slots of
// the matrix that were found once. The one place that indexes.
namespace actio::system {

struct Sweep;

// Where the entries of a model's matrices lie in a space's matrix values.
struct Slots {
  using List = std::vector<std::int32_t>;
  // Entry k of element e at k * elements + e; mirrored ones follow all others. One list a batch. With an interpolation, from
  // (e * nodes + b) * (nodes + 1) on: how far column x_b2 is from x_b1, and x_b3 from that, then the entries of (x_a1, x_b1);
  // x_a2 and x_a3 are the next two rows.
  std::vector<List> lagrangian, dissipation, forces, equations;
  List mass, stiffness, damping, callbacks;
  List pinned, pinned_diagonal;  // in a row or column of a fixed coordinate: off the diagonal, and on it
  // The constraints' Jacobian: entry k of element e at k * elements + e, the columns of fixed coordinates, a sparse pattern.
  std::vector<List> constraints;
  List pinned_constraints;
  algebra::SparseJacobian jacobian;
};

template <class Space>
struct Layout {
  Space space;
  std::shared_ptr<const Slots> slots;
};
// Which matrices will be asked for: none; M; any; M and V''; M, V1'' of the stiff terms, and the stiffness matrix.
enum class Entries { none, mass, all, potential, stiff };
// The space of a model, with the matrix pattern known before any evaluation.
template <class Space>
Layout<Space> layout(const CompiledModel& model, Entries entries);
template <>
Layout<algebra::SparseSpace> layout<algebra::SparseSpace>(const CompiledModel& model, Entries entries);
template <class Space>
Layout<Space> layout(const CompiledModel& model, bool tangents) {
  return layout<Space>(model, tangents ? Entries::all : Entries::none);
}

// Columns of doubles to write to, and pointers to them. A copy points to its own.
class Columns {
 public:
  Columns() = default;
  Columns(std::size_t count, std::size_t length) : length_(length), values_(count * length), pointers_(count) { point(); }
  Columns(const Columns& other) : length_(other.length_), values_(other.values_), pointers_(other.pointers_) { point(); }
  Columns(Columns&&) noexcept = default;
  Columns& operator=(Columns other) noexcept {
    length_ = other.length_;
    values_.swap(other.values_);
    pointers_.swap(other.pointers_);
    return *this;
  }
  double* const* data() const { return pointers_.data(); }
  const double* operator[](std::size_t k) const { return pointers_[k]; }

 private:
  void point() {
    for (std::size_t k = 0; k < pointers_.size(); ++k) pointers_[k] = values_.data() + k * length_;
  }
  std::size_t length_ = 0;
  std::vector<double> values_;
  std::vector<double*> pointers_;
};

// A constant symmetric matrix of a model on a space; copies share it.
template <class Space>
class SpaceMatrix {
 public:
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  explicit SpaceMatrix(std::shared_ptr<const Eigen::SparseMatrix<double>> A) {
    if (!A) return;
    const Eigen::VectorXd diagonal = A->diagonal();
    diagonal_.assign(diagonal.begin(), diagonal.end());
    if constexpr (sparse)
      matrix_ = std::move(A);
    else
      matrix_ = std::make_shared<const Matrix>(Eigen::MatrixXd(*A));
  }
  bool empty() const { return matrix_ == nullptr; }
  double diagonal_form(const Vector& x) const {  // sum A_ii x_i^2
    double sum = 0;
    for (std::size_t i = 0; i < diagonal_.size(); ++i) sum += diagonal_[i] * x[static_cast<long>(i)] * x[static_cast<long>(i)];
    return sum;
  }
  void multiply(const Vector& x, Vector& y) const {  // y = A x
    if constexpr (sparse)
      Space::multiply_symmetric(*matrix_, x, y);
    else
      Space::multiply(*matrix_, x, y);
  }
  const Matrix& operator*() const { return *matrix_; }

 private:
  static constexpr bool sparse = std::is_same_v<Space, algebra::SparseSpace>;
  std::shared_ptr<const Matrix> matrix_;
  std::vector<double> diagonal_;
};

template <class Space>
concept of_many_coordinates = std::is_same_v<Space, algebra::SparseSpace>;

template <class SpaceType>
class Assembled {
 public:
  using Space = SpaceType;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  using KktSolver = algebra::KktOf<Space>;
  using Multipliers = typename KktSolver::Multipliers;
  using Jacobian = typename KktSolver::Jacobian;

  Assembled(std::shared_ptr<const CompiledModel> model, Layout<Space> where);
  // Compiled once, not in every file that copies a stepper.
  Assembled(const Assembled&);
  Assembled(Assembled&&) noexcept;
  Assembled& operator=(const Assembled&);
  Assembled& operator=(Assembled&&) noexcept;
  ~Assembled();

  const Space& space() const { return where_.space; }
  bool separable() const { return model_->separable; }
  const CompiledModel& model() const { return *model_; }

  // Forces that come from no Lagrangian: concept Forced.
  bool forced() const { return model_->forced(); }
  bool dissipative() const { return model_->dissipative(); }
  bool force_needs_velocity() const { return model_->force_needs_velocity; }
  bool linear() const { return model_->linear; }
  // What the matrices' parts of the energy, and of a step's friction, are added up from before they cancel [J]:
  // |q|'|S|(|q| + h |v|) + |v|'|M||v| + h |v|'|D||v|, from the diagonals.
  double energy_terms(double h, const Vector& q, const Vector& v) const;
  void applied(double t, const Vector& q, const Vector& v, Vector& F);
  void applied_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& F, Matrix& K);
  void external(double t, const Vector& q, const Vector& v, Vector& F);
  void external_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& F, Matrix& K);
  double dissipation(double t, const Vector& q, const Vector& v);
  void dissipation_tangent(double t, const Vector& q, const Vector& v, Weights w, Vector& phi_q, Vector& phi_v, Matrix& K);

  // Equations in place of a Lagrangian: concept Implicit.
  bool implicit() const { return model_->implicit(); }
  void balance(double t, const Vector& q, const Vector& v, const Vector& a, Vector& r);
  void balance_tangent(double t, const Vector& q, const Vector& v, const Vector& a, double wq, double wv, double wa, Vector& r,
                       Matrix& K);

  // Holonomic constraints: concept Constrained. A space of a few coordinates takes at most as many constraints.
  long constraints() const { return model_->constraints.count; }
  bool moving() const { return model_->constraints.moving; }
  KktSolver kkt_solver() const;
  void constraint(double t, const Vector& q, Multipliers& g);                                         // g
  void constraint_tangent(double t, const Vector& q, Multipliers& g, Multipliers& g_t, Jacobian& G);  // that, dg/dt, dg/dq

  // Those that fall into small groups of a few shapes, with a diagonal mass; else none.
  std::optional<ConstraintGroups> constraint_groups() const requires of_many_coordinates<Space>;

  // Concept Prescribed, of compile_prescribed.
  long prescribed() const { return motion_ ? motion_->size() : 0; }
  bool prescribed_moves() const { return motion_ && motion_->moves(); }
  void impose_motion(double t, double bq, double bv, Vector& q, Vector& v, Vector& a);
  void zero_prescribed(Vector& x) const;
  void multipliers(const Vector& r, Eigen::VectorXd& lambda) const;
  void add_coupling(const Vector& v, Vector& p) const;  // p += M_fd v_d + M_df v_f

  double lagrangian(double t, const Vector& q, const Vector& v);
  void derivatives(double t, const Vector& q, const Vector& v, Vector& f, Vector& p);
  void tangent(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector& p, Matrix& K);

  double potential(double t, const Vector& q);
  [[gnu::always_inline]] void force(double t, const Vector& q, Vector& f) {
    if (one_kernel_) {
      uniforms_[0] = t;
      first_(uniforms_.data(), q.data(), nullptr, f.data());
    } else {
      any_force(t, q, f);
    }
  }
  [[gnu::always_inline]] void stiffness(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K) {
    if constexpr (Space::static_size) {
      if (one_kernel_) return stiffness_of_kernel(t, q, wM, wV, f, K);
    }
    any_stiffness(t, q, wM, wV, f, K);
  }
  // Concept OnePass.
  bool takes_one_pass() requires of_many_coordinates<Space>;
  void kick_drift_kick(double t, double h, Vector& q, Vector& p, Vector& f) requires of_many_coordinates<Space>;
  // Concept Cubic, of a model compiled with its third derivatives: out = V'''(q)[a, a] [N].
  [[gnu::always_inline]] void third(double t, const Vector& q, const Vector& a, Vector& out) {
    if (one_kernel_ && third_.function) {
      uniforms_[0] = t;
      third_(uniforms_.data(), q.data(), a.data(), out.data());
    } else {
      any_third(t, q, a, out);
    }
  }
  // Concept Split, of a model compiled term by term: V1 is the stiff terms and the stiffness matrix.
  void stiff_stiffness(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K);
  bool stiff_linear() const { return model_->stiff_linear; }
  [[gnu::always_inline]] void momentum(const Vector& v, Vector& p) const {
    mass_.momentum(v, p);
    if constexpr (!Space::static_size)
      if (!coupling_.empty()) [[unlikely]]
        add_coupling(v, p);
  }
  [[gnu::always_inline]] void velocity(const Vector& p, Vector& v) const { mass_.velocity(p, v); }

 private:
  static constexpr long block = 128;  // elements a kernel call
  // All of f and K from one kernel, through the stack.
  [[gnu::always_inline]] void stiffness_of_kernel(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K) {
    if constexpr (Space::static_size) {
      constexpr int n = Space::size;
      double out[n + n * n];
      uniforms_[0] = t;
      uniforms_[uniforms_.size() - 4] = -wV;
      second_(uniforms_.data(), q.data(), nullptr, out);
      for (int i = 0; i < n; ++i) f[i] = out[i];
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) K(i, j) = out[n + j * n + i];
      if (mass_.diagonal())
        for (int i = 0; i < n; ++i) K(i, i) += wM * mass_.diagonal_entries()[i];
      else
        K += wM * mass_.full();
    }
  }
  void any_force(double t, const Vector& q, Vector& f);
  void any_third(double t, const Vector& q, const Vector& a, Vector& out);
  void any_stiffness(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K);
  void set_time(double t);
  double value(const Energies& energies, const Vector& q, const Vector& v);
  // f = d/dq, p += d/dv where p is given
  void first(const Energies& energies, const Vector& q, const Vector& v, Vector& f, Vector* p);
  // f = d/dq, p += d/dv, K += second derivatives: all of them, or those of terms where they are constant, or of the others
  enum class Hessians { all, constant, varying };
  void second(const Energies& energies, const std::vector<Slots::List>& slots, const Vector& q, const Vector& v, Weights w,
              Vector& f, Vector* p, Matrix& K, Hessians which = Hessians::all);
  // out = the rows; K += their derivatives where it is given, weighted by w
  void add_rows(const Rows& rows, const std::vector<Slots::List>& slots, const Vector& q, const Vector& v, const Vector& a,
                const double* w, Vector& out, Matrix* K);
  void potential_second(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector* p, Matrix& K,
                        Hessians which = Hessians::all);
  // What of a sparse K does not depend on the state: the entries of M, and of the constant second derivatives of L.
  struct ConstantEntries {
    Eigen::VectorXd mass, second;
  };
  void take_constant_entries(const Vector& q, Vector& f, Matrix& K);
  void begin_momentum(const Vector& v, Vector& p) const;
  void pin_momentum(const Vector& v, Vector& p) const;
  void start_friction(const Vector& v, Vector& phi_v) const;
  void add_mass(double w, Matrix& K);
  void add_matrix(double w, const SpaceMatrix<Space>& A, const Slots::List& slots, Matrix& K);
  // What the callbacks say: V; f -= dV/dq; K += w V''; F += the force, and K += wq dF/dq + wv dF/dv where it is given.
  double own_energy(double t, const Vector& q) const;
  void add_residual(double t, const Vector& q, Vector& f);
  void add_tangent(double t, const Vector& q, double w, Matrix& K);
  void add_own_force(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& F, Matrix* K);
  // What a fixed coordinate has: no force, and a row and column of K that say so.
  void pin(Vector& f) const;
  void pin_matrix(Matrix& K) const;
  // What one thread gathers into, and its kernels write to.
  struct Workspace {
    std::vector<double> columns;
    std::vector<const double*> inputs;
    Columns outputs;
    ElementBlock points;
  };
  // f(workspace, begin, end) of all elements of a batch: at once where it is small, else chunk by chunk.
  template <class F>
  void for_each_chunk(const ElementDofs& places, F&& f);
  // The sum of f(workspace, begin, end), over the chunks in their order
  template <class F>
  double sum_over_chunks(const ElementDofs& places, F&& f);
  Workspace& workspace_of(int slot) { return slot == 0 ? workspace_ : workspaces_[static_cast<std::size_t>(slot - 1)]; }
  void ensure_workspaces();  // one for every thread
  // Points the workspace's inputs at the columns of elements [e, e + count).
  void gather(Workspace& workspace, const ElementDofs& places, std::initializer_list<const Vector*> states, long e, long count);
  // Of pairs: a tile at a time by their loops; or by blocks of elements, as any others.
  double value_of_pairs(const Batch& batch, const Vector& q);
  void add_first_of_pairs(const Batch& batch, const Vector& q, Vector& f);
  // Of pairs that are near: by a list of them.
  double value_of_list(const Batch& batch, const Vector& q);
  void add_first_of_list(const Batch& batch, const Vector& q, Vector& f);
  void gather_pairs(Workspace& workspace, const ElementDofs& places, std::initializer_list<const Vector*> states, long e,
                    long count);
  void gather_energy(Workspace& workspace, const Batch& batch, const Vector& q, const Vector& v, long e, long count);
  void constraint_batches(const Vector& q, Multipliers& g, Multipliers* g_t, Jacobian* G);
  void scatter(const Workspace& workspace, const Batch& batch, Vector& f, Vector* p, long e, long count);
  // f, p and K += of one batch
  void add_first(const Batch& batch, const Vector& q, const Vector& v, Vector& f, Vector* p);
  void add_first_of_block(Workspace& workspace, const Batch& batch, const Vector& q, const Vector& v, Vector& f, Vector* p,
                          long e, long count);
  void add_second(const Batch& batch, const Slots::List& slots, const Vector& q, const Vector& v, Vector& f, Vector* p,
                  double* entries);
  static double* values(Matrix& K) {
    if constexpr (std::is_same_v<Space, algebra::SparseSpace>)
      return K.valuePtr();
    else
      return K.data();
  }

  std::shared_ptr<const CompiledModel> model_;
  Layout<Space> where_;
  ModelMass<Space> mass_;
  SpaceMatrix<Space> stiffness_, damping_, coupling_;
  std::optional<Motion> motion_;
  bool one_kernel_;                     // separable, and fused into single kernels with nothing beside them
  std::vector<std::size_t> signal_at_;  // the sample before the last time asked for, per signal
  expr::Kernel first_, second_, third_;
  std::vector<double> uniforms_, fused_, called_, sums_;
  Workspace workspace_;
  std::vector<Workspace> workspaces_;  // of the other threads, once there are any
  Vector scratch_, friction_, mass_diagonal_;
  mutable Vector coupled_;
  std::shared_ptr<const ConstantEntries> constant_;  // made when a K is first asked for
  Eigen::VectorXd kept_;                             // wM mass - wV second, for these weights
  double kept_wM_ = 0, kept_wV_ = 0;
  std::optional<std::shared_ptr<const Sweep>> sweep_;  // once asked for; null where there is none
  std::vector<PairList> lists_;
  std::vector<std::vector<double>> shares_;  // of the force of a list
};

extern template class Assembled<algebra::DenseSpace<1>>;
extern template class Assembled<algebra::DenseSpace<2>>;
extern template class Assembled<algebra::DenseSpace<3>>;
extern template class Assembled<algebra::DenseSpace<4>>;
extern template class Assembled<algebra::DenseSpace<Eigen::Dynamic>>;
extern template class Assembled<algebra::SparseSpace>;

static_assert(OnePass<Assembled<algebra::SparseSpace>>);
static_assert(Prescribed<Assembled<algebra::DenseSpace<Eigen::Dynamic>>> && Prescribed<Assembled<algebra::SparseSpace>>);
static_assert(Constrained<Assembled<algebra::DenseSpace<4>>> && Constrained<Assembled<algebra::DenseSpace<Eigen::Dynamic>>> &&
              Constrained<Assembled<algebra::SparseSpace>>);

}  // namespace actio::system
