#pragma once
#include <actio/system/assembled.hpp>
#include <actio/system/discrete_gradient.hpp>
#include <actio/system/discrete_gradient_system.hpp>
#include <vector>

// A model with one discrete gradient for each element of each term and for each constraint, so that matrices stay as sparse as
// the terms. A finite element has one at each of its quadrature points, for the energy as a function of F:
// DV = sum w B' DU(F0, F1), which projects rotations out of F. A stiffness matrix and quadratic terms have
// DV = grad V((q0 + q1)/2).
namespace actio::system {

// What of a model the discrete gradients are made from, the same on every space.
struct DiscreteGradients {
  enum class Kind { quadratic, midpoint, trapezoidal };  // DV = grad V(m); with b = grad V(m); with the mean of those at the ends
  struct Piece {
    Kind kind = Kind::quadratic;
    std::vector<AffineField> symmetries;  // that leave every element as it is, the same in all of them
    // Not quadratic: 2, the part of L and a bound of its rounding, from those of the operations that it is made of. Columns as in
    // the batch.
    expr::BatchKernel value;
  };
  std::shared_ptr<const CompiledModel> model;        // not fused
  std::shared_ptr<const CompiledModel> constraints;  // g as a Lagrangian, batches as the constraints'; null where there are none
  std::vector<Piece> terms, of_constraints;          // one a batch
  std::vector<bool> kept;                            // of each symmetry of the model: no piece gives its momentum away
  expr::Module module;
  CompiledModel pattern;  // lagrangian: terms, terms with every entry, constraints; nothing to call
};

// equivariant: symmetries that the model declares, as far as they are affine and leave a term or constraint as it is, are taken
// out of its correction. Whether they do is measured, at states of many sizes. Throws core::InputError where a constraint that is
// not quadratic mentions a coordinate that it does not depend on.
std::shared_ptr<const DiscreteGradients> discrete_gradients(const Model& model, const expr::CompileOptions& options,
                                                            bool equivariant);

template <class SpaceType>
class DiscreteGradientModel : public Assembled<SpaceType> {
 public:
  using Base = Assembled<SpaceType>;
  using Space = SpaceType;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  using KktSolver = typename Base::KktSolver;
  using Multipliers = typename KktSolver::Multipliers;
  using Jacobian = typename KktSolver::Jacobian;

  explicit DiscreteGradientModel(std::shared_ptr<const DiscreteGradients> of);

  bool keeps_momentum(std::size_t symmetry) const { return of_->kept[symmetry]; }

  // Concept ConstrainedDiscreteGradientSystem.
  void begin_step(double t, const Vector& q0);
  void discrete_force(const Vector& q1, Vector& f) { add_terms(q1, 0, f, nullptr); }
  void discrete_stiffness(const Vector& q1, double wM, double wV, Vector& f, Matrix& K);
  void discrete_roundoff(Vector& f) const { f = roundoff_; }
  void discrete_jacobian(const Vector& q1, Jacobian& DG) { add_constraints(q1, nullptr, 0, DG, nullptr); }
  void discrete_jacobian(const Vector& q1, const Multipliers& eta, double w, Jacobian& DG, Matrix& K) {
    add_constraints(q1, &eta, w, DG, &K);
  }

 private:
  static constexpr long block = 128;  // elements a kernel call
  struct Piece {
    const Batch* batch;
    DiscreteGradients::Kind kind;
    bool constraint;
    std::size_t number;        // of its ElementGradient
    const Slots::List* slots;  // of K: the batch's own entries where it is quadratic, else all of them
    expr::BatchKernel value;   // DiscreteGradients::Piece
    // Local l of element e at l * elements + e; U is the part of L; slope: trapezoidal only. With an interpolation the nine of F
    // are the locals, and points p of elements e at p * elements + e in place of elements.
    std::vector<double> x0, U0, rounding, slope;
  };
  // One block of elements between q0 and q1.
  struct Block {
    long e, count;
    const double* const* gradient;  // DU, by locals
    const double* const* tangent;   // dDU/dq1, by the slots' entries; or null
  };

  // What one thread works with.
  struct Workspace {
    std::vector<double> columns, local;
    std::vector<const double*> inputs;
    Columns values, outputs, ends, gradients, tangents;
    ElementBlock elements;
    std::vector<ElementGradient> of;  // by the number of a piece
  };

  DiscreteGradientModel(std::shared_ptr<const DiscreteGradients> of, Layout<Space> where);
  // f(workspace, begin, end) of all elements; of a large batch chunk by chunk, those of one colour at once, or all of them.
  template <class F>
  void for_each_chunk(const Batch& b, bool coloured, F&& f);
  void gather(Workspace& workspace, const Piece& piece, const Vector& q, long e, long count);
  void start(Piece& piece);
  // f(Block) for each block
  template <class F>
  void evaluate(Piece& piece, const Vector& q1, bool tangent, F&& f);
  void evaluate_elements(Workspace& workspace, Piece& piece, const Vector& q1, bool tangent, long e, long count);
  // Finite elements: f += DU, K -= wV dDU/dq1
  void start_elements(Piece& piece);
  void add_elements(Piece& piece, const Vector& q1, double wV, Vector& f, Matrix* K);
  void differentiate_point(Workspace& workspace, Piece& piece, long point, long e, long count, bool tangent, double wV);
  void add_terms(const Vector& q1, double wV, Vector& f, Matrix* K);
  void add_constraints(const Vector& q1, const Multipliers* eta, double w, Jacobian& DG, Matrix* K);
  template <class W>
  static void add_entries(const Piece& piece, const Block& at, W&& w, Matrix& K);
  void pin(Matrix& K) const;
  static double* values(Matrix& K) {
    if constexpr (std::is_same_v<Space, algebra::SparseSpace>)
      return K.valuePtr();
    else
      return K.data();
  }

  std::shared_ptr<const DiscreteGradients> of_;
  std::shared_ptr<const Slots> slots_;
  ModelMass<Space> mass_;
  SpaceMatrix<Space> stiffness_;
  std::vector<Piece> terms_, constraints_;
  std::vector<std::size_t> signal_at_;
  std::vector<double> uniforms_;
  Workspace workspace_;
  std::vector<Workspace> workspaces_;  // of the other threads, once there are any
  Vector q0_, middle_, roundoff_, scratch_;
};

extern template class DiscreteGradientModel<algebra::DenseSpace<Eigen::Dynamic>>;
extern template class DiscreteGradientModel<algebra::SparseSpace>;

static_assert(ConstrainedDiscreteGradientSystem<DiscreteGradientModel<algebra::SparseSpace>>);

}  // namespace actio::system
