// The DNA model of examples/dna.toml, 200 bases: velocity Verlet at h = 0.2 against the linearly implicit methods at h = 2, by
// hand and from the problem file, over the same 1000 units of time from the same start (scalar sines take longer as the angles
// spread); with vector and with scalar exp, sin and cos.
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dna_hand.h"

namespace {

constexpr double span = 1000;
constexpr long piece = 500;  // steps timed at once: less than a slice of the machine's time

struct Contender {
  std::string name;
  double h;
  std::function<void()> start;
  std::function<void(long)> advance;  // by so many steps
  std::function<double(long)> angle;  // of one base, where it is now
  std::vector<double> best;           // [ns] of each piece
};

Contender by_hand(const std::string& name, const actio::io::Problem& problem, double h, void (*method)(dna*, double, long)) {
  auto state = std::make_shared<dna>();
  const auto start = [state, q = problem.q0, v = problem.v0] {
    *state = {q.size(), 7, 0.3, 1.0 / 1400, 0.3, {}, {}, {}};
    std::copy(q.begin(), q.end(), state->x);
    std::copy(v.begin(), v.end(), state->v);
  };
  return {
      name, h, start, [state, h, method](long steps) { method(state.get(), h, steps); }, [state](long k) { return state->x[k]; },
      {}};
}

Contender from_file(const std::string& name, const std::string& method, double h, bool vector) {
  const actio::io::Problem problem = actio::io::load("examples/dna.toml", {{}, method});
  actio::method::BuildOptions options;
  options.compile.vector_functions = vector;
  std::shared_ptr<actio::method::Integrator> integrator = make_integrator(problem.model, problem.method, options);
  const auto advance = [integrator, h](long steps) {
    if (const auto report = integrator->advance(steps, h); !report.ok) {
      std::fprintf(stderr, "a step failed\n");
      std::exit(1);
    }
  };
  const auto angle = [integrator](long k) {
    actio::method::Snapshot now;
    integrator->snapshot(now);
    return now.q[k];
  };
  return {name, h, [integrator, q = problem.q0, v = problem.v0] { integrator->start(0, q, v); }, advance, angle, {}};
}

// One by hand follows the path of the one before it.
void same_path(std::vector<Contender>& contenders) {
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    contenders[c].start();
    contenders[c].advance(10);
    if (contenders[c].name.find("by hand") == std::string::npos) continue;
    for (const long k : {0L, 77L, 199L})
      if (!(std::abs(contenders[c].angle(k) - contenders[c - 1].angle(k)) < 1e-12)) {
        std::fprintf(stderr, "%s ends in another state\n", contenders[c].name.c_str());
        std::exit(1);
      }
  }
}

// All of them in turn, the least time of each piece kept.
void compare(const std::string& title, std::vector<Contender> contenders) {
  using clock = std::chrono::steady_clock;
  same_path(contenders);
  for (int round = 0; round < 150; ++round)
    for (Contender& c : contenders) {
      const long steps = std::lround(span / c.h);
      c.best.resize(static_cast<std::size_t>((steps + piece - 1) / piece), std::numeric_limits<double>::infinity());
      c.start();
      for (long k = 0; k < steps; k += piece) {
        const auto begin = clock::now();
        c.advance(std::min(piece, steps - k));
        double& best = c.best[static_cast<std::size_t>(k / piece)];
        best = std::min(best, std::chrono::duration<double, std::nano>(clock::now() - begin).count());
      }
    }
  std::printf("%s\n", title.c_str());
  double reference = 0;
  for (const Contender& c : contenders) {
    double per_time = 0;
    for (const double ns : c.best) per_time += ns / span;
    if (reference == 0) reference = per_time;
    std::printf("  %-44s %8.0f ns a step  %8.0f ns a unit of time  %6.2f x less than the first\n", c.name.c_str(), per_time * c.h,
                per_time, reference / per_time);
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
             by_hand("the same by hand, Thomas' algorithm", problem, 2, vector ? dna_simplified_vector : dna_simplified_scalar),
             from_file("zhang-skeel-stiff, h = 2, from the file", "zhang-skeel-stiff", 2, vector),
             from_file("zhang-skeel, h = 2, from the file", "zhang-skeel", 2, vector),
             by_hand("zhang-skeel by hand, Thomas' algorithm", problem, 2,
                     vector ? dna_zhang_skeel_vector : dna_zhang_skeel_scalar)});
}
