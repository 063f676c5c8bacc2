#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <actio/expr/operations.hpp>

#include "ensemble_parts.hpp"
#include "expression.hpp"
#include "values.hpp"

// What is asked of all members of an ensemble.
namespace actio::io {
namespace {

class OutputReader {
 public:
  OutputReader(const Section& ensemble, const SymbolTable& symbols, const system::Model& model)
      : section_(ensemble), symbols_(symbols), document_(ensemble.document()), model_(model) {}

  void operator()(EnsembleRequest& out) const {
    read_outputs(out);
    if (const Value* stop = section_.find("stop")) out.stop = read_stop(*stop);
    read_histograms(out);
    read_quantiles(out);
  }

 private:
  void read_outputs(EnsembleRequest& out) const {
    const Value* given = section_.find("output");
    if (given) {
      need_kind(document_, *given, "ensemble.output", Kind::table);
      for (const Entry& entry : given->fields) out.outputs.push_back(read_output(entry));
      return;
    }
    for (long i = 0; i < model_.size(); ++i) {
      run::MemberOutput& output = out.outputs.emplace_back();
      output.name = model_.coordinate_name(i);
      output.value = output.graph.column(static_cast<int>(i));
    }
  }

  run::MemberOutput read_output(const Entry& entry) const {
    if (entry.key == "energy" || entry.key == "stopped_at")
      document_.fail(entry.place, fmt::format("{} is an output of an ensemble already", entry.key), "give yours another name");
    run::MemberOutput out = read_expression(entry.value, "ensemble.output." + entry.key);
    out.name = entry.key;
    return out;
  }

  run::MemberStop read_stop(const Value& value) const {
    run::MemberOutput condition = read_expression(value, "ensemble.stop");
    if (!expr::is_boolean(condition.graph[condition.value].op))
      document_.fail(value.place, "ensemble.stop is a number, not a condition", "compare it with another: for example x > 2");
    run::MemberStop out;
    out.graph = std::move(condition.graph);
    out.value = condition.value;
    return out;
  }

  // Of the coordinates, the velocities, the time and the parameters.
  run::MemberOutput read_expression(const Value& text, const std::string& path) const {
    const Expression expression(symbols_, text, path, {}, {true, true, true, false, ""});
    run::MemberOutput out;
    std::vector<expr::Id> columns, uniforms;
    for (const Column& column : expression.columns) columns.push_back(read_column(expression, column, out.graph));
    for (std::size_t k = 0; k <= symbols_.parameters.size(); ++k) uniforms.push_back(out.graph.uniform(static_cast<int>(k)));
    out.value = expr::substitute(out.graph, expression.graph, expression.value, columns, uniforms);
    return out;
  }

  expr::Id read_column(const Expression& expression, const Column& column, expr::Graph& g) const {
    long at = -1;
    try {
      at = column.index({});
    } catch (const std::range_error& error) { expression.fail(column, fmt::format("{} in {}", error.what(), expression.path())); }
    if (column.kind == Column::Kind::table) {
      const auto& values = symbols_.tables[static_cast<std::size_t>(column.which)].values;
      if (at < 0 || at >= static_cast<long>(values.size()))
        expression.fail(column, fmt::format("{} is entry {} of a table of {}", expression.text_of(column), at, values.size()));
      return g.constant(values[static_cast<std::size_t>(at)]);
    }
    const system::Family& family = symbols_.families[static_cast<std::size_t>(column.which)];
    if (at < 0 || at >= family.size)
      expression.fail(column, fmt::format("{} is outside the family, which has {} {}", expression.text_of(column), family.size,
                                          plural(family.size, "coordinate", "coordinates")));
    return g.column(static_cast<int>(family.offset + at + (column.kind == Column::Kind::velocity ? model_.size() : 0)));
  }

  void read_histograms(EnsembleRequest& out) const {
    const Value* histograms = section_.find("histogram");
    if (!histograms) return;
    std::vector<std::string> names{"energy"};
    for (const run::MemberOutput& output : out.outputs) names.push_back(output.name);
    if (out.stop) names.emplace_back("stopped_at");
    const Section section(document_, *histograms, "ensemble.histogram", names);
    out.energy_bins = read_bins(section, "energy");
    for (run::MemberOutput& output : out.outputs) output.bins = read_bins(section, output.name);
    if (out.stop) out.stop->bins = read_bins(section, "stopped_at");
  }

  std::optional<run::Bins> read_bins(const Section& section, const std::string& name) const {
    const Value* given = section.find(name);
    if (!given) return {};
    const Section of(document_, *given, section.path(name), {"from", "to", "bins"});
    const run::Bins bins{scalar(symbols_, of.need("from"), of.path("from")), scalar(symbols_, of.need("to"), of.path("to")),
                         integer(document_, of.need("bins"), of.path("bins"), 1, 1'000'000)};
    if (!(bins.to > bins.from))
      document_.fail(of.place_of("to"),
                     fmt::format("{} is {}; it must be above {}, {}", of.path("to"), bins.to, of.path("from"), bins.from));
    return bins;
  }

  void read_quantiles(EnsembleRequest& out) const {
    const Value* given = section_.find("quantiles");
    if (!given) return;
    need_kind(document_, *given, "ensemble.quantiles", Kind::array);
    for (const Value& item : given->items) {
      const std::string path = fmt::format("ensemble.quantiles[{}]", out.quantiles.size());
      const double q = finite(document_, item, path);
      if (!(q >= 0 && q <= 1)) document_.fail(item.place, fmt::format("{} is {}; it must lie between 0 and 1", path, q));
      out.quantiles.push_back(q);
    }
    std::ranges::sort(out.quantiles);
  }

  const Section& section_;
  const SymbolTable& symbols_;
  const Document& document_;
  const system::Model& model_;
};

}  // namespace

void read_outputs(const Section& ensemble, const SymbolTable& symbols, const system::Model& model, EnsembleRequest& out) {
  OutputReader(ensemble, symbols, model)(out);
}

}  // namespace actio::io
