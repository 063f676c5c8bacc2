#include <fmt/format.h>

#include <actio/method/linearisation.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/motion.hpp>

namespace actio::method {
namespace {

using algebra::SparseMatrix;

std::string why_not_linear(const system::Model& model, long most_coordinates) {
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

std::vector<std::int32_t> moving_coordinates(long n, const std::vector<std::int32_t>& fixed) {
  std::vector<std::int32_t> out;
  auto next = fixed.begin();
  for (std::int32_t i = 0; i < n; ++i)
    if (next != fixed.end() && *next == i)
      ++next;
    else
      out.push_back(i);
  return out;
}

// The rows and columns of coordinates that move. Of matrices of one pattern, of one pattern.
SparseMatrix part_that_moves(const SparseMatrix& A, const std::vector<std::int32_t>& moving) {
  std::vector<int> at(static_cast<std::size_t>(A.rows()), -1);
  int count = 0;
  for (const std::int32_t i : moving) at[static_cast<std::size_t>(i)] = count++;
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

Linearisation linearise(const system::Model& model, double t, const Eigen::VectorXd& q, const expr::CompileOptions& options,
                        long most_coordinates, long most_entries) {
  if (!model.constraints.empty() && system::why_not_prescribed(model).empty())
    return linearise(system::with_prescribed_fixed(model), t, q, options, most_coordinates, most_entries);
  Linearisation out;
  out.why_not = why_not_linear(model, most_coordinates);
  if (!out.done()) return out;
  const auto compiled = system::compile(model, options, false);
  using Space = algebra::SparseSpace;
  system::Assembled<Space> system(compiled, system::layout<Space>(*compiled, system::Entries::potential));
  Eigen::VectorXd f = system.space().vector();
  SparseMatrix A = system.space().matrix();
  if (A.nonZeros() > most_entries) {
    out.why_not = fmt::format("the matrices have more than {} entries", most_entries);
    return out;
  }
  out.moving = moving_coordinates(model.size(), model.fixed_dofs);
  system.stiffness(t, q, 1, 0, f, A);
  out.M = part_that_moves(A, out.moving);
  system.stiffness(t, q, 0, 1, f, A);
  out.K = part_that_moves(A, out.moving);
  return out;
}

}  // namespace actio::method
