#pragma once
#include <memory>
#include <string>
#include <vector>

#include <actio/run/probe.hpp>
#include <actio/system/solid.hpp>

#include "field.hpp"
#include "parts.hpp"
#include "quantity.hpp"

// [system.solid]: a table, or several headed [[system.solid]].
namespace actio::io {

// One being read: its mesh, and the tables of its file.
struct SolidFile {
  const SymbolTable& symbols;
  Section section;
  std::string name;
  std::shared_ptr<const system::Mesh> mesh;

  const Document& document() const { return section.document(); }
  // The cells of the groups that `group` of a table names, a string or a list of them. Throws for a name no group has, and where
  // cells of dimension `dimension` are needed (-1: any) and there are none.
  system::Cells cells(const Section& table, int dimension) const;
  system::Cells cells(const Value& name, const std::string& path, int dimension) const;
  // f(table, "name of it") for the tables of a list `key`, or the one it is.
  template <class F>
  void for_each(const char* key, const std::vector<std::string>& keys, F&& f) const {
    const Value* list = section.find(key);
    if (!list) return;
    const std::string path = section.path(key);
    if (list->kind == Kind::table) return f(Section(document(), *list, path, keys));
    need_kind(document(), *list, path, Kind::array);
    for (std::size_t k = 0; k < list->items.size(); ++k)
      f(Section(document(), list->items[k], path + "[" + std::to_string(k) + "]", keys));
  }
};

std::vector<system::SolidPart> read_materials(const SolidFile& file, const Quantities& quantities);
// fixed, driven, gravity, body_force, traction, pressure, damping of a solid that is in the model.
void read_solid_loads(const SolidFile& file, system::Model& model, SolidParts& out);
// After those of other solids. Throws where two have one name, and where a place is not of the solid.
void read_probes(const SolidFile& file, const system::SolidBody& solid, std::int32_t number, SolidParts& out);
// momentum = ["linear", "angular"]
void read_momenta(const SolidFile& file, const system::SolidBody& solid, std::vector<system::Symmetry>& out);

}  // namespace actio::io
