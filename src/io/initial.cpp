#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "parts.hpp"
#include "pattern.hpp"
#include "quantity.hpp"
#include "values.hpp"
#include "xyz.hpp"

namespace actio::io {
namespace {

Eigen::VectorXd read_state(const Section& initial, const SymbolTable& symbols, const char* key, bool required, Draws draws) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(symbols.listed());
  for (const StatePiece& piece : state_pieces(initial, symbols, key, required && !initial.find("xyz"))) {
    draws.first = piece.offset;
    const auto entries = per_index(symbols, *piece.value, piece.path, piece.size, piece.shape, draws);
    out.segment(piece.offset, piece.size) = Eigen::Map<const Eigen::VectorXd>(entries.data(), piece.size);
  }
  return out;
}

// initial.xyz: the places of points in space, from a file, or for each family of them { atom = "a.xyz" }. Numbers of the file are
// angstroms where the problem names its units, else they are taken as they are. All other coordinates need a position.
void read_places(const Section& initial, const SymbolTable& symbols, const Quantities& quantities, Eigen::VectorXd& q,
                 std::map<long, std::string>& labels) {
  const Value* given = initial.find("xyz");
  if (!given) return;
  const Document& document = initial.document();
  const std::string path = initial.path("xyz");
  std::vector<std::string> names;
  for (const PointFamily& points : symbols.points)
    if (points.axes.size() == 3) names.push_back(points.name);
  if (names.empty())
    document.fail(given->place, fmt::format("{}: there are no points in space", path),
                  "[system.points] atom = [\"x\", \"y\", \"z\"]");
  if (given->kind == Kind::string && names.size() > 1)
    document.fail(given->place, fmt::format("{}: there are several families of points, {}", path, fmt::join(names, ", ")),
                  fmt::format("write xyz = {{ {} = \"{}\" }}", names[0], given->string));
  if (given->kind != Kind::string && given->kind != Kind::table)
    wrong_type(document, *given, path, "the name of a file, or a table of points");
  std::vector<bool> placed(static_cast<std::size_t>(symbols.listed()), false);
  const auto read = [&](const PointFamily& points, const Value& file, const std::string& here) {
    need_kind(document, file, here, Kind::string);
    const Xyz frame = read_xyz(need_file(symbols, file, here));
    if (frame.places.cols() != points.count)
      document.fail(file.place, fmt::format("{}: \"{}\" has {} {}, and {} has {}", here, file.string, frame.places.cols(),
                                            plural(frame.places.cols(), "atom", "atoms"), points.name, points.count));
    const double unit = quantities.in_file(quantities.named() ? 1e-10 : 1, quantities.named() ? of_length : pure_number);
    for (long k = 0; k < points.count; ++k) {
      labels.emplace(symbols.coordinate_of(points, 0, k), frame.labels[static_cast<std::size_t>(k)]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const long i = symbols.coordinate_of(points, axis, k);
        q[i] = unit * frame.places(static_cast<long>(axis), k);
        placed[static_cast<std::size_t>(i)] = true;
      }
    }
  };
  if (given->kind == Kind::table) {
    const Section section(document, *given, path, names);
    for (const PointFamily& points : symbols.points)
      if (const Value* file = section.find(points.name)) read(points, *file, section.path(points.name));
  } else {
    read(*std::ranges::find(symbols.points, names[0], &PointFamily::name), *given, path);
  }
  const Value* position = initial.find("position");
  if (position && position->kind != Kind::table)
    document.fail(position->place, fmt::format("{} is a list beside {}", initial.path("position"), path),
                  "name the families that no point has: position = { u = 0 }");
  for (const auto& family : symbols.families) {
    const bool here = placed[static_cast<std::size_t>(family.offset)];
    const Entry* also = position ? position->find_entry(family.name) : nullptr;
    if (here && also) document.fail(also->place, fmt::format("{} is placed by {} too", family.name, path), "give one of them");
    if (!here && !also)
      document.fail(given->place, fmt::format("{} places no {}", path, family.name),
                    fmt::format("position = {{ {} = ... }} beside it", family.name));
  }
}

// A coordinate that is held does not move.
void need_rest(const Section& initial, const SymbolTable& symbols, const system::Model& model, const Eigen::VectorXd& v0) {
  for (const std::int32_t i : model.fixed_dofs)
    if (v0[i] != 0)
      initial.document().fail(initial.place_of(model.solids.empty() ? "velocity" : "solid"),
                              fmt::format("{} is fixed, but starts with velocity {}", symbols.coordinate_name(i), v0[i]),
                              "a fixed coordinate stays where it starts: its velocity is 0");
}

}  // namespace

std::vector<StatePiece> state_pieces(const Section& initial, const SymbolTable& symbols, const char* key, bool required) {
  const Document& document = initial.document();
  const Value* value = required ? &initial.need(key) : initial.find(key);
  if (!value) return {};
  const std::string path = initial.path(key);
  // said without the path: "velocity has 3 entries, the system has 2 coordinates"
  if (value->kind == Kind::array) return {{value, path, 0, symbols.listed(), shape_of(symbols)}};
  if (value->kind != Kind::table) wrong_type(document, *value, path, "a list, or a table of families");
  std::vector<std::string> names;
  for (const auto& family : symbols.families) names.push_back(family.name);
  const Section section(document, *value, path, names);
  std::vector<StatePiece> out;
  for (const auto& family : symbols.families)
    if (const Value* given = required ? &section.need(family.name) : section.find(family.name))
      out.push_back({given, section.path(family.name), family.offset, family.size,
                     fmt::format("the family has {} {}", family.size, plural(family.size, "coordinate", "coordinates"))});
  return out;
}

bool read_initial(const Section& root, const SymbolTable& symbols, const Quantities& quantities, const system::Model& model,
                  Eigen::VectorXd& q0, Eigen::VectorXd& v0, std::map<long, std::string>& labels) {
  // at rest where nothing is said
  const bool structure = model.stiffness.size() > 0 || symbols.listed() == 0 || !model.solids.empty();
  q0 = v0 = Eigen::VectorXd::Zero(symbols.size());
  if (structure && !root.find("initial")) {
    read_initial_bodies(nullptr, symbols, 0, q0, v0);
    read_initial_solids(nullptr, symbols, model, q0, v0);
    return false;
  }
  const Section initial(root.document(), root.need("initial"), "initial", keys_of_table("initial"));
  Draws draws;
  draws.allowed = draws.by_member = true;
  if (const Value* seed = initial.find("seed"))
    draws.seed = static_cast<std::uint64_t>(integer(root.document(), *seed, "initial.seed", 0, std::numeric_limits<long>::max()));
  if (!model.solids.empty())
    for (const char* key : {"position", "velocity"})
      if (initial.find(key))
        root.document().fail(initial.place_of(key), fmt::format("{} is given beside a solid", initial.path(key)),
                             "initial.solid = { displacement = [...], velocity = [...] } are for its nodes");
  const long listed = symbols.listed();
  q0.head(listed) = read_state(initial, symbols, "position", !structure, draws);
  read_places(initial, symbols, quantities, q0, labels);
  draws.stream = 1;
  v0.head(listed) = read_state(initial, symbols, "velocity", false, draws);
  read_initial_bodies(&initial, symbols, draws.seed, q0, v0);
  read_initial_solids(&initial, symbols, model, q0, v0);
  need_rest(initial, symbols, model, v0);
  const Value* project = initial.find("project");
  if (!project) return false;
  if (project->kind != Kind::boolean) wrong_type(root.document(), *project, "initial.project", "true or false");
  if (model.constraints.empty() && model.penalised.empty())
    root.document().fail(project->place, "initial.project: there are no constraints to project the start onto");
  return project->integer == 1;
}

bool read_static(const Section& root) {
  const Value* initial = root.find("initial");
  const Value* value = initial && initial->kind == Kind::table ? initial->find("static") : nullptr;
  if (!value) return false;
  if (value->kind != Kind::boolean) wrong_type(root.document(), *value, "initial.static", "true or false");
  return value->integer == 1;
}

}  // namespace actio::io
