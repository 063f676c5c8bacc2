#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <actio/expr/operations.hpp>

#include <actio/system/bodies.hpp>

#include "elements.hpp"
#include "equals.hpp"
#include "parts.hpp"
#include "values.hpp"

// Holonomic constraints g(t, q) = 0: multipliers keep them, or a penalty.
namespace actio::io {
namespace {

const char* const why_no_velocity =
    "a holonomic constraint depends on positions and t alone: write the function of positions whose time derivative this is, or "
    "use a force";
const char* const why_no_signal =
    "a constraint that depends on time needs time derivatives, which a sampled signal does not have: write an expression of t";

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n\r"), end = text.find_last_not_of(" \t\n\r");
  return begin == std::string::npos ? "" : text.substr(begin, end + 1 - begin);
}

}  // namespace

void refuse_equals(const Document& document, const Value& text, const std::string& path) {
  const std::string& s = text.string;
  int depth = 0;  // inside brackets it compares
  for (std::size_t at = 0; at < s.size(); ++at) {
    depth += (s[at] == '(') - (s[at] == ')');
    if (s[at] != '=' || depth > 0) continue;
    const bool compares = (at > 0 && std::string_view("<>!").find(s[at - 1]) != std::string_view::npos);
    if (compares) continue;
    const std::size_t length = at + 1 < s.size() && s[at + 1] == '=' ? 2 : 1;
    const std::string left = trimmed(s.substr(0, at)), right = trimmed(s.substr(at + length));
    std::string hint = "write the left side minus the right side, which stays zero";
    if (!left.empty() && !right.empty() && s.size() <= 100)
      hint = right == "0" ? fmt::format("write \"{}\", which stays zero", left)
                          : fmt::format("write \"{} - ({})\", which stays zero", left, right);
    document.fail(document.inside(text, at, length), fmt::format("an equals sign in {}", path), hint);
  }
}

namespace {

bool is_comparison(const Expression& expression) { return expr::is_boolean(expression.graph[expression.value].op); }

class ConstraintReader {
 public:
  ConstraintReader(const SymbolTable& symbols, system::Model& model)
      : symbols_(symbols), model_(model), is_fixed_(static_cast<std::size_t>(symbols.size())) {
    for (const std::int32_t i : model.fixed_dofs) is_fixed_[static_cast<std::size_t>(i)] = true;
  }

  // A string, or a table with name, over, periodic and expression.
  void read(const Value& item, const std::string& path) {
    const std::string name = fmt::format("constraint {}", model_.constraints.size());
    if (item.kind == Kind::string) return add(item, path, name, Elements{});
    const Document& document = symbols_.document();
    if (item.kind != Kind::table) wrong_type(document, item, path, "an expression, or { name = \"...\", expression = \"...\" }");
    const Section section(document, item, path, keys_of_table("system.constraint"));
    const Value *given = section.find("name"), *over = section.find("over"), *periodic = section.find("periodic");
    if (given) check_name(section, *given);
    if (periodic && periodic->kind != Kind::boolean) wrong_type(document, *periodic, section.path("periodic"), "true or false");
    const bool wraps = periodic && periodic->integer == 1;
    const Elements elements = over ? read_elements(symbols_, *over, section.path("over"), wraps) : Elements{{}, wraps, 1};
    add(section.need("expression"), section.path("expression"), given ? given->string : name, elements);
  }

 private:
  void check_name(const Section& section, const Value& name) {
    need_kind(section.document(), name, section.path("name"), Kind::string);
    if (name.string.empty() || name.string.size() > 200)
      section.document().fail(name.place, "the name of a constraint has 1 to 200 characters");
    if (!names_.insert(name.string).second)
      section.document().fail(name.place, fmt::format("two constraints are named \"{}\"", name.string));
  }

  void add(const Value& text, const std::string& path, const std::string& name, const Elements& elements) {
    const Document& document = symbols_.document();
    need_kind(document, text, path, Kind::string);
    refuse_equals(document, text, path);
    std::vector<std::string> loops;
    for (const auto& range : elements.ranges) loops.push_back(range.name);
    const Expression expression(symbols_, text, path, loops,
                                {true, false, true, false, why_no_velocity, false, false, why_no_signal});
    if (is_comparison(expression))
      document.fail(
          text.place, fmt::format("{} is a comparison", path),
          "a constraint is an expression that stays zero; an inequality is a contact: [[system.contact]] gap = \"...\"");
    Batch batch = assemble(expression, elements, 0);
    if (batch.locals == 0) document.fail(text.place, fmt::format("{} depends on no coordinate", path));
    count_ += batch.elements;
    if (count_ > most_elements) document.fail(text.place, fmt::format("there are more than {} constraints", most_elements));
    refuse_held(batch, text, path);
    model_.constraints.push_back(named<system::Constraint>(name, std::move(batch)));
  }

  // Nothing keeps a constraint whose coordinates never move.
  void refuse_held(const Batch& batch, const Value& text, const std::string& path) const {
    if (model_.fixed_dofs.empty()) return;
    const auto dof = [&](long l, long e) {
      return static_cast<std::size_t>(batch.dofs[static_cast<std::size_t>(l * batch.elements + e)]);
    };
    for (long e = 0; e < batch.elements; ++e) {
      bool held = true;
      for (long l = 0; l < batch.locals && held; ++l) held = is_fixed_[dof(l, e)];
      if (!held) continue;
      std::string names;
      for (long l = 0; l < std::min(batch.locals, 4L); ++l)
        names += (l == 0 ? "" : ", ") + symbols_.coordinate_name(static_cast<long>(dof(l, e)));
      symbols_.document().fail(
          text.place, fmt::format("{} depends on fixed coordinates alone ({}{})", path, names, batch.locals > 4 ? ", ..." : ""),
          "a coordinate in system.fixed never moves: nothing is left to constrain");
    }
  }

  const SymbolTable& symbols_;
  system::Model& model_;
  std::vector<bool> is_fixed_;
  std::set<std::string> names_;
  long count_ = 0;
};

// One of two words; the first when it is not given.
bool is_second(const Section& system, const char* key, const std::array<std::string, 2>& words) {
  const Value* value = system.find(key);
  if (!value) return false;
  need_kind(system.document(), *value, system.path(key), Kind::string);
  const auto at = std::find(words.begin(), words.end(), value->string);
  if (at == words.end())
    system.document().fail(
        value->place,
        fmt::format("{} is \"{}\"; it must be \"{}\" or \"{}\"", system.path(key), value->string, words[0], words[1]),
        core::did_you_mean(value->string, words));
  return at == words.begin() + 1;
}

void need_constraints(const Section& system, const system::Model& model) {
  if (!model.constraints.empty()) return;
  for (const char* key : {"redundant", "constraint_method", "omega"})
    if (system.find(key))
      system.document().fail(system.place_of(key), fmt::format("there is {}, but no constraint", system.path(key)),
                             "constraints = [\"x^2 + y^2 - 1\"], or [[system.constraint]]");
}

void need_freedom(const Section& system, const system::Model& model, long n) {
  const long free = n - static_cast<long>(model.fixed_dofs.size()), m = model.constraint_count();
  if (m > free)
    system.document().fail(system.place_of(system.find("constraints")  ? "constraints"
                                           : system.find("constraint") ? "constraint"
                                                                       : "joint"),
                           fmt::format("there {} {} {}, more than the {} {} that can move", m == 1 ? "is" : "are", m,
                                       plural(m, "constraint", "constraints"), free, plural(free, "coordinate", "coordinates")),
                           "if some follow from others, set redundant = \"least-squares\"");
}

}  // namespace

void read_constraints(const Section& system, const SymbolTable& symbols, system::Model& model,
                      std::vector<core::Source>& places) {
  const Document& document = system.document();
  places.resize(model.constraints.size(), document.source(system.place_of("solid")));
  ConstraintReader reader(symbols, model);
  const auto read = [&](const Value& item, const std::string& path) {
    reader.read(item, path);
    places.resize(model.constraints.size(), document.source(item.place));
  };
  if (const Value* list = system.find("constraints")) {
    const std::string path = system.path("constraints");
    if (list->kind == Kind::string) {
      read(*list, path);
    } else {
      if (list->kind != Kind::array) wrong_type(document, *list, path, "a list of expressions");
      if (list->items.empty()) document.fail(list->place, fmt::format("{} is empty", path));
      for (std::size_t k = 0; k < list->items.size(); ++k) read(list->items[k], fmt::format("{}[{}]", path, k));
    }
  }
  if (const Value* list = system.find("constraint")) {
    const std::string path = system.path("constraint");
    if (list->kind != Kind::array) wrong_type(document, *list, path, "a list of tables, each headed [[system.constraint]]");
    for (std::size_t k = 0; k < list->items.size(); ++k) read(list->items[k], fmt::format("{}[{}]", path, k));
  }
  read_joints(system, symbols, model, places);
  system::add_rotation_constraints(model);
  places.resize(model.constraints.size(), document.source(system.place_of("bodies")));
  need_constraints(system, model);
  model.least_squares = is_second(system, "redundant", {"error", "least-squares"});
  const bool penalty = is_second(system, "constraint_method", {"multipliers", "penalty"});
  const Value* omega = system.find("omega");
  if (!penalty) {
    if (omega)
      document.fail(system.place_of("omega"), fmt::format("{} belongs to a penalty", system.path("omega")),
                    "constraint_method = \"penalty\" adds 1/2 omega^2 g^2 to the potential for each constraint g");
    if (!model.least_squares) need_freedom(system, model, symbols.size());
    return;
  }
  if (model.least_squares)
    document.fail(system.place_of("redundant"), fmt::format("{} belongs to multipliers", system.path("redundant")),
                  "a penalty accepts constraints that follow from others");
  if (!omega)
    document.fail(system.place_of("constraint_method"), fmt::format("{} is missing", system.path("omega")),
                  "a penalty adds 1/2 omega^2 g^2 to the potential for each constraint g: omega = 20");
  const double w = scalar(symbols, *omega, system.path("omega"));
  if (!(w > 0)) document.fail(omega->place, fmt::format("{} is {}; it must be positive", system.path("omega"), w));
  if (!(w < 1e150)) document.fail(omega->place, fmt::format("{} is {}, too large to be squared", system.path("omega"), w));
  system::penalise(model, w);
}

}  // namespace actio::io
