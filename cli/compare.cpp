#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/invariant/json.hpp>

#include "commands.hpp"
#include "ensemble.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "spoil.hpp"
#include "terminal.hpp"

namespace actio::cli {

namespace {

using invariant::Certificate;

struct Row {
  std::string method;
  bool ran = false;
  Certificate certificate;
  std::string why;                          // it did not run or failed
  std::optional<core::InputError> refused;  // it did not run
};

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

std::string drift_words(const Certificate::Energy& e) {
  if (std::isnan(e.drift_per_step)) return "-";
  return fmt::format("{:+.1e} +- {:.0e}", e.drift_per_step, e.drift_confidence);
}

// For a method with coordinates of its own, the defect there, then in (q, p).
std::string defect_words(const invariant::Symplecticity& s) {
  return std::isnan(s.own.value) ? number(s.canonical.value)
                                 : fmt::format("{} own, {}", number(s.own.value), number(s.canonical.value));
}

std::vector<std::string> heads(const std::vector<std::string>& momenta) {
  std::vector<std::string> out{"method", "order", "energy error", "lost", "drift a step (95 %)"};
  for (const std::string& name : momenta) out.push_back(one_line(name));
  for (const char* head : {"symplecticity", "reversibility", "iterations", "time a step", "verdict"}) out.emplace_back(head);
  return out;
}

std::vector<std::string> cells(const Row& row, std::size_t momenta) {
  const Certificate& c = row.certificate;
  std::vector<std::string> out{row.method, "-"};
  if (!row.ran) {
    out.resize(9 + momenta, "-");
    out.emplace_back("wrong input");
    return out;
  }
  out[1] = c.order > 0 ? fmt::format("{}", c.order) : "adaptive";
  out.push_back(number(c.energy.max_error));
  out.push_back(number(c.energy.lost));
  out.push_back(drift_words(c.energy));
  for (const auto& m : c.momentum) out.push_back(number(m.max_error));
  out.resize(5 + momenta, "-");
  out.push_back(defect_words(c.symplecticity));
  out.push_back(number(c.reversibility));
  out.push_back(std::isnan(iterations(c)) ? "-" : fmt::format("{:.1f}", iterations(c)));
  out.push_back(time_words(nanoseconds(c)));
  out.emplace_back(verdict_text(c.verdict));
  return out;
}

void print_table(const std::vector<Row>& rows, const std::vector<std::string>& momenta) {
  std::vector<std::vector<std::string>> table{heads(momenta)};
  for (const auto& row : rows) table.push_back(cells(row, momenta.size()));
  std::vector<std::size_t> width(table[0].size(), 0);
  for (const auto& line : table)
    for (std::size_t k = 0; k < line.size(); ++k) width[k] = std::max(width[k], line[k].size());
  for (const auto& line : table) {
    std::string out;
    for (std::size_t k = 0; k < line.size(); ++k)
      out += k + 1 < line.size() ? fmt::format("{:<{}}  ", line[k], width[k]) : line[k];
    say("{}\n", out);
  }
}

struct Close {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, Close>;

File open_table(const std::string& path) {
  if (path.size() < 4 || path.substr(path.size() - 4) != ".csv")
    throw core::InputError(fmt::format("a comparison is written as CSV, not as \"{}\"", path), "end its name in .csv");
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) throw core::InputError(fmt::format("cannot write \"{}\": {}", path, std::strerror(errno)));
  return file;
}

void write_table(std::FILE* out, const std::vector<Row>& rows, const std::vector<std::string>& momenta) {
  fmt::print(out, "method,order,steps,energy_max_error,energy_lost,drift_per_step,drift_confidence");
  for (const auto& name : momenta) fmt::print(out, ",\"{} max_error\"", name);
  fmt::print(out, ",symplecticity_defect,own_defect,reversibility_defect,iterations_per_step,ns_per_step,verdict\n");
  const auto put = [&](double x) { std::isnan(x) ? fmt::print(out, ",") : fmt::print(out, ",{}", x); };
  for (const auto& row : rows) {
    const Certificate& c = row.certificate;
    fmt::print(out, "\"{}\",{},{}", row.method, c.order, c.steps);
    put(c.energy.max_error);
    put(c.energy.lost);
    put(c.energy.drift_per_step);
    put(c.energy.drift_confidence);
    for (std::size_t k = 0; k < momenta.size(); ++k) put(k < c.momentum.size() ? c.momentum[k].max_error : invariant::unmeasured);
    put(c.symplecticity.canonical.value);
    put(c.symplecticity.own.value);
    put(c.reversibility);
    put(iterations(c));
    put(nanoseconds(c));
    fmt::print(out, ",{}\n", row.ran ? word(c.verdict) : "wrong input");
  }
}

Row run_one(const Arguments& arguments, const std::string& name, ProgressLine& line, std::string& title,
            std::vector<std::string>& momenta) {
  Row row;
  row.method = name;
  try {
    io::Problem problem = io::load(arguments.file, {arguments.overrides, name});
    if (arguments.member >= 0)
      take_member(problem, arguments.member);
    else
      refuse_ensemble(problem, "compare");
    OneProcess execution(catch_interrupts());
    Session s = session::open(std::move(problem), choices(arguments), execution);
    line.clear();
    tell_remarks(arguments.quiet);
    row.method = s.problem.method.name();
    title = s.problem.model.title;
    momenta.clear();
    for (std::size_t k = 0; k < s.momentum.size(); ++k) momenta.push_back(s.momentum.name(k));
    run::Options options;
    options.stop = &catch_interrupts();
    options.progress = [&](const run::Progress& now) { line.show(now); };
    row.certificate = run::integrate(*s.integrator, s.momentum, s.task, options);
    row.ran = true;
    if (row.certificate.failure) row.why = row.certificate.failure->text();
    for (const auto& sentence : row.certificate.broken) row.why += (row.why.empty() ? "error: " : "\n") + sentence;
  } catch (const core::InputError& e) {
    row.why = e.what();
    row.refused = e;
  }
  return row;
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
  File file;
  if (!arguments.output.empty())
    if (const auto problem = any_readable(arguments)) {  // else no method runs, and there is no table
      refuse_to_spoil(*problem, arguments.output);
      file = open_table(arguments.output);
    }
  std::vector<Row> rows;
  std::vector<std::string> momenta;
  std::string title;
  {
    ProgressLine line(!arguments.quiet);
    for (const auto& name : arguments.methods) {
      rows.push_back(run_one(arguments, name, line, title, momenta));
      if (rows.back().certificate.interrupted) break;
    }
  }
  // The problem is wrong, whatever the method.
  if (std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return !row.ran && row.why == rows[0].why; }))
    throw core::InputError(*rows[0].refused);
  if (arguments.json) {
    invariant::Json j;
    j.begin().field("title", std::string_view(title)).key("runs").begin_array();
    for (const auto& row : rows) {
      if (row.ran)
        j.raw(invariant::json(row.certificate));
      else
        j.begin().key("method").begin().field("name", std::string_view(row.method)).end().key("error").begin();
      if (!row.ran)
        j.field("message", std::string_view(core::words(row.refused->diagnostic()))).end().field("verdict", "failed").end();
    }
    j.end_array().end();
    fmt::print("{}\n", j.text());
  } else if (!arguments.quiet) {
    if (!title.empty()) say("{}\n", one_line(title));
    print_table(rows, momenta);
  }
  if (file) {
    write_table(file.get(), rows, momenta);
    if (std::fflush(file.get()) != 0)
      throw std::runtime_error(fmt::format("cannot write \"{}\": {}", arguments.output, std::strerror(errno)));
  }
  bool any_ran = false, any_good = false;
  for (const auto& row : rows) {
    if (!row.why.empty()) say(stderr, "\n{}:\n{}\n", row.method, row.why);
    any_ran = any_ran || row.ran;
    any_good = any_good || (row.ran && row.certificate.verdict != Certificate::Verdict::failed);
  }
  if (rows.back().certificate.interrupted) {
    const Certificate& c = rows.back().certificate;
    fmt::print(stderr, "interrupted in method {} of {}, at step {}, t = {}\n", rows.size(), arguments.methods.size(), c.steps,
               c.last.t);
    return run_failed;
  }
  if (any_good) return ok;
  return any_ran ? run_failed : wrong_input;
}

}  // namespace actio::cli
