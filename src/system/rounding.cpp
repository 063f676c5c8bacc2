#include "rounding.hpp"

#include <array>
#include <limits>
#include <unordered_map>
#include <vector>

#include <actio/expr/operations.hpp>

namespace actio::system {
namespace {

using expr::Id;
using expr::Op;

}  // namespace

Id rounding_of(expr::Graph& g, Id f) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  std::vector<bool> reached(static_cast<std::size_t>(f) + 1, false);
  reached[static_cast<std::size_t>(f)] = true;
  for (Id id = f; id >= 0; --id) {  // what a node is made of comes before it
    if (!reached[static_cast<std::size_t>(id)]) continue;
    for (const Id part : {g[id].a, g[id].b, g[id].c})
      if (part >= 0) reached[static_cast<std::size_t>(part)] = true;
  }
  std::unordered_map<Id, Id> error;
  for (Id id = 0; id <= f; ++id) {
    if (!reached[static_cast<std::size_t>(id)]) continue;
    const expr::Node node = g[id];  // a copy: g grows
    Id sum = g.mul(g.constant(eps * expr::operation(node.op).rounding), g.unary(Op::abs, id));
    std::vector<Id> parts;
    for (const Id part : {node.a, node.b, node.c}) {
      bool known = part < 0 || g.is_constant(error.at(part), 0);
      for (const Id other : parts) known = known || other == part;
      if (!known) parts.push_back(part);
    }
    if (!parts.empty()) {
      const std::vector<Id> slopes = expr::gradient(g, id, parts);
      for (std::size_t k = 0; k < parts.size(); ++k) sum = g.add(sum, g.mul(g.unary(Op::abs, slopes[k]), error.at(parts[k])));
    }
    error[id] = sum;
  }
  return error.at(f);
}

}  // namespace actio::system
