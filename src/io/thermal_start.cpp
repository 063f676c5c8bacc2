#include "thermal_start.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseQR>

#include <actio/core/random.hpp>
#include <actio/invariant/constraints.hpp>
#include <actio/invariant/momentum.hpp>

namespace actio::io {
namespace {

using Eigen::VectorXd;
using Matrix = Eigen::SparseMatrix<double>;
using Factor = Eigen::SimplicialLLT<Matrix>;

constexpr std::uint32_t velocity_stream = 2;  // of the draws; those of position and velocity are 0 and 1

// The coordinates that are not fixed.
class Free {
 public:
  explicit Free(const system::Model& model) : place_(static_cast<std::size_t>(model.size()), 0) {
    for (const std::int32_t i : model.fixed_dofs) place_[static_cast<std::size_t>(i)] = -1;
    for (std::size_t i = 0; i < place_.size(); ++i) {
      if (place_[i] < 0) continue;
      place_[i] = size();
      coordinates_.push_back(static_cast<long>(i));
    }
  }
  long size() const { return static_cast<long>(coordinates_.size()); }
  long operator[](long k) const { return coordinates_[static_cast<std::size_t>(k)]; }
  // A matrix of all coordinates, its columns or both.
  template <class M>
  Matrix restricted(const M& given, bool rows) const {
    std::vector<Eigen::Triplet<double>> entries;
    for (long k = 0; k < given.outerSize(); ++k)
      for (typename M::InnerIterator it(given, k); it; ++it) {
        const long i = rows ? place_[static_cast<std::size_t>(it.row())] : it.row(),
                   j = place_[static_cast<std::size_t>(it.col())];
        if (i >= 0 && j >= 0) entries.emplace_back(i, j, it.value());
      }
    Matrix out(rows ? size() : given.rows(), size());
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
  }

 private:
  std::vector<long> place_, coordinates_;
};

Matrix mass_of(const system::Model& model, const Free& free) {
  if (model.mass.kind == system::MassMatrix::Kind::full) return free.restricted(model.mass.full, true);
  return free.restricted(Matrix(model.mass.diagonal.asDiagonal()), true);
}

// v along the constraints: G v + g_t = 0 in the metric of the mass. Those that follow from others do no harm: S is
// raised by a part of 1e-12 of its diagonal, and what is left over taken again.
void make_tangent(const Matrix& G, const VectorXd& g_t, const Factor& mass, VectorXd& v) {
  const Matrix columns = mass.solve(Matrix(G.transpose()));  // M^-1 G'
  Matrix S = G * columns;
  VectorXd more = VectorXd(S.diagonal()) * 1e-12;
  for (long k = 0; k < more.size(); ++k)
    if (!(more[k] > 0)) more[k] = 1;  // a constraint of nothing that moves
  S += Matrix(more.asDiagonal());
  const Factor factor(S);
  for (int pass = 0; pass < 4; ++pass) v -= columns * factor.solve(VectorXd(G * v + g_t));
}

// Of the rows of G, the number that are independent.
long rank_of(const Matrix& G) {
  Eigen::SparseQR<Matrix, Eigen::COLAMDOrdering<int>> qr;
  Matrix transposed = G.transpose();
  transposed.makeCompressed();
  qr.compute(transposed);
  return qr.rank();
}

}  // namespace

void draw_velocities(const Section& root, const Quantities& quantities, double t, Problem& problem) {
  const Value* initial = root.find("initial");
  const Value* given = initial ? initial->find("temperature") : nullptr;
  if (!given) return;
  const Document& document = root.document();
  const std::string path = "initial.temperature";
  const system::Model& model = problem.model;
  const double kT = quantities.read(*given, path, of_energy);
  if (kT < 0) document.fail(given->place, fmt::format("{} is {:g}; a temperature is not negative", path, kT));
  const auto refuse = [&](const std::string& why, const char* hint) {
    document.fail(given->place, fmt::format("{}: {}", path, why), hint);
  };
  if (initial->find("velocity")) refuse("velocities are given too", "give initial.velocity or initial.temperature");
  if (root.find("ensemble"))
    refuse("the members of an ensemble would all start with the same velocities", "draw them by normal() in initial.velocity");
  if (!model.bodies.empty() || !model.solids.empty())
    refuse("velocities are drawn for coordinates alone, not for bodies and solids", "give initial.bodies or initial.solid");
  if (model.mass.kind == system::MassMatrix::Kind::none)
    refuse("velocities are drawn with a constant mass, and the kinetic energy is in the lagrangian", "give initial.velocity");

  const Free free(model);
  const Matrix M = mass_of(model, free);
  const Factor mass(M);
  if (mass.info() != Eigen::Success) refuse("the mass is not positive definite", "give initial.velocity");
  long seed = 0;
  if (const Value* number = initial->find("seed")) seed = number->integer;
  VectorXd xi(free.size());
  for (long k = 0; k < free.size(); ++k)
    xi[k] = core::draw(static_cast<std::uint64_t>(seed), velocity_stream, static_cast<std::uint64_t>(free[k])).normal;
  VectorXd v = std::sqrt(kT) * (mass.permutationPinv() * VectorXd(mass.matrixU().solve(xi)));

  ThermalStart drawn{kT, free.size(), 0, 0};
  const VectorXd q = problem.q0;
  expr::CompileOptions interpreted;
  interpreted.compiler = "none";
  Matrix G;
  if (!model.constraints.empty()) {
    invariant::ConstraintMap constraints(model, interpreted);
    VectorXd g, g_t, slope;
    constraints(t, q, VectorXd::Zero(q.size()), g, g_t, slope);
    G = free.restricted(constraints.jacobian(t, q), false);
    if (kT > 0 || constraints.moving()) make_tangent(G, g_t, mass, v);
    drawn.constraints = model.least_squares ? rank_of(G) : constraints.size();
  }

  // Translations: the momentum along each, of what is left by those before.
  invariant::MomentumMap momentum(model, interpreted);
  const VectorXd aside = q + VectorXd::Constant(q.size(), 1 + q.cwiseAbs().maxCoeff());
  std::vector<VectorXd> removed;  // orthonormal in the metric of the mass
  for (std::size_t k = 0; k < momentum.size(); ++k) {
    VectorXd here, there;
    momentum.field(k, t, q, here);
    momentum.field(k, t, aside, there);
    if (here != there || momentum.leaves_constraints(k, t, q) > 1e-9) continue;
    VectorXd x(free.size());
    for (long i = 0; i < free.size(); ++i) x[i] = here[free[i]];
    const double size = x.dot(M * x);
    for (const VectorXd& other : removed) x -= other.dot(M * x) * other;
    const double left = x.dot(M * x);
    if (!(left > 1e-12 * size)) continue;
    x /= std::sqrt(left);
    v -= x.dot(M * v) * x;
    removed.push_back(std::move(x));
  }
  drawn.momenta = static_cast<long>(removed.size());
  for (long k = 0; k < free.size(); ++k) problem.v0[free[k]] = v[k];
  problem.drawn = drawn;
}

}  // namespace actio::io
