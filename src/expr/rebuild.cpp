#include "rebuild.hpp"

#include <algorithm>

#include <actio/expr/operations.hpp>

namespace actio::expr {

std::vector<char> reachable(const Graph& g, Id f) {
  std::vector<char> needed(static_cast<std::size_t>(f) + 1, 0);
  needed[static_cast<std::size_t>(f)] = 1;
  for (Id i = f; i >= 0; --i)  // operands come before their results: one pass down is enough
    if (needed[static_cast<std::size_t>(i)])
      for (Id operand : {g[i].a, g[i].b, g[i].c})
        if (operand >= 0) needed[static_cast<std::size_t>(operand)] = 1;
  return needed;
}

namespace {

// f of `from` in `into`; leaf(id, node) gives a node's image, or -1 to rebuild it from its operands.
template <class Leaf>
Id rebuild(Graph& into, const Graph& from, Id f, Leaf&& leaf) {
  const std::vector<char> needed = reachable(from, f);
  std::vector<Id> image(needed.size(), -1);
  const auto of = [&image](Id id) { return image[static_cast<std::size_t>(id)]; };
  for (Id i = 0; i <= f; ++i) {
    if (!needed[static_cast<std::size_t>(i)]) continue;
    const Node n = from[i];  // a copy: `into` may be `from`
    Id& to = image[static_cast<std::size_t>(i)];
    to = leaf(i, n);
    if (to >= 0) continue;
    if (n.op == Op::constant)
      to = into.constant(n.value);
    else if (n.op == Op::column)
      to = into.column(n.k);
    else if (n.op == Op::uniform)
      to = into.uniform(n.k);
    else if (n.op == Op::powi)
      to = into.pow(of(n.a), into.constant(n.k));
    else if (n.op == Op::where)
      to = into.where(of(n.a), of(n.b), of(n.c));
    else
      to = arity(n.op) == 1 ? into.unary(n.op, of(n.a)) : into.binary(n.op, of(n.a), of(n.b));
  }
  return of(f);
}

}  // namespace

Id substitute(Graph& into, const Graph& from, Id f, std::span<const Id> columns, std::span<const Id> uniforms) {
  return rebuild(into, from, f, [&](Id, const Node& n) {
    if (n.op == Op::column) return columns[static_cast<std::size_t>(n.k)];
    return n.op == Op::uniform ? uniforms[static_cast<std::size_t>(n.k)] : -1;
  });
}

Id replace(Graph& g, Id f, const std::map<Id, Id>& images) {
  return rebuild(g, g, f, [&](Id i, const Node&) {
    const auto image = images.find(i);
    return image == images.end() ? -1 : image->second;
  });
}

std::vector<int> columns_of(const Graph& g, Id f) {
  const std::vector<char> needed = reachable(g, f);
  std::vector<int> columns;
  for (Id i = 0; i <= f; ++i)
    if (needed[static_cast<std::size_t>(i)] && g[i].op == Op::column) columns.push_back(g[i].k);
  std::sort(columns.begin(), columns.end());
  return columns;
}

bool depends_on_uniform(const Graph& g, Id f, int k) {
  const std::vector<char> needed = reachable(g, f);
  for (Id i = 0; i <= f; ++i)
    if (needed[static_cast<std::size_t>(i)] && g[i].op == Op::uniform && g[i].k == k) return true;
  return false;
}

bool has_pieces(const Graph& g, Id f, long first, long last, Shape least) {
  const std::vector<char> needed = reachable(g, f);
  std::vector<char> moves(needed.size(), 0);
  for (Id i = 0; i <= f; ++i) {
    if (!needed[static_cast<std::size_t>(i)]) continue;
    const Node& n = g[i];
    char& here = moves[static_cast<std::size_t>(i)];
    here = n.op == Op::column && n.k >= first && n.k < last;
    for (Id operand : {n.a, n.b, n.c})
      if (operand >= 0) here |= moves[static_cast<std::size_t>(operand)];
    if (here && operation(n.op).shape >= least) return true;
  }
  return false;
}

}  // namespace actio::expr
