#include "solids.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include <actio/io/mesh.hpp>

#include "elements.hpp"
#include "values.hpp"

// [system.solid]
namespace actio::io {
namespace {

// "the groups are steel, clamp, tip"
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 24;
  if (names.empty()) return "the mesh has no groups";
  return fmt::format("the groups are {}{}", fmt::join(std::span(names).first(std::min(most, names.size())), ", "),
                     names.size() > most ? fmt::format(", and {} more", names.size() - most) : "");
}

std::shared_ptr<const system::Mesh> read_the_mesh(const Section& section, const SymbolTable& symbols,
                                                  const Quantities& quantities) {
  const Document& document = section.document();
  const Value& value = section.need("mesh");
  need_kind(document, value, section.path("mesh"), Kind::string);
  const system::Mesh whole = read_mesh(need_file(symbols, value, section.path("mesh")));
  auto mesh = std::make_shared<system::Mesh>(system::without_loose_nodes(whole));
  if (mesh->points.cols() == 0)
    document.fail(value.place, fmt::format("{}: \"{}\" has no tetrahedra and no hexahedra", section.path("mesh"), value.string),
                  whole.points.cols() == 0 ? "" : "a mesh of a solid is of dimension 3");
  if (const Value* scale = section.find("scale")) {
    const double by = quantities.read(*scale, section.path("scale"), scale->kind == Kind::table ? of_length : pure_number);
    if (!(by > 0)) document.fail(scale->place, fmt::format("{} is {}; it must be positive", section.path("scale"), by));
    mesh->points *= by;
  }
  return mesh;
}

system::MassOfSolid read_mass_kind(const Section& section) {
  const Value* value = section.find("mass");
  if (!value) return system::MassOfSolid::consistent;
  const std::string path = section.path("mass");
  need_kind(section.document(), *value, path, Kind::string);
  if (value->string == "consistent") return system::MassOfSolid::consistent;
  if (value->string == "lumped") return system::MassOfSolid::lumped;
  section.document().fail(value->place, fmt::format("{} is \"{}\"", path, value->string), "it is \"consistent\" or \"lumped\"");
}

void read_solid(const Section& system, const Value& table, const std::string& path, SymbolTable& symbols, system::Model& model,
                SolidParts& out) {
  const Document& document = system.document();
  const Quantities quantities(system, symbols);
  const Section section(document, table, path, keys_of_table("system.solid"));
  std::string name = "x";
  Place place = table.place;
  if (const Value* given = section.find("name")) {
    need_kind(document, *given, section.path("name"), Kind::string);
    name = given->string;
    place = given->place;
  }
  const SolidFile file{symbols, section, name, read_the_mesh(section, symbols, quantities)};
  const long nodes = file.mesh->points.cols();
  if (3 * nodes > most_coordinates - symbols.size())
    document.fail(section.need("mesh").place, fmt::format("more than {} coordinates, 3 a node", most_coordinates));
  const std::vector<system::SolidPart> parts = read_materials(file, quantities);
  symbols.add_family(name, 3 * nodes, true, place);
  const system::MassOfSolid mass = read_mass_kind(section);
  try {
    system::add_solid(model, name, file.mesh, parts, mass);
  } catch (const core::InputError& error) {
    document.fail(section.need("mesh").place, error.diagnostic().message, error.diagnostic().hint);
  }
  const system::SolidBody& solid = model.solids.back();
  symbols.solids.push_back({solid.name, nodes, solid.offset});
  read_solid_loads(file, model, out);
  read_probes(file, solid, static_cast<std::int32_t>(model.solids.size()) - 1, out);
  read_momenta(file, solid, out.momenta);
}

}  // namespace

system::Cells SolidFile::cells(const Section& table, int dimension) const {
  return cells(table.need("group"), table.path("group"), dimension);
}

system::Cells SolidFile::cells(const Value& value, const std::string& path, int dimension) const {
  system::Cells out;
  if (value.kind == Kind::array) {
    if (value.items.empty()) document().fail(value.place, fmt::format("{} is empty", path));
    for (const Value& item : value.items) {
      const system::Cells more = cells(item, path, dimension);
      out.insert(out.end(), more.begin(), more.end());
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }
  if (value.kind != Kind::string) wrong_type(document(), value, path, "the name of a group, or a list of names");
  std::vector<std::string> names;
  bool found = false;
  for (const auto& group : mesh->groups) {
    names.push_back(group.name);
    if (group.name != value.string) continue;
    found = true;
    for (const auto& cell : group.cells)
      if (dimension < 0 || system::dimension_of(system::kind_of(*mesh, cell)) == dimension) out.push_back(cell);
  }
  if (!found) {
    const std::string meant = core::did_you_mean(value.string, names);
    document().fail(value.place, fmt::format("{}: the mesh has no group \"{}\"", path, value.string),
                    fmt::format("{}{}{}", meant, meant.empty() ? "" : " ", listed(names)));
  }
  if (out.empty())
    document().fail(value.place,
                    fmt::format("{}: the group \"{}\" has no {}", path, value.string,
                                dimension == 3   ? "elements of dimension 3"
                                : dimension == 2 ? "faces"
                                                 : "cells with nodes of the solid"),
                    "");
  return out;
}

SolidParts read_solids(const Section& system, SymbolTable& symbols, system::Model& model) {
  SolidParts out;
  const Value* solids = system.find("solid");
  if (!solids) return out;
  const Document& document = system.document();
  for (const char* key : {"coordinates", "bodies", "joint", "mass", "stiffness", "damping", "rayleigh", "equations", "library"})
    if (system.find(key))
      document.fail(system.place_of(key), fmt::format("{} is given beside a solid", system.path(key)),
                    "the coordinates and masses are those of the solids' meshes");
  model.parameters = symbols.parameters;
  model.signals = symbols.signals;
  const std::string path = system.path("solid");
  if (solids->kind == Kind::table) {
    read_solid(system, *solids, path, symbols, model, out);
  } else {
    need_kind(document, *solids, path, Kind::array);
    for (std::size_t k = 0; k < solids->items.size(); ++k)
      read_solid(system, solids->items[k], fmt::format("{}[{}]", path, k), symbols, model, out);
  }
  out.prescribed = static_cast<long>(model.constraints.size());
  std::ranges::sort(model.fixed_dofs);
  model.fixed_dofs.erase(std::unique(model.fixed_dofs.begin(), model.fixed_dofs.end()), model.fixed_dofs.end());
  if (static_cast<long>(model.fixed_dofs.size()) == model.size()) {
    const Entry* fixed = (solids->kind == Kind::table ? *solids : solids->items.front()).find_entry("fixed");
    document.fail(fixed ? fixed->place : system.place_of("solid"), "every node is fixed: nothing moves");
  }
  return out;
}

}  // namespace actio::io
