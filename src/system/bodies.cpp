#include <actio/system/bodies.hpp>

#include <algorithm>
#include <array>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

namespace actio::system {
namespace {

constexpr std::array<std::array<int, 2>, 3> diagonal_entries{{{0, 0}, {1, 1}, {2, 2}}}, other_entries{{{0, 1}, {0, 2}, {1, 2}}};

// (R'R)_ij - delta_ij = sum_k R_ki R_kj - delta_ij for three pairs (i, j) of every body, times sqrt 2 where i != j.
Constraint entries(const std::vector<Body>& bodies, const std::array<std::array<int, 2>, 3>& pairs) {
  const bool diagonal = pairs[0][0] == pairs[0][1];
  Constraint out;
  out.name = diagonal ? "lengths of body axes" : "angles of body axes";
  out.of_rotations = true;
  out.locals = diagonal ? 3 : 6;
  out.elements = 3 * static_cast<long>(bodies.size());
  out.dofs.reserve(static_cast<std::size_t>(out.locals * out.elements));
  for (long l = 0; l < out.locals; ++l)
    for (const Body& body : bodies)
      for (const auto& pair : pairs) {
        const long row = l % 3, column = pair[l < 3 ? 0 : 1];
        out.dofs.push_back(static_cast<std::int32_t>(body.rotation + 3 * row + column));
      }
  expr::Graph& g = out.graph;
  out.value = g.constant(diagonal ? -1 : 0);
  for (int k = 0; k < 3; ++k) out.value = g.add(out.value, g.mul(g.column(k), g.column(diagonal ? k : 3 + k)));
  if (!diagonal) out.value = g.mul(g.constant(std::numbers::sqrt2), out.value);
  return out;
}

bool is_diagonal(const Eigen::Matrix3d& A) { return A(0, 1) == 0 && A(0, 2) == 0 && A(1, 2) == 0; }

}  // namespace

std::string_view body_entry(long k) {
  constexpr std::array<std::string_view, 12> names{"R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33", "x", "y", "z"};
  return names[static_cast<std::size_t>(k)];
}

Eigen::Matrix3d ambient_inertia(const Eigen::Matrix3d& inertia) {
  return 0.5 * inertia.trace() * Eigen::Matrix3d::Identity() - inertia;
}

Eigen::Vector3d principal_inertias(const Eigen::Matrix3d& inertia) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
}

std::string no_ambient_mass(const Model& model) {
  for (const Body& body : model.bodies) {
    const Eigen::Vector3d I = principal_inertias(body.inertia);
    if (I[0] + I[1] - I[2] > 1e-12 * I[2]) continue;  // twice the smallest eigenvalue of J
    return fmt::format(
        "the principal inertias of {} are {:.6g}, {:.6g} and {:.6g}, the largest {}the sum of the others: the entries of its "
        "rotation have no positive definite mass matrix",
        body.name, I[0], I[1], I[2], I[0] + I[1] - I[2] < -1e-12 * I[2] ? "more than " : "");
  }
  return "";
}

void add_mass_of_bodies(Model& model) {
  const long n = model.size();
  if (model.bodies.empty()) return;
  MassMatrix& mass = model.mass;
  const bool diagonal = mass.kind != MassMatrix::Kind::full &&
                        std::ranges::all_of(model.bodies, [](const Body& body) { return is_diagonal(body.inertia); });
  if (diagonal) {
    Eigen::VectorXd D = Eigen::VectorXd::Zero(n);
    D.head(mass.diagonal.size()) = mass.diagonal;
    for (const Body& body : model.bodies) {
      const Eigen::Vector3d J = ambient_inertia(body.inertia).diagonal();
      for (long row = 0; row < 3; ++row) D.segment<3>(body.rotation + 3 * row) = J;
      if (body.position >= 0) D.segment<3>(body.position).setConstant(body.mass);
    }
    mass = {MassMatrix::Kind::diagonal, std::move(D), {}, {}};
    return;
  }
  std::vector<Eigen::Triplet<double>> entries;
  const auto put = [&](long i, long j, double x) { entries.emplace_back(static_cast<int>(i), static_cast<int>(j), x); };
  for (long i = 0; i < mass.diagonal.size(); ++i) put(i, i, mass.diagonal[i]);
  for (long j = 0; j < mass.full.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(mass.full, j); it; ++it) put(it.row(), j, it.value());
  for (const Body& body : model.bodies) {
    const Eigen::Matrix3d J = ambient_inertia(body.inertia);
    for (long row = 0; row < 3; ++row)
      for (long i = 0; i < 3; ++i)
        for (long j = 0; j < 3; ++j)
          if (i == j || J(i, j) != 0) put(body.rotation + 3 * row + i, body.rotation + 3 * row + j, J(i, j));
    for (long i = 0; i < 3 && body.position >= 0; ++i) put(body.position + i, body.position + i, body.mass);
  }
  MassMatrix all;
  all.kind = MassMatrix::Kind::full;
  all.full.resize(n, n);
  all.full.setFromTriplets(entries.begin(), entries.end());
  mass = std::move(all);
}

void add_rotation_constraints(Model& model) {
  if (model.bodies.empty()) return;
  model.constraints.push_back(entries(model.bodies, diagonal_entries));
  model.constraints.push_back(entries(model.bodies, other_entries));
}

Eigen::Matrix3d rotation_of(const Body& body, const Eigen::VectorXd& x) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(x.data() + body.rotation);
}

}  // namespace actio::system
