#include <cmath>
#include <random>

#include "spoiled.hpp"
#include "systems.hpp"

// Steps of right methods on right systems, and something happens to them.
namespace certificate {

namespace {

using method::Snapshot;

struct Base {
  const char* name;
  std::string problem;
};

std::vector<Base> bases() {
  return {{"verlet on the ring", problem(ring, "verlet", 0.05, 400)},
          {"verlet on Kepler", problem(kepler, "verlet", 0.01, 1260)},
          {"newmark on the ring", problem(ring, "newmark", 0.05, 400)},
          {"midpoint on a pendulum", problem(pendulum, "midpoint", 0.02, 500)},
          {"midpoint on Henon-Heiles", problem(henon_heiles, "midpoint", 0.1, 400)},
          {"verlet on a chain of 20", problem(chain, "verlet", 0.05, 400)},
          {"energy-momentum on the ring", problem(ring, "energy-momentum", 0.05, 400)},
          {"rattle on two rods", problem(rods, "rattle", 0.01, 500)},
          {"lie-group on a magnet", problem(magnet, "lie-group", 0.1, 200)},
          {"newmark on a linear oscillator", problem(harmonic, "newmark", 0.1, 400)},
          {"zhang-skeel on the ring", problem(ring, "zhang-skeel", 0.05, 400)}};
}

struct Spoiling {
  const char* name;
  Step step;
};

std::vector<Spoiling> spoilings() {
  return {
      {"momenta grow by 1e-6 a step", then([](const Snapshot&, Snapshot& s, double, long) { s.p *= 1 + 1e-6; })},
      {"momenta fall by 1e-7 a step", then([](const Snapshot&, Snapshot& s, double, long) { s.p *= 1 - 1e-7; })},
      {"steps are longer than the clock's by 1e-4", stretched(1 + 1e-4)},
      {"one step in 50 is left out", skipping(50)},
      {"a coordinate is pushed on by 1e-5 a unit of time",
       then([](const Snapshot&, Snapshot& s, double h, long) { s.q[0] += 1e-5 * h; })},
      {"every 97th step takes a hundredth of a momentum", then([](const Snapshot&, Snapshot& s, double, long k) {
         if (k % 97 == 96) s.p[s.p.size() - 1] *= 0.99;
       })},
      {"a force that is no gradient, 1e-4 q across", then([](const Snapshot&, Snapshot& s, double h, long) {
         const long n = s.q.size();
         for (long i = 0; i < n; ++i)
           s.p[i] += 1e-4 * h * (i % 2 == 0 ? -1 : 1) * s.q[n == 1 ? 0 : i % 2 == 0 ? (i + 1) % n : i - 1];
         if (n == 1) s.p[0] -= 1e-4 * h * s.p[0];
       })},
      {"states are kept in single precision", then([](const Snapshot&, Snapshot& s, double, long) {
         s.q = s.q.cast<float>().cast<double>().eval();
         s.p = s.p.cast<float>().cast<double>().eval();
       })},
      {"positions move on by the old velocity",
       then([](const Snapshot& before, Snapshot& s, double h, long) { s.q = before.q + h * before.v; })},
      {"noise of 1e-6 on momenta", then([](const Snapshot&, Snapshot& s, double, long k) {
         std::mt19937_64 random(static_cast<std::uint64_t>(k));
         for (double& p : s.p) p += 1e-6 * (0x1p-53 * static_cast<double>(random() >> 11) - 0.5) * s.p.norm();
       })},
  };
}

}  // namespace

void add_spoiled_steps(std::vector<Run>& runs) {
  for (const Base& base : bases())
    for (const Spoiling& s : spoilings()) {
      Run r{.kind = s.name,
            .name = std::string(base.name) + ": " + s.name,
            .problem = base.problem,
            .spoiled = true,
            .right = seen};
      r.kind = "a step that is changed";
      r.step = s.step;
      runs.push_back(std::move(r));
    }
}

}  // namespace certificate
