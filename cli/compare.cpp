#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/invariant/json.hpp>
#include <actio/run/table_file.hpp>
#include <actio/session/reference.hpp>

#include "commands.hpp"
#include "one_run.hpp"
#include "progress.hpp"
#include "spoil.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace actio::cli {

namespace {

using invariant::Certificate;
using session::Reference;

struct Row : OneRun {
  double largest = invariant::unmeasured, at_end = invariant::unmeasured;  // of position, by the reference
  std::vector<std::pair<std::string, double>> peaks;                       // errors of peaks
};

constexpr std::size_t most_peaks_shown = 4;

std::string number(double x) { return std::isnan(x) ? "-" : fmt::format("{:.1e}", x); }

double iterations(const Certificate& c) {
  return c.solver.iterations == 0 || c.steps == 0 ? invariant::unmeasured
                                                  : static_cast<double>(c.solver.iterations) / static_cast<double>(c.steps);
}

double nanoseconds(const Certificate& c) {
  return c.steps == 0 ? invariant::unmeasured : 1e9 * c.wall_seconds / static_cast<double>(c.steps);
}

std::string time_words(double ns) {
  if (std::isnan(ns)) return "-";
  if (ns < 1e3) return fmt::format("{:.0f} ns", ns);
  if (ns < 1e6) return fmt::format("{:.1f} us", ns / 1e3);
  return fmt::format("{:.1f} ms", ns / 1e6);
}

double energy_lost(const Certificate& c) { return energy_expected_to_stay(c) ? c.energy.lost : invariant::unmeasured; }

std::string drift_words(const Certificate& c) {
  const double drift = energy_drift(c);
  return std::isnan(drift) ? "-" : fmt::format("{:+.1e} +- {:.0e}", drift, c.energy.drift_confidence);
}

// For a method with coordinates of its own, the defect there, then in (q, p).
std::string defect_words(const invariant::Symplecticity& s) {
  return std::isnan(s.own.value) ? number(s.canonical.value)
                                 : fmt::format("{} own, {}", number(s.own.value), number(s.canonical.value));
}

using Lines = std::vector<std::vector<std::string>>;

// `by`: null, or what errors are measured by.
std::vector<std::string> heads(const std::vector<std::string>& momenta, const Reference* by) {
  std::vector<std::string> out{"method", "order", "energy error", "lost", "drift a step (95 %)"};
  for (const std::string& name : momenta) out.push_back(name);
  for (const char* head : {"symplecticity", "reversibility", "iterations", "time a step"}) out.emplace_back(head);
  if (by) {
    out.insert(out.end(), {"position error", "at the end"});
    const auto& peaks = by->extremes();
    for (std::size_t k = 0; k < std::min(peaks.size(), most_peaks_shown); ++k) out.push_back("peak error of " + peaks[k].name);
  }
  out.emplace_back("verdict");
  return out;
}

std::vector<std::string> cells(const Row& row, std::size_t momenta, std::size_t width) {
  const Certificate& c = row.certificate;
  std::vector<std::string> out{row.method, "-"};
  if (!row.ran) {
    out.resize(width - 1, "-");
    out.emplace_back("wrong input");
    return out;
  }
  out[1] = c.order > 0 ? fmt::format("{}", c.order) : "adaptive";
  out.push_back(number(energy_error(c)));
  out.push_back(number(energy_lost(c)));
  out.push_back(drift_words(c));
  for (const auto& m : c.momentum) out.push_back(number(m.max_error));
  out.resize(5 + momenta, "-");
  out.push_back(defect_words(c.symplecticity));
  out.push_back(number(c.reversibility));
  out.push_back(std::isnan(iterations(c)) ? "-" : fmt::format("{:.1f}", iterations(c)));
  out.push_back(time_words(nanoseconds(c)));
  if (out.size() + 1 < width) {
    out.push_back(number(row.largest));
    out.push_back(number(row.at_end));
    for (std::size_t k = 0; k < std::min(row.peaks.size(), most_peaks_shown); ++k) out.push_back(number(row.peaks[k].second));
    out.resize(width - 1, "-");
  }
  out.emplace_back(verdict_text(c.verdict));
  return out;
}

std::vector<run::TableColumn> columns(const std::vector<Row>& rows, const std::vector<std::string>& momenta,
                                      const Reference* by) {
  std::vector<run::TableColumn> out;
  const auto numbers = [&](const std::string& name, auto&& value) {
    std::vector<double> values;
    for (const Row& row : rows) values.push_back(row.ran ? value(row) : invariant::unmeasured);
    out.push_back({name, std::move(values)});
  };
  const auto of_words = [&](const char* name, auto&& value) {
    std::vector<std::string> values;
    for (const Row& row : rows) values.push_back(value(row));
    out.push_back({name, std::move(values)});
  };
  of_words("method", [](const Row& row) { return row.method; });
  numbers("order", [](const Row& row) { return row.certificate.order; });
  numbers("steps", [](const Row& row) { return static_cast<double>(row.certificate.steps); });
  numbers("energy_max_error", [](const Row& row) { return invariant::energy_error(row.certificate); });
  numbers("energy_lost", [](const Row& row) { return energy_lost(row.certificate); });
  numbers("drift_per_step", [](const Row& row) { return invariant::energy_drift(row.certificate); });
  numbers("drift_confidence", [](const Row& row) { return row.certificate.energy.drift_confidence; });
  for (std::size_t k = 0; k < momenta.size(); ++k)
    numbers(momenta[k] + " max_error", [k](const Row& row) {
      return k < row.certificate.momentum.size() ? row.certificate.momentum[k].max_error : invariant::unmeasured;
    });
  numbers("symplecticity_defect", [](const Row& row) { return row.certificate.symplecticity.canonical.value; });
  numbers("own_defect", [](const Row& row) { return row.certificate.symplecticity.own.value; });
  numbers("reversibility_defect", [](const Row& row) { return row.certificate.reversibility; });
  numbers("iterations_per_step", [](const Row& row) { return iterations(row.certificate); });
  numbers("ns_per_step", [](const Row& row) { return nanoseconds(row.certificate); });
  if (by) {
    numbers("position_error", [](const Row& row) { return row.largest; });
    numbers("position_error_at_end", [](const Row& row) { return row.at_end; });
    for (std::size_t k = 0; k < by->extremes().size(); ++k)
      numbers(by->extremes()[k].name + " peak_error", [k](const Row& row) { return row.peaks[k].second; });
  }
  of_words("verdict", [](const Row& row) { return row.verdict(); });
  return out;
}

std::string json_of(const std::vector<Row>& rows, const Reference* by) {
  invariant::Json j;
  const auto titled = std::ranges::find_if(rows, [](const Row& row) { return row.ran; });
  j.begin().field("title", std::string_view(titled == rows.end() ? "" : titled->title));
  if (by) {
    j.key("reference").begin().field("method", std::string_view(by->method())).field("step", by->step());
    j.field("observations", by->observations()).field("moved", by->moved());
    j.field("energy_error", by->energy_error()).end();
  }
  j.key("runs").begin_array();
  for (const auto& row : rows) {
    if (!row.ran) {
      j.begin().key("method").begin().field("name", std::string_view(row.method)).end().key("error").begin();
      j.field("message", std::string_view(core::words(row.refused->diagnostic()))).end().field("verdict", "failed").end();
      continue;
    }
    std::string certificate = invariant::json(row.certificate);
    if (by) {
      invariant::Json errors;
      errors.begin().field("position", row.largest).field("position_at_end", row.at_end).key("peaks").begin();
      for (const auto& [name, error] : row.peaks) errors.field(name, error);
      errors.end().end();
      certificate.pop_back();
      certificate += ",\"errors\":" + errors.text() + "}";
    }
    j.raw(certificate);
  }
  j.end_array().end();
  return j.text();
}

Row compared(RunRequest request, const std::string& name, const Reference* by) {
  request.load.method = name;
  std::optional<session::Errors> errors;
  if (by) request.beside = &errors.emplace(*by);
  Row row;
  static_cast<OneRun&>(row) = run_one(request);
  if (!by || !row.ran) return row;
  row.largest = errors->largest;
  row.at_end = errors->at_end;
  row.peaks = session::peak_errors(row.extremes, by->extremes());
  return row;
}

void run_reference(Reference& reference, RunRequest request) {
  request.load.method = reference.method();
  request.beside = &reference;
  request.prepare = [&](io::Problem& p) { reference.prepare(p); };
  const OneRun made = run_one(request);
  if (made.refused) throw core::InputError(*made.refused);
  reference.finish(made.certificate, made.extremes);
}

// The problem with the first of the methods that it can be read with.
std::optional<io::Problem> any_readable(const Arguments& arguments) {
  for (const auto& name : arguments.methods) try {
      return io::load(arguments.file, {arguments.overrides, name});
    } catch (const core::InputError&) {}  // said for each method
  return std::nullopt;
}

}  // namespace

int compare(const Arguments& arguments) {
  for (const auto& name : arguments.methods) require_method(name, "--methods");
  std::optional<Reference> reference;
  if (!arguments.reference.empty()) reference.emplace(arguments.reference);
  if (!arguments.output.empty())
    if (const auto problem = any_readable(arguments)) {  // else no method runs, and there is no table
      refuse_to_spoil(*problem, arguments.output);
      run::need_table_file(arguments.output);
    }
  std::vector<Row> rows;
  {
    ProgressLine line(!arguments.quiet);
    RunRequest request{arguments.file, {arguments.overrides, {}}, "compare", arguments.member, choices(arguments)};
    request.observe = reference.has_value();
    request.progress = [&](const run::Progress& now) { line.show(now); };
    if (reference) run_reference(*reference, request);
    request.prepare = [](io::Problem& p) { p.level = invariant::Level::standard; };
    for (const auto& name : arguments.methods) {
      rows.push_back(compared(request, name, reference ? &*reference : nullptr));
      if (rows.back().certificate.interrupted) break;
    }
  }
  tell_remarks(arguments.quiet);
  const Reference* const by = reference ? &*reference : nullptr;
  std::vector<const OneRun*> runs;
  for (const Row& row : rows) runs.push_back(&row);
  throw_if_all_refused(runs);
  const auto last_ran = std::find_if(rows.rbegin(), rows.rend(), [](const Row& row) { return row.ran; });
  const std::vector<std::string> momenta = last_ran == rows.rend() ? std::vector<std::string>() : last_ran->momenta;
  if (arguments.json) {
    fmt::print("{}\n", json_of(rows, by));
  } else if (!arguments.quiet) {
    if (last_ran != rows.rend() && !last_ran->title.empty()) say("{}\n", one_line(last_ran->title));
    Lines lines{heads(momenta, by)};
    for (const Row& row : rows) lines.push_back(cells(row, momenta.size(), lines[0].size()));
    say("{}", table_text(lines));
    if (std::ranges::any_of(rows, [](const Row& row) { return row.ran && !energy_expected_to_stay(row.certificate); }))
      say("\n{}\n", invariant::why_no_energy_error);
    if (by) say("\n{}", by->words());
  }
  if (!arguments.output.empty() && last_ran != rows.rend())
    run::write_table(arguments.output, columns(rows, momenta, by),
                     {{"title", last_ran->title},
                      {"problem_path", arguments.file},
                      {"reference", arguments.reference},
                      {"version", session::version()}});
  for (const auto& row : rows)
    if (!row.why.empty()) say(stderr, "\n{}:\n{}\n", row.method, row.why);
  if (rows.back().certificate.interrupted) {
    const Certificate& c = rows.back().certificate;
    fmt::print(stderr, "interrupted in method {} of {}, at step {}, t = {}\n", rows.size(), arguments.methods.size(), c.steps,
               c.last.t);
    return run_failed;
  }
  return exit_code(runs);
}

}  // namespace actio::cli
