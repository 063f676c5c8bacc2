#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/system/compiled.hpp>

#include "library.hpp"

namespace actio::system {
namespace {

using expr::Graph;
using expr::Id;

constexpr long most_fused_coordinates = 8;
constexpr std::size_t most_fused_nodes = 4000;

// A part of L whose columns are [positions, velocities (if any), data].
struct Part {
  Graph graph;
  Id value = -1;
  long locals = 0;
  bool velocities = false;
};

std::vector<Id> columns(Graph& g, long from, long count) {
  std::vector<Id> ids(static_cast<std::size_t>(count));
  for (long k = 0; k < count; ++k) ids[k] = g.column(static_cast<int>(from + k));
  return ids;
}

bool zero(const Graph& g, Id id) { return g.is_constant(id, 0.0); }

struct Derivatives {
  std::vector<Id> first, second;
  std::vector<Batch::Entry> entries;
};

// Kernels' outputs of one part. `w` is the index of the first weight among the uniforms. `full`: every entry of the matrix,
// column by column, none mirrored.
Derivatives differentiate(Part& part, int w, bool full) {
  Graph& g = part.graph;
  const long n = part.locals;
  std::vector<Id> x = columns(g, 0, part.velocities ? 2 * n : n);
  Derivatives d;
  d.first = expr::gradient(g, part.value, x);
  d.second = d.first;
  const std::vector<Id> H = expr::hessian(g, part.value, x);
  const auto h = [&](long i, long j) { return i >= j ? H[i * (i + 1) / 2 + j] : H[j * (j + 1) / 2 + i]; };
  const auto weighted = [&](int k, Id a) { return g.mul(g.uniform(w + k), a); };
  for (long j = 0; j < n; ++j) {
    for (long i = full || part.velocities ? 0 : j; i < n; ++i) {
      Id sum = weighted(0, h(i, j));
      if (part.velocities) {
        sum = g.add(sum, weighted(1, h(i, n + j)));
        sum = g.add(sum, weighted(2, h(n + i, j)));
        sum = g.add(sum, weighted(3, h(n + i, n + j)));
      }
      if (!full && zero(g, sum)) continue;
      d.second.push_back(sum);
      d.entries.push_back({static_cast<int>(i), static_cast<int>(j), !full && !part.velocities && i != j});
    }
  }
  return d;
}

// The term as a part of L; a potential gets its minus.
Part part_of(const Term& term, std::size_t parameters) {
  Part part;
  part.locals = term.locals;
  part.velocities = term.velocities;
  const long inputs = (term.velocities ? 2 : 1) * term.locals + static_cast<long>(term.data.size());
  std::vector<Id> c = columns(part.graph, 0, inputs);
  std::vector<Id> u;
  for (std::size_t k = 0; k <= parameters; ++k) u.push_back(part.graph.uniform(static_cast<int>(k)));
  part.value = expr::substitute(part.graph, term.graph, term.value, c, u);
  if (!term.lagrangian) part.value = part.graph.neg(part.value);
  return part;
}

// Sum of all elements of all terms over the system's own coordinates.
Part sum_of_terms(const Model& model, bool velocities) {
  Part whole;
  whole.locals = model.size();
  whole.velocities = velocities;
  Graph& g = whole.graph;
  const long n = whole.locals;
  whole.value = g.constant(0);
  for (const Term& term : model.terms) {
    const Part part = part_of(term, model.parameters.size());
    std::vector<Id> u;
    for (std::size_t k = 0; k <= model.parameters.size(); ++k) u.push_back(g.uniform(static_cast<int>(k)));
    for (long e = 0; e < term.elements; ++e) {
      std::vector<Id> c;
      for (long l = 0; l < term.locals; ++l) c.push_back(g.column(term.dofs[l * term.elements + e]));
      if (term.velocities)
        for (long l = 0; l < term.locals; ++l) c.push_back(g.column(static_cast<int>(n + term.dofs[l * term.elements + e])));
      for (const auto& data : term.data) c.push_back(g.constant(data[e]));
      whole.value = g.add(whole.value, expr::substitute(g, part.graph, part.value, c, u));
    }
  }
  return whole;
}

bool small_enough_to_fuse(const Model& model) {
  if (model.size() > most_fused_coordinates) return false;
  std::size_t nodes = 0;
  for (const Term& term : model.terms) nodes += term.graph.size() * static_cast<std::size_t>(term.elements);
  return nodes <= most_fused_nodes;
}

Batch batch_of(const Term& term) {
  Batch b;
  b.elements = term.elements;
  b.locals = term.locals;
  b.velocities = term.velocities;
  b.dofs = term.dofs;
  b.data = term.data;
  b.contiguous.assign(static_cast<std::size_t>(term.locals), -1);
  for (long l = 0; l < term.locals; ++l) {
    const auto* dof = b.dofs.data() + l * b.elements;
    bool runs = b.elements > 0;
    for (long e = 1; e < b.elements && runs; ++e) runs = dof[e] == dof[0] + e;
    if (runs) b.contiguous[l] = dof[0];
  }
  return b;
}

void check_mass(const Model& model) {
  if (model.mass.kind != MassMatrix::Kind::diagonal) return;
  for (long i = 0; i < model.mass.diagonal.size(); ++i)
    if (!(model.mass.diagonal[i] > 0))
      throw core::InputError(
          fmt::format("mass is not positive definite: {} of {}", model.mass.diagonal[i], model.coordinate_name(i)));
}

}  // namespace

std::shared_ptr<const CompiledModel> compile(const Model& model, const expr::CompileOptions& options, bool fuse) {
  check_mass(model);
  auto out = std::make_shared<CompiledModel>();
  out->n = model.size();
  out->mass = model.mass;
  for (const Term& term : model.terms) { out->velocities = out->velocities || term.velocities; }
  out->separable = model.mass.kind != MassMatrix::Kind::none && !out->velocities;
  out->uniforms.assign(1, 0.0);
  out->uniforms.insert(out->uniforms.end(), model.parameters.begin(), model.parameters.end());
  const int w = static_cast<int>(out->uniforms.size());
  out->uniforms.resize(out->uniforms.size() + 4, 0.0);
  if (!model.library.empty()) {
    out->library = load_library(model.library, model.size(), static_cast<long>(model.parameters.size()));
    out->library_parameters = model.parameters;
  }

  std::vector<Part> parts;
  std::vector<Derivatives> derivatives;
  const bool fused = fuse && small_enough_to_fuse(model);
  if (fused) {
    parts.push_back(sum_of_terms(model, out->velocities));
    derivatives.push_back(differentiate(parts.back(), w, true));
  } else {
    for (const Term& term : model.terms) {
      parts.push_back(part_of(term, model.parameters.size()));
      derivatives.push_back(differentiate(parts.back(), w, false));
      out->batches.push_back(batch_of(term));
      out->batches.back().entries = derivatives.back().entries;
    }
  }

  std::vector<expr::KernelSource> sources;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Part& part = parts[k];
    const long inputs = (part.velocities ? 2 : 1) * part.locals + (fused ? 0 : static_cast<long>(model.terms[k].data.size()));
    const auto add = [&](const char* what, std::vector<Id> outputs) {
      sources.push_back({fmt::format("{}_{}", what, k), &part.graph, std::move(outputs), !fused, static_cast<int>(inputs),
                         static_cast<int>(part.locals)});
    };
    add("value", {part.value});
    add("first", derivatives[k].first);
    add("second", derivatives[k].second);
  }
  out->module = expr::Module::build(sources, options);
  if (fused) {
    out->fused = {true, out->module.single(0), out->module.single(1), out->module.single(2)};
  } else {
    for (std::size_t k = 0; k < out->batches.size(); ++k) {
      out->batches[k].value = out->module.batch(3 * k);
      out->batches[k].first = out->module.batch(3 * k + 1);
      out->batches[k].second = out->module.batch(3 * k + 2);
    }
  }
  return out;
}

}  // namespace actio::system
