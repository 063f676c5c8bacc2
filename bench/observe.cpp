// What looking costs: a run of the oscillator that observes every step against one that observes only its ends, the energy and
// the momentum of each observation included.
#include <actio/io/problem.hpp>
#include <actio/run/integrate.hpp>
#include <cstdlib>

#include "harness.hpp"

int main() {
  constexpr long steps = 20000;
  constexpr int rounds = 50;
  const actio::io::Problem problem = actio::io::load("examples/oscillator.toml");
  const auto integrator = make_integrator(problem.model, problem.method);
  actio::invariant::MomentumMap momentum(problem.model);
  actio::run::Options options;
  options.level = actio::invariant::Level::off;
  const auto run = [&](long every) {
    actio::run::Task task{problem.model.title, problem.method, problem.q0, problem.v0, problem.schedule, problem.bounds, true};
    task.schedule.steps = steps;
    task.schedule.every = every;
    const auto certificate = actio::run::integrate(*integrator, momentum, task, options);
    if (certificate.failure) {
      std::fprintf(stderr, "the run failed: %s\n", certificate.failure->text().c_str());
      std::exit(1);
    }
  };
  std::vector<bench::Program> programs{{"observed at its ends", [&] { run(steps); }}, {"observed every step", [&] { run(1); }}};
  bench::measure(programs, steps, rounds);
  bench::print("a run of Newmark's method from the problem file, per step", programs);
}
