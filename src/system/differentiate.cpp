#include "differentiate.hpp"

#include <algorithm>

#include <actio/expr/operations.hpp>

namespace actio::system {
namespace {

using expr::Graph;
using expr::Id;

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

// The columns of element e in a graph over the system's own coordinates, n a group.
std::vector<Id> columns_of_element(Graph& g, const ElementFunction& function, int states, long e, long n) {
  std::vector<Id> c;
  for (int state = 0; state < states; ++state)
    for (long l = 0; l < function.locals; ++l) c.push_back(g.column(static_cast<int>(state * n + function.dof(l, e))));
  for (std::size_t k = 0; k < function.data.size(); ++k) c.push_back(g.constant(function.datum(k, e)));
  return c;
}

// Its pieces are told apart by the state, so that constant derivatives are those of one piece only.
bool piecewise(const Graph& g, Id value, long states) { return expr::has_pieces(g, value, 0, states); }

bool constant(const Model& model, const Graph& g, Id id, long states) {
  const auto used = expr::columns_of(g, id);
  return (used.empty() || used.front() >= states) && !depends_on_time(model, g, id);
}

// Over the system's own coordinates, the sum of all elements: element e of a function adds to the value number value_of(f, e).
template <class Function, class PartOf, class ValueOf>
Part sum_over(const std::vector<Function>& functions, const Model& model, int states, long values, PartOf&& part_of,
              ValueOf&& value_of) {
  Part whole;
  whole.locals = model.size();
  whole.states = states;
  Graph& g = whole.graph;
  whole.values.assign(static_cast<std::size_t>(values), g.constant(0));
  for (const Function& function : functions) {
    const Part part = part_of(function);
    const std::vector<Id> u = uniforms(g, model);
    for (long e = 0; e < function.elements; ++e) {
      const auto c = columns_of_element(g, function, part.states, e, whole.locals);
      Id& value = whole.values[static_cast<std::size_t>(value_of(function, e))];
      value = g.add(value, expr::substitute(g, part.graph, part.values[0], c, u));
    }
  }
  return whole;
}

}  // namespace

Part part_of(const ElementFunction& function, int states, const Model& model) {
  Part part;
  part.states = states;
  part.locals = function.locals;
  part.data = static_cast<long>(function.data.size());
  const std::vector<Id> c = columns(part.graph, 0, part.columns()), u = uniforms(part.graph, model);
  part.values = {expr::substitute(part.graph, function.graph, function.value, c, u)};
  return part;
}

Id add_value(Part& part, const ElementFunction& function, Id value, const Model& model) {
  return expr::substitute(part.graph, function.graph, value, columns(part.graph, 0, part.columns()), uniforms(part.graph, model));
}

Part part_of(const Term& term, const Model& model, bool of_lagrangian) {
  Part part = part_of(term, term.states(), model);
  if (of_lagrangian && !term.lagrangian) part.values[0] = part.graph.neg(part.values[0]);
  return part;
}

Part sum_of(const std::vector<Term>& terms, const Model& model, bool velocities, bool of_lagrangian) {
  return sum_over(
      terms, model, velocities ? 2 : 1, 1, [&](const Term& term) { return part_of(term, model, of_lagrangian); },
      [](const Term&, long) { return 0L; });
}

Part minus_potential_of(const Model& model) {
  Part whole = sum_of(model.terms, model, false, true);
  Graph& g = whole.graph;
  const std::vector<Id> q = columns(g, 0, whole.locals);
  Id& value = whole.values[0];
  for (long j = 0; j < model.stiffness.outerSize(); ++j)  // -1/2 q'Sq
    for (Eigen::SparseMatrix<double>::InnerIterator it(model.stiffness, j); it; ++it)
      value = g.sub(value, g.mul(g.constant(0.5 * it.value()), g.mul(q[it.row()], q[j])));
  return whole;
}

template <class Function>
Part sum_of_rows(const std::vector<Function>& functions, const Model& model) {
  return sum_over(
      functions, model, Function::states(), model.size(),
      [&](const Function& function) { return part_of(function, Function::states(), model); },
      [](const Function& function, long e) { return long{function.rows[static_cast<std::size_t>(e)]}; });
}
template Part sum_of_rows(const std::vector<Force>&, const Model&);
template Part sum_of_rows(const std::vector<Equation>&, const Model&);

Part sum_of(const std::vector<Constraint>& constraints, const Model& model) {
  long next = 0;
  return sum_over(
      constraints, model, Constraint::states(), model.constraint_count(),
      [&](const Constraint& constraint) { return part_of(constraint, Constraint::states(), model); },
      [&](const Constraint&, long) { return next++; });
}

Derivatives differentiate_energy(Part& part, const Model& model, int w, bool full) {
  Graph& g = part.graph;
  const Id value = part.values[0];
  const bool velocities = part.states == 2;
  const long n = part.locals, states = part.states * n;
  const std::vector<Id> x = columns(g, 0, states);
  Derivatives d;
  d.first = expr::gradient(g, value, x);
  d.second = d.first;
  const std::vector<Id> H = expr::hessian(g, value, x);
  d.constant = !piecewise(g, value, states);
  for (const Id entry : H) d.constant = d.constant && constant(model, g, entry, states);
  const auto h = [&](long i, long j) { return i >= j ? H[i * (i + 1) / 2 + j] : H[j * (j + 1) / 2 + i]; };
  const auto weighted = [&](int k, Id a) { return g.mul(g.uniform(w + k), a); };
  for (long j = 0; j < n; ++j) {
    for (long i = full || velocities ? 0 : j; i < n; ++i) {
      Id sum = weighted(0, h(i, j));
      if (velocities) {
        sum = g.add(sum, weighted(1, h(i, n + j)));
        sum = g.add(sum, weighted(2, h(n + i, j)));
        sum = g.add(sum, weighted(3, h(n + i, n + j)));
        d.mixed = d.mixed || !g.is_constant(h(n + i, j), 0.0);
      }
      if (!full && g.is_constant(sum, 0.0)) continue;
      d.second.push_back(sum);
      d.entries.push_back({static_cast<int>(i), static_cast<int>(j), !full && !velocities && i != j});
    }
  }
  return d;
}

Derivatives differentiate_rows(Part& part, const Model& model, int w, bool full) {
  Graph& g = part.graph;
  const long n = part.locals, states = part.states * n;
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
      for (int state = 0; state < part.states; ++state) {
        const Id one = slope[static_cast<std::size_t>(state * n + l)];
        d.constant = d.constant && constant(model, g, one, states);
        sum = g.add(sum, g.mul(g.uniform(w + state), one));
      }
      if (!full && g.is_constant(sum, 0.0)) continue;
      d.second.push_back(sum);
      d.locals.push_back(static_cast<int>(l));
    }
  }
  return d;
}

Derivatives differentiate_constraints(Part& part, const Model& model, bool moving, bool full) {
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

}  // namespace actio::system
