#include <numeric>
#include <set>

#include <fmt/format.h>

#include "elements.hpp"
#include "parts.hpp"
#include "pattern.hpp"

namespace actio::io {
namespace {

// Component of xi for `elements.count` coordinates from `row` on. Zero adds no block.
void add_block(const SymbolTable& symbols, const Value& value, const std::string& path, std::vector<std::string> loops,
               const Elements& elements, long row, system::Symmetry& out) {
  Batch batch;
  if (value.kind == Kind::string) {
    const Expression expression(symbols, value, path, std::move(loops),
                                {true, false, false, false, "a generator depends on positions"});
    if (expression.is_constant(0)) return;
    batch = assemble(expression, elements, 0);
  } else {
    if (!value.is_number()) wrong_type(symbols.document(), value, path, "an expression or a number");
    const double number = finite(symbols.document(), value, path);
    if (number == 0) return;
    batch.value = batch.graph.constant(number);
    batch.elements = elements.count;
  }
  std::vector<std::int32_t> rows(static_cast<std::size_t>(elements.count));
  std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(row));
  out.blocks.push_back(named<system::GeneratorBlock>("", std::move(batch), std::move(rows)));
}

void read_generator(const SymbolTable& symbols, const Value& value, const std::string& path, bool periodic,
                    system::Symmetry& out) {
  const Document& document = symbols.document();
  if (value.kind == Kind::array) {
    const long n = symbols.listed(), given = static_cast<long>(value.items.size());
    if (given != n)
      document.fail(value.place,
                    fmt::format("{} has {} {}, {}", path, given, plural(given, "entry", "entries"), shape_of(symbols)));
    for (long row = 0; row < n; ++row)
      add_block(symbols, value.items[static_cast<std::size_t>(row)], fmt::format("{}[{}]", path, row), {},
                Elements{{}, periodic, 1}, row, out);
    return;
  }
  if (value.kind != Kind::table) wrong_type(document, value, path, "a list, or a table of families");
  std::vector<std::string> names;
  for (const auto& family : symbols.families) names.push_back(family.name);
  const Section section(document, value, path, names);
  for (const auto& family : symbols.families)
    if (const Value* component = section.find(family.name))
      add_block(symbols, *component, section.path(family.name), {"i"}, every_index(family.size, periodic), family.offset, out);
}

// What a symmetry of the kind that the table names takes.
std::vector<std::string> keys_of(const Document& document, const Value& table, const std::string& path) {
  need_kind(document, table, path, Kind::table);
  const char* kind = nullptr;
  for (const char* key : {"generator", "rotation", "translation", "body"}) {
    const Entry* entry = table.find_entry(key);
    if (!entry) continue;
    if (kind)
      document.fail(entry->place, fmt::format("{} has both a {} and a {}", path, kind, key), "a symmetry moves in one way");
    kind = key;
  }
  if (!kind) return keys_of_table("symmetry");
  const std::string_view word = kind;
  if (word == "generator") return {"name", "generator", "periodic"};
  if (word == "body") return {"name", "body", "axis"};
  return {"name", kind, "triples"};
}

}  // namespace

std::vector<system::Symmetry> read_symmetries(const Section& root, const SymbolTable& symbols) {
  const Document& document = root.document();
  std::vector<system::Symmetry> symmetries;
  const Value* list = root.find("symmetry");
  if (!list) return symmetries;
  if (list->kind != Kind::array) wrong_type(document, *list, "symmetry", "a list of tables, each headed [[symmetry]]");
  std::set<std::string> names;
  for (std::size_t k = 0; k < list->items.size(); ++k) {
    const Section section(document, list->items[k], fmt::format("symmetry[{}]", k),
                          keys_of(document, list->items[k], fmt::format("symmetry[{}]", k)));
    system::Symmetry symmetry;
    const Value& name = section.need("name");
    need_kind(document, name, section.path("name"), Kind::string);
    symmetry.name = name.string;
    if (symmetry.name.empty() || symmetry.name.size() > 200)
      document.fail(name.place, "the name of a symmetry has 1 to 200 characters");
    if (!names.insert(symmetry.name).second)
      document.fail(name.place, fmt::format("two symmetries are named \"{}\"", symmetry.name));
    const Value* periodic = section.find("periodic");
    if (periodic && periodic->kind != Kind::boolean) wrong_type(document, *periodic, section.path("periodic"), "true or false");
    if (section.find("rotation") || section.find("translation")) {
      read_space_symmetry(section, symbols, section.find("rotation") ? "rotation" : "translation", symmetry);
    } else if (section.find("body")) {
      read_axis_symmetry(section, symbols, symmetry);
    } else {
      const Value& generator = section.need("generator");
      read_generator(symbols, generator, section.path("generator"), periodic && periodic->integer == 1, symmetry);
      if (symmetry.blocks.empty()) document.fail(generator.place, fmt::format("{} is zero", section.path("generator")));
    }
    symmetries.push_back(std::move(symmetry));
  }
  return symmetries;
}

}  // namespace actio::io
