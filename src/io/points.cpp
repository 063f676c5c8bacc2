#include <algorithm>

#include <fmt/format.h>

#include "parts.hpp"
#include "reference.hpp"

// [system.points]: coordinates grouped to points, atom = ["x", "y", "z"].
namespace actio::io {
namespace {

// The families that references stand for. Entries k and k + 1 of a point follow one another in each, and a point's last is the
// family's, so that an index out of one is out of the other.
PointFamily point_family(const SymbolTable& symbols, const Value& list, const std::string& path, const std::string& name) {
  const Document& document = symbols.document();
  if (list.kind != Kind::array || list.items.size() < 2 || list.items.size() > 3)
    document.fail(list.place,
                  fmt::format("{} must be two or three coordinates, along the axes of space, not {}", path,
                              list.kind == Kind::array ? fmt::format("{}", list.items.size()) : std::string(noun(list.kind))),
                  fmt::format("for example {} = [\"x\", \"y\", \"z\"]", name));
  PointFamily out;
  out.name = name;
  for (const Value& item : list.items) {
    const std::string here = fmt::format("{}[{}]", path, out.axes.size());
    need_kind(document, item, here, Kind::string);
    const Reference at = read_reference(symbols, item.string, item.place, here);
    const auto family = std::ranges::find_if(symbols.families, [&](const system::Family& f) { return f.offset == at.offset; });
    if (family == symbols.families.end() || at.stride != 1)
      document.fail(item.place, fmt::format("{}: \"{}\" is of a body", here, item.string), "a body has point(a, b, c)");
    const bool one = !at.indexed || (at.count == 1 && family->size > 1);
    if (!one && (at.first >= at.step || at.count * at.step != family->size))
      document.fail(item.place, fmt::format("{}: \"{}\" is a part of {}", here, item.string, family->name),
                    fmt::format("points take all of a family, \"{0}\", or one in every so many, \"{0}[0..{1} step 3]\"",
                                family->name, family->size - 1));
    if (out.axes.empty()) {
      out.indexed = !one;
      out.count = at.count;
    } else if (out.count != at.count || out.indexed == one) {
      document.fail(item.place, fmt::format("{} has {} {}, and {} has {}", list.items[0].string, out.count,
                                            plural(out.count, "entry", "entries"), item.string, at.count));
    }
    out.axes.push_back({family - symbols.families.begin(), at.first, at.step});
  }
  return out;
}

}  // namespace

void read_point_families(const Section& system, SymbolTable& symbols) {
  const Value* table = system.find("points");
  if (!table) return;
  const std::string path = system.path("points");
  need_kind(system.document(), *table, path, Kind::table);
  for (const Entry& entry : table->fields)
    symbols.add_points(point_family(symbols, entry.value, fmt::format("{}.{}", path, entry.key), entry.key), entry.place);
}

}  // namespace actio::io
