#include "expression.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace actio::io {
namespace {

std::optional<Column::Kind> kind_of_function(std::string_view name) {
  if (name == "p") return Column::Kind::momentum;
  if (name == "q1") return Column::Kind::next;
  if (name == "reaction") return Column::Kind::reaction;
  return {};
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

void fail_at(const Document& document, const Value& text, const std::string& path, const expr::SyntaxError& error) {
  document.fail(document.inside(text, error.offset, error.length), fmt::format("{} in {}", error.what(), path), error.hint);
}

Expression::Expression(const SymbolTable& symbols, const Value& string, std::string path, std::vector<std::string> loops,
                       const Allowed& allowed)
    : symbols_(&symbols), text_(&string), path_(std::move(path)), loops_(std::move(loops)), allowed_(allowed) {
  need_kind(symbols.document(), string, path_, Kind::string);
  const std::string text = allowed.random ? hide_draws(string.string) : string.string;
  try {
    value = expr::parse(graph, text, *this);
  } catch (const expr::SyntaxError& error) { fail_at(symbols.document(), string, path_, error); }
}

Expression::Expression(const SymbolTable& symbols, std::vector<std::string> loops, const Allowed& allowed)
    : symbols_(&symbols), text_(nullptr), loops_(std::move(loops)), allowed_(allowed) {}

Vector Expression::read_vector(const Value& string, std::string path) {
  path_ = std::move(path);
  text_ = &string;
  need_kind(symbols_->document(), string, path_, Kind::string);
  try {
    return vector(graph, expr::parse_name(graph, string.string, *this));
  } catch (const expr::SyntaxError& error) { fail_at(symbols_->document(), string, path_, error); }
}

expr::Id Expression::read_number(const Value& given, std::string path) {
  path_ = std::move(path);
  text_ = &given;
  if (given.kind != Kind::string) return graph.constant(finite(symbols_->document(), given, path_));
  try {
    return expr::parse(graph, given.string, *this);
  } catch (const expr::SyntaxError& error) { fail_at(symbols_->document(), given, path_, error); }
}

double Expression::number(expr::Id id) const {
  expr::Graph folded;
  std::vector<expr::Id> uniforms, none;
  for (const double x : symbols_->parameters) uniforms.push_back(folded.constant(x));
  uniforms.insert(uniforms.begin(), folded.uniform(0));
  for (std::size_t k = 0; k < symbols_->signals.size(); ++k)
    uniforms.push_back(folded.uniform(static_cast<int>(symbols_->parameters.size() + k) + 1));
  for (std::size_t k = 0; k < columns.size(); ++k) none.push_back(folded.column(static_cast<int>(k)));
  const expr::Id out = expr::substitute(folded, graph, id, none, uniforms);
  return folded.is_constant(out) ? folded[out].value : std::numeric_limits<double>::quiet_NaN();
}

// normal() becomes a name of the same length; every occurrence is a draw of its own.
std::string Expression::hide_draws(std::string text) {
  for (const auto& [word, kind] : {std::pair{std::string("normal"), Column::Kind::normal}, {"uniform", Column::Kind::uniform}}) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) {
      if (at > 0 && is_word(text[at - 1])) continue;
      std::size_t open = text.find_first_not_of(' ', at + word.size());
      if (open == std::string::npos || text[open] != '(') continue;
      const std::size_t close = text.find_first_not_of(' ', open + 1);
      if (close == std::string::npos || text[close] != ')') continue;
      std::fill(text.begin() + static_cast<long>(at + word.size()), text.begin() + static_cast<long>(close) + 1, '_');
      draws_.emplace(at, kind);
    }
  }
  return text;
}

expr::Id Expression::resolve(expr::Graph& g, const expr::Symbol& given) {
  if (const auto argument = argument_of_formula(g, given)) return *argument;
  const expr::Symbol symbol = in_loops(given);
  const std::string name(symbol.name);
  const auto wrong = [&](const std::string& message, std::string hint = {}) {
    throw expr::SyntaxError(symbol.offset, symbol.length, message, std::move(hint));
  };
  const auto plain = [&](std::string_view what) {
    if (!symbol.indices.empty()) wrong(fmt::format("{} is {} and takes no index", name, what));
    if (symbol.primes > 0) wrong(fmt::format("{} has no velocity", name), fmt::format("it is {}", what));
  };
  if (const auto draw = draws_.find(symbol.offset); draw != draws_.end() && open_.empty())
    return add(g, draw->second, static_cast<long>(std::distance(draws_.begin(), draw)), symbol, false);
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    if (loops_[k] != name || !open_.empty()) continue;
    plain("an index");
    return add(g, Column::Kind::loop, static_cast<long>(k), symbol, false);
  }
  if (name == "t") {
    plain("the time");
    if (!allowed_.time) wrong("the time t is not allowed", allowed_.why);
    return g.uniform(0);
  }
  const SymbolTable::Definition* definition = symbols_->find(name);
  if (is_of_body(symbol, definition)) return component(g, symbol);
  if (!definition && allowed_.observed)
    if (const expr::Id known = quantity(g, symbol); known >= 0) return known;
  if (!definition) {
    std::vector<std::string> words = symbols_->names();
    if (allowed_.observed)
      for (const KnownNumber& known : symbols_->quantities) words.push_back(known.name);
    const std::vector<std::string>& local = open_.empty() ? loops_ : open_.back().formula->parameters;
    words.insert(words.end(), local.begin(), local.end());
    if (allowed_.time) words.emplace_back("t");
    wrong(fmt::format("unknown name \"{}\"", name), core::did_you_mean(name, words));
  }
  if (definition->meaning == Meaning::parameter) {
    plain("a parameter");
    return g.uniform(static_cast<int>(definition->which) + 1);
  }
  if (definition->meaning == Meaning::signal) {
    plain("a signal");
    if (!allowed_.time || !allowed_.signals)
      wrong(fmt::format("{} is a signal, a function of the time, not allowed", name),
            allowed_.why_signal.empty() ? allowed_.why : allowed_.why_signal);
    return g.uniform(static_cast<int>(symbols_->parameters.size()) + static_cast<int>(definition->which) + 1);
  }
  if (definition->meaning == Meaning::table) {
    const Table& table = symbols_->tables[static_cast<std::size_t>(definition->which)];
    if (symbol.primes > 0) wrong(fmt::format("{} has no velocity", name), "it is a table");
    if (symbol.indices.size() != 1)
      wrong(fmt::format("{} is a table of {} and takes one index", name, table.values.size()), fmt::format("write {}[i]", name));
    return add(g, Column::Kind::table, definition->which, symbol, true);
  }
  if (definition->meaning == Meaning::formula) return formula_alone(g, symbol);
  if (definition->meaning == Meaning::point)
    wrong(fmt::format("{} is a point", name),
          "points stand in distance(a, b), angle(a, b, c), dihedral(a, b, c, d) and dot(a, b)");
  const system::Family& family = symbols_->families[static_cast<std::size_t>(definition->which)];
  return add(g, coordinate(symbol, name, family.indexed, family.size), definition->which, symbol, family.indexed);
}

// p(x), its momentum, q1(x), where the step goes, and reaction(x), the force that holds it: of observables.
bool Expression::is_of_coordinate(std::string_view function) const {
  return allowed_.observed && kind_of_function(function) && !symbols_->find(function);
}
expr::Id Expression::of_coordinate(expr::Graph& g, const expr::Symbol& function, std::span<const expr::Argument> arguments) {
  const auto wrong = [](const expr::Symbol& at, const std::string& message) {
    throw expr::SyntaxError(at.offset, at.length, message);
  };
  if (arguments.size() != 1) wrong(function, fmt::format("{} takes one coordinate, not {}", function.name, arguments.size()));
  if (function.name == "reaction" && !arguments[0].name.members.empty()) return reaction_of_support(g, arguments[0].name);
  of_function_ = kind_of_function(function.name);
  const expr::Id id = resolve(g, arguments[0].name);
  const bool found = g[id].op == expr::Op::column && columns[static_cast<std::size_t>(g[id].k)].kind == *of_function_;
  of_function_.reset();
  if (!found) wrong(arguments[0].name, fmt::format("{} takes a coordinate", function.name));
  return id;
}

// Of a support of a solid: reaction(clamp.x), or with the solid's name before it.
expr::Id Expression::reaction_of_support(expr::Graph& g, const expr::Symbol& support) const {
  std::string name(support.name), known;
  for (const expr::Member& member : support.members) name += fmt::format(".{}", member.name);
  const std::string of = fmt::format("reaction({})", name);
  expr::Symbol whole = support;
  whole.name = of;
  if (const expr::Id found = quantity(g, whole); found >= 0) return found;
  for (const KnownNumber& one : symbols_->quantities)
    if (one.name.starts_with("reaction(")) known += (known.empty() ? "there is " : ", ") + one.name;
  if (known.empty()) known = "reaction(clamp.x) is that of a group in system.solid.fixed, where no constraints act";
  throw expr::SyntaxError(support.offset, support.length, fmt::format("{} is not a support whose reaction is known", name),
                          known);
}

// One of SymbolTable::quantities; negative where none has the name.
expr::Id Expression::quantity(expr::Graph& g, const expr::Symbol& symbol) const {
  const auto& all = symbols_->quantities;
  const auto found = std::find_if(all.begin(), all.end(), [&](const KnownNumber& known) { return known.name == symbol.name; });
  if (found == all.end()) return -1;
  const auto wrong = [&](const std::string& message) { throw expr::SyntaxError(symbol.offset, symbol.length, message); };
  if (!found->why_not.empty()) wrong(fmt::format("{} is not a number here: {}", symbol.name, found->why_not));
  if (!symbol.indices.empty()) wrong(fmt::format("{} is one number and takes no index", symbol.name));
  if (symbol.primes > 0) wrong(fmt::format("{} has no velocity", symbol.name));
  return g.uniform(static_cast<int>(1 + symbols_->parameters.size() + symbols_->signals.size()) +
                   static_cast<int>(found - all.begin()));
}

// A coordinate, its velocity or acceleration; throws where it is not allowed, or its index is missing or too many.
Column::Kind Expression::coordinate(const expr::Symbol& symbol, const std::string& name, bool indexed, long size) const {
  const auto wrong = [&](const std::string& message, std::string hint = {}) {
    throw expr::SyntaxError(symbol.offset, symbol.length, message, std::move(hint));
  };
  if (!allowed_.positions) wrong(fmt::format("{} is a coordinate, not allowed", name), allowed_.why);
  if (symbol.primes > 2)
    wrong(fmt::format("{} has {} primes", name, symbol.primes),
          fmt::format("{0}' is its velocity, {0}'' its acceleration", name));
  if (symbol.primes == 2 && !allowed_.accelerations)
    wrong(fmt::format("{}'' is an acceleration, not allowed", name),
          allowed_.velocities ? "accelerations stand in [system.equations] only" : allowed_.why);
  if (symbol.primes > 0 && !allowed_.velocities) wrong(fmt::format("{}' is a velocity, not allowed", name), allowed_.why);
  if (indexed && symbol.indices.size() != 1)
    wrong(fmt::format("{} is a family of {} and takes one index", symbol.name, size), fmt::format("write {}[i]", symbol.name));
  if (!indexed && !symbol.indices.empty())
    wrong(fmt::format("{} is one {} and takes no index", symbol.name, symbol.members.empty() ? "coordinate" : "body"),
          fmt::format("a family is declared with its size: \"{}[10]\"", symbol.name));
  if (of_function_) {
    if (symbol.primes > 0)
      wrong(fmt::format("{} is a velocity", name), fmt::format("write p({0}), q1({0}) or reaction({0})", symbol.name));
    return *of_function_;
  }
  constexpr std::array kinds{Column::Kind::position, Column::Kind::velocity, Column::Kind::acceleration};
  return kinds[static_cast<std::size_t>(symbol.primes)];
}

expr::Id Expression::add(expr::Graph& g, Column::Kind kind, long which, const expr::Symbol& symbol, bool indexed, long entry) {
  Column column{kind,  which, indexed ? Offset(symbol.indices.front(), loops_.size()) : Offset(), symbol.offset, symbol.length,
                entry, text_};
  const auto [at, fresh] = known_.emplace(fmt::format("{} {} {} {}", static_cast<int>(kind), which, entry, column.index.key()),
                                          static_cast<int>(columns.size()));
  if (fresh) columns.push_back(std::move(column));
  return g.column(at->second);
}

void Expression::fail(const Column& column, const std::string& message, std::string_view hint) const {
  const Document& document = symbols_->document();
  document.fail(document.inside(*column.text, column.offset, column.length), message, hint);
}

std::vector<expr::Range> read_ranges(const SymbolTable& symbols, const Value& value, const std::string& path) {
  const Document& document = symbols.document();
  need_kind(document, value, path, Kind::string);
  std::vector<expr::Range> ranges;
  try {
    ranges = expr::parse_ranges(value.string, symbols.integers);
  } catch (const expr::SyntaxError& error) { fail_at(document, value, path, error); }
  if (ranges.empty()) document.fail(value.place, fmt::format("{} names no range", path), "for example over = \"i = 0..9\"");
  if (ranges.size() > 8) document.fail(value.place, fmt::format("{} has more than 8 ranges", path));
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const std::string& name = ranges[k].name;
    const Place place = document.inside(value, value.string.find(name), name.size());
    for (std::size_t earlier = 0; earlier < k; ++earlier)
      if (ranges[earlier].name == name) document.fail(place, fmt::format("the index \"{}\" is named twice in {}", name, path));
    symbols.check_local(name, "an index", place);
  }
  return ranges;
}

}  // namespace actio::io
