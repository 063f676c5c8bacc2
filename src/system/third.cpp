#include <deque>

#include <fmt/format.h>

#include "differentiate.hpp"

namespace actio::system {
namespace {

using expr::Id;

// +V'''[a, a] of a part of L, with a in `locals` columns behind the positions; {} when it is 0.
std::vector<Id> third_of(Part& whole, const Part& part, const Model& model) {
  expr::Graph& g = whole.graph;
  const long n = part.locals;
  std::vector<Id> columns, a, uniforms;
  for (long l = 0; l < n; ++l) {
    columns.push_back(g.column(static_cast<int>(l)));
    a.push_back(g.column(static_cast<int>(n + l)));
  }
  const std::vector<Id> x = columns;
  for (long d = 0; d < part.data; ++d) columns.push_back(g.column(static_cast<int>(2 * n + d)));
  for (std::size_t k = 0; k < 1 + model.parameters.size() + model.signals.size(); ++k)
    uniforms.push_back(g.uniform(static_cast<int>(k)));
  whole.locals = n;
  whole.data = part.data;
  whole.values = {g.neg(expr::substitute(g, part.graph, part.values[0], columns, uniforms))};
  std::vector<Id> third = expr::third(g, whole.values[0], x, a);
  for (const Id id : third)
    if (!g.is_constant(id, 0)) return third;
  return {};
}

}  // namespace

std::shared_ptr<const ThirdDerivatives> third_derivatives(const Model& model, const expr::CompileOptions& options, bool fused) {
  auto out = std::make_shared<ThirdDerivatives>();
  std::deque<Part> parts;
  std::vector<expr::KernelSource> sources;
  std::vector<std::size_t> of;  // the batch of each source
  const auto add = [&](std::string name, const Part& part, bool batch, bool lone) {
    Part& whole = parts.emplace_back();
    std::vector<Id> third = third_of(whole, part, model);
    if (third.empty()) return false;
    sources.push_back({std::move(name), &whole.graph, std::move(third), batch, static_cast<int>(2 * part.locals + part.data),
                       static_cast<int>(part.locals)});
    sources.back().lone = lone;
    return true;
  };
  if (fused) {
    add("energy_third", sum_of(model.terms, model, false, true), false, false);
  } else {
    out->batches.resize(model.terms.size());
    for (std::size_t k = 0; k < model.terms.size(); ++k) {
      const Term& term = model.terms[k];
      const bool lone = term.elements == 1 && !term.interpolation;
      if (add(fmt::format("energy_{}_third", k), part_of(term, model, true), true, lone)) of.push_back(k);
    }
  }
  out->module = expr::Module::build(sources, options);
  if (fused && !sources.empty()) out->fused = out->module.single(0);
  for (std::size_t k = 0; k < of.size(); ++k) out->batches[of[k]] = out->module.batch(k);
  return out;
}

}  // namespace actio::system
