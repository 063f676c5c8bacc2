#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <actio/system/bodies.hpp>

#include "elements.hpp"
#include "parts.hpp"
#include "values.hpp"

// Rigid bodies: their names, masses and inertias.
namespace actio::io {
namespace {

// The inertia of each body of a family: a number, three principal values, or three rows of three; expressions of i.
class Inertia {
 public:
  Inertia(const SymbolTable& symbols, const Value& value, std::string path, const DeclaredName& name)
      : symbols_(symbols), value_(value), path_(std::move(path)), name_(name) {}

  std::vector<Eigen::Matrix3d> read() const {
    std::vector<Eigen::Matrix3d> out(static_cast<std::size_t>(name_.size), Eigen::Matrix3d::Zero());
    if (value_.kind == Kind::array) {
      need_three(value_, path_);
      for (long i = 0; i < 3; ++i) row(value_.items[static_cast<std::size_t>(i)], fmt::format("{}[{}]", path_, i), i, out);
    } else {
      if (!value_.is_number() && value_.kind != Kind::string)
        wrong_type(symbols_.document(), value_, path_, "a number, three principal values, or a matrix");
      const std::vector<double> I = entries(value_, path_);
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = I[k] * Eigen::Matrix3d::Identity();
    }
    for (std::size_t k = 0; k < out.size(); ++k) check(out[k], static_cast<long>(k));
    return out;
  }

 private:
  std::vector<double> entries(const Value& value, const std::string& path) const {
    if (value.kind == Kind::array) wrong_type(symbols_.document(), value, path, "a number or an expression of i");
    return per_index(symbols_, value, path, name_.size, "");
  }
  void need_three(const Value& list, const std::string& path) const {
    if (list.items.size() != 3)
      symbols_.document().fail(
          list.place,
          fmt::format("{} has {} {}", path, list.items.size(), plural(static_cast<long>(list.items.size()), "entry", "entries")),
          "an inertia is a number, three principal values, or three rows of three");
  }
  void row(const Value& item, const std::string& path, long i, std::vector<Eigen::Matrix3d>& out) const {
    const bool matrix = value_.items.front().kind == Kind::array;
    if (matrix != (item.kind == Kind::array))
      wrong_type(symbols_.document(), item, path, matrix ? "a row of three" : "a number or an expression of i");
    if (matrix) need_three(item, path);
    for (long j = 0; j < 3; ++j) {
      if (!matrix && i != j) continue;
      const std::string here = matrix ? fmt::format("{}[{}]", path, j) : path;
      const std::vector<double> x = entries(matrix ? item.items[static_cast<std::size_t>(j)] : item, here);
      for (std::size_t k = 0; k < out.size(); ++k) out[k](i, j) = x[k];
    }
  }
  // Symmetric up to the round-off of whoever wrote it, then exactly; and positive definite.
  void check(Eigen::Matrix3d& I, long k) const {
    const std::string of = name_.indexed ? fmt::format("{}[{}]", name_.name, k) : name_.name;
    const double size = I.cwiseAbs().maxCoeff();
    for (long i = 0; i < 3; ++i)
      for (long j = 0; j < i; ++j)
        if (std::abs(I(i, j) - I(j, i)) > 1e-12 * size)
          symbols_.document().fail(value_.place,
                                   fmt::format("the inertia of {} is not symmetric: entry ({}, {}) is {}, entry "
                                               "({}, {}) is {}",
                                               of, j, i, I(j, i), i, j, I(i, j)),
                                   "entries count from 0 here");
    I = Eigen::Matrix3d(0.5 * (I + I.transpose()));
    const Eigen::Vector3d principal = system::principal_inertias(I);
    if (!(principal[0] > 1e-14 * principal[2]))
      symbols_.document().fail(
          value_.place,
          fmt::format("the inertia of {} is not positive: its principal values are {:.6g}, {:.6g} and {:.6g}", of, principal[0],
                      principal[1], principal[2]),
          "give a thin rod a small inertia about its axis");
  }

  const SymbolTable& symbols_;
  const Value& value_;
  std::string path_;
  const DeclaredName& name_;
};

void read_family(const Section& section, SymbolTable& symbols, std::vector<system::Body>& bodies) {
  const Document& document = section.document();
  const Value& given = section.need("name");
  const DeclaredName name = declared_name(symbols, given, section.path("name"));
  if (name.name == "ground") document.fail(name.place, "\"ground\" cannot be a body: in joints it is the name of space");
  const Value* mass = section.find("mass");
  if (name.size > (most_coordinates - symbols.size()) / 12)
    document.fail(given.place, fmt::format("more than {} coordinates, 12 a body", most_coordinates));
  std::vector<double> m;
  if (mass) {
    m = per_index(symbols, *mass, section.path("mass"), name.size,
                  fmt::format("there {} {}", name.size == 1 ? "is one" : fmt::format("are {}", name.size),
                              plural(name.size, "body", "bodies")));
    for (std::size_t k = 0; k < m.size(); ++k)
      if (!(m[k] > 0)) {
        const Place& place = mass->kind == Kind::array ? mass->items[k].place : mass->place;
        document.fail(place,
                      fmt::format("the mass of {}{} is {}; it must be positive", name.name,
                                  name.indexed ? fmt::format("[{}]", k) : "", m[k]),
                      "a body without a mass rotates about the origin");
      }
  }
  const std::vector<Eigen::Matrix3d> I = Inertia(symbols, section.need("inertia"), section.path("inertia"), name).read();
  symbols.add_bodies(name.name, name.size, name.indexed, mass != nullptr, name.place);
  const BodyFamily& family = symbols.bodies.back();
  for (long k = 0; k < family.count; ++k) {
    system::Body& body = bodies.emplace_back();
    body.name = family.indexed ? fmt::format("{}[{}]", family.name, k) : family.name;
    body.rotation = family.offset + k * family.stride();
    if (mass) body.position = body.rotation + 9;
    body.mass = mass ? m[static_cast<std::size_t>(k)] : 0;
    body.inertia = I[static_cast<std::size_t>(k)];
  }
}

}  // namespace

std::vector<system::Body> read_bodies(const Section& system, SymbolTable& symbols) {
  std::vector<system::Body> bodies;
  const Value* list = system.find("bodies");
  if (!list) return bodies;
  const Document& document = system.document();
  const std::string path = system.path("bodies");
  if (list->kind != Kind::array)
    wrong_type(document, *list, path, "a list of bodies, { name = \"top\", mass = 1, inertia = [1, 1, 0.5] } each");
  if (list->items.empty()) document.fail(list->place, fmt::format("{} is empty", path));
  for (std::size_t k = 0; k < list->items.size(); ++k)
    read_family(Section(document, list->items[k], fmt::format("{}[{}]", path, k), keys_of_table("system.bodies")), symbols,
                bodies);
  return bodies;
}

}  // namespace actio::io
