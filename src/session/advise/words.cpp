#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <actio/invariant/certificate.hpp>
#include <actio/invariant/json.hpp>
#include <actio/session/advise.hpp>

namespace actio::session {
namespace {

using Lines = std::vector<std::vector<std::string>>;

std::string table(const Lines& lines) {
  std::vector<std::size_t> width;
  for (const auto& line : lines) {
    width.resize(std::max(width.size(), line.size()), 0);
    for (std::size_t k = 0; k < line.size(); ++k) width[k] = std::max(width[k], line[k].size());
  }
  std::string out;
  for (const auto& line : lines) {
    std::string row;
    for (std::size_t k = 0; k < line.size(); ++k) row += fmt::format("{:<{}}  ", line[k], width[k]);
    while (row.ends_with(' ')) row.pop_back();
    out += "  " + row + "\n";
  }
  return out;
}

std::string number(double x, const char* unit = "") { return std::isnan(x) ? "-" : fmt::format("{:.1e}{}", x, unit); }

std::string time_words(double ns) {
  if (std::isnan(ns)) return "-";
  if (ns < 1e3) return fmt::format("{:.3g} ns", ns);
  if (ns < 1e6) return fmt::format("{:.3g} us", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:.3g} ms", ns / 1e6);
  return fmt::format("{:.3g} s", ns / 1e9);
}

std::string verdict_words(std::string word) {
  std::ranges::replace(word, '_', ' ');
  return word;
}

std::string value_of(const core::AnyField& field) {
  if (const auto* word = std::get_if<std::string*>(&field.value)) return fmt::format("\"{}\"", **word);
  return std::visit([](const auto* value) { return fmt::format("{}", *value); }, field.value);
}

// visit(name, value) for the fields that are not as the catalogue has them.
template <class Visit>
void for_each_set_field(const method::Spec& spec, Visit&& visit) {
  method::Spec given = spec, usual = *method::method_named(spec.description().name);
  const auto fields = given.fields(), defaults = usual.fields();
  for (std::size_t k = 0; k < fields.size(); ++k)
    if (const std::string value = value_of(fields[k]); value != value_of(defaults[k])) visit(fields[k].name, value);
}

std::string short_name(const method::Spec& spec) {
  std::string out(spec.description().name);
  for_each_set_field(spec,
                     [&](std::string_view name, const std::string& value) { out += fmt::format(", {} = {}", name, value); });
  if (spec.composed) out += fmt::format(", composed to order {}", spec.composition.order);
  return out;
}

Lines trials_table(const Advice& a) {
  const std::string unit = a.time_unit.empty() ? "unit of time" : a.time_unit;
  Lines out{{"method", "step", "time a step", "cost per " + unit, "order", "error", "energy error", "verdict"}};
  for (const Ranked& r : a.ranked) {
    if (!r.tried || !r.trial.measured()) continue;
    const Trial& t = r.trial;
    out.push_back({short_name(r.spec), fmt::format("{:.4g}", t.step), time_words(t.ns_a_step), time_words(t.cost),
                   std::isnan(t.order) ? "-" : fmt::format("{:.1f}", t.order), number(t.error), number(t.energy_error),
                   verdict_words(t.verdict)});
  }
  return out;
}

// One line a method, whatever its orders.
std::string reasons(const Advice& a) {
  constexpr std::size_t most_named = 4;  // of those that were not tried
  std::vector<std::string_view> tried, others;
  std::string out = "\nWhy\n", rest;
  const auto is_new = [](std::vector<std::string_view>& names, std::string_view name) {
    if (std::ranges::find(names, name) != names.end()) return false;
    names.push_back(name);
    return true;
  };
  for (const Ranked& r : a.ranked)
    if (const std::string_view name = r.spec.description().name; r.tried && is_new(tried, name))
      out += fmt::format("  {}: {}\n", name, r.reason);
  for (const Ranked& r : a.ranked) {
    const std::string_view name = r.spec.description().name;
    if (r.tried || std::ranges::find(tried, name) != tried.end() || !is_new(others, name)) continue;
    if (others.size() <= most_named) rest += fmt::format("  {}: {}\n", name, r.reason);
  }
  if (others.empty()) return out;
  out += "\nNext, not tried\n" + rest;
  return others.size() > most_named ? out + fmt::format("  and {} more\n", others.size() - most_named) : out;
}

}  // namespace

std::string lines_to_paste(const method::Spec& spec, double step) {
  std::string out = fmt::format("[method]\nname = \"{}\"\n", spec.description().name);
  for_each_set_field(spec,
                     [&](std::string_view name, const std::string& value) { out += fmt::format("{} = {}\n", name, value); });
  if (spec.composed)
    out += fmt::format("compose = {{ order = {}, scheme = \"{}\" }}\n", spec.composition.order, spec.composition.scheme);
  return out + fmt::format("\n[run]\nstep = {:.10g}\n", step);
}

std::string text(const Advice& a) {
  std::string out = a.title.empty() ? "" : a.title + "\n";
  for (const Advice::Fact& fact : a.facts) out += fmt::format("  {:<12} {}\n", fact.label, fact.text);
  out +=
      fmt::format("  {:<12} t = {:.6g} to {:.6g}, {:.3g} % of the run, each method with the step that has an error of {:.1e}\n",
                  "trials", a.start, a.start + a.window, 100 * a.share, a.error);
  out += fmt::format("  {:<12} of {}, relative to how far they move; the cost is the processor's time for a unit of time\n\n",
                     "error", a.error_words);
  const Lines lines = trials_table(a);
  if (lines.size() > 1) out += table(lines);
  for (const Ranked& r : a.ranked) {
    if (!r.tried) continue;
    if (!r.trial.measured()) out += fmt::format("\n  {}: not measured: {}\n", short_name(r.spec), r.trial.why_not);
    if (!r.trial.remark.empty()) out += fmt::format("\n  {}: {}\n", short_name(r.spec), r.trial.remark);
  }
  out += reasons(a);
  if (a.best < 0)
    return out + "\nNo trial came to an end, so no method is proposed: ask for a larger --error or give more --seconds.\n";
  const Ranked& best = a.ranked[static_cast<std::size_t>(a.best)];
  return out + "\nThe first of the table, as lines of a problem file:\n\n" + lines_to_paste(best.spec, best.trial.step);
}

std::string json(const Advice& a) {
  invariant::Json j;
  j.begin().field("title", std::string_view(a.title)).field("time_unit", std::string_view(a.time_unit));
  j.key("facts").begin();
  for (const Advice::Fact& fact : a.facts) j.field(fact.label, std::string_view(fact.text));
  j.end().field("start", a.start).field("window", a.window).field("share", a.share).field("error", a.error);
  j.key("methods").begin_array();
  for (const Ranked& r : a.ranked) {
    j.begin().field("method", std::string_view(short_name(r.spec))).field("name", std::string_view(r.spec.description().name));
    j.field("reason", std::string_view(r.reason)).field("keeps_structure", r.structure).field("predicted_cost", r.predicted);
    j.field("tried", r.tried);
    if (r.tried) {
      const Trial& t = r.trial;
      j.field("measured", t.measured()).field("why_not", std::string_view(t.why_not)).field("remark", std::string_view(t.remark));
      j.field("step", t.step).field("steps_a_time", t.steps_a_time).field("ns_per_step", t.ns_a_step).field("cost", t.cost);
      j.field("order", t.order).field("error", t.error).field("energy_error", t.energy_error);
      j.field("verdict", std::string_view(t.verdict));
      if (t.measured()) j.field("lines", std::string_view(lines_to_paste(r.spec, t.step)));
    }
    j.end();
  }
  j.end_array();
  j.key("best");
  if (a.best < 0)
    j.null();
  else
    j.value(std::string_view(short_name(a.ranked[static_cast<std::size_t>(a.best)].spec)));
  j.field("interrupted", a.interrupted).end();
  return j.text();
}

}  // namespace actio::session
