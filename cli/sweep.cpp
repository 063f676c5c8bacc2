#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/io/ensemble_task.hpp>
#include <actio/run/ensemble.hpp>

#include "ensemble.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "spoil.hpp"
#include "sweep_table.hpp"
#include "terminal.hpp"

// Every combination of values of keys: the members of one ensemble where only parameters differ and their steps can be generated,
// else runs of their own, each with its certificate.
namespace actio::cli {
namespace {

constexpr std::size_t most_runs = 100'000;

std::vector<Swept> read_values(const std::vector<std::string>& texts, std::vector<std::string>& fixed) {
  std::vector<Swept> out;
  for (const std::string& text : texts) {
    Swept one = read_swept(text);
    if (one.values.size() == 1 && one.name == one.key) {
      fixed.push_back(text);
      continue;
    }
    if (std::ranges::any_of(out, [&](const Swept& other) { return other.key == one.key; }))
      throw core::InputError(fmt::format("{} is given twice", one.name), "give all its values at once: c=1,2,3");
    out.push_back(std::move(one));
  }
  if (out.empty())
    throw core::InputError("there is no key with several values to sweep over", "for example c=1,2,3 or run.step=0.1,0.05");
  return out;
}

// Texts as io::LoadOptions::sweep takes them; empty where a key is no parameter.
std::vector<std::string> of_parameters(const std::vector<Swept>& swept) {
  const std::string prefix = "system.parameters.";
  std::vector<std::string> out;
  for (const Swept& of : swept) {
    if (!of.key.starts_with(prefix) || of.key.find('.', prefix.size()) != std::string::npos) return {};
    out.push_back(fmt::format("{}={}", of.key.substr(prefix.size()), fmt::join(of.values, ",")));
  }
  return out;
}

struct Together {
  io::Problem problem;
  std::unique_ptr<run::Ensemble> ensemble;  // null: they run one by one
  std::string why_not;
};

// What is wrong with the values themselves is thrown.
Together together(const Arguments& arguments, const std::vector<Swept>& swept, const std::vector<std::string>& fixed) {
  Together out;
  io::LoadOptions options{fixed, {}, of_parameters(swept)};
  if (options.sweep.empty()) return out;
  try {
    out.problem = io::load(arguments.file, options);
  } catch (const core::InputError& e) {
    const auto& place = e.diagnostic().place;
    if (place && place->file == "command line") throw;
    if (io::load(arguments.file, {fixed, {}}).ensemble) throw;
    out.why_not = e.diagnostic().message;
    return out;
  }
  refuse_to_spoil(out.problem, arguments.output);
  try {
    out.ensemble = std::make_unique<run::Ensemble>(io::task_of(out.problem));
  } catch (const core::InputError& e) { out.why_not = e.diagnostic().message; }
  return out;
}

std::string unquoted(const std::string& word) {
  const bool quoted = word.size() > 1 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front();
  return quoted ? word.substr(1, word.size() - 2) : word;
}

SweepRow run_combination(const Arguments& arguments, const std::vector<Swept>& swept, const std::vector<std::string>& fixed,
                         const std::vector<std::size_t>& at) {
  SweepRow row;
  RunRequest request;
  request.file = arguments.file;
  request.command = "sweep";
  request.load.overrides = fixed;
  for (std::size_t k = 0; k < swept.size(); ++k) {
    row.values.push_back(unquoted(swept[k].values[at[k]]));
    if (swept[k].key == "method.name")  // then fields that it lacks are left out
      request.load.method = row.values.back();
    else
      request.load.overrides.push_back(fmt::format("{}={}", swept[k].key, swept[k].values[at[k]]));
  }
  row.run = run_one(request);
  row.run.certificate.last = {};
  return row;
}

// f(m) for every m, by some threads; the first of them in this one. What a call throws comes out, once the others have ended.
template <class F>
void by_jobs(int jobs, std::size_t count, F&& f) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr thrown;
  std::mutex throwing;
  const auto work = [&] {
    try {
      for (std::size_t m = next++; m < count && !catch_interrupts().load(); m = next++) f(m);
    } catch (...) {
      next = count;
      const std::scoped_lock lock(throwing);
      if (!thrown) thrown = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (std::size_t k = 1; k < std::min(static_cast<std::size_t>(jobs), count); ++k) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  if (thrown) std::rethrow_exception(thrown);
}

std::vector<SweepRow> run_all(const Arguments& arguments, const std::vector<Swept>& swept,
                              const std::vector<std::string>& fixed) {
  const auto all = combinations(swept, most_runs);
  std::vector<std::optional<SweepRow>> done(all.size());
  std::mutex showing;
  std::size_t count = 0;
  ProgressLine line(!arguments.quiet);
  by_jobs(arguments.jobs, all.size(), [&](std::size_t m) {
    done[m] = run_combination(arguments, swept, fixed, all[m]);
    const std::scoped_lock lock(showing);
    line.show_words(fmt::format("{} of {} runs", ++count, all.size()));
  });
  std::vector<SweepRow> out;
  for (auto& row : done)
    if (row) out.push_back(std::move(*row));
  if (out.size() < all.size() || catch_interrupts().load())
    say(stderr, "interrupted: {} of {} runs were begun\n", out.size(), all.size());
  return out;
}

void write_out(const Arguments& arguments, const std::vector<Swept>& swept, const std::vector<std::string>& fixed,
               const std::vector<SweepRow>& rows) {
  std::vector<std::pair<std::string, std::string>> attributes{
      {"title", rows.empty() ? "" : rows[0].run.title}, {"problem_path", arguments.file}, {"version", session::version()}};
  std::string words;
  for (const std::string& text : fixed) words += (words.empty() ? "" : "\n") + text;
  attributes.emplace_back("overrides", words);
  run::write_table(arguments.output, sweep_columns(swept, rows), attributes);
}

}  // namespace

int sweep(const Arguments& arguments) {
  std::vector<std::string> fixed;
  const std::vector<Swept> swept = read_values(arguments.sweep, fixed);
  Together fast = together(arguments, swept, fixed);
  if (fast.ensemble) return sweep_together(arguments, fast.problem, *fast.ensemble);
  if (!arguments.output.empty()) {
    refuse_to_spoil(io::load(arguments.file, {fixed, {}}), arguments.output);
    run::need_table_file(arguments.output);
  }
  const std::vector<SweepRow> rows = run_all(arguments, swept, fixed);
  std::vector<const OneRun*> runs;
  for (const SweepRow& row : rows) runs.push_back(&row.run);
  throw_if_all_refused(runs);
  if (arguments.json) {
    fmt::print("{}\n", sweep_json(swept, rows));
  } else if (!arguments.quiet && !rows.empty()) {
    const auto ran = std::ranges::find_if(runs, [](const OneRun* one) { return one->ran; });
    if (ran != runs.end() && !(*ran)->title.empty()) say("{}\n", one_line((*ran)->title));
    if (!fast.why_not.empty()) say("  runs of their own: {}\n", fast.why_not);
    say("{}", sweep_text(swept, rows));
    if (std::ranges::any_of(runs, [](const OneRun* one) { return one->ran && !energy_expected_to_stay(one->certificate); }))
      say("  {}\n", invariant::why_no_energy_error);
  }
  tell_remarks(arguments.quiet);
  if (!arguments.output.empty()) write_out(arguments, swept, fixed, rows);
  const auto bad = std::ranges::count_if(runs, [](const OneRun* one) { return !one->good(); });
  if (bad > 0) say(stderr, "{} of {} runs did not end well; --json and -o have all that they say\n", bad, rows.size());
  return catch_interrupts().load() ? run_failed : exit_code(runs);
}

}  // namespace actio::cli
