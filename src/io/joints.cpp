#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "elements.hpp"
#include "joint_axes.hpp"
#include "orientation.hpp"
#include "parts.hpp"

// Joints between points and axes of two bodies, or of a body and space, as independent constraints:
//   spherical  P - Q = 0                                              3
//   revolute   and b . u = b . v = 0: a, u, v orthogonal, u and v in the second body   5
//   fixed      and a1 . b2 = a2 . b3 = a3 . b1 = 0                      6
//   distance   (|P - Q|^2 - L^2) / (2 L) = 0                            1
namespace actio::io {
namespace {

using Eigen::Vector3d;
using expr::Id;

class JointReader {
 public:
  JointReader(const SymbolTable& symbols, system::Model& model) : symbols_(symbols), model_(model) {
    for (const system::Constraint& constraint : model.constraints) names_.insert(constraint.name);
  }

  void read(const Value& table, const std::string& path, std::size_t k) {
    const Document& document = symbols_.document();
    const Value* type = table.kind == Kind::table ? table.find("type") : nullptr;
    const std::string kind = type && type->kind == Kind::string ? type->string : "";
    const std::vector<std::string> types = kinds_of("joint");
    const bool known = std::ranges::find(types, kind) != types.end();
    std::vector<std::string> keys = keys_of_table("system.joint");
    if (known)  // less what belongs to other joints
      for (const std::string& other : types)
        if (other != kind)
          for (const std::string_view key : kind_named("joint", other).keys) std::erase(keys, key);
    const Section section(document, table, path, keys);
    const Value& word = section.need("type");
    need_kind(document, word, section.path("type"), Kind::string);
    if (!known)
      document.fail(word.place,
                    fmt::format("{} is \"{}\"; it must be \"{}\"", section.path("type"), kind, fmt::join(types, "\", \"")),
                    core::did_you_mean(kind, types));
    name_ = fmt::format("joint {}", k);
    if (const Value* name = section.find("name")) {
      need_kind(document, *name, section.path("name"), Kind::string);
      if (name->string.empty() || name->string.size() > 200)
        document.fail(name->place, "the name of a joint has 1 to 200 characters");
      name_ = name->string;
      if (!names_.insert(name_).second) document.fail(name->place, fmt::format("two constraints are named \"{}\"", name_));
    }
    const Value *over = section.find("over"), *periodic = section.find("periodic");
    if (periodic && periodic->kind != Kind::boolean) wrong_type(document, *periodic, section.path("periodic"), "true or false");
    const bool wraps = periodic && periodic->integer == 1;
    elements_ = over ? read_elements(symbols_, *over, section.path("over"), wraps) : Elements{{}, wraps, 1};
    joint(section, kind);
  }

 private:
  void joint(const Section& section, const std::string& kind) {
    std::vector<std::string> loops;
    for (const auto& range : elements_.ranges) loops.push_back(range.name);
    Expression e(symbols_, loops, {true, false, false, false, "a joint is between points fixed in bodies"});
    expr::Graph& g = e.graph;
    const auto [P, Q] = pair(e, section, "between", true);
    rows_ = 0;
    if (kind == "distance") {
      const Id L = length(e, section);
      Id sum = g.neg(g.mul(L, L));
      for (std::size_t i = 0; i < 3; ++i) sum = g.add(sum, g.mul(g.sub(P.x[i], Q.x[i]), g.sub(P.x[i], Q.x[i])));
      add(e, section, "", g.div(sum, g.mul(g.constant(2), L)));
    } else {
      for (std::size_t i = 0; i < 3; ++i) add(e, section, std::string(".") + "xyz"[i], g.sub(P.x[i], Q.x[i]));
    }
    if (kind == "revolute") {
      const auto [a, b] = pair(e, section, "axes", false);
      const Vector3d axis = axis_of_joint(e, section, a, 0), other = axis_of_joint(e, section, b, 1);
      const Vector3d u = other.unitOrthogonal(), v = other.cross(u);
      add(e, section, ".u", dot_in_space(g, a, axis, b, u));
      add(e, section, ".v", dot_in_space(g, a, axis, b, v));
    }
    if (kind == "fixed") {
      // R_P = R_Q C: the axes of the first body are the columns of C in the second
      const Value* given = section.find("orientation");
      const Eigen::Matrix3d C =
          given ? EachBody{symbols_, ""}.orientations(*given, section.path("orientation"), 0)[0] : Eigen::Matrix3d::Identity();
      for (long i = 0; i < 3; ++i)
        add(e, section, std::string(".") + "uvw"[i], dot_in_space(g, P, Vector3d::Unit(i), Q, C.col((i + 1) % 3)));
    }
    if (rows_ == 0)
      section.document().fail(section.need("between").place,
                              fmt::format("{} constrains nothing: its points coincide in every position", section.path()));
  }

  std::pair<Vector, Vector> pair(Expression& e, const Section& section, const char* key, bool points) const {
    const Document& document = section.document();
    const Value& list = section.need(key);
    const std::string path = section.path(key);
    if (list.kind != Kind::array || list.items.size() != 2)
      document.fail(list.place, fmt::format("{} must be two {}", path, points ? "points" : "axes"),
                    points ? "for example [\"top.point(0, 0, -1)\", \"ground.point(0, 0, 0)\"]"
                           : "for example [\"door.axis(0, 0, 1)\", \"ground.axis(0, 0, 1)\"]");
    std::array<Vector, 2> out;
    for (std::size_t k = 0; k < 2; ++k) {
      out[k] = e.read_vector(list.items[k], fmt::format("{}[{}]", path, k));
      if (out[k].point != points)
        document.fail(list.items[k].place,
                      fmt::format("{}[{}] is {}", path, k, points ? "an axis, not a point" : "a point, not an axis"));
    }
    if (out[0].bodies == out[1].bodies && (out[0].bodies < 0 || out[0].index.key() == out[1].index.key()))
      document.fail(list.place, fmt::format("{} names {} twice", path, out[0].bodies < 0 ? "ground" : "one body"),
                    "a joint is between two bodies, or between a body and ground");
    return {out[0], out[1]};
  }

  Id length(Expression& e, const Section& section) const {
    const Value& value = section.need("length");
    if (!value.is_number() && value.kind != Kind::string)
      wrong_type(section.document(), value, section.path("length"), "a number or an expression");
    const Id L = e.read_number(value, section.path("length"));
    if (const double number = e.number(L); number <= 0)
      section.document().fail(value.place, fmt::format("{} is {}; it must be positive", section.path("length"), number),
                              "two points that stay together are a spherical joint");
    return L;
  }

  void add(Expression& e, const Section& section, const std::string& suffix, Id value) {
    e.value = value;
    if (e.number(value) == 0) return;  // holds wherever the bodies are
    Batch batch = assemble(e, elements_, 0);
    if (batch.locals == 0)
      section.document().fail(section.need("between").place, fmt::format("{} cannot hold: neither point moves", section.path()));
    count_ += batch.elements;
    if (count_ > most_elements)
      section.document().fail(section.table().place, fmt::format("there are more than {} constraints", most_elements));
    ++rows_;
    model_.constraints.push_back(named<system::Constraint>(name_ + suffix, std::move(batch)));
  }

  const SymbolTable& symbols_;
  system::Model& model_;
  std::set<std::string> names_;
  std::string name_;
  Elements elements_;
  long rows_ = 0, count_ = 0;
};

}  // namespace

void read_joints(const Section& system, const SymbolTable& symbols, system::Model& model, std::vector<core::Source>& places) {
  const Value* list = system.find("joint");
  if (!list) return;
  const std::string path = system.path("joint");
  if (symbols.bodies.empty())
    system.document().fail(system.place_of("joint"), fmt::format("there is {}, but no body", path),
                           "bodies are declared in system.bodies");
  if (list->kind != Kind::array) wrong_type(system.document(), *list, path, "a list of tables, each headed [[system.joint]]");
  JointReader reader(symbols, model);
  for (std::size_t k = 0; k < list->items.size(); ++k) {
    reader.read(list->items[k], fmt::format("{}[{}]", path, k), k);
    places.resize(model.constraints.size(), system.document().source(list->items[k].place));
  }
}

}  // namespace actio::io
