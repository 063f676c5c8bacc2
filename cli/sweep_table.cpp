#include "sweep_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <actio/invariant/json.hpp>

#include "table.hpp"

namespace actio::cli {
namespace {

constexpr std::size_t most_rows_shown = 200;

std::optional<double> number_in(std::string_view word) {
  double x = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
  if (error != std::errc() || end != word.data() + word.size()) return {};
  return x;
}

// A number that a run came to, by its name in every form of the table.
struct Measured {
  std::string name, format;
  double of(const OneRun& run) const { return value(run); }
  std::function<double(const OneRun&)> value;
};

void add_once(std::vector<Measured>& to, Measured one) {
  if (std::ranges::none_of(to, [&](const Measured& m) { return m.name == one.name; })) to.push_back(std::move(one));
}

// "x.largest", "x.last"; "bond.mean", "bond.mean.standard_error" of reductions.
void add_observed(const OneRun& run, std::vector<Measured>& to) {
  for (const Extreme& e : run.extremes) {
    const auto find = [name = e.name](const OneRun& r) {
      const auto at = std::ranges::find_if(r.extremes, [&](const Extreme& x) { return x.name == name; });
      return at == r.extremes.end() ? Extreme{} : *at;
    };
    add_once(to, {e.name + ".largest", "{:.6g}", [find](const OneRun& r) { return find(r).largest; }});
    if (!std::isnan(e.last)) add_once(to, {e.name + ".last", "{:.6g}", [find](const OneRun& r) { return find(r).last; }});
  }
  for (std::size_t k = 0; k < run.observed.size(); ++k)
    for (std::size_t j = 0; j < run.observed[k].reductions.size(); ++j)
      for (std::size_t i = 0; i < run.observed[k].reductions[j].figures.size(); ++i) {
        const auto& reduction = run.observed[k].reductions[j];
        const run::Figure& figure = reduction.figures[i];
        if (figure.list) continue;
        const std::string name =
            fmt::format("{}.{}{}", run.observed[k].name, reduction.name, figure.name == "value" ? "" : "." + figure.name);
        add_once(to, {name, "{:.6g}", [of = run.observed[k].name, by = reduction.name, what = figure.name](const OneRun& r) {
                        for (const run::Observed& each : r.observed)
                          for (const auto& its : each.reductions)
                            for (const run::Figure& one : its.figures)
                              if (each.name == of && its.name == by && one.name == what && !one.values.empty())
                                return one.values[0];
                        return Extreme::none;
                      }});
      }
}

std::vector<Measured> measured(const std::vector<SweepRow>& rows) {
  std::vector<Measured> out{{"energy_error", "{:.1e}", [](const OneRun& r) { return invariant::energy_error(r.certificate); }},
                            {"drift_per_step", "{:+.1e}", [](const OneRun& r) { return invariant::energy_drift(r.certificate); }},
                            {"seconds", "{:.3g}", [](const OneRun& r) { return r.certificate.wall_seconds; }}};
  for (const SweepRow& row : rows) add_observed(row.run, out);
  for (Measured& of : out) of.value = [value = of.value](const OneRun& r) { return r.ran ? value(r) : Extreme::none; };
  return out;
}

// One line; all of it stands in files.
std::string short_why(const OneRun& run) {
  if (run.refused) return run.refused->diagnostic().message;
  if (run.certificate.failure) return run.certificate.failure->message;
  return run.certificate.broken.empty() ? "" : run.certificate.broken.front();
}

}  // namespace

std::string sweep_text(const std::vector<Swept>& swept, const std::vector<SweepRow>& rows) {
  if (rows.size() > most_rows_shown) return fmt::format("  {} runs: -o table.csv has a line for each\n", rows.size());
  const std::vector<Measured> columns = measured(rows);
  const bool any_why = std::ranges::any_of(rows, [](const SweepRow& row) { return !row.run.why.empty(); });
  std::vector<std::vector<std::string>> table(1);
  for (const Swept& of : swept) table[0].push_back(of.name);
  table[0].push_back("verdict");
  for (const Measured& of : columns) table[0].push_back(of.name);
  if (any_why) table[0].push_back("why");
  for (const SweepRow& row : rows) {
    auto& line = table.emplace_back(row.values);
    line.push_back(row.run.ran ? std::string(verdict_text(row.run.certificate.verdict)) : row.run.verdict());
    for (const Measured& of : columns) {
      const double x = of.of(row.run);
      line.push_back(std::isnan(x) ? "-" : fmt::format(fmt::runtime(of.format), x));
    }
    if (any_why) line.push_back(short_why(row.run));
  }
  return table_text(table, "  ");
}

std::string sweep_json(const std::vector<Swept>& swept, const std::vector<SweepRow>& rows) {
  const std::vector<Measured> columns = measured(rows);
  invariant::Json j;
  const auto title = std::ranges::find_if(rows, [](const SweepRow& row) { return row.run.ran; });
  j.begin().field("title", std::string_view(title == rows.end() ? "" : title->run.title)).key("runs").begin_array();
  for (const SweepRow& row : rows) {
    j.begin().key("values").begin();
    for (std::size_t k = 0; k < swept.size(); ++k) {
      j.key(swept[k].name);
      if (const auto x = number_in(row.values[k]))
        j.value(*x);
      else
        j.value(std::string_view(row.values[k]));
    }
    j.end().field("verdict", std::string_view(row.run.verdict()));
    for (const Measured& of : columns) j.field(of.name, of.of(row.run));
    j.key("broken").begin_array();
    for (const std::string& sentence : row.run.certificate.broken) j.value(std::string_view(sentence));
    j.end_array().field("error", std::string_view(row.run.ran && !row.run.certificate.failure ? "" : row.run.why)).end();
  }
  j.end_array().end();
  return j.text();
}

std::vector<run::TableColumn> sweep_columns(const std::vector<Swept>& swept, const std::vector<SweepRow>& rows) {
  std::vector<run::TableColumn> out;
  const auto column = [&](const std::string& name, auto&& value) {
    std::vector<std::decay_t<decltype(value(rows[0]))>> values;
    for (const SweepRow& row : rows) values.push_back(value(row));
    out.push_back({name, std::move(values)});
  };
  for (std::size_t k = 0; k < swept.size(); ++k) {
    const bool numbers =
        std::ranges::all_of(swept[k].values, [](const std::string& word) { return number_in(word).has_value(); });
    if (numbers)
      column(swept[k].name, [k](const SweepRow& row) { return *number_in(row.values[k]); });
    else
      column(swept[k].name, [k](const SweepRow& row) { return row.values[k]; });
  }
  column("verdict", [](const SweepRow& row) { return row.run.verdict(); });
  for (const Measured& of : measured(rows)) column(of.name, [&of](const SweepRow& row) { return of.of(row.run); });
  column("error", [](const SweepRow& row) { return row.run.why; });
  return out;
}

}  // namespace actio::cli
