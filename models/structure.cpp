#include "structure.hpp"

#include <algorithm>

namespace models {

Eigen::VectorXd Structure::rigid(const std::array<double, 3>& a, const std::array<double, 3>& b) const {
  Eigen::VectorXd u = Eigen::VectorXd::Zero(size());
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const auto& r = nodes[node];
    const double motion[6] = {
        a[0] + b[1] * r[2] - b[2] * r[1], a[1] + b[2] * r[0] - b[0] * r[2], a[2] + b[0] * r[1] - b[1] * r[0], b[0], b[1], b[2]};
    for (int k = 0; k < per_node; ++k)
      if (const auto i = coordinate[node * static_cast<std::size_t>(per_node) + static_cast<std::size_t>(k)]; i >= 0)
        u[i] = motion[k];
  }
  return u;
}

Assembly::Assembly(long n, int locals, std::vector<std::int32_t> dofs) : locals_(locals), dofs_(std::move(dofs)), pattern_(n, n) {
  // the elements of each coordinate, then for each column the coordinates of its elements
  std::vector<std::vector<std::int32_t>> elements(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < dofs_.size(); ++k)
    if (dofs_[k] >= 0) elements[dofs_[k]].push_back(static_cast<std::int32_t>(k) / locals_);
  std::vector<int> rows, column;
  std::vector<int> starts{0};
  for (const auto& mine : elements) {
    column.clear();
    for (const std::int32_t e : mine)
      for (int l = 0; l < locals_; ++l)
        if (const auto i = dofs_[static_cast<std::size_t>(e * locals_ + l)]; i >= 0) column.push_back(i);
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    rows.insert(rows.end(), column.begin(), column.end());
    starts.push_back(static_cast<int>(rows.size()));
  }
  pattern_.resizeNonZeros(static_cast<Eigen::Index>(rows.size()));
  std::copy(starts.begin(), starts.end(), pattern_.outerIndexPtr());
  std::copy(rows.begin(), rows.end(), pattern_.innerIndexPtr());
  pattern_.coeffs().setZero();
}

Eigen::SparseMatrix<double> Assembly::sum(const std::function<const Eigen::MatrixXd&(long)>& matrix) const {
  Eigen::SparseMatrix<double> A = pattern_;
  const int* starts = A.outerIndexPtr();
  const int* rows = A.innerIndexPtr();
  double* values = A.valuePtr();
  const long elements = static_cast<long>(dofs_.size()) / locals_;
  for (long e = 0; e < elements; ++e) {
    const std::int32_t* dof = dofs_.data() + e * locals_;
    const Eigen::MatrixXd& K = matrix(e);
    for (int c = 0; c < locals_; ++c) {
      if (dof[c] < 0) continue;
      for (int r = 0; r < locals_; ++r)
        if (dof[r] >= 0) values[std::lower_bound(rows + starts[dof[c]], rows + starts[dof[c] + 1], dof[r]) - rows] += K(r, c);
    }
  }
  return A;
}

long number_coordinates(Structure& s, Supports supports, const std::function<bool(long)>& is_fixed) {
  std::int32_t next = 0;
  s.coordinate.clear();
  s.fixed.clear();
  for (long node = 0; node < static_cast<long>(s.nodes.size()); ++node)
    for (int k = 0; k < s.per_node; ++k) {
      const bool fixed = is_fixed(node);
      if (fixed && supports == Supports::listed) s.fixed.push_back(next);
      s.coordinate.push_back(fixed && supports == Supports::left_out ? -1 : next++);
    }
  return next;
}

}  // namespace models
