#pragma once
#include <vector>

#include <run/fakes.hpp>

#include <actio/run/integrate.hpp>
#include <common.hpp>

// Runs of the fakes and what is seen of them.
namespace runs {

using namespace actio;
using Eigen::VectorXd;
using Verdict = invariant::Certificate::Verdict;

using actio::test::interpreted;
inline const VectorXd q2{{1.2, 0}}, v2{{0, 0.2}};

inline run::Task task(method::AnyMethod choice, VectorXd q, VectorXd v, run::Schedule schedule) {
  run::Task t;
  t.method = method::Spec{std::move(choice), false, {}};
  t.q0 = std::move(q);
  t.v0 = std::move(v);
  t.schedule = std::move(schedule);
  return t;
}
inline run::Task task(method::AnyMethod choice, VectorXd q, VectorXd v, double h, long steps, long every = 1) {
  return task(std::move(choice), std::move(q), std::move(v), {0, h, steps, every});
}

struct Recorder : run::Observer {
  std::vector<long> steps;
  std::vector<double> times, energies, first;
  void observe(const run::Observation& now) override {
    steps.push_back(now.step);
    times.push_back(now.state.t);
    energies.push_back(now.energy);
    first.push_back(now.state.q[0]);
  }
};

inline invariant::Certificate certify(method::Integrator& system, const run::Task& t, run::Observer* observer = nullptr,
                                      const system::Model& model = fakes::plane()) {
  invariant::MomentumMap momentum(model, interpreted);
  run::Options options;
  if (observer != nullptr) options.observers.push_back(observer);
  return run::integrate(system, momentum, t, options);
}

}  // namespace runs
