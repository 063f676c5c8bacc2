#pragma once
#include <cstdint>
#include <span>
#include <string>

#include <Eigen/Core>

#include <actio/system/model.hpp>

namespace actio::system {

// The symmetry of n coordinates that moves q along A q + b: A by its entries (rows[k], columns[k], values[k]), b (n) or empty.
// Throws core::InputError where an entry is outside n x n, and where nothing moves.
Symmetry affine_symmetry(const std::string& name, std::int64_t n, std::span<const std::int32_t> rows,
                         std::span<const std::int32_t> columns, std::span<const double> values, std::span<const double> b);
// The same of a full matrix (n x n):
//   affine_symmetry("rotation", Eigen::Matrix2d{{0, -1}, {1, 0}})
Symmetry affine_symmetry(const std::string& name, const Eigen::MatrixXd& A, const Eigen::VectorXd& b = {});

}  // namespace actio::system
