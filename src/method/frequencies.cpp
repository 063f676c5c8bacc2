#include <fmt/format.h>

#include <actio/algebra/sparse.hpp>
#include <actio/core/error.hpp>
#include <actio/method/frequencies.hpp>
#include <actio/solve/extreme_eigenvalues.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/motion.hpp>
#include <algorithm>
#include <cmath>

namespace actio::method {
namespace {

using algebra::SparseMatrix;

std::string why_not(const system::Model& model) {
  if (!model.equations.empty()) return "the system has equations in place of a Lagrangian";
  if (!model.bodies.empty()) return "the system has rigid bodies";
  if (!model.constraints.empty()) return "the system has constraints";
  if (model.mass.kind == system::MassMatrix::Kind::none || lagrangian_needs_velocity(model))
    return "the Lagrangian is not 1/2 v'Mv - V(q)";
  if (model.callbacks && model.callbacks->without_tangent())
    return fmt::format("{} no second derivatives",
                       model.callbacks->built_in() ? model.callbacks->name + " gives" : "the callbacks give");
  const long free = model.size() - static_cast<long>(model.fixed_dofs.size());
  if (free == 0) return "every coordinate is fixed";
  if (free > most_coordinates) return fmt::format("the system has more than {} coordinates", most_coordinates);
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

// Of the second derivatives, those of all elements together.
double entries_of_hessians(const system::Model& model) {
  double sum = static_cast<double>(model.stiffness.nonZeros());
  for (const system::Term& term : model.terms) {
    const double of_point = term.interpolation ? 81.0 * static_cast<double>(term.interpolation->points) : 1;
    const double locals = static_cast<double>(term.locals);
    sum += static_cast<double>(term.elements) * (term.interpolation ? of_point : locals * (locals + 1) / 2);
  }
  return sum;
}

// An entry takes some 400 ns, interpreted, put into a matrix and multiplied; an explicit step 5 ns a coordinate. So this is a
// tenth of the steps, or a tenth of a second.
double most_interpreted(long steps, double coordinates) {
  constexpr double at_once = 3e5, of_a_step = 0.1 * 5 / 400;
  return std::max(at_once, of_a_step * static_cast<double>(steps) * coordinates);
}

}  // namespace

Frequencies frequencies(const system::Model& model, double t, const Eigen::VectorXd& q, const expr::CompileOptions& options) {
  if (!model.constraints.empty() && system::why_not_prescribed(model).empty())
    return frequencies(system::with_prescribed_fixed(model), t, q, options);
  Frequencies out;
  out.why_not = why_not(model);
  if (!out.measured()) return out;
  const auto compiled = system::compile(model, options, false);
  using Space = algebra::SparseSpace;
  system::Assembled<Space> system(compiled, system::layout<Space>(*compiled, system::Entries::potential));
  Eigen::VectorXd f = system.space().vector();
  SparseMatrix A = system.space().matrix();
  if (A.nonZeros() > most_entries) {
    out.why_not = fmt::format("the matrices have more than {} entries", most_entries);
    return out;
  }
  system.stiffness(t, q, 1, 0, f, A);
  const SparseMatrix M = moving(A, model.fixed_dofs);
  system.stiffness(t, q, 0, 1, f, A);
  const SparseMatrix K = moving(A, model.fixed_dofs);
  solve::ExtremeEigenvalues lambda;
  try {
    lambda = solve::extreme_eigenvalues(K, M);
  } catch (const core::InputError&) {
    out.why_not = "the matrices are too large to factor";
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

double highest_frequency(const system::Model& given, double t, const Eigen::VectorXd& q, long steps) {
  const bool prescribed = !given.constraints.empty() && system::why_not_prescribed(given).empty();
  const system::Model model = prescribed ? system::with_prescribed_fixed(given) : given;
  if (!why_not(model).empty() || entries_of_hessians(model) > most_interpreted(steps, static_cast<double>(model.size())))
    return Frequencies::unknown;
  const auto compiled = system::compile(model, {"none", {}}, false);
  using Space = algebra::SparseSpace;
  system::Assembled<Space> system(compiled, system::layout<Space>(*compiled, system::Entries::potential));
  Eigen::VectorXd f = system.space().vector();
  SparseMatrix A = system.space().matrix();
  system.stiffness(t, q, 1, 0, f, A);
  const SparseMatrix M = moving(A, model.fixed_dofs);
  system.stiffness(t, q, 0, 1, f, A);
  const SparseMatrix K = moving(A, model.fixed_dofs);
  const double lambda = solve::highest_eigenvalue(K, M);
  return lambda > 0 ? std::sqrt(lambda) : lambda == 0 ? 0 : Frequencies::unknown;
}

}  // namespace actio::method
