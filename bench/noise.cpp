// What the noise of a thermostat costs: steps with each scheme against the same steps without noise, and the normal numbers
// alone; a double well, and a chain of 1e5 coordinates.
#include <actio/core/parallel.hpp>
#include <actio/core/random.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "harness.hpp"

namespace {

actio::io::Problem problem(const std::string& system, const std::string& start, const std::string& scheme) {
  const std::string bath =
      scheme.empty() ? "" : "[system.thermostat]\nrate = 1\ntemperature = 0.5\nseed = 1\nscheme = \"" + scheme + "\"\n";
  return actio::io::load_text("[system]\n" + system + "\n" + bath + "[initial]\nposition = " + start +
                                  "\n[method]\nname = \"verlet\"\n[run]\nstep = 0.1\nsteps = 1\n",
                              "noise.toml");
}

void measure(const char* title, const std::string& system, const std::string& start, long steps, int rounds) {
  std::vector<bench::Program> programs;
  long n = 0;
  for (const char* scheme : {"", "gla", "baoab", "obabo"}) {
    const actio::io::Problem p = problem(system, start, scheme);
    n = p.model.size();
    std::shared_ptr<actio::method::Integrator> integrator = make_integrator(p.model, p.method);
    integrator->start(0, p.q0, p.v0);
    programs.push_back({*scheme ? scheme : "without noise", [integrator, steps] {
                          if (!integrator->advance(steps, 0.1).ok) std::exit(1);
                        }});
  }
  std::vector<double> numbers(static_cast<std::size_t>(n * std::max(1L, 64 / n)));
  programs.push_back({"one number a coordinate", [&] {
                        const actio::core::Noise noise(1);
                        const long at_once = static_cast<long>(numbers.size()) / n;
                        for (long k = 0; k < steps; k += at_once)
                          noise.normals(static_cast<std::uint64_t>(k), at_once, 0, 0, n, numbers.data());
                      }});
  bench::measure(programs, steps, rounds);
  bench::print(title, programs);
}

}  // namespace

int main() {
  actio::core::set_threads(1);
  measure("a double well of one coordinate, per step", "coordinates = [\"x\"]\nmass = 1\npotential = \"(x^2 - 1)^2\"", "[-1]",
          100000, 20);
  const std::string chain =
      "coordinates = [\"q[100000]\"]\nmass = 1\n[[system.term]]\nover = \"i = 0..99998\"\n"
      "potential = \"1/2*(q[i+1]-q[i])^2 + 1/4*(q[i+1]-q[i])^4\"";
  for (const int threads : {1, 2}) {
    actio::core::set_threads(threads);
    measure(threads == 1 ? "a chain of 1e5 coordinates, per step, one thread" : "the same, two threads", chain,
            "{ q = \"0.3*sin(0.1*i)\" }", 100, 8);
  }
}
