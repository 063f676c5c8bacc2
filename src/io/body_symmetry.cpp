#include <array>
#include <set>

#include <fmt/format.h>

#include "parts.hpp"
#include "reference.hpp"
#include "values.hpp"

// Symmetries of space and of bodies in place of a generator:
//   translation = d   r -> r + s d
//   rotation = a      R -> exp(s hat(a)) R, r -> exp(s hat(a)) r; J = a . (spatial angular momentum)
//   body, axis = d    R -> R exp(s hat(d)); J = d . I Omega
// for all bodies, and for nodes of solids, points in space and triples of ordinary coordinates as r.
namespace actio::io {
namespace {

using Eigen::Vector3d;
using Three = std::array<long, 3>;

// Entry (i, k) of hat(a): a x b = hat(a) b.
double hat(const Vector3d& a, long i, long k) {
  if (i == k) return 0;
  const double sign = (i + 1) % 3 == k ? -1 : 1;
  return sign * a[3 - i - k];
}

Vector3d read_three(const Section& section, const SymbolTable& symbols, const char* key) {
  const Value& value = section.need(key);
  need_kind(section.document(), value, section.path(key), Kind::array);
  if (value.items.size() != 3)
    section.document().fail(value.place, fmt::format("{} has {} {}, not 3", section.path(key), value.items.size(),
                                                     plural(static_cast<long>(value.items.size()), "entry", "entries")));
  Vector3d out;
  for (std::size_t k = 0; k < 3; ++k)
    out[static_cast<long>(k)] = scalar(symbols, value.items[k], fmt::format("{}[{}]", section.path(key), k));
  if (!(out.norm() > 0)) section.document().fail(value.place, fmt::format("{} is zero", section.path(key)));
  return out;
}

// xi of the coordinates x_i, i = 0, 1, 2, of every triple: xi_i = sum_k A_ik x_k with A = hat(a), or its transpose.
void rotate(const std::vector<Three>& triples, const Vector3d& a, bool transposed, system::Symmetry& out) {
  for (long i = 0; i < 3 && !triples.empty(); ++i) {
    system::GeneratorBlock block;
    block.elements = static_cast<long>(triples.size());
    block.value = block.graph.constant(0);
    for (const Three& x : triples) block.rows.push_back(static_cast<std::int32_t>(x[static_cast<std::size_t>(i)]));
    for (const long k : {(i + 1) % 3, (i + 2) % 3}) {
      const double factor = transposed ? hat(a, k, i) : hat(a, i, k);
      if (factor == 0) continue;
      expr::Graph& g = block.graph;
      block.value = g.add(block.value, g.mul(g.constant(factor), g.column(static_cast<int>(block.locals++))));
      for (const Three& x : triples) block.dofs.push_back(static_cast<std::int32_t>(x[static_cast<std::size_t>(k)]));
    }
    if (block.locals > 0) out.blocks.push_back(std::move(block));
  }
}

void shift(const std::vector<Three>& triples, const Vector3d& d, system::Symmetry& out) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (d[static_cast<long>(i)] == 0 || triples.empty()) continue;
    system::GeneratorBlock block;
    block.elements = static_cast<long>(triples.size());
    block.value = block.graph.constant(d[static_cast<long>(i)]);
    for (const Three& x : triples) block.rows.push_back(static_cast<std::int32_t>(x[i]));
    out.blocks.push_back(std::move(block));
  }
}

}  // namespace

void rotate_points(const std::vector<Three>& points, const Vector3d& a, system::Symmetry& out) { rotate(points, a, false, out); }
void shift_points(const std::vector<Three>& points, const Vector3d& d, system::Symmetry& out) { shift(points, d, out); }

void read_space_symmetry(const Section& section, const SymbolTable& symbols, const char* key, system::Symmetry& out) {
  std::vector<Three> points;
  for (const BodyFamily& bodies : symbols.bodies)
    for (long k = 0; k < bodies.count && bodies.moves; ++k) {
      const long r = bodies.offset + k * bodies.stride() + 9;
      points.push_back({r, r + 1, r + 2});
    }
  for (const SolidFamily& solid : symbols.solids)
    for (long a = 0; a < solid.nodes; ++a)
      points.push_back({solid.offset + 3 * a, solid.offset + 3 * a + 1, solid.offset + 3 * a + 2});
  if (const Value* triples = section.find("triples"))
    for (const PointReference& x : read_points(symbols, *triples, section.path("triples"), "triples", 3, 3))
      for (long e = 0; e < x[0].count; ++e) points.push_back({x[0].coordinate(e), x[1].coordinate(e), x[2].coordinate(e)});
  std::set<Three> known;  // a point may be one of several families: atoms, and oxygens among them
  if (!section.find("triples"))
    for (const PointFamily& family : symbols.points)
      for (long e = 0; e < family.count && family.axes.size() == 3; ++e) {
        const Three x{symbols.coordinate_of(family, 0, e), symbols.coordinate_of(family, 1, e),
                      symbols.coordinate_of(family, 2, e)};
        if (known.insert(x).second) points.push_back(x);
      }
  const Vector3d d = read_three(section, symbols, key);
  if (std::string_view(key) == "translation") {
    shift(points, d, out);
  } else {
    // a column of R turns as r does
    for (const BodyFamily& bodies : symbols.bodies)
      for (long k = 0; k < bodies.count; ++k)
        for (long j = 0; j < 3; ++j) {
          const long R = bodies.offset + k * bodies.stride() + j;
          points.push_back({R, R + 3, R + 6});
        }
    rotate(points, d, false, out);
  }
  if (out.blocks.empty())
    section.document().fail(
        section.need(key).place, fmt::format("{} moves nothing", section.path(key)),
        "it acts on the positions of bodies, of solids, of points in space, and of triples = [[\"x\", \"y\", \"z\"]]");
}

void read_axis_symmetry(const Section& section, const SymbolTable& symbols, system::Symmetry& out) {
  const Value& name = section.need("body");
  need_kind(section.document(), name, section.path("body"), Kind::string);
  std::size_t number = 0;
  const Reference which = read_body_reference(symbols, name.string, name.place, section.path("body"), number);
  std::vector<Three> rows;  // xi of a row of R: row hat(d), so of its entries: hat(d)' row
  for (long k = 0; k < which.count; ++k)
    for (long i = 0; i < 3; ++i) {
      const long R = which.coordinate(k) + 3 * i;
      rows.push_back({R, R + 1, R + 2});
    }
  rotate(rows, read_three(section, symbols, "axis"), true, out);
}

}  // namespace actio::io
