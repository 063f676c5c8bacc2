#include "differentiate.hpp"

#include <algorithm>

namespace actio::system {
namespace {

using expr::Graph;
using expr::Id;

template <class Row>
constexpr int kinds_of = std::is_same_v<Row, Equation>     ? 3
                         : std::is_same_v<Row, Constraint> ? 1
                                                           : 2;

std::vector<Id> columns(Graph& g, long from, long count) {
  std::vector<Id> ids(static_cast<std::size_t>(count));
  for (long k = 0; k < count; ++k) ids[k] = g.column(static_cast<int>(from + k));
  return ids;
}

std::vector<Id> uniforms(Graph& g, const Model& model) {
  const std::size_t count = 1 + model.parameters.size() + model.signals.size();
  std::vector<Id> ids;
  for (std::size_t k = 0; k < count; ++k) ids.push_back(g.uniform(static_cast<int>(k)));
  return ids;
}

// The columns of element e in a graph over the system's own coordinates: `kinds` groups of n columns.
std::vector<Id> columns_of_element(Graph& g, const std::vector<std::int32_t>& dofs, const std::vector<std::vector<double>>& data,
                                   long locals, long elements, long e, int kinds, long n) {
  std::vector<Id> c;
  for (int kind = 0; kind < kinds; ++kind)
    for (long l = 0; l < locals; ++l) c.push_back(g.column(static_cast<int>(kind * n + dofs[l * elements + e])));
  for (const auto& column : data) c.push_back(g.constant(column[e]));
  return c;
}

// Its pieces are told apart by the state, so that constant derivatives are those of one piece only.
bool piecewise(const Graph& g, Id value, long states) {
  using expr::Op;
  std::vector<bool> reached(static_cast<std::size_t>(value) + 1, false);
  reached[static_cast<std::size_t>(value)] = true;
  for (Id id = value; id >= 0; --id) {  // what a node is made of comes before it
    if (!reached[static_cast<std::size_t>(id)]) continue;
    const expr::Node& node = g[id];
    for (const Id part : {node.a, node.b, node.c})
      if (part >= 0) reached[static_cast<std::size_t>(part)] = true;
    switch (node.op) {
      case Op::abs:
      case Op::sign:
      case Op::min:
      case Op::max:
      case Op::less:
      case Op::less_equal:
      case Op::equal:
      case Op::where: {
        const auto used = expr::columns_of(g, id);
        if (!used.empty() && used.front() < states) return true;
        break;
      }
      default:
        break;
    }
  }
  return false;
}

bool constant(const Model& model, const Graph& g, Id id, long states) {
  const auto used = expr::columns_of(g, id);
  return (used.empty() || used.front() >= states) && !depends_on_time(model, g, id);
}

}  // namespace

Part part_of(const Term& term, const Model& model, bool of_lagrangian) {
  Part part;
  part.locals = term.locals;
  part.data = static_cast<long>(term.data.size());
  part.velocities = term.velocities;
  const std::vector<Id> c = columns(part.graph, 0, part.columns()), u = uniforms(part.graph, model);
  part.value = expr::substitute(part.graph, term.graph, term.value, c, u);
  if (of_lagrangian && !term.lagrangian) part.value = part.graph.neg(part.value);
  return part;
}

Part sum_of(const std::vector<Term>& terms, const Model& model, bool velocities, bool of_lagrangian) {
  Part whole;
  whole.locals = model.size();
  whole.velocities = velocities;
  Graph& g = whole.graph;
  whole.value = g.constant(0);
  for (const Term& term : terms) {
    const Part part = part_of(term, model, of_lagrangian);
    const std::vector<Id> u = uniforms(g, model);
    for (long e = 0; e < term.elements; ++e) {
      const auto c =
          columns_of_element(g, term.dofs, term.data, term.locals, term.elements, e, term.velocities ? 2 : 1, whole.locals);
      whole.value = g.add(whole.value, expr::substitute(g, part.graph, part.value, c, u));
    }
  }
  return whole;
}

Derivatives differentiate(Part& part, const Model& model, int w, bool full) {
  Graph& g = part.graph;
  const long n = part.locals, states = part.velocities ? 2 * n : n;
  const std::vector<Id> x = columns(g, 0, states);
  Derivatives d;
  d.first = expr::gradient(g, part.value, x);
  d.second = d.first;
  const std::vector<Id> H = expr::hessian(g, part.value, x);
  d.constant = !piecewise(g, part.value, states);
  for (const Id entry : H) d.constant = d.constant && constant(model, g, entry, states);
  const auto h = [&](long i, long j) { return i >= j ? H[i * (i + 1) / 2 + j] : H[j * (j + 1) / 2 + i]; };
  const auto weighted = [&](int k, Id a) { return g.mul(g.uniform(w + k), a); };
  for (long j = 0; j < n; ++j) {
    for (long i = full || part.velocities ? 0 : j; i < n; ++i) {
      Id sum = weighted(0, h(i, j));
      if (part.velocities) {
        sum = g.add(sum, weighted(1, h(i, n + j)));
        sum = g.add(sum, weighted(2, h(n + i, j)));
        sum = g.add(sum, weighted(3, h(n + i, n + j)));
        d.mixed = d.mixed || !g.is_constant(h(n + i, j), 0.0);
      }
      if (!full && g.is_constant(sum, 0.0)) continue;
      d.second.push_back(sum);
      d.entries.push_back({static_cast<int>(i), static_cast<int>(j), !full && !part.velocities && i != j});
    }
  }
  return d;
}

template <class Row>
RowPart part_of(const Row& row, const Model& model) {
  RowPart part;
  part.kinds = kinds_of<Row>;
  part.locals = row.locals;
  part.data = static_cast<long>(row.data.size());
  const std::vector<Id> c = columns(part.graph, 0, part.columns()), u = uniforms(part.graph, model);
  part.values = {expr::substitute(part.graph, row.graph, row.value, c, u)};
  return part;
}

template <class Row>
RowPart sum_of(const std::vector<Row>& rows, const Model& model) {
  RowPart whole;
  whole.kinds = kinds_of<Row>;
  whole.locals = model.size();
  Graph& g = whole.graph;
  whole.values.assign(static_cast<std::size_t>(whole.locals), g.constant(0));
  for (const Row& row : rows) {
    const RowPart part = part_of(row, model);
    const std::vector<Id> u = uniforms(g, model);
    for (long e = 0; e < row.elements; ++e) {
      const auto c = columns_of_element(g, row.dofs, row.data, row.locals, row.elements, e, whole.kinds, whole.locals);
      Id& value = whole.values[static_cast<std::size_t>(row.rows[e])];
      value = g.add(value, expr::substitute(g, part.graph, part.values[0], c, u));
    }
  }
  return whole;
}

Derivatives differentiate(RowPart& part, const Model& model, int w, bool full) {
  Graph& g = part.graph;
  const long n = part.locals, states = part.kinds * n;
  const std::vector<Id> x = columns(g, 0, states);
  Derivatives d;
  d.first = d.second = part.values;
  std::vector<std::vector<Id>> gradients;
  for (const Id value : part.values) {
    gradients.push_back(expr::gradient(g, value, x));
    d.constant = d.constant && !piecewise(g, value, states);
  }
  for (long l = 0; l < n; ++l) {
    for (const auto& slope : gradients) {
      Id sum = g.constant(0);
      for (int kind = 0; kind < part.kinds; ++kind) {
        const Id one = slope[static_cast<std::size_t>(kind * n + l)];
        d.constant = d.constant && constant(model, g, one, states);
        sum = g.add(sum, g.mul(g.uniform(w + kind), one));
      }
      if (!full && g.is_constant(sum, 0.0)) continue;
      d.second.push_back(sum);
      d.locals.push_back(static_cast<int>(l));
    }
  }
  return d;
}

RowPart sum_of(const std::vector<Constraint>& constraints, const Model& model) {
  RowPart whole;
  whole.kinds = 1;
  whole.locals = model.size();
  Graph& g = whole.graph;
  for (const Constraint& constraint : constraints) {
    const RowPart part = part_of(constraint, model);
    const std::vector<Id> u = uniforms(g, model);
    for (long e = 0; e < constraint.elements; ++e) {
      const auto c =
          columns_of_element(g, constraint.dofs, constraint.data, constraint.locals, constraint.elements, e, 1, whole.locals);
      whole.values.push_back(expr::substitute(g, part.graph, part.values[0], c, u));
    }
  }
  return whole;
}

Derivatives differentiate_constraints(RowPart& part, const Model& model, bool moving, bool full) {
  Graph& g = part.graph;
  const std::vector<Id> x = columns(g, 0, part.locals), time{g.uniform(0)};
  Derivatives d;
  d.first = d.second = part.values;
  for (const Id value : part.values) {
    if (moving) d.second.push_back(expr::gradient(g, value, time)[0]);
    d.constant = d.constant && !piecewise(g, value, part.locals);
  }
  for (const Id value : part.values) {
    const std::vector<Id> slope = expr::gradient(g, value, x);
    for (long l = 0; l < part.locals; ++l) {
      const Id one = slope[static_cast<std::size_t>(l)];
      d.constant = d.constant && constant(model, g, one, part.locals);
      if (!full && g.is_constant(one, 0.0)) continue;
      d.second.push_back(one);
      d.locals.push_back(static_cast<int>(l));
    }
  }
  return d;
}

template RowPart part_of(const Constraint&, const Model&);
template RowPart part_of(const Force&, const Model&);
template RowPart part_of(const Equation&, const Model&);
template RowPart sum_of(const std::vector<Force>&, const Model&);
template RowPart sum_of(const std::vector<Equation>&, const Model&);

}  // namespace actio::system
