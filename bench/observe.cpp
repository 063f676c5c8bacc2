// What looking costs: runs that observe every step against runs that observe only their ends, the energy and the momentum of each
// observation included; an oscillator, and a chain of 1e5 coordinates.
#include <actio/core/parallel.hpp>
#include <actio/io/problem.hpp>
#include <actio/run/integrate.hpp>
#include <cstdlib>
#include <string>

#include "harness.hpp"

namespace {

actio::io::Problem chain(long n) {
  const std::string N = std::to_string(n);
  return actio::io::load_text(
      "[system]\ncoordinates = [\"q[" + N + "]\"]\nmass = 1\n[[system.term]]\nover = \"i = 0.." + std::to_string(n - 2) +
          "\"\npotential = \"1/2*(q[i+1]-q[i])^2 + 1/4*(q[i+1]-q[i])^4\"\n[[symmetry]]\n"
          "name = \"translation\"\ngenerator = { q = \"1\" }\n[initial]\nposition = { q = \"0.3*sin(0.1*i)\" }\n"
          "[method]\nname = \"verlet\"\n[run]\nstep = 0.1\nsteps = 1\n",
      "chain.toml");
}

void measure(const char* title, const actio::io::Problem& problem, long steps, int rounds) {
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
  bench::print(title, programs);
}

}  // namespace

int main() {
  measure("an oscillator, Newmark's method, per step", actio::io::load("examples/oscillator.toml"), 20000, 50);
  for (const int threads : {1, 2}) {
    actio::core::set_threads(threads);
    measure(threads == 1 ? "a chain of 1e5 coordinates, Verlet, per step, one thread" : "the same, two threads", chain(100000),
            400, 10);
  }
}
