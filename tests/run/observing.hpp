#pragma once
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <actio/io/problem.hpp>
#include <actio/method/discrete_nodes.hpp>
#include <actio/run/integrate.hpp>
#include <common.hpp>

// Runs of problem files with observables, and all states they went through.
namespace observing {

using namespace actio;

struct Seen : run::Observer {
  std::vector<method::Snapshot> states;
  std::vector<std::vector<double>> columns;
  void observe(const run::Observation& now) override {
    states.push_back(now.state);
    columns.emplace_back(now.observed.begin(), now.observed.end());
  }
};

struct Result {
  io::Problem problem;
  Seen seen;
  std::vector<run::Observed> observed;
  invariant::Certificate certificate;
  std::string saved;  // at step `save_at`

  const std::vector<double>& list(const std::string& name, const std::string& reduction, const std::string& figure) const {
    for (const run::Observed& of : observed)
      for (const auto& r : of.reductions)
        for (const run::Figure& f : r.figures)
          if (of.name == name && r.name == reduction && f.name == figure) return f.values;
    ADD_FAILURE() << "no " << name << ' ' << reduction << ' ' << figure;
    static const std::vector<double> none{std::nan("")};
    return none;
  }
  double number(const std::string& name, const std::string& reduction, const std::string& figure = "value") const {
    return list(name, reduction, figure).at(0);
  }
};

inline Result run(const std::string& text, long save_at = -1, const std::string& resume = {}) {
  Result out;
  out.problem = io::load_text(text, "p.toml");
  const io::Problem& p = out.problem;
  const auto integrator = method::make_integrator(p.model, p.method, {actio::test::interpreted, {}});
  invariant::MomentumMap momentum(p.model, actio::test::interpreted);
  run::Task task{p.model.title, p.method, p.q0, p.v0, p.schedule, p.bounds, run::is_autonomous(p.model)};
  task.constraints = invariant::ConstraintMap(p.model, actio::test::interpreted);
  run::Observables observables(p.model, p.observables, p.schedule, method::discrete_nodes(p.method), actio::test::interpreted);
  run::Options options;
  options.observers.push_back(&out.seen);
  options.observables = &observables;
  options.level = invariant::Level::quick;
  options.resume = resume;
  if (save_at > 0)
    options.checkpoints = {save_at, 0, [&](long step, double, std::string_view state) {
                             if (step == save_at) out.saved = state;
                           }};
  out.certificate = run::integrate(*integrator, momentum, task, options);
  out.observed = observables.results();
  return out;
}

}  // namespace observing
