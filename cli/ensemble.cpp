#include "ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/core/parallel.hpp>
#include <actio/invariant/certificate.hpp>
#include <actio/invariant/json.hpp>
#include <actio/io/ensemble_task.hpp>
#include <actio/run/ensemble_file.hpp>
#include <actio/run/integrate.hpp>
#include <actio/system/thermostat.hpp>

#include "interrupt.hpp"
#include "progress.hpp"
#include "spoil.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace actio::cli {
namespace {

using invariant::Json;
using run::Ensemble;

constexpr std::size_t most_listed = 1000;  // failures in JSON
constexpr long most_bars = 50, longest_bar = 40, most_rows = 200;

struct Head {
  std::string word;
};
template <class... A>
void report(const Head& label, fmt::format_string<A...> format, A&&... a) {
  say("  {:<15} {}\n", one_line(label.word), one_line(fmt::format(format, std::forward<A>(a)...)));
}

// The largest energy error of the members that did not fail; -1: there is none.
struct Worst {
  double error = std::numeric_limits<double>::quiet_NaN(), mean = error;
  long member = -1;
};
Worst worst_of(const Ensemble& e) {
  Worst out;
  if (!e.energy_expected_to_stay()) return out;
  const auto errors = e.energy_errors();
  const long first = e.task().members.first;
  std::vector<char> failed(errors.size(), 0);
  for (const run::MemberFailure& f : e.failures()) failed[static_cast<std::size_t>(f.member - first)] = 1;
  for (std::size_t m = 0; m < errors.size(); ++m) {
    if (failed[m] || (out.member >= 0 && (out.error >= errors[m] || std::isnan(out.error)))) continue;
    out.error = errors[m];  // not a number: the member's energy was not
    out.member = first + static_cast<long>(m);
  }
  out.mean = run::reduce(errors).mean;
  return out;
}

double nanoseconds(const Ensemble& e) {
  return 1e9 * e.seconds() / (static_cast<double>(e.step()) * static_cast<double>(e.task().members.count));
}

std::string differences(const Ensemble& e) {
  std::string out;
  for (const std::string& name : e.task().members.varied_names(e.task().model.parameter_names))
    out += fmt::format("{}{}", out.empty() ? "; by member: " : ", ", name);
  return out;
}

void print_histogram(const Ensemble& e, std::size_t k) {
  const run::Bins& bins = *e.bins(k);
  const run::Reduced& r = e.reduced(k);
  if (bins.count > most_bars) return report({""}, "a histogram of {} bins, which -o and --json write", bins.count);
  const long most = std::max(1L, *std::ranges::max_element(r.bins));
  if (r.below > 0) report({""}, "{:>10} below {:.6g}", r.below, bins.from);
  for (long b = 0; b < bins.count; ++b) {
    const long count = r.bins[static_cast<std::size_t>(b)];
    report({""}, "{:>10} {:>9.4g} to {:<9.4g} {}", count, bins.edge(b), bins.edge(b + 1),
           std::string(static_cast<std::size_t>(count * longest_bar / most), '#'));
  }
  if (r.above > 0) report({""}, "{:>10} above {:.6g}", r.above, bins.to);
}

std::string quantiles(const Ensemble& e, std::size_t k) {
  std::string out;
  const run::Reduced& r = e.reduced(k);
  for (std::size_t q = 0; q < r.quantiles.size(); ++q)
    out += fmt::format("{} {:.6g} at {:g} %", q == 0 ? "; quantiles" : ",", r.quantiles[q], 100 * e.task().quantiles[q]);
  return out;
}

void print_energy(const Ensemble& e) {
  const run::Reduced& r = e.reduced(0);
  const Worst worst = worst_of(e);
  std::string error;
  if (!e.energy_expected_to_stay())
    error = "; forces or the time change it";
  else if (worst.member >= 0)
    error = fmt::format("; largest error at an observation {:.2e} (member {}), mean over members {:.2e}", worst.error,
                        worst.member, worst.mean);
  report({"energy"}, "mean {:.6g} +- {:.3g}{}{}", r.mean, r.standard_deviation, error, quantiles(e, 0));
  if (e.bins(0) && r.count > 0) print_histogram(e, 0);
}

void print(const Ensemble& e) {
  const run::EnsembleTask& task = e.task();
  const run::Schedule& schedule = task.schedule;
  if (!task.title.empty()) say("{}\n", one_line(task.title));
  report({"method"}, "{}, order {}", task.method.name(), task.method.order());
  report({"members"}, "{} of {} coordinates{}", task.members.count, task.model.size(), differences(e));
  const int threads = core::threads();
  report(
      {"run"}, "{} of {} steps of {}, t = {:.8g}; {:.3g} s with {} {}, {:.3g} ns a step of a member", e.step(), schedule.steps,
      invariant::step_words(schedule.step.smallest(), schedule.step.largest(), schedule.step.different(), schedule.last_step()),
      e.t(), e.seconds(), threads, threads == 1 ? "thread" : "threads", nanoseconds(e));
  if (e.iterations() > 0) report({"solver"}, "{:.2f} Newton iterations a step", e.iterations());
  print_energy(e);
  for (std::size_t k = 1; k < e.outputs(); ++k) {
    const run::Reduced& r = e.reduced(k);
    report({e.name(k)}, "mean {:.6g} +- {:.6g}, from {:.6g} to {:.6g}{}", r.mean, r.standard_deviation, r.min, r.max,
           quantiles(e, k));
    const bool stops = task.stop && k + 1 == e.outputs();
    if (stops) report({""}, "{} of {} members stopped", r.count, task.members.count);
    const long finite = task.members.count - static_cast<long>(e.failures().size());
    if (!stops && r.count < finite) report({""}, "{} members have no finite value of it", finite - r.count);
    if (e.bins(k) && r.count > 0) print_histogram(e, k);
  }
}

// One line a member, for those that are few.
void print_table(const Ensemble& e) {
  const run::Members& members = e.task().members;
  if (members.count > most_rows) {
    say("  {} members: -o table.csv has a line for each\n", members.count);
    return;
  }
  std::vector<std::vector<std::string>> table(1);
  table[0] = members.varied_names(e.task().model.parameter_names);
  for (std::size_t k = 0; k < e.outputs(); ++k) table[0].push_back(e.name(k));
  table[0].insert(table[0].end(), {"energy error", "failed"});
  for (std::size_t m = 0; m < static_cast<std::size_t>(members.count); ++m) {
    auto& row = table.emplace_back();
    for (const auto& of : members.parameters) row.push_back(fmt::format("{:g}", of[m]));
    for (std::size_t k = 0; k < e.outputs(); ++k) row.push_back(fmt::format("{:.6g}", e.values(k)[m]));
    row.push_back(e.energy_expected_to_stay() ? fmt::format("{:.1e}", e.energy_errors()[m]) : "-");
    const auto failed = std::ranges::find_if(
        e.failures(), [&](const run::MemberFailure& f) { return f.member == members.first + static_cast<long>(m); });
    row.push_back(failed == e.failures().end() ? "" : words(*failed));
  }
  say("{}", table_text(table, "  "));
}

void add(Json& j, const run::Reduced& r, const std::optional<run::Bins>& bins, const std::vector<double>& quantiles) {
  j.begin().field("count", r.count).field("mean", r.mean).field("standard_deviation", r.standard_deviation);
  j.field("min", r.min).field("max", r.max);
  if (!r.quantiles.empty()) {
    j.key("quantiles").begin_array();
    for (std::size_t q = 0; q < r.quantiles.size(); ++q) j.begin().field("at", quantiles[q]).field("value", r.quantiles[q]).end();
    j.end_array();
  }
  if (bins) {
    j.key("histogram").begin().field("from", bins->from).field("to", bins->to).field("below", r.below).field("above", r.above);
    j.key("bins").begin_array();
    for (const long b : r.bins) j.value(b);
    j.end_array().end();
  }
  j.end();
}

std::string verdict(const Ensemble& e) {
  if (e.stopped()) return "stopped";
  return static_cast<long>(e.failures().size()) == e.task().members.count ? "failed" : "ended";
}

std::string json(const Ensemble& e, bool timed) {
  const run::EnsembleTask& task = e.task();
  const Worst worst = worst_of(e);
  Json j;
  j.begin().field("title", std::string_view(task.title)).field("method", std::string_view(task.method.name()));
  j.field("members", task.members.count).field("first", task.members.first).field("steps", e.step()).field("t", e.t());
  if (timed) j.field("seconds", e.seconds()).field("ns_per_step", nanoseconds(e));
  j.field("iterations_per_step", e.iterations());
  j.key("energy_error").begin().field("largest", worst.error).key("member");
  worst.member >= 0 ? j.value(worst.member) : j.null();
  j.field("mean", worst.mean).end();
  j.key("outputs").begin();
  for (std::size_t k = 0; k < e.outputs(); ++k) {
    j.key(e.name(k));
    add(j, e.reduced(k), e.bins(k), task.quantiles);
  }
  j.end().field("failed", static_cast<long>(e.failures().size())).key("failures").begin_array();
  for (std::size_t k = 0; k < std::min(e.failures().size(), most_listed); ++k) {
    const run::MemberFailure& f = e.failures()[k];
    j.begin().field("member", f.member).field("step", f.step).field("t", f.t).field("why", std::string_view(words(f))).end();
  }
  j.end_array().field("verdict", std::string_view(verdict(e))).end();
  return j.text();
}

run::EnsembleHeader header(const io::Problem& p, bool of_members) {
  run::EnsembleHeader out;
  std::string overrides;
  for (const auto& o : p.overrides) overrides += (overrides.empty() ? "" : "\n") + o;
  out.attributes = {{"title", p.model.title}, {"problem", p.text},         {"problem_path", p.path},
                    {"overrides", overrides}, {"method", p.method.name()}, {"version", session::version()}};
  for (const auto& [name, value] : session::fields_of(p.method)) out.attributes.emplace_back("method." + name, value);
  for (const auto& [quantity, unit] : p.units) out.attributes.emplace_back("units." + quantity, unit);
  out.keep = p.ensemble->keep;
  out.of_members = of_members;
  return out;
}

int execute(const Arguments& arguments, const io::Problem& problem, Ensemble& ensemble, bool table) {
  const std::string extension = std::filesystem::path(arguments.output).extension().string();
  if (problem.ensemble->keep && extension != ".h5" && extension != ".hdf5")
    throw core::InputError("ensemble.keep: only an HDF5 file has every output of every member, and none is written",
                           "-o out.h5 writes one; ensemble.keep=false does without");
  tell_remarks(arguments.quiet);
  std::unique_ptr<run::EnsembleFile> file;
  if (!arguments.output.empty()) file = run::open_ensemble_file(arguments.output, header(problem, table), ensemble);
  {
    ProgressLine shown(!arguments.quiet);
    const auto progress = [&](long step) { shown.show({step, problem.schedule.steps, ensemble.seconds()}); };
    while (ensemble.advance(&catch_interrupts(), progress))
      if (file) file->observe(ensemble);
  }
  if (file) file->finish(ensemble, json(ensemble, false));
  if (arguments.json) {
    fmt::print("{}\n", json(ensemble, true));
  } else if (!arguments.quiet) {
    print(ensemble);
    if (table) print_table(ensemble);
  }
  const auto& failures = ensemble.failures();
  if (!failures.empty()) {
    say(stderr, "{} of {} members failed; member {}: {}\n", failures.size(), ensemble.task().members.count, failures[0].member,
        words(failures[0]));
    for (std::size_t k = 1; k < std::min<std::size_t>(failures.size(), 5); ++k)
      say(stderr, "member {}: {}\n", failures[k].member, words(failures[k]));
    if (failures.size() > 5) say(stderr, "and {} more; -o file.h5 has failed_step of each\n", failures.size() - 5);
  }
  if (ensemble.stopped()) say(stderr, "interrupted at step {}, t = {}\n", ensemble.step(), ensemble.t());
  return verdict(ensemble) == "ended" ? ok : run_failed;
}

}  // namespace

int run_ensemble(const Arguments& arguments, io::Problem problem, Execution& execution) {
  if (execution.distributed_over() > 0)
    throw core::InputError("an ensemble runs on one process, with threads", "leave -np out; ACTIO_THREADS sets the threads");
  if (!arguments.checkpoint.empty())
    throw core::InputError("--checkpoint: an ensemble has no checkpoints", "ensemble.first and ensemble.members run it in parts");
  if (arguments.kernels == "interpret")
    throw core::InputError("--kernels interpret: steps of an ensemble are generated as C and not interpreted");
  Ensemble ensemble(io::task_of(problem));
  return execute(arguments, problem, ensemble, false);
}

int sweep_together(const Arguments& arguments, const io::Problem& problem, Ensemble& ensemble) {
  return execute(arguments, problem, ensemble, true);
}

void take_member(io::Problem& problem, long member) {
  if (!problem.ensemble)
    throw core::InputError(fmt::format("--member: {} has no ensemble", problem.path), "[ensemble] members = 1000 makes one");
  const run::Members& members = problem.ensemble->members;
  const long k = member - members.first;
  if (k < 0 || k >= members.count)
    throw core::InputError(fmt::format("--member: there is no member {}", member),
                           fmt::format("they are {} to {}", members.first, members.first + members.count - 1));
  const auto at = static_cast<std::size_t>(k);
  for (std::size_t j = 0; j < members.varied.size(); ++j)
    problem.model.parameters[static_cast<std::size_t>(members.varied[j])] = members.parameters[j][at];
  for (long i = 0; i < problem.model.size(); ++i) {
    problem.q0[i] = members.q0[static_cast<std::size_t>(i)][at];
    problem.v0[i] = members.v0[static_cast<std::size_t>(i)][at];
  }
  if (problem.model.thermostat) {
    auto bath = std::make_shared<system::Thermostat>(*problem.model.thermostat);
    bath->member = static_cast<std::uint32_t>(member);
    problem.model.thermostat = std::move(bath);
  }
  problem.ensemble = nullptr;
  problem.overrides.push_back(fmt::format("--member {}", member));  // for the attributes of an output
}

void refuse_ensemble(const io::Problem& problem, const char* command) {
  if (problem.ensemble)
    throw core::InputError(fmt::format("actio {} runs one motion, and {} has an ensemble", command, problem.path),
                           "actio run takes it; --member M runs one of its members alone");
}

}  // namespace actio::cli
