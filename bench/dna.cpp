// The DNA model of examples/dna.toml, 200 bases: velocity Verlet at h = 0.2 against the linearly implicit methods at h = 2, by
// hand and from the problem file, per step and per unit of simulated time; with vector and with scalar exp, sin and cos.
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "dna_hand.h"
#include "harness.hpp"

namespace {

struct Contender {
  std::string name;
  double h;
  std::function<void(long)> run;  // as many steps from the start
};

Contender by_hand(const std::string& name, const actio::io::Problem& problem, double h, void (*method)(dna*, double, long)) {
  auto state = std::make_shared<dna>();
  return {name, h, [state, h, method, q = problem.q0, v = problem.v0](long steps) {
            *state = {q.size(), 7, 0.3, 1.0 / 1400, 0.3, {}, {}, {}};
            std::copy(q.begin(), q.end(), state->x);
            std::copy(v.begin(), v.end(), state->v);
            method(state.get(), h, steps);
          }};
}

Contender from_file(const std::string& name, const std::string& method, double h, bool vector) {
  const actio::io::Problem problem = actio::io::load("examples/dna.toml", {{}, method});
  actio::method::BuildOptions options;
  options.compile.vector_functions = vector;
  std::shared_ptr<actio::method::Integrator> integrator = make_integrator(problem.model, problem.method, options);
  return {name, h, [integrator, h, q = problem.q0, v = problem.v0](long steps) {
            integrator->start(0, q, v);
            if (const auto report = integrator->advance(steps, h); !report.ok) {
              std::fprintf(stderr, "a step failed\n");
              std::exit(1);
            }
          }};
}

void compare(const std::string& title, const std::vector<Contender>& contenders) {
  constexpr long steps = 200;
  std::vector<bench::Program> programs;
  for (const Contender& c : contenders) programs.push_back({c.name, [&c] { c.run(steps); }});
  bench::measure(programs, steps, 300);
  std::printf("%s\n", title.c_str());
  const double reference = programs.front().best / contenders.front().h;
  for (std::size_t k = 0; k < programs.size(); ++k) {
    const double per_time = programs[k].best / contenders[k].h;
    std::printf("  %-44s %8.0f ns a step  %8.0f ns a unit of time  %6.2f x less than the first\n", programs[k].name.c_str(),
                programs[k].best, per_time, reference / per_time);
  }
  std::printf("\n");
}

}  // namespace

int main() {
  const actio::io::Problem problem = actio::io::load("examples/dna.toml");
  for (const bool vector : {true, false})
    compare(vector ? "exp, sin and cos of libmvec" : "scalar exp, sin and cos",
            {from_file("verlet, h = 0.2, from the file", "verlet", 0.2, vector),
             by_hand("verlet, h = 0.2, by hand", problem, 0.2, vector ? dna_verlet_vector : dna_verlet_scalar),
             from_file("zhang-skeel-simplified, h = 2, from the file", "zhang-skeel-simplified", 2, vector),
             by_hand("the same by hand, Thomas' algorithm", problem, 2, vector ? dna_zhang_skeel_vector : dna_zhang_skeel_scalar),
             from_file("zhang-skeel, h = 1, from the file", "zhang-skeel", 1, vector)});
}
