#pragma once
#include <string>
#include <vector>

#include <Eigen/Core>

#include "values.hpp"

// Vectors and orientations that a file gives for each body of a family, as numbers or expressions of its index i.
namespace actio::io {

struct EachBody {
  const SymbolTable& symbols;
  std::string name;
  bool indexed = false;
  long count = 1;
  Indices indices{};
  Draws draws{};

  // `size` numbers a body. `stream` keeps the draws of different numbers apart.
  std::vector<Eigen::VectorXd> lists(const Value& value, const std::string& path, long size, std::uint32_t stream) const;
  std::vector<Eigen::Vector3d> three(const Value& value, const std::string& path, std::uint32_t stream) const;
  // A matrix, a quaternion (w, x, y, z), or { axis, angle } with the angle in radians. Columns are the body's axes in space.
  std::vector<Eigen::Matrix3d> orientations(const Value& value, const std::string& path, std::uint32_t stream) const;

 private:
  std::vector<double> numbers(const Value& value, const std::string& path, std::uint32_t stream) const;
  std::vector<Eigen::Matrix3d> turned(const Value& value, const std::string& path, std::uint32_t stream) const;
  std::vector<Eigen::Matrix3d> from_quaternions(const Value& value, const std::string& path, std::uint32_t stream) const;
  std::vector<Eigen::Matrix3d> from_matrices(const Value& value, const std::string& path, std::uint32_t stream) const;
  std::string of(std::size_t k) const;  // " of link[3]"
};

}  // namespace actio::io
