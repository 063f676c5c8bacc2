#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/method/compatibility.hpp>
#include <actio/session/frequencies.hpp>

#include "parts.hpp"

namespace actio::session {
namespace advice {
namespace {

// The error that most methods meet, the last of those: what is wrong whatever the method.
class Errors {
 public:
  void add(const core::InputError& e) {
    const std::size_t times = ++times_[e.diagnostic().message];
    if (!most_ || times >= times_[most_->diagnostic().message]) most_ = e;
  }
  [[noreturn]] void fail() const { throw core::InputError(*most_); }

 private:
  std::map<std::string, std::size_t> times_;
  std::optional<core::InputError> most_;
};

void keep_the_motion_alone(io::Problem& p) {
  p.observables.clear();
  p.events.clear();
  p.columns.clear();
  p.bounds = {};
  p.ensemble = nullptr;
  p.schedule.at.clear();
  p.schedule.window = 0;
  p.schedule.last_is_shorter = false;
  p.schedule.past_end.clear();
}

constexpr const char* some_step = "run.step=1";
constexpr long many = 100;  // methods: all their orders are tried too

}  // namespace

Source::Source(const LoadProblem& load, const std::vector<std::string>& overrides, const AdviseOptions& options)
    : load_(load), overrides_(overrides), options_(options) {
  Errors errors;
  const auto read = [&](const std::string& method, bool step) {
    std::vector<std::string> with = overrides_;
    if (!step) with.emplace_back(some_step);
    try {
      problem_ = load_({with, method});
    } catch (const core::InputError& e) {
      errors.add(e);
      return false;
    }
    step_given_ = step && !problem_.method.transforms_time();
    return true;
  };
  if (read("", true)) return;
  for (const bool step : {true, false})
    for (const method::Spec& spec : method::all_methods())
      if (!spec.transforms_time() && read(std::string(spec.description().name), step)) return;
  errors.fail();
}

Session Source::open(const method::Spec& spec, double h, long steps, double end, bool look, bool interpreted) const {
  std::vector<std::string> with = overrides_;
  if (!step_given_ || spec.transforms_time()) with.emplace_back(some_step);
  const std::string name(spec.description().name);
  const bool same = name == problem_.method.description().name && !problem_.method.transforms_time();
  io::Problem p = same || look ? problem_ : load_({with, name});
  p.method = spec;
  keep_the_motion_alone(p);
  p.level = invariant::Level::quick;
  p.schedule.step = h;
  p.schedule.steps = steps;
  p.schedule.every = std::max(1L, steps / 8);
  p.schedule.end = end;
  p.schedule.follows = spec.transforms_time();
  Choices choices = options_.choices;
  if (interpreted) choices.build.compile.compiler = "none";
  const std::atomic<bool> never = false;
  OneProcess here(never);
  return session::open(std::move(p), choices, here);
}

std::unique_ptr<method::Integrator> steps_of(const Session& session) { return session.integrator->without_noise().clone(); }

// The first methods, each at the two orders that promise most.
std::vector<std::size_t> to_be_tried(const std::vector<Ranked>& ranked, long methods, std::size_t orders) {
  std::vector<std::string_view> names;
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < ranked.size(); ++k) {
    if (std::isnan(ranked[k].predicted)) continue;
    const std::string_view name = ranked[k].spec.description().name;
    const auto same = [&](std::size_t other) { return ranked[other].spec.description().name == name; };
    if (std::ranges::find(names, name) == names.end()) {
      if (static_cast<long>(names.size()) >= methods) continue;
      names.push_back(name);
    }
    if (methods > many || static_cast<std::size_t>(std::ranges::count_if(out, same)) < orders) out.push_back(k);
  }
  return out;
}

// Those that were measured by their cost, then the others. A method that keeps what the system keeps, or some claim of its own,
// comes before cheaper ones that keep nothing unless those cost less than half; of linear structures less than a quarter.
void rank_by_trials(const Facts& facts, Advice& out) {
  const double worth_claims = facts.linear ? 4 : 2;
  const auto cost = [&](const Ranked& r) {
    const bool claims = r.structure && r.trial.verdict != "no_claims";
    return claims ? r.trial.cost : worth_claims * r.trial.cost;
  };
  const auto key = [&](const Ranked& r) {
    const bool good = r.tried && r.trial.measured() && std::isfinite(r.trial.cost);
    return std::pair(good ? (r.trial.verdict == "failed" ? 1 : 0) : r.tried ? 2 : 3, good ? cost(r) : 0);
  };
  std::ranges::stable_sort(out.ranked, {}, key);
  if (key(out.ranked.front()).first == 0) out.best = 0;
}

bool go(method::Integrator& steps, long count, double h) {
  method::BatchOptions how;
  how.residual = false;
  try {
    return steps.advance(count, h, how).ok && std::isfinite(steps.energy());
  } catch (const core::InputError&) {
  } catch (const core::RunError&) {}
  return false;
}

}  // namespace advice

Advice advise(const LoadProblem& load, const std::vector<std::string>& overrides, const AdviseOptions& options) {
  using namespace advice;
  if (!(options.error > 0 && options.error < 1))
    throw core::InputError(fmt::format("the error is {}; it must be between 0 and 1", options.error), "for example 1e-4");
  if (options.tries < 1) throw core::InputError("at least one method must be tried");
  if (!(options.seconds > 0)) throw core::InputError("the trials need some time: give a positive number of seconds");
  const Source source(load, overrides, options);
  const io::Problem& p = source.problem();
  Advice out;
  out.title = p.model.title;
  out.path = p.path;
  out.time_unit = time_unit(p);
  out.error = options.error;
  out.start = p.schedule.start;
  const Facts facts = facts_of(source, out);
  out.share = out.window / facts.length;
  out.error_words = facts.noise ? "positions of the motion without the thermostat's noise" : "positions";
  out.ranked = candidates(source, facts, out.window);
  if (out.ranked.empty())
    throw core::InputError(fmt::format("{}: none of these methods takes the system", p.path), method::methods_that_fit(p.model));

  // A trial takes some 20 of its windows: two orders of each method where there is time.
  const double trials = 20e-9 * out.window * static_cast<double>(2 * options.tries) * out.ranked.front().predicted;
  const std::vector<std::size_t> chosen = to_be_tried(out.ranked, options.tries, trials > options.seconds ? 1 : 2);
  const Deadline deadline(options.seconds);
  double cheapest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    Ranked& r = out.ranked[chosen[k]];
    out.interrupted = options.stop != nullptr && *options.stop;
    if (out.interrupted) break;
    if (options.progress) options.progress(fmt::format("trying {} ({} of {})", r.name(), k + 1, chosen.size()));
    r.tried = true;
    if (k > 0 && deadline.left() <= 0) {
      r.trial.why_not = "the time for trials was over";
      continue;
    }
    r.trial = try_method(source, facts, r, out.window,
                         std::min(1.0, 2 / static_cast<double>(chosen.size() - k)) * deadline.left(), cheapest);
    cheapest = std::fmin(cheapest, r.trial.cost);
  }
  rank_by_trials(facts, out);
  out.interrupted = options.stop != nullptr && *options.stop;
  return out;
}

}  // namespace actio::session
