#include <actio/petsc/access.hpp>
#include <actio/petsc/distributed_model.hpp>
#include <actio/petsc/local_model.hpp>
#include <actio/petsc/order.hpp>
#include <actio/system/mesh.hpp>
#include <algorithm>
#include <optional>
#include <utility>

namespace actio::petsc {
namespace {

// x as this rank sees it
void take(const Vector& x, Eigen::VectorXd& here) {
  update_ghosts(x);
  here = *LocalForm(x);
}
// x = the sum of what all ranks add
void send_home(const Eigen::VectorXd& here, Vector& x) {
  *LocalForm(x) = here;
  send_ghosts_home(x);
}

// Rest places of all nodes, where every coordinate is one of a node's.
Vector places_of(const system::Model& model, const Partition& partition) {
  long of_solids = 0;
  for (const auto& solid : model.solids) of_solids += 3 * solid.mesh->points.cols();
  if (model.size() == 0 || of_solids != model.size()) return {};
  if (std::count(partition.of_node.begin(), partition.of_node.end(), true) * 3 != model.size()) return {};
  Vec places = nullptr;
  check(VecCreate(partition.comm, &places));
  Vector out(places);
  check(VecSetSizes(places, partition.owned(), PETSC_DETERMINE));
  check(VecSetBlockSize(places, 3));
  check(VecSetType(places, VECSTANDARD));
  const PetscInt begin = partition.first[static_cast<std::size_t>(partition.rank)];
  double* data = nullptr;
  check(VecGetArrayWrite(places, &data));
  for (const auto& solid : model.solids)
    for (Eigen::Index k = 0; k < 3 * solid.mesh->points.cols(); ++k) {
      const PetscInt number = partition.number[static_cast<std::size_t>(solid.offset + k)];
      if (number >= begin && number < begin + partition.owned()) data[number - begin] = solid.mesh->points.data()[k];
    }
  check(VecRestoreArrayWrite(places, &data));
  return out;
}

}  // namespace

// M with entries off its diagonal, factored when it is first divided by.
template <class Here>
struct Distributed<Here>::FullMass {
  DistributedMatrix M;
  DistributedSolver solver;
  bool factored = false;
};

template <class Here>
struct Distributed<Here>::Parts {
  std::shared_ptr<Facts> facts;
  std::shared_ptr<DistributedShape> shape;
  std::optional<Here> here;
  Vector mass, inverse_mass;
  std::shared_ptr<FullMass> full_mass;
  std::optional<system::Motion> motion;
};

template <class Here>
typename Distributed<Here>::Parts Distributed<Here>::parts(MPI_Comm comm, const system::Model& given,
                                                           const expr::CompileOptions& options, DistributedOptions how) {
  std::optional<system::Model> tables;  // what is divided among processes is elements, not loops
  if (std::ranges::any_of(given.terms, [](const auto& term) { return term.pairs != nullptr; })) {
    tables = given;
    system::for_each_function(*tables, [](system::ElementFunction& function) { system::tabulate(function); });
  }
  const system::Model& model = tables ? *tables : given;
  Parts out;
  out.facts = std::make_shared<Facts>();
  Facts& facts = *out.facts;
  facts.partition = partition(comm, model);
  facts.dirichlet = how.prescribed ? system::dirichlet_coordinates(model) : model.fixed_dofs;
  LocalModel mine;
  collectively(comm, [&] { mine = local_model(model, facts.partition, has_discrete_gradient, how.prescribed); });

  // What is compiled is this rank's alone, and nobody has seen it.
  std::shared_ptr<system::CompiledModel> compiled;
  std::shared_ptr<system::DiscreteGradients> gradients;
  const auto compile = [&] {
    const std::vector<std::int32_t> fixed = mine.model.fixed_dofs;
    if (how.prescribed) {
      out.motion.emplace(mine.model, options);
      mine.model.constraints.clear();
      mine.model.fixed_dofs = mine.dirichlet;
    }
    if constexpr (has_discrete_gradient) {
      gradients =
          std::const_pointer_cast<system::DiscreteGradients>(system::discrete_gradients(mine.model, options, how.equivariant));
      compiled = std::const_pointer_cast<system::CompiledModel>(gradients->model);
      gradients->pattern.mass = mine.mass;
    } else {
      compiled = std::const_pointer_cast<system::CompiledModel>(system::compile(mine.model, options, false));
    }
    compiled->mass = mine.mass;
    compiled->fixed_dofs = fixed;
    if (mine.coupling.nonZeros() > 0) compiled->coupling = std::make_shared<const Eigen::SparseMatrix<double>>(mine.coupling);
  };
  // The first leaves the kernels where the others find them.
  collectively(comm, [&] {
    if (facts.partition.rank == 0) compile();
  });
  collectively(comm, [&] {
    if (facts.partition.rank != 0) compile();
  });
  mine.model = {};
  facts.prescribed = how.prescribed ? static_cast<long>(facts.partition.constraint.size()) : 0;
  facts.prescribed_moves = on_any(comm, out.motion && out.motion->moves());
  facts.coupled = on_any(comm, compiled->coupling != nullptr);
  facts.separable = compiled->separable;
  facts.force_needs_velocity = compiled->force_needs_velocity;
  facts.has_energy = compiled->has_energy;
  facts.linear = !on_any(comm, !compiled->linear);
  facts.dissipative = on_any(comm, compiled->dissipative());
  facts.forced = on_any(comm, compiled->forced());
  compiled->symmetric = !on_any(comm, !compiled->symmetric);
  const bool no_matrix = how.no_matrix && facts.separable;
  if constexpr (has_discrete_gradient)
    for (const bool kept : gradients->kept) facts.kept.push_back(!on_any(comm, !kept));
  collectively(comm, [&] {
    if constexpr (has_discrete_gradient)
      out.here.emplace(gradients);
    else
      out.here.emplace(compiled,
                       system::layout<algebra::SparseSpace>(*compiled, no_matrix ? system::Entries::none : system::Entries::all));
  });

  out.shape = std::make_shared<DistributedShape>();
  DistributedShape& shape = *out.shape;
  shape.vector = zero(comm, mine.owned, mine.ghosts);
  keep_order(shape.vector, facts.partition.number);
  shape.partition_checksum = std::make_shared<const PartitionChecksum>(facts.partition);
  shape.number = std::move(mine.number);
  shape.owned = mine.owned;
  shape.log = std::make_shared<SolverLog>();
  if (!no_matrix) {
    auto kept = std::make_shared<const algebra::SparsePattern>(out.here->space().pattern);
    shape.pattern = {kept, kept->operator->()};
    shape.places = places_of(model, facts.partition);
    const PetscInt begin = facts.partition.first[static_cast<std::size_t>(facts.partition.rank)];
    for (const auto i : facts.dirichlet)
      if (const PetscInt k = facts.partition.number[static_cast<std::size_t>(i)] - begin; k >= 0 && k < mine.owned)
        shape.fixed_dofs.push_back(k);
  }

  using Kind = system::MassMatrix::Kind;
  if (mine.mass.kind == Kind::diagonal) {
    out.mass = out.inverse_mass = shape.vector;
    send_home(mine.mass.diagonal, out.mass);
    out.inverse_mass = out.mass;
    check(VecReciprocal(out.inverse_mass.get()));
  } else if (mine.mass.kind == Kind::full) {
    out.full_mass = std::make_shared<FullMass>();
    auto of_mass = std::make_shared<DistributedShape>(shape);
    of_mass->places = {};
    auto pattern = std::make_shared<algebra::SparseMatrix>(mine.mass.full);
    out.full_mass->M.local = *pattern;
    of_mass->pattern = std::move(pattern);
    out.full_mass->solver = DistributedSolver(std::move(of_mass), true);
  }
  return out;
}

template <class Here>
Distributed<Here>::Distributed(MPI_Comm comm, const system::Model& model, const expr::CompileOptions& options,
                               DistributedOptions how)
    : Distributed(parts(comm, model, options, how)) {}

template <class Here>
Distributed<Here>::Distributed(Parts parts)
    : facts_(std::move(parts.facts)),
      space_(std::move(parts.shape)),
      here_(std::move(*parts.here)),
      mass_(std::move(parts.mass)),
      inverse_mass_(std::move(parts.inverse_mass)),
      full_mass_(std::move(parts.full_mass)),
      motion_(std::move(parts.motion)) {
  if (facts_->coupled) coupled_ = space_.vector();
}

template <class Here>
double Distributed<Here>::sum(double mine) const {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, facts_->partition.comm);
  return all;
}

template <class Here>
std::string Distributed<Here>::why_unsolved() const {
  return std::exchange(space_.shape().log->failure, {});
}

template <class Here>
long Distributed<Here>::linear_iterations() const {
  return space_.shape().log->iterations;
}

template <class Here>
void Distributed<Here>::gather(const Vector& x, Eigen::VectorXd& all) const {
  const Partition& p = facts_->partition;
  std::vector<int> counts, starts;
  for (std::size_t r = 0; r + 1 < p.first.size(); ++r) {
    starts.push_back(static_cast<int>(p.first[r]));
    counts.push_back(static_cast<int>(p.first[r + 1] - p.first[r]));
  }
  std::vector<double> numbers(p.number.size());
  const double* mine = nullptr;
  check(VecGetArrayRead(x.get(), &mine));
  MPI_Allgatherv(mine, static_cast<int>(p.owned()), MPI_DOUBLE, numbers.data(), counts.data(), starts.data(), MPI_DOUBLE, p.comm);
  check(VecRestoreArrayRead(x.get(), &mine));
  all.resize(static_cast<Eigen::Index>(p.number.size()));
  for (std::size_t i = 0; i < p.number.size(); ++i)
    all[static_cast<Eigen::Index>(i)] = numbers[static_cast<std::size_t>(p.number[i])];
}

template <class Here>
void Distributed<Here>::scatter(const Eigen::VectorXd& all, Vector& x) const {
  const Partition& p = facts_->partition;
  const PetscInt begin = p.first[static_cast<std::size_t>(p.rank)], end = begin + p.owned();
  double* mine = nullptr;
  check(VecGetArrayWrite(x.get(), &mine));
  for (std::size_t i = 0; i < p.number.size(); ++i)
    if (const PetscInt k = p.number[i]; k >= begin && k < end) mine[k - begin] = all[static_cast<Eigen::Index>(i)];
  check(VecRestoreArrayWrite(x.get(), &mine));
}

template <class Here>
std::vector<std::int32_t> Distributed<Here>::share() const {
  const Partition& p = facts_->partition;
  const PetscInt begin = p.first[static_cast<std::size_t>(p.rank)];
  std::vector<std::int32_t> out(static_cast<std::size_t>(p.owned()));
  for (std::size_t i = 0; i < p.number.size(); ++i)
    if (const PetscInt k = p.number[i] - begin; k >= 0 && k < p.owned())
      out[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(i);
  return out;
}

template <class Here>
bool Distributed<Here>::with_numbers(Vector& x, core::FunctionRef<bool(std::span<double>)> f) const {
  double* mine = nullptr;
  check(VecGetArray(x.get(), &mine));
  const bool done = f({mine, static_cast<std::size_t>(facts_->partition.owned())});
  check(VecRestoreArray(x.get(), &mine));
  return done;
}

template <class Here>
void Distributed<Here>::add_up(std::span<double> sums) const {
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, facts_->partition.comm);
}

template <class Here>
double Distributed<Here>::energy_terms(double h, const Vector& q, const Vector& v) const {
  take(q, q_);
  take(v, v_);
  return sum(here_.energy_terms(h, q_, v_));
}

template <class Here>
double Distributed<Here>::lagrangian(double t, const Vector& q, const Vector& v) {
  take(q, q_);
  take(v, v_);
  return sum(here_.lagrangian(t, q_, v_));
}

template <class Here>
void Distributed<Here>::derivatives(double t, const Vector& q, const Vector& v, Vector& f, Vector& p) {
  take(q, q_);
  take(v, v_);
  f_.resize(q_.size());
  p_.resize(q_.size());
  here_.derivatives(t, q_, v_, f_, p_);
  send_home(f_, f);
  send_home(p_, p);
}

template <class Here>
void Distributed<Here>::tangent(double t, const Vector& q, const Vector& v, system::Weights w, Vector& f, Vector& p, Matrix& K) {
  take(q, q_);
  take(v, v_);
  f_.resize(q_.size());
  p_.resize(q_.size());
  here_.tangent(t, q_, v_, w, f_, p_, K.local);
  send_home(f_, f);
  send_home(p_, p);
}

template <class Here>
double Distributed<Here>::potential(double t, const Vector& q) {
  take(q, q_);
  return sum(here_.potential(t, q_));
}

template <class Here>
void Distributed<Here>::force(double t, const Vector& q, Vector& f) {
  take(q, q_);
  f_.resize(q_.size());
  here_.force(t, q_, f_);
  send_home(f_, f);
}

template <class Here>
void Distributed<Here>::stiffness(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K) {
  take(q, q_);
  f_.resize(q_.size());
  here_.stiffness(t, q_, wM, wV, f_, K.local);
  send_home(f_, f);
}

template <class Here>
void Distributed<Here>::momentum(const Vector& v, Vector& p) const {
  if (mass_.get()) return check(VecPointwiseMult(p.get(), mass_.get(), v.get()));
  if (!full_mass_) {
    p = v;
    return;
  }
  Space::multiply(full_mass_->M, v, p);
  if constexpr (!has_discrete_gradient) {
    if (!facts_->coupled) return;
    take(v, v_);
    f_.setZero(v_.size());
    if (here_.model().coupling) here_.add_coupling(v_, f_);
    send_home(f_, coupled_);
    p += coupled_;
  }
}

template <class Here>
void Distributed<Here>::impose_motion(double t, double bq, double bv, Vector& q, Vector& v, Vector& a) {
  motion_->at(t);
  const auto prescribed = motion_->coordinates();
  const auto put = [&](Vector& x, auto&& value) {
    double* mine = nullptr;
    check(VecGetArray(x.get(), &mine));
    for (long k = 0; k < motion_->size(); ++k) mine[prescribed[static_cast<std::size_t>(k)]] = value(k);
    check(VecRestoreArray(x.get(), &mine));
  };
  put(q, [&](long k) { return motion_->x(k) - bq * motion_->acceleration(k); });
  put(v, [&](long k) { return motion_->rate(k) - bv * motion_->acceleration(k); });
  put(a, [&](long k) { return motion_->acceleration(k); });
}

template <class Here>
void Distributed<Here>::zero_prescribed(Vector& x) const {
  double* mine = nullptr;
  check(VecGetArray(x.get(), &mine));
  for (const std::int32_t i : motion_->coordinates()) mine[i] = 0;
  check(VecRestoreArray(x.get(), &mine));
}

template <class Here>
void Distributed<Here>::multipliers(const Vector& r, Eigen::VectorXd& lambda) const {
  const Partition& p = facts_->partition;
  std::vector<int> counts, starts;
  for (std::size_t k = 0; k + 1 < p.first_constraint.size(); ++k) {
    starts.push_back(static_cast<int>(p.first_constraint[k]));
    counts.push_back(static_cast<int>(p.first_constraint[k + 1] - p.first_constraint[k]));
  }
  std::vector<double> mine(static_cast<std::size_t>(motion_->size())), all(p.constraint.size());
  const auto prescribed = motion_->coordinates();
  const double* here = nullptr;
  check(VecGetArrayRead(r.get(), &here));
  for (std::size_t k = 0; k < mine.size(); ++k) mine[k] = here[prescribed[k]] / motion_->slope(static_cast<long>(k));
  check(VecRestoreArrayRead(r.get(), &here));
  MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, all.data(), counts.data(), starts.data(), MPI_DOUBLE,
                 p.comm);
  lambda.resize(static_cast<Eigen::Index>(all.size()));
  for (std::size_t k = 0; k < all.size(); ++k)
    lambda[static_cast<Eigen::Index>(k)] = all[static_cast<std::size_t>(p.constraint[k])];
}

template <class Here>
void Distributed<Here>::velocity(const Vector& p, Vector& v) const {
  if (inverse_mass_.get()) return check(VecPointwiseMult(v.get(), inverse_mass_.get(), p.get()));
  if (!full_mass_ || dot(p, p) == 0) {  // a start from rest without a load needs no factor
    v = p;
    return;
  }
  FullMass& mass = *full_mass_;
  if (!mass.factored && !mass.solver.factor(mass.M)) throw Error("the mass matrix is singular");
  mass.factored = true;
  mass.solver.solve(p, v);
}

template <class Here>
template <class Ask>
void Distributed<Here>::forces(const Vector& q, const Vector& v, Vector& F, Ask&& ask) {
  take(q, q_);
  take(v, v_);
  f_.resize(q_.size());
  ask();
  send_home(f_, F);
}

template <class Here>
void Distributed<Here>::applied(double t, const Vector& q, const Vector& v, Vector& F) {
  forces(q, v, F, [&] { here_.applied(t, q_, v_, f_); });
}

template <class Here>
void Distributed<Here>::applied_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& F, Matrix& K) {
  forces(q, v, F, [&] { here_.applied_tangent(t, q_, v_, wq, wv, f_, K.local); });
}

template <class Here>
void Distributed<Here>::external(double t, const Vector& q, const Vector& v, Vector& F) {
  forces(q, v, F, [&] { here_.external(t, q_, v_, f_); });
}

template <class Here>
void Distributed<Here>::external_tangent(double t, const Vector& q, const Vector& v, double wq, double wv, Vector& F, Matrix& K) {
  forces(q, v, F, [&] { here_.external_tangent(t, q_, v_, wq, wv, f_, K.local); });
}

template <class Here>
double Distributed<Here>::dissipation(double t, const Vector& q, const Vector& v) {
  take(q, q_);
  take(v, v_);
  return sum(here_.dissipation(t, q_, v_));
}

template <class Here>
void Distributed<Here>::dissipation_tangent(double t, const Vector& q, const Vector& v, system::Weights w, Vector& phi_q,
                                            Vector& phi_v, Matrix& K) {
  take(q, q_);
  take(v, v_);
  f_.resize(q_.size());
  p_.resize(q_.size());
  here_.dissipation_tangent(t, q_, v_, w, f_, p_, K.local);
  send_home(f_, phi_q);
  send_home(p_, phi_v);
}

template <class Here>
void Distributed<Here>::begin_step(double t, const Vector& q0) requires has_discrete_gradient {
  take(q0, q_);
  here_.begin_step(t, q_);
}

template <class Here>
void Distributed<Here>::discrete_force(const Vector& q1, Vector& f) requires has_discrete_gradient {
  take(q1, q_);
  f_.resize(q_.size());
  here_.discrete_force(q_, f_);
  send_home(f_, f);
}

template <class Here>
void Distributed<Here>::discrete_stiffness(const Vector& q1, double wM, double wV, Vector& f,
                                           Matrix& K) requires has_discrete_gradient {
  take(q1, q_);
  f_.resize(q_.size());
  here_.discrete_stiffness(q_, wM, wV, f_, K.local);
  send_home(f_, f);
}

template <class Here>
void Distributed<Here>::discrete_roundoff(Vector& f) const requires has_discrete_gradient {
  here_.discrete_roundoff(f_);
  send_home(f_, f);
}

template class Distributed<system::Assembled<algebra::SparseSpace>>;
template class Distributed<system::DiscreteGradientModel<algebra::SparseSpace>>;

}  // namespace actio::petsc
