#include <fmt/format.h>

#include <actio/algebra/sparse.hpp>
#include <actio/core/error.hpp>
#include <actio/method/frequencies.hpp>
#include <actio/solve/extreme_eigenvalues.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/motion.hpp>
#include <algorithm>
#include <cmath>

namespace actio::method {
namespace {

using algebra::SparseMatrix;

std::string why_not(const system::Model& model) {
  if (!model.equations.empty()) return "equations in place of a Lagrangian";
  if (!model.bodies.empty()) return "rigid bodies";
  if (!model.constraints.empty()) return "constraints";
  if (model.mass.kind == system::MassMatrix::Kind::none ||
      std::any_of(model.terms.begin(), model.terms.end(), [](const auto& term) { return term.velocities; }))
    return "a Lagrangian that is not 1/2 v'Mv - V(q)";
  const long free = model.size() - static_cast<long>(model.fixed.size());
  if (free == 0) return "nothing moves";
  if (free > most_coordinates) return fmt::format("more than {} coordinates", most_coordinates);
  return "";
}

// The rows and columns of coordinates that move. Of matrices of one pattern, of one pattern.
SparseMatrix moving(const SparseMatrix& A, const std::vector<std::int32_t>& fixed) {
  std::vector<int> at(static_cast<std::size_t>(A.rows()), 0);
  for (const std::int32_t i : fixed) at[static_cast<std::size_t>(i)] = -1;
  int count = 0;
  for (int& i : at)
    if (i == 0) i = count++;
  SparseMatrix out(count, count);
  out.reserve(A.nonZeros());
  for (Eigen::Index j = 0; j < A.outerSize(); ++j) {
    const int column = at[static_cast<std::size_t>(j)];
    if (column < 0) continue;
    out.startVec(column);
    for (SparseMatrix::InnerIterator it(A, j); it; ++it)
      if (const int row = at[static_cast<std::size_t>(it.row())]; row >= 0) out.insertBack(row, column) = it.value();
  }
  out.finalize();
  return out;
}

}  // namespace

Frequencies frequencies(const system::Model& model, double t, const Eigen::VectorXd& q, const expr::CompileOptions& options) {
  if (!model.constraints.empty() && system::why_not_driven(model).empty())
    return frequencies(system::with_driven_fixed(model), t, q, options);
  Frequencies out;
  out.why_not = why_not(model);
  if (!out.measured()) return out;
  const auto compiled = system::compile(model, options, false);
  using Space = algebra::SparseSpace;
  system::Assembled<Space> system(compiled, system::layout<Space>(*compiled, system::Entries::potential));
  Eigen::VectorXd f = system.space().vector();
  SparseMatrix A = system.space().matrix();
  if (A.nonZeros() > most_entries) {
    out.why_not = fmt::format("matrices of more than {} entries", most_entries);
    return out;
  }
  system.stiffness(t, q, 1, 0, f, A);
  const SparseMatrix M = moving(A, model.fixed);
  system.stiffness(t, q, 0, 1, f, A);
  const SparseMatrix K = moving(A, model.fixed);
  solve::ExtremeEigenvalues lambda;
  try {
    lambda = solve::extreme_eigenvalues(K, M);
  } catch (const core::InputError&) {
    out.why_not = "matrices too large to factor";
    return out;
  }
  out.highest = lambda.highest > 0 ? std::sqrt(lambda.highest) : Frequencies::unknown;
  out.lowest = std::sqrt(lambda.lowest_positive);
  out.growth = std::sqrt(std::abs(lambda.lowest));
  out.rigid = lambda.zeros;
  out.unstable = lambda.negatives;
  out.at_least = lambda.at_least;
  return out;
}

}  // namespace actio::method
