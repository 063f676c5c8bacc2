#include <actio/system/kinetic_energy.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <Eigen/SparseCore>

#include <actio/core/error.hpp>
#include <actio/expr/kernel.hpp>
#include <actio/expr/operations.hpp>
#include <actio/system/bodies.hpp>
#include <actio/system/mass_factor.hpp>

namespace actio::system {
namespace {

using expr::Graph;
using expr::Id;
using expr::Op;

// An entry of the matrix of one element: locals i and j, and its values over the elements.
struct Entry {
  long i = 0, j = 0;
  std::vector<double> value;
};
// L = 1/2 v' M v - V: M by entries, and V as a term without velocities; without elements where V = 0.
struct SplitTerm {
  std::string why_not;
  std::vector<Entry> mass;
  Term potential;
};

class Splitter {
 public:
  Splitter(const Model& model, const Term& term) : model_(model), term_(term), g_(term.graph) {
    for (long l = 0; l < term.locals; ++l) v_.push_back(g_.column(static_cast<int>(term.locals + l)));
  }

  SplitTerm operator()() {
    SplitTerm out;
    const auto stays = [&](const std::string& why) {
      out.why_not = fmt::format("the kinetic energy of \"{}\" {}", term_.name, why);
      return out;
    };
    if (term_.interpolation) return stays("is integrated over finite elements");
    // Pieces of an absolute value or of a condition have constant second derivatives too, but are not quadratic.
    if (expr::has_pieces(g_, term_.value, term_.locals, 2 * term_.locals)) return stays("is not quadratic in the velocities");
    const std::vector<Id> M = expr::hessian(g_, term_.value, v_);
    for (const Id m : M) {
      if (depends_on(m, term_.locals, 2 * term_.locals)) return stays("is not quadratic in the velocities");
      if (depends_on(m, 0, term_.locals)) return stays("depends on positions, or is not quadratic in the velocities");
      if (depends_on_time(model_, g_, m)) return stays("depends on the time");
    }
    for (const Id p : expr::gradient(g_, term_.value, v_))
      if (Graph rest; !rest.is_constant(at_rest(rest, p), 0)) return stays("has a part that is linear in the velocities");
    std::vector<Id> which;
    for (long i = 0; i < term_.locals; ++i)
      for (long j = 0; j <= i; ++j)
        if (const Id m = M[static_cast<std::size_t>(i * (i + 1) / 2 + j)]; !g_.is_constant(m, 0)) {
          out.mass.push_back({i, j, std::vector<double>(static_cast<std::size_t>(term_.elements))});
          which.push_back(m);
        }
    evaluate(which, out.mass);
    for (const Entry& entry : out.mass)
      if (!std::all_of(entry.value.begin(), entry.value.end(), [](double x) { return std::isfinite(x); }))
        return stays("is not finite");
    out.potential = potential();
    return out;
  }

 private:
  bool depends_on(Id f, long first, long last) const {
    const std::vector<int> used = expr::columns_of(g_, f);
    return std::any_of(used.begin(), used.end(), [&](int c) { return c >= first && c < last; });
  }

  // The uniforms of the model, in another graph.
  std::vector<Id> uniforms(Graph& into) const {
    std::vector<Id> out;
    for (std::size_t k = 0; k <= model_.parameters.size() + model_.signals.size(); ++k)
      out.push_back(into.uniform(static_cast<int>(k)));
    return out;
  }

  // f with all velocities 0.
  Id at_rest(Graph& into, Id f) const {
    std::vector<Id> columns;
    for (long c = 0; c < term_.locals; ++c) columns.push_back(into.column(static_cast<int>(c)));
    columns.resize(static_cast<std::size_t>(2 * term_.locals), into.constant(0));
    for (std::size_t c = 0; c < term_.data.size(); ++c)
      columns.push_back(into.column(static_cast<int>(2 * term_.locals) + static_cast<int>(c)));
    return expr::substitute(into, g_, f, columns, uniforms(into));
  }

  // Expressions of parameters and data, into the values of the entries, one an element.
  void evaluate(const std::vector<Id>& which, std::vector<Entry>& entries) const {
    if (which.empty()) return;
    std::vector<double> uniforms{0};
    uniforms.insert(uniforms.end(), model_.parameters.begin(), model_.parameters.end());
    uniforms.resize(uniforms.size() + model_.signals.size(), 0);
    const std::vector<double> nothing(static_cast<std::size_t>(term_.elements), 0);
    std::vector<const double*> x(static_cast<std::size_t>(2 * term_.locals), nothing.data());
    for (const auto& column : term_.data) x.push_back(column.data());
    std::vector<double*> y;
    for (Entry& entry : entries) y.push_back(entry.value.data());
    const std::array sources{expr::KernelSource{"mass", &g_, which, true, static_cast<int>(x.size()), 0}};
    expr::Module::build(sources, {"none", {}}).batch(0)(term_.elements, uniforms.data(), x.data(), y.data());
  }

  // -L at v = 0, of the coordinates that it mentions.
  Term potential() {
    Term out;
    Graph rest;
    const Id V = rest.neg(at_rest(rest, term_.value));
    if (rest.is_constant(V, 0)) {
      out.elements = 0;
      return out;
    }
    out.name = term_.name;
    out.elements = term_.elements;
    out.data = term_.data;
    std::vector<bool> used(static_cast<std::size_t>(term_.locals), false);
    for (const int c : expr::columns_of(rest, V))
      if (c < term_.locals) used[static_cast<std::size_t>(c)] = true;
    if (std::find(used.begin(), used.end(), true) == used.end()) used[0] = true;  // a constant is one of some coordinate
    std::vector<Id> columns(static_cast<std::size_t>(2 * term_.locals), out.graph.constant(0));
    for (std::size_t l = 0; l < used.size(); ++l) {
      if (!used[l]) continue;
      columns[l] = out.graph.column(static_cast<int>(out.locals++));
      const auto row = term_.dofs.begin() + static_cast<std::ptrdiff_t>(l) * term_.elements;
      out.dofs.insert(out.dofs.end(), row, row + term_.elements);
    }
    for (std::size_t c = 0; c < term_.data.size(); ++c)
      columns.push_back(out.graph.column(static_cast<int>(out.locals) + static_cast<int>(c)));
    out.value = expr::substitute(out.graph, rest, V, columns, uniforms(out.graph));
    return out;
  }

  const Model& model_;
  const Term& term_;
  Graph g_;
  std::vector<Id> v_;
};

using Sparse = Eigen::SparseMatrix<double>;

void add_entries(const Term& term, const SplitTerm& split, std::vector<Eigen::Triplet<double>>& out) {
  const auto dof = [&](long l, long e) { return term.dofs[static_cast<std::size_t>(l * term.elements + e)]; };
  for (const Entry& entry : split.mass)
    for (long e = 0; e < term.elements; ++e) {
      const double m = entry.value[static_cast<std::size_t>(e)];
      out.emplace_back(dof(entry.i, e), dof(entry.j, e), m);
      if (entry.i != entry.j) out.emplace_back(dof(entry.j, e), dof(entry.i, e), m);
    }
}

constexpr long most_rows_to_factor = 20'000;

// Where factoring takes too long, the rows must say it: each diagonal entry is above the sum of the others.
bool is_dominant(const Sparse& M) {
  for (long j = 0; j < M.outerSize(); ++j) {
    double others = 0, own = 0;
    for (Sparse::InnerIterator it(M, j); it; ++it) (it.row() == j ? own : others) += std::abs(it.value());
    if (!(own > others)) return false;
  }
  return true;
}

// Empty rows get a placeholder and are noted. "" where the rest is positive definite.
std::string complete(Sparse& M, const Model& model, MassMatrix& out, std::vector<std::int32_t>& no_mass) {
  M.prune([](Eigen::Index, Eigen::Index, double x) { return x != 0; });
  Eigen::VectorXd D = M.diagonal();
  double least = std::numeric_limits<double>::infinity();
  for (long i = 0; i < D.size(); ++i) {
    if (M.col(i).nonZeros() == 0)
      no_mass.push_back(static_cast<std::int32_t>(i));
    else if (D[i] > 0)
      least = std::min(least, D[i]);
    else
      return fmt::format("the kinetic energy is not positive: {} has a mass of {}", model.coordinate_name(i), D[i]);
  }
  if (!std::isfinite(least)) return "there is no kinetic energy";
  for (const std::int32_t i : no_mass) M.coeffRef(i, i) = D[i] = least;
  if (M.nonZeros() == D.size()) {
    out = {MassMatrix::Kind::diagonal, D, {}, {}};
    return "";
  }
  M.makeCompressed();
  out = {MassMatrix::Kind::full, {}, M, std::make_shared<MassFactor>()};
  if (M.rows() > most_rows_to_factor)
    return is_dominant(M) ? "" : "only a factorisation of its matrix can show that the kinetic energy is positive";
  try {
    out.factor->of(M);
  } catch (const core::InputError&) { return "the kinetic energy is not positive: its matrix has no Cholesky factor"; }
  return "";
}

}  // namespace

KineticEnergy take_mass_from_terms(Model& model) {
  KineticEnergy out;
  std::vector<SplitTerm> splits(model.terms.size());
  std::vector<Eigen::Triplet<double>> entries;
  long bodies = model.size();
  for (const Body& body : model.bodies) bodies = std::min(bodies, body.rotation);
  bool any = false;
  for (std::size_t k = 0; k < splits.size(); ++k) {
    const Term& term = model.terms[k];
    if (!term.velocities) continue;
    any = true;
    splits[k] = Splitter(model, term)();
    out.why_not = splits[k].why_not;
    if (out.why_not.empty() && !model.bodies.empty() &&
        std::any_of(term.dofs.begin(), term.dofs.end(), [&](std::int32_t i) { return i >= bodies; }))
      out.why_not = fmt::format("\"{}\" depends on rigid bodies, which have masses of their own", term.name);
    if (!out.why_not.empty()) return out;
    add_entries(term, splits[k], entries);
  }
  if (!any) return out;
  Sparse M(model.size(), model.size());
  M.setFromTriplets(entries.begin(), entries.end());
  if (model.mass.kind == MassMatrix::Kind::full) M += model.mass.full;
  if (model.mass.kind == MassMatrix::Kind::diagonal) {
    Sparse D(model.size(), model.size());
    D = model.mass.diagonal.asDiagonal();
    M += D;
  }
  MassMatrix mass;
  out.why_not = complete(M, model, mass, out.no_mass);
  if (!out.why_not.empty()) {
    out.no_mass.clear();
    return out;
  }
  std::vector<Term> terms;
  for (std::size_t k = 0; k < splits.size(); ++k) {
    if (!model.terms[k].velocities)
      terms.push_back(std::move(model.terms[k]));
    else if (splits[k].potential.elements > 0)
      terms.push_back(std::move(splits[k].potential));
  }
  model.terms = std::move(terms);
  model.mass = std::move(mass);
  return out;
}

std::string why_no_kinetic_energy(const Model& model) {
  for (const Term& term : model.terms) {
    if (!term.velocities) continue;
    const std::string of = fmt::format("the kinetic energy of \"{}\" ", term.name);
    Graph g = term.graph;
    std::vector<Id> v;
    for (long l = 0; l < term.locals; ++l) v.push_back(g.column(static_cast<int>(term.locals + l)));
    const auto moves = [&](Id f) {
      const std::vector<int> used = expr::columns_of(g, f);
      return std::any_of(used.begin(), used.end(), [&](int c) { return c >= term.locals && c < 2 * term.locals; });
    };
    const std::vector<Id> M = expr::hessian(g, term.value, v);
    if (has_pieces(g, term.value, term.locals, 2 * term.locals) || std::any_of(M.begin(), M.end(), moves))
      return of + "is not quadratic in the velocities";
    Graph at_rest;
    std::vector<Id> columns, uniforms;
    for (long c = 0; c < 2 * term.locals + static_cast<long>(term.data.size()); ++c)
      columns.push_back(c >= term.locals && c < 2 * term.locals ? at_rest.constant(0) : at_rest.column(static_cast<int>(c)));
    for (std::size_t k = 0; k <= model.parameters.size() + model.signals.size(); ++k)
      uniforms.push_back(at_rest.uniform(static_cast<int>(k)));
    for (const Id p : expr::gradient(g, term.value, v))
      if (!at_rest.is_constant(expr::substitute(at_rest, g, p, columns, uniforms), 0))
        return of + "has a part that is linear in the velocities";
  }
  return "";
}

}  // namespace actio::system
