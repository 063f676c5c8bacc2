// Nanoseconds a step and a link of chains of rigid bodies with spherical joints, from a problem file: Lie-group methods and
// RATTLE on the entries of R; least of many pieces.
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "models/hanging_chain.hpp"

namespace {

constexpr double h = 1e-3;

actio::io::Problem chain(long links, const std::string& method) {
  return actio::io::load_text(models::hanging_chain(links) + "[method]\n" + method + "\n[run]\nstep = 1e-3\nsteps = 1\n",
                              "chain.toml");
}

void measure(const char* name, const std::string& method, long links) {
  using clock = std::chrono::steady_clock;
  const auto problem = chain(links, method);
  const auto integrator = make_integrator(problem.model, problem.method);
  integrator->start(0, problem.q0, problem.v0);
  const long steps = std::max(2L, 2000 / links), pieces = std::clamp(40000 / (links * steps), 3L, 50L);
  double best = std::numeric_limits<double>::infinity();
  long iterations = 0;
  for (long k = 0; k < pieces; ++k) {
    const auto begin = clock::now();
    const auto report = integrator->advance(steps, h);
    best = std::min(best, std::chrono::duration<double, std::nano>(clock::now() - begin).count());
    iterations += report.iterations;
    if (!report.ok) {
      std::fprintf(stderr, "%s: %s\n", name, report.what.c_str());
      std::exit(1);
    }
  }
  const double step = best / static_cast<double>(steps);
  std::printf("  %-28s %6ld links %12.0f ns a step %8.0f ns a link %6.2f iterations\n", name, links, step,
              step / static_cast<double>(links), static_cast<double>(iterations) / static_cast<double>(pieces * steps));
}

}  // namespace

int main() {
  std::printf("chain of rigid links, spherical joints, h = 0.001\n");
  for (const long links : {10L, 30L, 100L, 300L, 1000L, 3000L}) {
    measure("lie-group, Cayley, endpoint", "name = \"lie-group\"\nretraction = \"cayley\"", links);
    measure("lie-group, exp, midpoint", "name = \"lie-group\"\nrule = \"midpoint\"", links);
    measure("rattle", "name = \"rattle\"", links);
  }
}
