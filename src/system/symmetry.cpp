#include <actio/core/error.hpp>
#include <actio/system/symmetry.hpp>

#include <fmt/format.h>

namespace actio::system {

Symmetry affine_symmetry(const std::string& name, std::int64_t n, std::span<const std::int32_t> rows,
                         std::span<const std::int32_t> columns, std::span<const double> values, std::span<const double> b) {
  Symmetry symmetry{name, {}};
  if (rows.size() != columns.size() || rows.size() != values.size() || (!b.empty() && static_cast<std::int64_t>(b.size()) != n))
    throw core::InputError(fmt::format("the symmetry {} has {} rows, {} columns and {} values, and {} of {} shifts", name,
                                       rows.size(), columns.size(), values.size(), b.size(), n));
  if (!rows.empty()) {
    GeneratorBlock& linear = symmetry.blocks.emplace_back();
    linear.value = linear.graph.mul(linear.graph.column(1), linear.graph.column(0));
    linear.locals = 1;
    linear.elements = static_cast<long>(rows.size());
    linear.rows.assign(rows.begin(), rows.end());
    linear.dofs.assign(columns.begin(), columns.end());
    linear.data = {{values.begin(), values.end()}};
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (rows[k] < 0 || rows[k] >= n || columns[k] < 0 || columns[k] >= n)
        throw core::InputError(
            fmt::format("the symmetry {} has an entry at ({}, {}), outside {} x {}", name, rows[k], columns[k], n, n));
  }
  GeneratorBlock shift;
  shift.value = shift.graph.column(0);
  shift.data.resize(1);
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (b[i] == 0) continue;
    shift.rows.push_back(static_cast<std::int32_t>(i));
    shift.data[0].push_back(b[i]);
  }
  shift.elements = static_cast<long>(shift.rows.size());
  if (shift.elements > 0) symmetry.blocks.push_back(std::move(shift));
  if (symmetry.blocks.empty()) throw core::InputError(fmt::format("the symmetry {} moves nothing", name));
  return symmetry;
}

Symmetry affine_symmetry(const std::string& name, const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  std::vector<std::int32_t> rows, columns;
  std::vector<double> values;
  if (A.rows() != A.cols() || (b.size() > 0 && b.size() != A.rows()))
    throw core::InputError(
        fmt::format("the symmetry {} takes A (n x n) and b (n); they are {} x {} and {}", name, A.rows(), A.cols(), b.size()));
  for (int i = 0; i < static_cast<int>(A.rows()); ++i)
    for (int j = 0; j < static_cast<int>(A.cols()); ++j) {
      if (A(i, j) == 0) continue;
      rows.push_back(i);
      columns.push_back(j);
      values.push_back(A(i, j));
    }
  return affine_symmetry(name, A.rows(), rows, columns, values, {b.data(), static_cast<std::size_t>(b.size())});
}

}  // namespace actio::system
