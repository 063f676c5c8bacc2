#include <fmt/format.h>

#include <actio/run/trajectory.hpp>

#include "parts.hpp"

// run.columns: the columns that a trajectory file shall have.
namespace actio::io {
namespace {

// All that a run of the problem may have a column for. Whether it has a ledger and multipliers, the run itself says.
run::TrajectoryHeader all_columns(const Problem& p) {
  run::TrajectoryHeader out;
  for (long i = 0; i < p.model.size(); ++i) out.coordinates.push_back(p.model.coordinate_name(i));
  for (const system::Symmetry& symmetry : p.model.symmetries) out.momentum.push_back(symmetry.name);
  long constraints = 0;
  for (const auto* list : {&p.model.constraints, &p.model.penalised})
    for (const auto& of : *list) constraints += of.elements;
  for (long k = 0; k < constraints; ++k) out.multipliers.push_back(p.model.constraint_name(k));
  out.ledger = true;
  out.probes = p.probes;
  out.stresses = p.stresses;
  out.supports = p.supports;
  for (const run::Observable& of : p.observables)
    if (!of.hidden && !of.of_event && of.reductions.empty())
      out.observed.push_back({of.name, of.unit, of.definition, of.combine == run::Combine::none ? of.elements() : 1});
  return out;
}

}  // namespace

std::vector<std::string> read_output_columns(const Section& root, const Problem& problem) {
  std::vector<std::string> out;
  const Document& document = root.document();
  const Value* list = root.need("run").find("columns");
  if (!list) return out;
  need_kind(document, *list, "run.columns", Kind::array);
  if (list->items.empty())
    document.fail(list->place, "run.columns is empty", "name columns, \"x\", \"x'\", \"energy\", or leave it out for all");
  const std::vector<std::string> names = run::column_names(all_columns(problem));
  for (std::size_t k = 0; k < list->items.size(); ++k) {
    const Value& item = list->items[k];
    need_kind(document, item, fmt::format("run.columns[{}]", k), Kind::string);
    if (item.string != "t" && run::columns_named(item.string, names).empty())
      document.fail(item.place, fmt::format("run.columns[{}] is \"{}\", and a trajectory has no such column", k, item.string),
                    core::did_you_mean(item.string, names));
    out.push_back(item.string);
  }
  return out;
}

}  // namespace actio::io
