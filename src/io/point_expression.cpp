#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "expression.hpp"

// Distances and angles of points in expressions. All of it becomes coordinates while it is read.
namespace actio::io {
namespace {

using expr::Graph;
using expr::Id;
using expr::Symbol;
using Components = std::array<Id, 3>;

[[noreturn]] void wrong_point(const Symbol& symbol, const std::string& message, std::string hint = {}) {
  throw expr::SyntaxError(symbol.offset, symbol.length, message, std::move(hint));
}

struct Vectors {
  Graph& g;
  std::array<double, 3> period{};  // of a box; 0: space goes on
  Components difference(const Components& a, const Components& b) {
    const auto along = [&](std::size_t k) { return nearest_image(g, g.sub(a[k], b[k]), period[k]); };
    return {along(0), along(1), along(2)};
  }
  Id dot(const Components& a, const Components& b) {
    return g.add(g.add(g.mul(a[0], b[0]), g.mul(a[1], b[1])), g.mul(a[2], b[2]));
  }
  Components cross(const Components& a, const Components& b) {
    const auto minor = [&](std::size_t i, std::size_t j) { return g.sub(g.mul(a[i], b[j]), g.mul(a[j], b[i])); };
    return {minor(1, 2), minor(2, 0), minor(0, 1)};
  }
  Id length(const Components& a) { return g.unary(expr::Op::sqrt, dot(a, a)); }

  // Between a - b and c - b: atan2(|u x v|, u . v), which has all its digits near 0 and pi, where acos has half of them.
  Id angle(const Components& a, const Components& b, const Components& c) {
    const Components u = difference(a, b), v = difference(c, b);
    return g.binary(expr::Op::atan2, length(cross(u, v)), dot(u, v));
  }
  // atan2(|u2| u1 . (u2 x u3), (u1 x u2) . (u2 x u3)) of the bonds u1, u2, u3 (A. Blondel, M. Karplus, J. Comput. Chem. 17
  // (1996) 1132): 0 where a and d eclipse one another, positive where, seen along b to c, d is clockwise of a (IUPAC).
  Id dihedral(const Components& a, const Components& b, const Components& c, const Components& d) {
    const Components u = difference(b, a), v = difference(c, b), w = difference(d, c), n = cross(v, w);
    return g.binary(expr::Op::atan2, g.mul(length(v), dot(u, n)), dot(cross(u, v), n));
  }
};

struct Function {
  std::string_view name;
  std::size_t arguments;
  const char *wants, *written;
};
constexpr std::array point_functions{Function{"distance", 2, "2 points", "distance(a, b)"},
                                     Function{"angle", 3, "3 points", "angle(a, b, c), at b"},
                                     Function{"dihedral", 4, "4 points", "dihedral(a, b, c, d), about the bond from b to c"},
                                     Function{"dot", 2, "2 vectors", "dot(a, b)"}};

}  // namespace

std::vector<std::string_view> functions_of_points() {
  std::vector<std::string_view> out;
  for (const Function& function : point_functions) out.push_back(function.name);
  return out;
}

Id nearest_image(Graph& g, Id difference, double period) {
  if (period == 0) return difference;
  const Id turns = g.unary(expr::Op::round, g.mul(g.constant(1 / period), difference));
  return g.sub(difference, g.mul(g.constant(period), turns));
}

// The coordinates of a point, or with a prime its velocity.
Vector Expression::point(Graph& g, const Symbol& symbol, const PointFamily& points) {
  if (!symbol.members.empty())
    throw expr::SyntaxError(symbol.members[0].offset, symbol.members[0].length,
                            fmt::format("{} is a point and has no \"{}\"", symbol.name, symbol.members[0].name));
  const Column::Kind kind = coordinate(symbol, std::string(symbol.name), points.indexed, points.count);
  Vector out;
  out.point = symbol.primes == 0;
  out.dimension = static_cast<int>(points.axes.size());
  for (std::size_t k = 0; k < 3; ++k) {
    if (k >= points.axes.size()) {
      out.x[k] = g.constant(0);
      continue;
    }
    const PointFamily::Axis& axis = points.axes[k];
    const bool of_family = symbols_->families[static_cast<std::size_t>(axis.family)].indexed;
    Symbol along = symbol;
    if (of_family) {
      expr::Index index{{{'c', axis.first}}};
      if (points.indexed) {
        if (axis.step != 1 || axis.first != 0) {  // first + step k
          expr::Index scaled = symbol.indices.front();
          scaled.steps.insert(scaled.steps.end(), {{'c', axis.step}, {'*', 0}, {'c', axis.first}, {'+', 0}});
          index = std::move(scaled);
        } else {
          index = symbol.indices.front();
        }
      }
      along.indices = {index};
    }
    out.x[k] = add(g, kind, axis.family, along, of_family);
  }
  return out;
}

// Of a revolute joint, by its name.
Id Expression::angle_of_joint(Graph& g, const Symbol& joint) const {
  const std::string name = fmt::format("angle({})", joint.name);
  Symbol angle = joint;
  angle.name = name;
  if (const Id found = quantity(g, angle); found >= 0) return found;
  std::string known;
  for (const KnownNumber& one : symbols_->quantities)
    if (one.name.starts_with("angle(")) known += (known.empty() ? "" : ", ") + one.name;
  wrong_point(joint, fmt::format("{} is not a revolute joint", joint.name),
              known.empty()
                  ? "angle(hinge) is that of a revolute joint, which is not one over a range; angle(a, b, c) is at a point b"
                  : "there is " + known);
}

Id Expression::apply_to_points(Graph& g, const Symbol& function, std::span<const expr::Argument> arguments) {
  const Function& is = *std::ranges::find(point_functions, function.name, &Function::name);
  if (is.name == "angle" && arguments.size() == 1 && allowed_.observed) return angle_of_joint(g, arguments[0].name);
  if (arguments.size() != is.arguments)
    wrong_point(function, fmt::format("{} takes {}, not {}", is.name, is.wants, arguments.size()),
                fmt::format("write {}", is.written));
  std::vector<Vector> given;
  for (const expr::Argument& argument : arguments) {
    const Symbol name = in_loops(argument.name);
    given.push_back(vector(g, name));
    if (is.name != "dot" && name.primes > 0)
      wrong_point(function, fmt::format("{} {} is between points, not velocities", is.name == "angle" ? "an" : "a", is.name));
    if (is.name != "dot" && !given.back().point)
      wrong_point(name,
                  fmt::format("{} {} is between points, and this is a direction", is.name == "angle" ? "an" : "a", is.name));
    if (given.back().dimension != given.front().dimension)
      wrong_point(name, fmt::format("{} has {} coordinates, and {} has {}", name.name, given.back().dimension,
                                    arguments[0].name.name, given.front().dimension));
    if (is.name == "dihedral" && given.back().dimension != 3) wrong_point(name, "a dihedral angle is one of points in space");
  }
  Vectors of{g};
  for (std::size_t k = 0; k < symbols_->box.size(); ++k) of.period[k] = symbols_->box[k];
  const auto x = [&](std::size_t k) -> const Components& { return given[k].x; };
  if (is.name == "dot") return of.dot(x(0), x(1));
  if (is.name == "distance") return of.length(of.difference(x(0), x(1)));
  return is.name == "angle" ? of.angle(x(0), x(1), x(2)) : of.dihedral(x(0), x(1), x(2), x(3));
}

}  // namespace actio::io
