#pragma once
#include <actio/core/function_ref.hpp>
#include <actio/expr/kernel.hpp>
#include <actio/petsc/distributed_space.hpp>
#include <actio/petsc/partition.hpp>
#include <actio/system/discrete_gradient_model.hpp>
#include <actio/system/forced.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace actio::petsc {

struct DistributedOptions {
  bool no_matrix = false;   // of a separable system no stiffness will be asked for
  bool equivariant = true;  // system::discrete_gradients
  bool prescribed = false;  // constraints are a motion (system/motion.hpp)
};

// A model distributed over processes: every rank computes its share (local_model.hpp) as one process does a model, on vectors to
// which the ghosts' owners have sent their numbers, and sends home what it adds to ghosts. Energies are summed over all ranks.
//
// The same questions as `Here`, which is what computes the share, answers, but those of constraints, of equations and of third
// derivatives.
template <class Here>
class Distributed {
 public:
  static constexpr bool has_discrete_gradient = requires(Here & here, const Eigen::VectorXd& q) { here.begin_step(0.0, q); };
  using Space = DistributedSpace;
  using Vector = Space::Vector;
  using Matrix = Space::Matrix;

  // Collective. `model` is the whole of it, on every rank.
  Distributed(MPI_Comm comm, const system::Model& model, const expr::CompileOptions& options, DistributedOptions how = {});

  const Space& space() const { return space_; }
  bool separable() const { return facts_->separable; }
  bool forced() const { return facts_->forced; }
  bool dissipative() const { return facts_->dissipative; }
  bool force_needs_velocity() const { return facts_->force_needs_velocity; }
  bool linear() const { return facts_->linear; }

  // What is known of the whole model.
  struct Facts {
    Partition partition;
    std::vector<std::int32_t> dirichlet;  // coordinates that are fixed or prescribed, the model's own numbers
    std::vector<bool> kept;               // system::DiscreteGradients
    bool separable = false, forced = false, dissipative = false, force_needs_velocity = false, linear = false, has_energy = true;
    long prescribed = 0;
    bool prescribed_moves = false, coupled = false;  // some mass joins prescribed coordinates to others
  };
  const Facts& model() const { return *facts_; }
  // "" unless a solver failed since this was asked last.
  std::string why_unsolved() const;
  long linear_iterations() const;  // so far

  // All of x in the model's own order, on every rank, and back. Collective.
  void gather(const Vector& x, Eigen::VectorXd& all) const;
  void scatter(const Eigen::VectorXd& all, Vector& x) const;
  // The coordinates that this rank owns, in the model's own numbers, ascending; f(those of x); sums over all ranks (collective).
  std::vector<std::int32_t> share() const;
  bool with_numbers(Vector& x, core::FunctionRef<bool(std::span<double>)> f) const;
  void add_up(std::span<double> sums) const;

  double energy_terms(double h, const Vector& q, const Vector& v) const;
  double lagrangian(double t, const Vector& q, const Vector& v);
  void derivatives(double t, const Vector& q, const Vector& v, Vector& f, Vector& p);
  void tangent(double t, const Vector& q, const Vector& v, system::Weights w, Vector& f, Vector& p, Matrix& K);
  double potential(double t, const Vector& q);
  void force(double t, const Vector& q, Vector& f);
  void stiffness(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K);
  void momentum(const Vector& v, Vector& p) const;
  void velocity(const Vector& p, Vector& v) const;

  void applied(double t, const Vector& q, const Vector& v, Vector& F);
  void applied_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& F, Matrix& K);
  void external(double t, const Vector& q, const Vector& v, Vector& F);
  void external_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& F, Matrix& K);
  double dissipation(double t, const Vector& q, const Vector& v);
  void dissipation_tangent(double t, const Vector& q, const Vector& v, system::Weights w, Vector& phi_q, Vector& phi_v,
                           Matrix& K);

  // Concept Prescribed.
  long prescribed() const { return facts_->prescribed; }
  bool prescribed_moves() const { return facts_->prescribed_moves; }
  void impose_motion(double t, double bq, double bv, Vector& q, Vector& v, Vector& a);
  void zero_prescribed(Vector& x) const;
  void multipliers(const Vector& r, Eigen::VectorXd& lambda) const;

  // Concept DiscreteGradientSystem.
  bool keeps_momentum(std::size_t symmetry) const requires has_discrete_gradient { return facts_->kept[symmetry]; }
  void begin_step(double t, const Vector& q0) requires has_discrete_gradient;
  void discrete_force(const Vector& q1, Vector& f) requires has_discrete_gradient;
  void discrete_stiffness(const Vector& q1, double wM, double wV, Vector& f, Matrix& K) requires has_discrete_gradient;
  void discrete_roundoff(Vector& f) const requires has_discrete_gradient;

 protected:
  Here& here() { return here_; }
  const Here& here() const { return here_; }

 private:
  struct Parts;  // made once, by all ranks
  explicit Distributed(Parts parts);
  static Parts parts(MPI_Comm comm, const system::Model& model, const expr::CompileOptions& options, DistributedOptions how);
  double sum(double mine) const;
  // F of all ranks, of which ask() leaves this one's at q_, v_ in f_
  template <class Ask>
  void forces(const Vector& q, const Vector& v, Vector& F, Ask&& ask);

  std::shared_ptr<const Facts> facts_;
  Space space_;
  Here here_;
  Vector mass_, inverse_mass_;  // diagonal, or empty
  struct FullMass;
  std::shared_ptr<FullMass> full_mass_;
  std::optional<system::Motion> motion_;  // of the prescribed coordinates that this rank owns
  mutable Vector coupled_;
  mutable Eigen::VectorXd q_, v_, f_, p_;  // this rank's, with ghosts
};

using DistributedModel = Distributed<system::Assembled<algebra::SparseSpace>>;
using DistributedDiscreteGradient = Distributed<system::DiscreteGradientModel<algebra::SparseSpace>>;  // for energy-momentum
extern template class Distributed<system::Assembled<algebra::SparseSpace>>;
extern template class Distributed<system::DiscreteGradientModel<algebra::SparseSpace>>;

static_assert(system::can_prescribe<DistributedModel>);
static_assert(system::Separable<DistributedModel> && system::Forced<DistributedModel> &&
              system::DiscreteGradientSystem<DistributedDiscreteGradient>);

}  // namespace actio::petsc
