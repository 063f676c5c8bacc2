#include <algorithm>

#include <fmt/format.h>

#include "parts.hpp"
#include "pattern.hpp"
#include "rows.hpp"
#include "values.hpp"

// External forces by coordinate, loads p(t) = pattern g(t), and the motion of the ground.
namespace actio::io {
namespace {

const char* const time_alone = "a load depends on the time alone; with coordinates it is a force: [system.force]";

// g(t) as an expression or a number, without columns.
Batch read_time(const SymbolTable& symbols, const Value* value, const std::string& path) {
  Batch batch;
  if (value && value->kind == Kind::string)
    return assemble(Expression(symbols, *value, path, {}, {false, false, true, false, time_alone}), Elements{}, 0);
  if (value && value->kind == Kind::array)
    symbols.document().fail(
        value->place, fmt::format("{} is a list; samples over time are a signal", path),
        "signals = { ag = { time = [...], value = [...] } } (or step in place of time), and then \"ag\" here");
  batch.value = batch.graph.constant(value ? finite(symbols.document(), *value, path) : 1);
  return batch;
}

// p_i(t) = pattern_i g(t) for the coordinates where the pattern is not 0.
system::Force load(Batch g, const Eigen::VectorXd& pattern, std::string name) {
  system::Force out;
  out.name = std::move(name);
  std::vector<double> column;
  for (long i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == 0) continue;
    out.rows.push_back(static_cast<std::int32_t>(i));
    column.push_back(pattern[i]);
  }
  out.elements = static_cast<long>(column.size());
  out.graph = std::move(g.graph);
  const bool uniform = std::all_of(column.begin(), column.end(), [&](double x) { return x == column.front(); });
  const expr::Id factor = uniform ? out.graph.constant(column.front()) : out.graph.column(0);
  if (!uniform) out.data.push_back(std::move(column));
  out.value = out.graph.mul(factor, g.value);
  return out;
}

double factor(const Section& section, const SymbolTable& symbols) {
  const Value* given = section.find("scale");
  return given ? scalar(symbols, *given, section.path("scale")) : 1;
}

void need_some(const Section& section, const char* key, const Eigen::VectorXd& pattern) {
  if (!pattern.allFinite()) section.document().fail(section.need(key).place, fmt::format("{} is not finite", section.path(key)));
  if ((pattern.array() == 0).all())
    section.document().fail(section.need(key).place, fmt::format("{} is zero", section.path(key)));
}

void read_load(const Section& section, const SymbolTable& symbols, const std::string& name, system::Model& model) {
  const Eigen::VectorXd pattern =
      factor(section, symbols) * read_pattern(symbols, section.need("pattern"), section.path("pattern"));
  need_some(section, "pattern", pattern);
  model.forces.push_back(load(read_time(symbols, section.find("time"), section.path("time")), pattern, name));
}

// -M r a(t): the coordinates are relative to a ground that moves by r times its displacement.
void read_base(const Section& section, const SymbolTable& symbols, const std::string& name, system::Model& model) {
  const system::MassMatrix& mass = model.mass;
  if (mass.kind == system::MassMatrix::Kind::none)
    symbols.document().fail(section.table().place, fmt::format("{} needs system.mass", section.path()), "its load is -M r a(t)");
  Batch g = read_time(symbols, &section.need("acceleration"), section.path("acceleration"));
  const Eigen::VectorXd r = read_pattern(symbols, section.need("direction"), section.path("direction"));
  const Eigen::VectorXd p = mass.kind == system::MassMatrix::Kind::full ? Eigen::VectorXd(mass.full * -r)
                                                                        : Eigen::VectorXd(-mass.diagonal.cwiseProduct(r));
  need_some(section, "direction", p);
  model.forces.push_back(load(std::move(g), p, name));
}

void read_force(const SymbolTable& symbols, const Entry& entry, const std::string& path, system::Model& model) {
  Rows at = rows_of(read_reference(symbols, entry.key, entry.place, path));
  const std::string here = fmt::format("{}.{}", path, entry.key);
  Batch batch;
  if (entry.value.is_number()) {
    batch.elements = static_cast<long>(at.rows.size());
    batch.value = batch.graph.constant(finite(symbols.document(), entry.value, here));
  } else {
    if (entry.value.kind != Kind::string) wrong_type(symbols.document(), entry.value, here, "an expression or a number");
    batch = assemble(Expression(symbols, entry.value, here, at.loops, {true, true, true, false, ""}), at.elements, 1);
  }
  if (!batch.graph.is_constant(batch.value, 0))
    model.forces.push_back(named<system::Force>("force " + entry.key, std::move(batch), std::move(at.rows)));
}

// A kind of force: its key in [system], what it is called where it has no name, and what reads a table of it.
struct ForceKind {
  std::string key, name;
  void (*read)(const Section& section, const SymbolTable& symbols, const std::string& name, system::Model& model);
};
const std::vector<ForceKind>& kinds() {
  static const std::vector<ForceKind> all{
      {"load", "load", read_load},
      {"base", "base acceleration", read_base},
      {"drag", "drag", read_drag},
  };
  return all;
}

// f(section, name) for the one table [system.key], or those of [[system.key]].
template <class F>
void for_each_of(const ForceKind& kind, const Section& system, F&& f) {
  const Document& document = system.document();
  const Value* list = system.find(kind.key);
  if (!list) return;
  const auto read = [&](const Value& table, const std::string& path, std::string name) {
    const Section section(document, table, path, keys_of_table("system." + kind.key));
    if (const Value* given = section.find("name")) {
      need_kind(document, *given, section.path("name"), Kind::string);
      name = given->string;
    }
    f(section, name);
  };
  const std::string path = system.path(kind.key);
  if (list->kind == Kind::table) return read(*list, path, kind.name);
  if (list->kind != Kind::array) wrong_type(document, *list, path, fmt::format("a list of tables, each headed [[{}]]", path));
  for (std::size_t k = 0; k < list->items.size(); ++k)
    read(list->items[k], fmt::format("{}[{}]", path, k), fmt::format("{} {}", kind.key, k));
}

}  // namespace

std::vector<std::string> force_keys() {
  std::vector<std::string> out{"force"};
  for (const ForceKind& kind : kinds()) out.push_back(kind.key);
  return out;
}

void read_forces(const Section& system, const SymbolTable& symbols, system::Model& model) {
  if (const Value* forces = system.find("force")) {
    const std::string path = system.path("force");
    if (forces->kind != Kind::table) wrong_type(system.document(), *forces, path, "a table of coordinates");
    for (const Entry& entry : forces->fields) read_force(symbols, entry, path, model);
  }
  for (const ForceKind& kind : kinds())
    for_each_of(kind, system, [&](const Section& section, const std::string& name) { kind.read(section, symbols, name, model); });
}

std::vector<std::pair<std::string, Eigen::VectorXd>> read_bases(const Section& system, const SymbolTable& symbols) {
  std::vector<std::pair<std::string, Eigen::VectorXd>> out;
  for (const ForceKind& kind : kinds())
    if (kind.read == read_base)
      for_each_of(kind, system, [&](const Section& section, const std::string& name) {
        out.emplace_back(name, read_pattern(symbols, section.need("direction"), section.path("direction")));
      });
  return out;
}

}  // namespace actio::io
