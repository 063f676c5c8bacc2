#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "expression.hpp"

// Definitions in expressions. The text of a formula is read where it stands, into the same graph: equal subexpressions are one
// node there, so a definition costs nothing. Its names are those of the file and its own arguments, never the loops around it.
namespace actio::io {
namespace {

using expr::Argument;
using expr::Id;
using expr::Index;
using expr::Symbol;
using expr::Takes;

constexpr std::size_t deepest_definition = 64;  // formulas within formulas

[[noreturn]] void wrong_use(const Symbol& symbol, const std::string& message, std::string hint = {}) {
  throw expr::SyntaxError(symbol.offset, symbol.length, message, std::move(hint));
}

std::string key_of(const Formula& formula, const std::vector<Argument>& arguments, std::size_t loops) {
  std::string out = formula.name;
  for (std::size_t k = 0; k < arguments.size(); ++k)
    out += formula.takes[k] == Takes::index ? " " + Offset(arguments[k].index, loops).key()
                                            : fmt::format(" {}", arguments[k].number);
  return out;
}

}  // namespace

// An argument of the formula that is being read.
std::optional<Id> Expression::argument_of_formula(expr::Graph& g, const Symbol& symbol) {
  if (open_.empty()) return {};
  const Open& now = open_.back();
  const auto found = std::ranges::find(now.formula->parameters, symbol.name);
  if (found == now.formula->parameters.end()) return {};
  const auto k = static_cast<std::size_t>(found - now.formula->parameters.begin());
  const std::string is = fmt::format("{} is an argument of {}", symbol.name, now.formula->name);
  if (!symbol.indices.empty()) wrong_use(symbol, is + " and takes no index");
  if (symbol.primes > 0) wrong_use(symbol, is + " and has no velocity");
  if (!symbol.members.empty()) wrong_use(symbol, fmt::format("{} and has no \"{}\"", is, symbol.members[0].name));
  if (now.formula->takes[k] == Takes::index) return number_of(g, now.arguments[k].index, symbol);
  return now.arguments[k].number;
}

// Of the loops of the expression, where it was written with the arguments of a formula.
Index Expression::in_loops(const Index& index, const Symbol& at) const {
  if (open_.empty()) return index;
  try {
    return expr::substitute(index, open_.back().indices);
  } catch (const std::range_error& error) { wrong_use(at, error.what()); }
}
Symbol Expression::in_loops(const Symbol& symbol) const {
  Symbol out = symbol;
  for (Index& index : out.indices) index = in_loops(index, symbol);
  return out;
}

// An index where a number stands: / rounds down and % has the sign of the divisor, as in an index.
Id Expression::number_of(expr::Graph& g, const Index& index, const Symbol& symbol) {
  std::vector<Id> stack;
  for (const Index::Step& step : index.steps) {
    if (step.op == 'c') {
      stack.push_back(g.constant(static_cast<double>(step.value)));
    } else if (step.op == 'v') {
      stack.push_back(add(g, Column::Kind::loop, step.value, symbol, false));
    } else if (step.op == 'n') {
      stack.back() = g.neg(stack.back());
    } else {
      const Id b = stack.back();
      stack.pop_back();
      Id& a = stack.back();
      const Id whole = step.op == '/' || step.op == '%' ? g.unary(expr::Op::floor, g.div(a, b)) : -1;
      if (step.op == '/') a = whole;
      if (step.op == '%') a = g.sub(a, g.mul(b, whole));
      if (step.op == '+') a = g.add(a, b);
      if (step.op == '-') a = g.sub(a, b);
      if (step.op == '*') a = g.mul(a, b);
    }
  }
  return stack.back();
}

Id Expression::formula_alone(expr::Graph& g, const Symbol& symbol) {
  const Formula& formula = symbols_->formulas[static_cast<std::size_t>(symbols_->find(symbol.name)->which)];
  if (!formula.parameters.empty())
    wrong_use(symbol, fmt::format("{} is a function", formula.name), fmt::format("write {}", formula.call()));
  if (!symbol.indices.empty())
    wrong_use(symbol, fmt::format("{} is a definition and takes no index", formula.name),
              fmt::format("\"{0}(k)\" = \"...\" in [system.define] may use k as an index; it is called {0}(k)", formula.name));
  if (symbol.primes > 0)
    wrong_use(symbol, fmt::format("{} has no velocity", formula.name), "it is a definition: define its rate with x'");
  return expand(g, formula, {}, symbol);
}

Id Expression::expand(expr::Graph& g, const Formula& formula, std::vector<Argument> arguments, const Symbol& symbol) {
  const auto begin = std::ranges::find(open_, &formula, &Open::formula);
  if (begin != open_.end()) {
    std::string cycle;
    for (auto at = begin; at != open_.end(); ++at) cycle += at->formula->name + " -> ";
    wrong_use(symbol, fmt::format("the definition {} depends on itself: {}{}", formula.name, cycle, formula.name));
  }
  if (open_.size() == deepest_definition)
    wrong_use(symbol, fmt::format("definitions are nested more than {} deep", deepest_definition));
  const std::string key = key_of(formula, arguments, loops_.size());
  const bool own = &g == &graph;
  if (const auto found = expanded_.find(key); own && found != expanded_.end()) return found->second;
  Open next{&formula, std::move(arguments), {}};
  for (std::size_t k = 0; k < next.arguments.size(); ++k)
    if (formula.takes[k] == Takes::index) next.indices.push_back(next.arguments[k].index);
  open_.push_back(std::move(next));
  const Value* const text = std::exchange(text_, formula.text);
  try {
    const Id out = expr::parse(g, formula.text->string, *this);
    if (own) expanded_.emplace(key, out);
    text_ = text;
    open_.pop_back();
    return out;
  } catch (const expr::SyntaxError& error) {
    const std::string path = formula.path == path_ ? path_ : fmt::format("{}, used in {}", formula.path, path_);
    fail_at(symbols_->document(), *formula.text, path, error);
  }
}

void Expression::read_formula(const Formula& formula) {
  path_ = formula.path;
  text_ = formula.text;
  std::vector<Argument> arguments(formula.parameters.size());
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const Symbol name{formula.parameters[k], 0, {}};
    arguments[k].index.steps = {{'v', static_cast<long>(k)}};
    arguments[k].number = add(graph, Column::Kind::loop, static_cast<long>(k), name, false);
  }
  value = expand(graph, formula, std::move(arguments), {});
}

std::vector<Takes> Expression::takes(std::string_view function) const {
  if (const auto* found = symbols_->find(function); found && found->meaning == Meaning::formula)
    return symbols_->formulas[static_cast<std::size_t>(found->which)].takes;
  if (is_of_coordinate(function)) return {Takes::name};
  const std::vector<std::string_view> of_points = functions_of_points();
  if (std::ranges::find(of_points, function) != of_points.end()) return {Takes::name};
  return {};
}

std::vector<std::string> Expression::functions() const {
  std::vector<std::string> out;
  for (const Formula& formula : symbols_->formulas)
    if (!formula.parameters.empty()) out.push_back(formula.name);
  for (const std::string_view name : functions_of_points()) out.emplace_back(name);
  return out;
}

Id Expression::apply(expr::Graph& g, const Symbol& function, std::span<const Argument> arguments) {
  if (is_of_coordinate(function.name)) return of_coordinate(g, function, arguments);
  const auto* found = symbols_->find(function.name);
  if (!found || found->meaning != Meaning::formula) return apply_to_points(g, function, arguments);
  const Formula& formula = symbols_->formulas[static_cast<std::size_t>(found->which)];
  const std::size_t count = formula.parameters.size();
  if (arguments.size() != count)
    wrong_use(function,
              fmt::format("{} takes {} argument{}, not {}", formula.name, count, count == 1 ? "" : "s", arguments.size()),
              fmt::format("it is defined as {}", formula.call()));
  std::vector<Argument> given(arguments.begin(), arguments.end());
  for (std::size_t k = 0; k < count; ++k)
    if (formula.takes[k] == Takes::index) given[k].index = in_loops(given[k].index, function);
  return expand(g, formula, std::move(given), function);
}

}  // namespace actio::io
