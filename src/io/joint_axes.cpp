#include "joint_axes.hpp"

#include <array>
#include <cctype>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "elements.hpp"

namespace actio::io {

Eigen::Vector3d axis_of_joint(const Expression& e, const Section& section, const Vector& axis, std::size_t k) {
  const Value& item = section.need("axes").items[k];
  const Eigen::Vector3d d(e.number(axis.local[0]), e.number(axis.local[1]), e.number(axis.local[2]));
  const std::string path = fmt::format("{}[{}]", section.path("axes"), k);
  if (!d.allFinite()) section.document().fail(item.place, fmt::format("{} is the same for all: numbers and parameters", path));
  if (!(d.norm() > 0)) section.document().fail(item.place, fmt::format("{} is zero: it has no direction", path));
  return d.normalized();
}

expr::Id dot_in_space(expr::Graph& g, const Vector& A, const Eigen::Vector3d& a, const Vector& B, const Eigen::Vector3d& b) {
  const auto along = [&](const Vector& frame, const Eigen::Vector3d& d, std::size_t i) {
    expr::Id sum = g.constant(0);
    for (std::size_t j = 0; j < 3; ++j) sum = g.add(sum, g.mul(frame.R[3 * i + j], g.constant(d[static_cast<long>(j)])));
    return sum;
  };
  expr::Id sum = g.constant(0);
  for (std::size_t i = 0; i < 3; ++i) sum = g.add(sum, g.mul(along(A, a, i), along(B, b, i)));
  return sum;
}

namespace {

// Those of `axes`, which are known to be right.
run::Observable angle_of(const Section& joint, const SymbolTable& symbols, std::string name) {
  Expression e(symbols, {}, {true, false, false, false, ""});
  std::array<Vector, 2> of;
  std::array<Eigen::Vector3d, 2> axis;
  for (std::size_t k = 0; k < 2; ++k) {
    of[k] = e.read_vector(joint.need("axes").items[k], joint.path("axes"));
    axis[k] = axis_of_joint(e, joint, of[k], k);
  }
  const Eigen::Vector3d u = axis[1].unitOrthogonal(), v = axis[1].cross(u);
  const Eigen::Vector3d x = Eigen::Quaterniond::FromTwoVectors(axis[1], axis[0]) * u;  // u, in the first body at the angle 0
  e.value = e.graph.binary(expr::Op::atan2, dot_in_space(e.graph, of[0], x, of[1], v), dot_in_space(e.graph, of[0], x, of[1], u));
  run::Observable out;
  out.definition = out.name = std::move(name);
  out.source = joint.document().source(joint.table().place);
  out.hidden = out.turns = true;
  out.components.push_back(assemble_observed(e, Elements{{}, false, 1}));
  return out;
}

}  // namespace

std::vector<run::Observable> read_joint_angles(const Section& root, const SymbolTable& symbols) {
  std::vector<run::Observable> out;
  const Value* joints = root.need("system").find("joint");
  const Document& document = root.document();
  const bool named = document.text().find("angle") != std::string::npos || document.is_mentioned_elsewhere("angle", 0);
  if (!joints || !named) return out;
  for (std::size_t k = 0; k < joints->items.size(); ++k) {
    const Value& joint = joints->items[k];
    if (joint.find("type")->string != "revolute" || joint.find("over")) continue;
    const Value* given = joint.find("name");
    std::string name = given ? given->string : fmt::format("joint {}", k);
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    const Section section(document, joint, fmt::format("system.joint[{}]", k), keys_of_table("system.joint"));
    out.push_back(angle_of(section, symbols, fmt::format("angle({})", name)));
  }
  return out;
}

}  // namespace actio::io
