#include "measuring.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <actio/system/callbacks.hpp>

#include "claims.hpp"
#include "clock.hpp"

namespace actio::run {

namespace {

using invariant::Level;

// What is measured at each state.
struct Plan {
  std::size_t states;
  invariant::Effort effort;
  invariant::AccuracyEffort accuracy;
};

constexpr invariant::AccuracyEffort none{-1, false}, halves{0, false};
// From the most to the least. The last is a pair of tangent vectors and a step back.
constexpr Plan plans[] = {{5, {4, 7}, {3, true}}, {5, {2, 3}, {2, true}}, {3, {2, 3}, {1, false}}, {1, {2, 2}, {1, false}},
                          {1, {2, 2}, halves},    {1, {2, 2}, none},      {1, {2, 1}, halves},     {1, {2, 1}, none}};
constexpr const Plan &quick = plans[3], &least = plans[std::size(plans) - 1];

// The last state first, where most has happened; then the start, the middle, the quarters.
constexpr std::size_t order[] = {4, 0, 2, 1, 3};

// The worst over the states.
void compare_code(const Task& task, const method::Snapshot& at, double h, std::optional<invariant::Agreement>& worst) {
  const double speed =
      std::max(at.v.norm() / std::sqrt(static_cast<double>(std::max(at.v.size(), 1L))), 1e-8 * at.q.norm() / std::abs(h));
  if (!(speed > 0) || !std::isfinite(speed)) return;
  const invariant::Agreement found = task.code(at, 10 * std::abs(h) * speed, speed);
  if (!worst) worst.emplace();
  const auto take = [](double& most, double x) {
    if (!(x <= most) && !std::isnan(x)) most = x;
  };
  take(worst->energy, found.energy);
  take(worst->tangent, found.tangent);
  take(worst->symmetry, found.symmetry);
}

}  // namespace

std::function<invariant::Agreement(const method::Snapshot&, double, double)> code_check(const system::Model& model) {
  if (model.library.empty() && (!model.callbacks || model.callbacks->built_in())) return {};
  return [model](const method::Snapshot& at, double length, double speed) {
    return invariant::agreement(model, at.t, at.q, at.v, length, speed);
  };
}

void measure_step(const method::Integrator& integrator, std::span<const method::Snapshot> states, std::span<const double> h,
                  const Task& task, const Options& options, invariant::Certificate& c,
                  const std::function<void(long done, long total)>& show) {
  auto& measuring = c.measuring;
  const bool form = c.claims.keeps == method::Keeps::canonical || c.claims.keeps == method::Keeps::conjugate_form;
  const bool own = c.claims.keeps == method::Keeps::conjugate_form;
  // Beyond that size nothing is measured that nobody claims.
  const bool large = too_large_to_probe(integrator);
  const bool symplectic = form || !large, reversible = c.claims.reversible || !large;
  const bool smooth = !c.claims.friction;
  const auto cost = [&](const Plan& plan) {
    return (symplectic ? invariant::SymplecticityProbe::cost(integrator, plan.effort) : 0) + (reversible ? 2 : 0) +
           invariant::AccuracyProbe::cost(plan.accuracy);
  };

  std::vector<std::size_t> which;
  for (const std::size_t k : order)
    if (const std::size_t state = std::min(k, states.size() - 1); std::find(which.begin(), which.end(), state) == which.end())
      which.push_back(state);
  measuring.of_states = static_cast<long>(which.size());
  if (options.level == Level::off) {
    measuring.why_less = "the certificate's level is off";
    return;
  }
  const bool standard = options.level == Level::standard;
  double a_step = c.steps > 0 ? c.wall_seconds / static_cast<double>(c.steps) : 0;
  const double budget = std::max(0.1 * c.wall_seconds, 0.5);
  // The derivatives of a library are compared all the same: that takes no steps.
  const auto measure_none = [&](double seconds) {
    measuring.why_less = fmt::format("it would take about {:.2g} s, and the run took {:.2g} s; --certificate full measures it",
                                     seconds, c.wall_seconds);
    if (task.code) compare_code(task, states[which[0]], h[h.size() == 1 ? 0 : which[0]], c.code);
  };
  if (const double seconds = a_step * static_cast<double>(cost(least)); standard && seconds > budget)
    return measure_none(seconds);

  Clock clock(options.clock);
  double longest = 0;
  for (const double x : h) longest = std::max(longest, std::abs(x));
  const invariant::Scales units = invariant::scales(integrator, states, longest);
  invariant::SymplecticityProbe symplecticity(integrator, states, h, own, units);
  // Steps that follow the motion are as accurate as the method's own steps of the sizes that they have there.
  std::vector<double> in_time(h.begin(), h.end());
  if (c.follows) {
    in_time.clear();
    for (std::size_t k = 0; k < states.size(); ++k)
      in_time.push_back(integrator.physical_step(states[k], h[h.size() == 1 ? 0 : k]));
  }
  invariant::AccuracyProbe accuracy(integrator.of_equal_steps(), states, in_time, smooth && !task.method.finds_step ? c.order : 0,
                                    task.autonomous, units);
  bool first = true;
  const auto measure = [&](std::size_t state, const Plan& plan) {
    if (symplectic) symplecticity.measure(state, plan.effort);
    if (reversible && (first || state != which[0])) {
      const double distance = invariant::reversibility(integrator, states, h, {&state, 1});
      if (distance > c.reversibility || std::isnan(c.reversibility)) c.reversibility = distance;
    }
    accuracy.measure(state, plan.accuracy);
    first = false;
  };

  const Plan* plan = options.level == Level::quick ? &quick : std::begin(plans);
  show(0, static_cast<long>(which.size()));
  if (standard) {
    // One step first, then the least: what they take, with projections and matrices of their own, tells what there is time for.
    const double before = clock.seconds();
    if (symplectic) symplecticity.begin(which[0]);
    const double one = clock.seconds() - before;
    if (clock.seconds() + std::max(a_step, 0.5 * one) * static_cast<double>(cost(least) - 1) > budget) {
      measuring.seconds = clock.seconds();
      return measure_none(one + std::max(a_step, one) * static_cast<double>(cost(least) - 1));
    }
    measure(which[0], least);
    a_step = std::max(a_step, (clock.seconds() - before) / static_cast<double>(std::max(cost(least), 1L)));
    const auto seconds_of = [&](const Plan& p) {
      const long steps = cost(p) * static_cast<long>(std::min(p.states, which.size())) - (reversible ? 2 : 0);  // that is done
      return a_step * static_cast<double>(steps);
    };
    while (plan != &least && clock.seconds() + seconds_of(*plan) > budget) ++plan;
  }
  which.resize(std::min(which.size(), plan->states));
  for (const std::size_t state : which) {
    show(measuring.states, static_cast<long>(which.size()));
    if (!standard || plan != &least) measure(state, *plan);
    if (c.claims.friction && (!standard || clock.seconds() + 16 * a_step < budget)) accuracy.ring(state);
    if (task.code) compare_code(task, states[state], h[h.size() == 1 ? 0 : state], c.code);
    ++measuring.states;
    if (standard && clock.seconds() > budget) break;
    if (options.stop && options.stop->load(std::memory_order_relaxed)) break;
  }
  if (smooth && plan->accuracy.draws > 0 && !c.claims.forced && task.autonomous && plan->effort.levels > 2 && c.steps > 0) {
    const long steps = std::min(c.steps, 64L);
    if (options.level == Level::full || clock.seconds() + 16 * a_step * static_cast<double>(steps) < budget)
      accuracy.together(0, steps);
  }
  c.symplecticity = symplecticity.result();
  c.accuracy = accuracy.result();
  measuring.seconds = clock.seconds();
  if (standard && (measuring.states < measuring.of_states || plan->effort.levels == 1))
    measuring.why_less = "the time limit (a tenth of the run or half a second) allows no more; --certificate full measures all";
}

}  // namespace actio::run
