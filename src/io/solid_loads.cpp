#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <actio/system/neighbours.hpp>

#include "solids.hpp"
#include "values.hpp"

// What acts on a solid: held and prescribed nodes, loads, damping; what is watched of it.
namespace actio::io {
namespace {

using system::SolidBody;

constexpr std::array<const char*, 3> component{"x", "y", "z"};

// The support of that name, new where there is none.
system::Support& support_named(const SolidBody& solid, const std::string& group, std::vector<system::Support>& out) {
  const std::string name = solid.name == "x" ? group : solid.name + "." + group;
  const auto known = std::ranges::find(out, name, &system::Support::name);
  return known != out.end() ? *known : out.emplace_back(system::Support{name});
}

// A node that two groups hold is counted with the first.
void fix(const SolidBody& solid, const system::Cells& cells, const std::array<bool, 3>& held, system::Support& support,
         std::vector<bool>& taken, system::Model& model) {
  for (const std::int32_t a : system::nodes_of(*solid.mesh, cells))
    for (std::size_t i = 0; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(solid.offset + 3 * a) + i;
      if (!held[i] || taken[at]) continue;
      taken[at] = true;
      model.fixed_dofs.push_back(static_cast<std::int32_t>(at));
      support.of[i].fixed_dofs.push_back(static_cast<std::int32_t>(at));
    }
}

void add_fixed(const SolidFile& file, const SolidBody& solid, const Value& item, const std::string& path,
               std::vector<bool>& taken, system::Model& model, std::vector<system::Support>& supports) {
  const Document& document = file.document();
  std::array<bool, 3> held{true, true, true};
  const Value* name = &item;
  std::string where = path;
  if (item.kind == Kind::table) {
    const Section section(document, item, path, keys_of_table("system.solid.fixed"));
    name = &section.need("group");
    where = section.path("group");
    if (const Value* list = section.find("components")) {
      held = {};
      const std::string here = section.path("components");
      need_kind(document, *list, here, Kind::array);
      for (const Value& one : list->items) {
        need_kind(document, one, here, Kind::string);
        const auto at = std::ranges::find(component, one.string);
        if (at == component.end())
          document.fail(one.place, fmt::format("{}: \"{}\" is not a component", here, one.string),
                        "they are \"x\", \"y\" and \"z\"");
        held[static_cast<std::size_t>(at - component.begin())] = true;
      }
    }
  }
  const auto add = [&](const Value& one) {
    const system::Cells cells = file.cells(one, where, -1);
    fix(solid, cells, held, support_named(solid, one.string, supports), taken, model);
  };
  if (name->kind == Kind::array && !name->items.empty())
    for (const Value& one : name->items) add(one);
  else
    add(*name);
}

void read_fixed(const SolidFile& file, const SolidBody& solid, system::Model& model, std::vector<system::Support>& supports) {
  const Value* value = file.section.find("fixed");
  if (!value) return;
  const std::string path = file.section.path("fixed");
  std::vector<bool> taken(static_cast<std::size_t>(model.size()));
  if (value->kind != Kind::array) return add_fixed(file, solid, *value, path, taken, model, supports);
  for (std::size_t k = 0; k < value->items.size(); ++k)
    add_fixed(file, solid, value->items[k], fmt::format("{}[{}]", path, k), taken, model, supports);
}

// Of the fixed coordinate `at`, a component i, the name of the support.
std::string fixed_by(const std::vector<system::Support>& supports, std::size_t at, std::size_t i) {
  const auto holds = [&](const system::Support& one) {
    return std::ranges::count(one.of[i].fixed_dofs, static_cast<std::int32_t>(at)) > 0;
  };
  const auto found = std::ranges::find_if(supports, holds);
  return found == supports.end() ? "fixed" : fmt::format("fixed by \"{}\"", found->name);
}

void read_driven(const SolidFile& file, const SolidBody& solid, system::Model& model, std::vector<system::Support>& supports) {
  const Document& document = file.document();
  const OfField allowed{true, false, true, "a motion is an expression of t, X, Y, Z and parameters"};
  constexpr std::int32_t free = -2, fixed = -1;
  std::vector<std::int32_t> held(static_cast<std::size_t>(model.size()), free);  // or the number of what drives it
  std::vector<std::string> drivers;
  for (const std::int32_t i : model.fixed_dofs) held[static_cast<std::size_t>(i)] = fixed;
  file.for_each("driven", keys_of_table("system.solid.driven"), [&](const Section& section) {
    const std::vector<std::int32_t> nodes = system::nodes_of(*solid.mesh, file.cells(section, -1));
    const Value &group = section.need("group"), *given = section.find("name");
    if (given) need_kind(document, *given, section.path("name"), Kind::string);
    const std::string name = given ? given->string : group.kind == Kind::string ? group.string : section.path();
    system::Field motion;
    for (std::size_t i = 0; i < 3; ++i) {
      const Value* value = section.find(component[i]);
      if (!value) continue;
      read_component(file.symbols, *value, section.path(component[i]), allowed, i, motion);
      for (const std::int32_t a : nodes) {
        const auto at = static_cast<std::size_t>(solid.offset + 3 * a) + i;
        if (held[at] != free) {
          const Eigen::Vector3d X = solid.mesh->points.col(a);
          document.fail(section.place_of(component[i]),
                        fmt::format("{}: the {} of the node at ({:.6g}, {:.6g}, {:.6g}) is {} already", section.path(),
                                    component[i], X[0], X[1], X[2],
                                    held[at] == fixed ? fixed_by(supports, at, i)
                                                      : "driven by " + drivers[static_cast<std::size_t>(held[at])]),
                        "drive a group without these nodes");
        }
        held[at] = static_cast<std::int32_t>(drivers.size());
      }
    }
    if (std::ranges::max(motion.value) < 0)
      document.fail(section.table().place, fmt::format("{} drives nothing", section.path()),
                    "for example x = \"0.01*sin(20*t)\", a displacement");
    system::Support& support = support_named(solid, name, supports);
    long constraint = model.constraint_count();
    for (std::size_t i = 0; i < 3; ++i) {
      if (motion.value[i] < 0) continue;
      if (support.of[i].prescribes())
        document.fail((given ? *given : group).place,
                      fmt::format("{}: there is a reaction \"{}.{}\" already", section.path(), support.name, component[i]),
                      "give it a `name` of its own");
      support.of[i].constraint = constraint;
      support.of[i].count = static_cast<long>(nodes.size());
      constraint += static_cast<long>(nodes.size());
    }
    system::drive(model, solid, nodes, motion, name);
    drivers.push_back(fmt::format("{} (\"{}\")", section.path(), name));
  });
}

void read_densities(const SolidFile& file, const SolidBody& solid, const char* key, int dimension, system::Model& model) {
  const OfField allowed{true, true, true, "a load is an expression of t, X, Y, Z and parameters; with coordinates it is a force"};
  file.for_each(key, keys_of_table(fmt::format("system.solid.{}", key)), [&](const Section& section) {
    const system::Cells cells = file.cells(section, dimension);
    const Value &value = section.need("value"), &group = section.need("group");
    const std::string name = fmt::format("{} on {}", key, group.kind == Kind::string ? group.string : section.path());
    if (std::string_view(key) == "pressure") {
      system::Field pressure;
      read_component(file.symbols, value, section.path("value"), allowed, 0, pressure);
      try {
        return system::add_pressure(model, solid, cells, pressure, name);
      } catch (const core::InputError& error) {
        file.document().fail(group.place, error.diagnostic().message, error.diagnostic().hint);
      }
    }
    system::add_load(model, solid, cells, read_field(file.symbols, value, section.path("value"), allowed), name);
  });
}

void read_gravity(const SolidFile& file, const SolidBody& solid, system::Model& model) {
  const Value* value = file.section.find("gravity");
  if (!value) return;
  const OfField allowed{true, true, false, "gravity is a list of three numbers, or expressions of t"};
  system::add_gravity(model, solid, read_field(file.symbols, *value, file.section.path("gravity"), allowed), "gravity");
}

// rayleigh = [a, b], or a table of damping ratios.
void read_damping(const SolidFile& file, const SolidBody& solid, system::Model& model, std::vector<DampingRatio>& dampings) {
  const Value* value = file.section.find("damping");
  if (!value) return;
  const Document& document = file.document();
  const Section section(document, *value, file.section.path("damping"), keys_of_table("system.solid.damping"));
  const Value& list = section.need("rayleigh");
  const std::string path = section.path("rayleigh");
  if (list.kind == Kind::table) {
    const Section ratio(document, list, path, {keys_of_damping_ratio.begin(), keys_of_damping_ratio.end()});
    DampingRatio& damping = dampings.emplace_back(read_damping_ratio(ratio, file.symbols));
    damping.add = [solid](system::Model& to, double a, double b) { system::add_rayleigh(to, solid, a, b); };
    return;
  }
  if (list.kind != Kind::array) wrong_type(document, list, path, "[a, b], or a table such as { ratio = 0.05, modes = [1, 3] }");
  if (list.items.size() != 2)
    document.fail(list.place,
                  fmt::format("{} has {} {}, not 2", path, list.items.size(),
                              plural(static_cast<long>(list.items.size()), "entry", "entries")),
                  "rayleigh = [a, b]: D = a M + b K");
  std::array<double, 2> factor{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string here = fmt::format("{}[{}]", path, k);
    factor[k] = scalar(file.symbols, list.items[k], here);
    if (!(factor[k] >= 0)) document.fail(list.items[k].place, fmt::format("{} is {}; it must not be negative", here, factor[k]));
  }
  system::add_rayleigh(model, solid, factor[0], factor[1]);
}

// The largest diagonal of a box around an element [m]: a place in the solid has a node as near as that.
double largest_element(const system::Mesh& mesh) {
  double out = 0;
  for (const system::CellBlock& block : mesh.blocks) {
    const long width = system::nodes_of(block.cell);
    for (long c = 0; c < block.size(); ++c) {
      Eigen::AlignedBox3d box;
      for (long k = c * width; k < (c + 1) * width; ++k) box.extend(mesh.points.col(block.nodes[static_cast<std::size_t>(k)]));
      out = std::max(out, box.diagonal().norm());
    }
  }
  return out;
}

// The node nearest to X [m]. A place farther from it than an element is long, or outside of the box around the mesh by a
// hundredth of its size, is a slip.
std::int32_t nearest_node(const SolidFile& file, const Value& at, const std::string& path, const Eigen::Vector3d& X) {
  const system::Mesh& mesh = *file.mesh;
  long nearest = 0;
  const double distance = std::sqrt((mesh.points.colwise() - X).colwise().squaredNorm().minCoeff(&nearest));
  const Eigen::AlignedBox3d box(mesh.points.rowwise().minCoeff(), mesh.points.rowwise().maxCoeff());
  if (box.exteriorDistance(X) <= 0.01 * box.diagonal().norm() && distance <= largest_element(mesh))
    return static_cast<std::int32_t>(nearest);
  const auto point = [](const Eigen::Vector3d& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]); };
  file.document().fail(at.place,
                       fmt::format("{}: {} is outside of the solid, {:.4g} from its nearest node at {}", path, point(X), distance,
                                   point(mesh.points.col(nearest))),
                       fmt::format("the mesh, scaled, lies between {} and {}", point(box.min()), point(box.max())));
}

// Elements, and those that others of lower dimension bound.
system::Cells next_to(const system::Mesh& mesh, const system::Cells& cells, const system::Neighbours& around) {
  system::Cells out;
  for (const auto& cell : cells) {
    if (system::dimension_of(system::kind_of(mesh, cell)) == 3) {
      out.push_back(cell);
      continue;
    }
    const system::Cells more = around.of(system::nodes_of(mesh, cell));
    out.insert(out.end(), more.begin(), more.end());
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

void read_solid_loads(const SolidFile& file, system::Model& model, SolidParts& out) {
  const SolidBody solid = model.solids.back();
  read_fixed(file, solid, model, out.supports);
  read_driven(file, solid, model, out.supports);
  read_damping(file, solid, model, out.dampings);
  read_gravity(file, solid, model);
  read_densities(file, solid, "body_force", 3, model);
  read_densities(file, solid, "traction", 2, model);
  read_densities(file, solid, "pressure", 2, model);
}

void read_probes(const SolidFile& file, const SolidBody& solid, std::int32_t number, SolidParts& out) {
  const Document& document = file.document();
  std::optional<system::Neighbours> around;
  file.for_each("probe", keys_of_table("system.solid.probe"), [&](const Section& section) {
    const Value& name = section.need("name");
    need_kind(document, name, section.path("name"), Kind::string);
    if (std::ranges::find(out.probes, name.string + ".x", &run::Probe::name) != out.probes.end())
      document.fail(name.place, fmt::format("{}: another probe is named \"{}\"", section.path("name"), name.string));
    const Value* at = section.find("at");
    if (at && section.find("group"))
      document.fail(section.place_of("at"), fmt::format("{} has both a point and a group", section.path()), "give one of them");
    std::vector<std::int32_t> nodes;
    system::Cells cells;
    Eigen::Vector3d X;
    if (at) {
      const OfField allowed{false, false, false, "a point is three numbers, or expressions of parameters"};
      X = values_at(file.symbols, read_field(file.symbols, *at, section.path("at"), allowed), Eigen::Matrix3Xd::Zero(3, 1));
      nodes = {nearest_node(file, *at, section.path("at"), X)};
    } else {
      cells = file.cells(section, -1);
      nodes = system::nodes_of(*solid.mesh, cells);
    }
    if (const Value* stress = section.find("stress")) {
      need_kind(document, *stress, section.path("stress"), Kind::boolean);
      if (stress->integer != 0) {
        if (!around) around.emplace(*solid.mesh);
        system::Cells elements = at ? around->at(X) : next_to(*solid.mesh, cells, *around);
        if (elements.empty()) elements = around->of(nodes);  // of a curved side, a place beyond it
        run::StressProbe& probe = out.stresses.emplace_back(run::StressProbe{name.string, {}});
        for (const auto& [block, cell] : elements) probe.elements.push_back({number, block, cell});
      }
    }
    for (std::size_t i = 0; i < 3; ++i) {
      run::Probe& probe = out.probes.emplace_back(run::Probe{fmt::format("{}.{}", name.string, component[i]), {}});
      for (const std::int32_t a : nodes)
        probe.coordinates.push_back(static_cast<std::int32_t>(solid.offset + 3 * a + static_cast<long>(i)));
    }
  });
}

void read_momenta(const SolidFile& file, const SolidBody& solid, std::vector<system::Symmetry>& out) {
  const Value* value = file.section.find("momentum");
  if (!value) return;
  const Document& document = file.document();
  const std::string path = file.section.path("momentum");
  need_kind(document, *value, path, Kind::array);
  for (const Value& item : value->items) {
    need_kind(document, item, path, Kind::string);
    const bool linear = item.string == "linear";
    if (!linear && item.string != "angular")
      document.fail(item.place, fmt::format("{}: there is no momentum \"{}\"", path, item.string),
                    "they are \"linear\" and \"angular\"");
    std::vector<std::array<long, 3>> nodes;
    for (long a = 0; a < solid.mesh->points.cols(); ++a)
      nodes.push_back({solid.offset + 3 * a, solid.offset + 3 * a + 1, solid.offset + 3 * a + 2});
    for (long i = 0; i < 3; ++i) {
      system::Symmetry& symmetry = out.emplace_back();
      const std::string of = solid.name == "x" ? "" : solid.name + ": ";
      symmetry.name = fmt::format("{}{} momentum {}", of, item.string, component[static_cast<std::size_t>(i)]);
      if (linear)
        shift_points(nodes, Eigen::Vector3d::Unit(i), symmetry);
      else
        rotate_points(nodes, Eigen::Vector3d::Unit(i), symmetry);
    }
  }
}

}  // namespace actio::io
