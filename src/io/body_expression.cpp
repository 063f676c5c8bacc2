#include <algorithm>

#include <fmt/format.h>

#include <actio/system/bodies.hpp>

#include "expression.hpp"

// Bodies in expressions: top.R33, top.z, and the vectors top.point(0, 0, 1) and top.axis(0, 0, 1) by their components or in
// distance and dot. All of it becomes coordinates while it is read.
namespace actio::io {
namespace {

using expr::Id;
using expr::Symbol;

[[noreturn]] void wrong(std::size_t offset, std::size_t length, const std::string& message, std::string hint = {}) {
  throw expr::SyntaxError(offset, length, message, std::move(hint));
}
[[noreturn]] void wrong(const Symbol& symbol, const std::string& message, std::string hint = {}) {
  wrong(symbol.offset, symbol.length, message, std::move(hint));
}
[[noreturn]] void wrong(const expr::Member& member, const std::string& message, std::string hint = {}) {
  wrong(member.offset, member.length, message, std::move(hint));
}

bool is_vector(const expr::Member& member) {
  return member.name == "point" || member.name == "axis" || (member.name == "spin" && !member.call);
}

[[noreturn]] void unknown_member(std::string_view name, const expr::Member& member, const BodyFamily* bodies) {
  std::vector<std::string> known{"point", "axis", "spin"};
  const long coordinates = bodies ? bodies->stride() : 0;
  for (long k = 0; k < coordinates; ++k) known.emplace_back(system::body_entry(k));
  std::string hint = core::did_you_mean(member.name, known);
  if (bodies && !bodies->moves && (member.name == "x" || member.name == "y" || member.name == "z"))
    hint = "it has no mass, so it rotates about the origin and has no position";
  if (hint.empty())
    hint = !bodies ? "it has point(a, b, c) and axis(a, b, c)"
                   : fmt::format("it has R11 to R33{}, point(a, b, c), axis(a, b, c) and spin", bodies->moves ? ", x, y, z" : "");
  wrong(member, fmt::format("{} has no \"{}\"", name, member.name), hint);
}

int number_of_component(const expr::Member& member) {
  if (!member.call && member.name.size() == 1 && member.name[0] >= 'x' && member.name[0] <= 'z') return member.name[0] - 'x';
  wrong(member, fmt::format("a vector has no \"{}\"", member.name), "it has the components x, y and z");
}

}  // namespace

bool Expression::is_of_body(const Symbol& symbol, const SymbolTable::Definition* definition) const {
  if (definition && definition->meaning == Meaning::body) return true;
  if (symbol.members.empty()) return false;
  if (!definition && symbol.name == "ground" && !symbols_->bodies.empty()) return true;
  if (!definition) return false;  // an unknown name
  wrong(symbol.members.front(),
        fmt::format("{} is {} and has no \"{}\"", symbol.name, noun(definition->meaning), symbol.members[0].name),
        "only bodies have parts");
}

// Arguments of point and axis are fixed in the body: numbers, parameters, tables and loop indices.
void Expression::need_fixed(const expr::Graph& g, const Symbol& symbol) const {
  const auto uniforms = static_cast<int>(symbols_->parameters.size() + symbols_->signals.size());
  const expr::Member& member = symbol.members.front();
  for (const Id argument : member.arguments) {
    bool moves = expr::depends_on_uniform(g, argument, 0);
    for (int k = static_cast<int>(symbols_->parameters.size()) + 1; k <= uniforms; ++k)
      moves = moves || expr::depends_on_uniform(g, argument, k);
    for (const int c : expr::columns_of(g, argument)) {
      const Column::Kind kind = columns[static_cast<std::size_t>(c)].kind;
      moves = moves || (kind != Column::Kind::table && kind != Column::Kind::loop);
    }
    if (moves)
      wrong(member,
            fmt::format("{} of {} is not fixed in it: it depends on the time or on coordinates", member.name, symbol.name));
  }
}

// r + R X, or R X for an axis; a prime makes it r' + R' X.
Vector Expression::vector(expr::Graph& g, const Symbol& symbol) {
  const SymbolTable::Definition* definition = symbols_->find(symbol.name);
  if (!is_of_body(symbol, definition)) {
    std::vector<std::string> names{"ground"};
    for (const auto& bodies : symbols_->bodies) names.push_back(bodies.name);
    std::string hint = core::did_you_mean(symbol.name, names);
    wrong(symbol, fmt::format("{} is not a body", symbol.name),
          hint.empty() ? "write body.point(a, b, c), body.axis(a, b, c), or those of ground" : hint);
  }
  const BodyFamily* bodies = definition ? &symbols_->bodies[static_cast<std::size_t>(definition->which)] : nullptr;
  if (bodies && symbol.members.size() == 1 && symbol.members[0].name == "spin")
    return spin(g, symbol, *bodies, definition->which);
  if (symbol.members.empty() || !symbol.members[0].call || symbol.members.size() > 1) {
    if (!symbol.members.empty() && !is_vector(symbol.members[0])) unknown_member(symbol.name, symbol.members[0], bodies);
    wrong(symbol, fmt::format("{} is not a vector", text_->string.substr(symbol.offset, symbol.length)),
          fmt::format("write {0}.point(a, b, c) or {0}.axis(a, b, c)", symbol.name));
  }
  const expr::Member& member = symbol.members[0];
  if (!is_vector(member)) unknown_member(symbol.name, member, bodies);
  if (member.arguments.size() != 3)
    wrong(member, fmt::format("{} takes 3 numbers, not {}", member.name, member.arguments.size()),
          bodies ? "along the axes of the body" : "along the axes of space");
  need_fixed(g, symbol);
  Vector out;
  out.point = member.name == "point";
  const std::vector<Id>& X = member.arguments;
  std::copy_n(X.begin(), 3, out.local.begin());
  if (!bodies) {
    if (symbol.primes > 0) wrong(symbol, "ground does not move");
    std::copy_n(X.begin(), 3, out.x.begin());
    for (std::size_t k = 0; k < 9; ++k) out.R[k] = g.constant(k % 4 == 0 ? 1 : 0);
    return out;
  }
  const Column::Kind kind = coordinate(symbol, std::string(symbol.name), bodies->indexed, bodies->count);
  if (kind == Column::Kind::acceleration) wrong(symbol, "a vector has no acceleration here");
  out.bodies = definition->which;
  if (bodies->indexed) out.index = Offset(symbol.indices.front(), loops_.size());
  const auto at = [&](long k) { return add(g, kind, definition->which, symbol, bodies->indexed, k); };
  for (std::size_t k = 0; k < 9; ++k) out.R[k] = at(static_cast<long>(k));
  for (std::size_t i = 0; i < 3; ++i) {
    out.x[i] = out.point && bodies->moves ? at(9 + static_cast<long>(i)) : g.constant(0);
    for (std::size_t j = 0; j < 3; ++j) out.x[i] = g.add(out.x[i], g.mul(out.R[3 * i + j], X[j]));
  }
  return out;
}

// The angular velocity in space, of R' R^T = hat(omega): its skew part, wherever R'R is not 1.
Vector Expression::spin(expr::Graph& g, const Symbol& symbol, const BodyFamily& bodies, long which) {
  if (symbol.members[0].call) unknown_member(symbol.name, symbol.members[0], &bodies);
  Symbol rate = symbol;
  ++rate.primes;
  const std::string name = fmt::format("{}.spin", symbol.name);
  if (symbol.primes > 0) wrong(symbol, fmt::format("{} has no velocity here", name), "it is an angular velocity");
  if (!allowed_.velocities) wrong(symbol, fmt::format("{} is a velocity, not allowed", name), allowed_.why);
  const Column::Kind position = coordinate(symbol, name, bodies.indexed, bodies.count),
                     velocity = coordinate(rate, name, bodies.indexed, bodies.count);
  const auto entry = [&](Column::Kind kind, std::size_t i, std::size_t j) {
    return add(g, kind, which, symbol, bodies.indexed, static_cast<long>(3 * i + j));
  };
  Vector out;
  out.bodies = which;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    Id sum = g.constant(0);  // (R' R^T)_kj - (R' R^T)_jk
    for (std::size_t l = 0; l < 3; ++l)
      sum = g.add(
          sum, g.sub(g.mul(entry(velocity, k, l), entry(position, j, l)), g.mul(entry(velocity, j, l), entry(position, k, l))));
    out.x[i] = g.mul(g.constant(0.5), sum);
  }
  return out;
}

Id Expression::component(expr::Graph& g, const Symbol& symbol) {
  if (symbol.members.empty())
    wrong(symbol, fmt::format("{} is a body", symbol.name),
          fmt::format("its parts are {0}.R11, {0}.point(0, 0, 1).z and so on", symbol.name));
  const expr::Member& member = symbol.members[0];
  if (is_vector(member)) {
    if (symbol.members.size() == 1)
      wrong(symbol, fmt::format("{} is a vector", text_->string.substr(symbol.offset, symbol.length)),
            "write .x, .y or .z after it");
    if (symbol.members.size() > 2) wrong(symbol.members[2], fmt::format("a number has no \"{}\"", symbol.members[2].name));
    Symbol whole = symbol;
    whole.members.resize(1);
    const int k = number_of_component(symbol.members[1]);
    return vector(g, whole).x[static_cast<std::size_t>(k)];
  }
  const SymbolTable::Definition* definition = symbols_->find(symbol.name);
  if (!definition) unknown_member(symbol.name, member, nullptr);
  const BodyFamily& bodies = symbols_->bodies[static_cast<std::size_t>(definition->which)];
  if (symbol.members.size() > 1) wrong(symbol.members[1], fmt::format("a number has no \"{}\"", symbol.members[1].name));
  long entry = 0;
  while (entry < bodies.stride() && system::body_entry(entry) != member.name) ++entry;
  if (entry == bodies.stride() || member.call) unknown_member(symbol.name, member, &bodies);
  const std::string name = fmt::format("{}.{}", symbol.name, member.name);
  return add(g, coordinate(symbol, name, bodies.indexed, bodies.count), definition->which, symbol, bodies.indexed, entry);
}

bool Expression::takes_names(std::string_view function) const {
  if (allowed_.observed && (function == "p" || function == "q1")) return !symbols_->find(function);
  return !symbols_->bodies.empty() && (function == "distance" || function == "dot");
}

// distance(a, b) = |a - b| and dot(a, b) of two vectors; p(x) and q1(x) of a coordinate.
Id Expression::apply(expr::Graph& g, const Symbol& function, std::span<const Symbol> arguments) {
  if (function.name == "p" || function.name == "q1") {
    if (arguments.size() != 1) wrong(function, fmt::format("{} takes one coordinate, not {}", function.name, arguments.size()));
    of_function_ = function.name == "p" ? Column::Kind::momentum : Column::Kind::next;
    const Id id = resolve(g, arguments[0]);
    const bool found = g[id].op == expr::Op::column && columns[static_cast<std::size_t>(g[id].k)].kind == *of_function_;
    of_function_.reset();
    if (!found) wrong(arguments[0], fmt::format("{} takes a coordinate", function.name));
    return id;
  }
  if (arguments.size() != 2) wrong(function, fmt::format("{} takes 2 vectors, not {}", function.name, arguments.size()));
  const Vector a = vector(g, arguments[0]), b = vector(g, arguments[1]);
  const bool distance = function.name == "distance";
  if (distance && !(a.point && b.point))
    wrong(arguments[a.point ? 1 : 0], "a distance is between two points, and this is a direction");
  if (distance && arguments[0].primes + arguments[1].primes > 0) wrong(function, "a distance is between points, not velocities");
  Id sum = g.constant(0);
  for (std::size_t k = 0; k < 3; ++k) {
    const Id d = g.sub(a.x[k], b.x[k]);
    sum = g.add(sum, distance ? g.mul(d, d) : g.mul(a.x[k], b.x[k]));
  }
  return distance ? g.unary(expr::Op::sqrt, sum) : sum;
}

}  // namespace actio::io
