#include "orientation.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>

namespace actio::io {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;

// A matrix this far from a rotation is taken as one that was written with few digits.
constexpr double rotation_tolerance = 1e-6;

}  // namespace

std::string EachBody::of(std::size_t k) const {
  if (name.empty()) return "";
  return fmt::format(" of {}{}", name, indexed ? fmt::format("[{}]", indices.first + static_cast<long>(k) * indices.step) : "");
}

std::vector<double> EachBody::numbers(const Value& value, const std::string& path, std::uint32_t stream) const {
  if (value.kind == Kind::array) wrong_type(symbols.document(), value, path, "a number or an expression of i");
  Draws own = draws;
  own.stream += stream;
  return per_index(symbols, value, path, count, "", own, indices);
}

std::vector<VectorXd> EachBody::lists(const Value& value, const std::string& path, long size, std::uint32_t stream) const {
  need_kind(symbols.document(), value, path, Kind::array);
  const auto given = static_cast<long>(value.items.size());
  if (given != size)
    symbols.document().fail(value.place,
                            fmt::format("{} has {} {}, not {}", path, given, plural(given, "entry", "entries"), size));
  std::vector<VectorXd> out(static_cast<std::size_t>(count), VectorXd(size));
  for (long j = 0; j < size; ++j) {
    const auto x =
        numbers(value.items[static_cast<std::size_t>(j)], fmt::format("{}[{}]", path, j), stream + static_cast<std::uint32_t>(j));
    for (std::size_t k = 0; k < out.size(); ++k) out[k][j] = x[k];
  }
  return out;
}

std::vector<Vector3d> EachBody::three(const Value& value, const std::string& path, std::uint32_t stream) const {
  const auto given = lists(value, path, 3, stream);
  return {given.begin(), given.end()};
}

std::vector<Matrix3d> EachBody::orientations(const Value& value, const std::string& path, std::uint32_t stream) const {
  if (value.kind == Kind::table) return turned(value, path, stream);
  if (value.kind != Kind::array)
    wrong_type(symbols.document(), value, path, "a matrix, a quaternion, or { axis = [0, 0, 1], angle = 0.1 }");
  if (value.items.size() == 4) return from_quaternions(value, path, stream);
  if (value.items.size() != 3 || value.items[0].kind != Kind::array)
    symbols.document().fail(value.place,
                            fmt::format("{} is neither three rows of three, nor the four entries of a quaternion", path),
                            "or write { axis = [0, 0, 1], angle = 0.1 }");
  return from_matrices(value, path, stream);
}

std::vector<Matrix3d> EachBody::turned(const Value& value, const std::string& path, std::uint32_t stream) const {
  const Section section(symbols.document(), value, path, keys_of_table("orientation"));
  const Value &given = section.need("axis"), &by = section.need("angle");
  const std::vector<Vector3d> axis = three(given, section.path("axis"), stream);
  const std::vector<double> angle = numbers(by, section.path("angle"), stream + 3);
  std::vector<Matrix3d> out;
  for (std::size_t k = 0; k < axis.size(); ++k) {
    if (!(axis[k].norm() > 0))
      symbols.document().fail(given.place, fmt::format("{}{} is zero: it has no direction", section.path("axis"), of(k)));
    out.emplace_back(Eigen::AngleAxisd(angle[k], axis[k].normalized()).toRotationMatrix());
  }
  return out;
}

std::vector<Matrix3d> EachBody::from_quaternions(const Value& value, const std::string& path, std::uint32_t stream) const {
  std::vector<Matrix3d> out;
  const auto Q = lists(value, path, 4, stream);
  for (std::size_t k = 0; k < Q.size(); ++k) {
    if (!(Q[k].norm() > 0)) symbols.document().fail(value.place, fmt::format("{}{} is zero: it gives no rotation", path, of(k)));
    out.emplace_back(Eigen::Quaterniond(Q[k][0], Q[k][1], Q[k][2], Q[k][3]).normalized().toRotationMatrix());
  }
  return out;
}

// The rotation next to what was written, if that is next to one.
std::vector<Matrix3d> EachBody::from_matrices(const Value& value, const std::string& path, std::uint32_t stream) const {
  std::vector<Matrix3d> out(static_cast<std::size_t>(count));
  for (long i = 0; i < 3; ++i) {
    const auto row = three(value.items[static_cast<std::size_t>(i)], fmt::format("{}[{}]", path, i),
                           stream + 3 * static_cast<std::uint32_t>(i));
    for (std::size_t k = 0; k < out.size(); ++k) out[k].row(i) = row[k];
  }
  for (std::size_t k = 0; k < out.size(); ++k) {
    Matrix3d& R = out[k];
    const double off = (R.transpose() * R - Matrix3d::Identity()).cwiseAbs().maxCoeff();
    if (!(off <= rotation_tolerance))
      symbols.document().fail(value.place, fmt::format("{}{} is not a rotation: |R'R - 1| is {:.2e}", path, of(k), off),
                              "its columns are the axes of the body in space: orthogonal, of length 1");
    if (R.determinant() < 0)
      symbols.document().fail(value.place, fmt::format("{}{} is a reflection: its determinant is -1", path, of(k)));
    const Eigen::JacobiSVD<Matrix3d> svd(R, Eigen::ComputeFullU | Eigen::ComputeFullV);
    R = svd.matrixU() * svd.matrixV().transpose();
  }
  return out;
}

}  // namespace actio::io
