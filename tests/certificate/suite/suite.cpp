#include "suite.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/method/statics.hpp>
#include <actio/run/consistent_start.hpp>
#include <actio/system/solid.hpp>

#include "spoiled.hpp"

namespace certificate {

namespace {

bool is_path(const std::string& problem) { return problem.ends_with(".toml") && problem.find('\n') == std::string::npos; }

io::Problem read(const Run& run, const std::vector<std::string>& more) {
  std::vector<std::string> overrides = run.overrides;
  overrides.insert(overrides.end(), more.begin(), more.end());
  io::Problem p =
      is_path(run.problem) ? io::load(run.problem, {overrides, {}}) : io::load_text(run.problem, "suite.toml", {overrides, {}});
  if (run.edit) run.edit(p);
  return p;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

unsigned set_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kept:
      return kept;
    case Verdict::no_claims:
      return no_claims;
    case Verdict::unresolved:
      return unresolved;
    case Verdict::stopped:
    case Verdict::failed:
      break;
  }
  return failed;
}

bool Result::wrong() const { return said || ((started ? set_of(verdict) : refused) & run->right) == 0; }

Opened open(const Run& run, const expr::CompileOptions& kernels) {
  Opened o;
  o.problem = read(run, {});
  auto& p = o.problem;
  method::BuildOptions options;
  options.compile = kernels;
  if (const std::string reason = method::why_incompatible(p.model, p.method); !reason.empty()) throw core::InputError(reason);
  if (p.equilibrium) p.q0 = method::equilibrium(p.model, p.schedule.start, p.q0, kernels).q;
  o.integrator = method::make_integrator(p.model, p.method, options);
  if (run.step || !run.stepped_as.empty()) {
    std::unique_ptr<method::Integrator> other;
    if (!run.stepped_as.empty()) {
      const io::Problem q = read(run, run.stepped_as);
      if (const std::string reason = method::why_incompatible(q.model, q.method); !reason.empty()) throw core::InputError(reason);
      other = method::make_integrator(q.model, q.method, options);
    }
    o.integrator = spoil(std::move(o.integrator), std::move(other), run.step);
  }
  o.momentum = invariant::MomentumMap(p.model, kernels);
  o.task = {p.model.title, p.method, p.q0, p.v0, p.schedule, p.bounds, run::is_autonomous(p.model)};
  o.task.constraints = invariant::ConstraintMap(p.model, kernels);
  if (p.model.omega > 0) o.task.penalty.emplace(p.model, p.schedule.window, kernels);
  o.task.rest = system::rest_of(p.model);
  o.task.code = run::code_check(p.model);
  o.task.terms = run::energies_of(p.model);
  o.task.correction =
      run::make_consistent(p.model, o.task.constraints, *o.integrator, p.schedule.start, p.project, o.task.q0, o.task.v0);
  return o;
}

Result make(const Run& run, const expr::CompileOptions& kernels, const std::function<double()>& clock) {
  Result r;
  r.run = &run;
  try {
    Opened o = open(run, kernels);
    r.started = true;
    run::Options options;
    if (clock) options.clock = clock;
    const auto begin = std::chrono::steady_clock::now();
    const invariant::Certificate c = run::integrate(*o.integrator, o.momentum, o.task, options);
    r.seconds = c.wall_seconds;
    r.measuring = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() - c.wall_seconds;
    r.verdict = c.verdict;
    r.text = invariant::text(c);
    r.said = !run.unsaid.empty() && r.text.find(run.unsaid) != std::string::npos;
    r.broken = c.broken;
    r.unresolved = c.unresolved;
    if (c.failure) r.failure = first_line(c.failure->text());
  } catch (const core::InputError& e) { r.why = first_line(e.what()); }
  return r;
}

Rates rates(const std::vector<Result>& results) {
  Rates out;
  for (const Result& r : results) {
    const unsigned said = set_of(r.verdict);
    if (!r.started && r.wrong()) {
      ++out.not_started;
    } else if (r.run->spoiled) {
      ++out.spoiled;
      if (r.wrong()) ++out.false_kept;
    } else {
      ++out.sound;
      if (r.wrong()) ++(said == unresolved ? out.false_unresolved : out.false_failed);
    }
  }
  return out;
}

namespace {

std::string names(unsigned right) {
  std::string out;
  for (const auto& [bit, word] :
       {std::pair{kept, "kept"}, {no_claims, "no_claims"}, {unresolved, "unresolved"}, {failed, "failed"}, {refused, "refused"}})
    if (right & bit) out += (out.empty() ? "" : " or ") + std::string(word);
  return out;
}

}  // namespace

std::string table(const std::vector<Result>& results) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<Result>> by_kind;
  for (const Result& r : results) {
    const std::string key = (r.run->spoiled ? "spoiled: " : "sound: ") + r.run->kind;
    if (by_kind.find(key) == by_kind.end()) order.push_back(key);
    by_kind[key].push_back(r);
  }
  std::string out =
      fmt::format("{:<52} {:>5} {:>11} {:>13} {:>17}\n", "kind", "runs", "false kept", "false failed", "false unresolved");
  const auto line = [&](const std::string& name, const Rates& k, bool spoiled) {
    if (spoiled)
      out += fmt::format("{:<52} {:>5} {:>11} {:>13} {:>17}\n", name, k.spoiled, k.false_kept, "-", "-");
    else
      out += fmt::format("{:<52} {:>5} {:>11} {:>13} {:>17}\n", name, k.sound, "-", k.false_failed, k.false_unresolved);
  };
  for (const std::string& key : order) line(key, rates(by_kind[key]), by_kind[key].front().run->spoiled);
  const Rates k = rates(results);
  if (k.spoiled > 0) line("all spoiled", k, true);
  if (k.sound > 0) line("all sound", k, false);
  if (k.not_started > 0) out += fmt::format("{} runs did not start\n", k.not_started);
  return out;
}

std::string offenders(const std::vector<Result>& results) {
  std::string out;
  for (const Result& r : results) {
    if (!r.wrong()) continue;
    out += fmt::format("{} | {} | {}\n  right: {}; got: {}\n", r.run->spoiled ? "spoiled" : "sound", r.run->kind, r.run->name,
                       names(r.run->right), r.started ? std::string(invariant::word(r.verdict)) : "not started: " + r.why);
    if (r.said) out += fmt::format("  it says \"{}\"\n", r.run->unsaid);
    if (!r.failure.empty()) out += "  failure: " + r.failure + "\n";
    for (const auto& s : r.broken) out += "  broken: " + s + "\n";
    for (const auto& s : r.unresolved) out += "  unresolved: " + s + "\n";
  }
  return out;
}

const std::vector<Run>& all() {
  static const std::vector<Run> runs = [] {
    std::vector<Run> out;
    add_spoiled_steps(out);
    add_spoiled_systems(out);
    add_large_steps(out);
    add_spoiled_numbers(out);
    add_sound_methods(out);
    add_sound_systems(out);
    add_sound_numbers(out);
    return out;
  }();
  return runs;
}

}  // namespace certificate
