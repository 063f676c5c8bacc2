// Nanoseconds a step of a member: a million oscillators from their problem file, generated steps, beside loops written by hand
// over the same blocks, and beside one oscillator stepped alone; on one thread and on two.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <actio/core/parallel.hpp>
#include <actio/io/ensemble_task.hpp>

#include "ensemble_hand.h"
#include "from_file.hpp"
#include "harness.hpp"

namespace {

using namespace actio;

constexpr long members = 1'000'000, steps = 256, width = 64;
constexpr double h = 0.05;
constexpr int rounds = 5;

io::Problem problem(const char* method) {
  return io::load("examples/oscillator.toml",
                  {{"ensemble.members=1000000", "ensemble.initial.position.x='1.2 + 0.05*uniform()'",
                    "ensemble.initial.position.y='0.05*uniform()'", "run.end=1e9", "run.step=0.05", "run.every=256"},
                   method});
}

using Hand = void (*)(long, double, double*, double*, double*, double*);

struct Blocks {
  std::vector<double> x;  // 4 rows of 64 a block
  explicit Blocks(const run::Members& of) : x(static_cast<std::size_t>((members + width - 1) / width * width * 4)) {
    for (long m = 0; m < members; ++m)
      for (std::size_t row = 0; row < 4; ++row)
        x[static_cast<std::size_t>(m / width * width) * 4 + row * width + static_cast<std::size_t>(m % width)] =
            (row < 2 ? of.q0[row] : of.v0[row - 2])[static_cast<std::size_t>(m)];
  }
  void step(Hand hand) {
    core::parallel_for(static_cast<long>(x.size()) / (4 * width), [&](long b, int) {
      double* const at = x.data() + b * 4 * width;
      hand(steps, h, at, at + width, at + 2 * width, at + 3 * width);
    });
  }
};

void race(const char* method, Hand hand) {
  const io::Problem p = problem(method);
  for (const int threads : {1, 2}) {
    core::set_threads(threads);
    run::Ensemble ensemble(io::task_of(p));
    (void)ensemble.advance();
    Blocks blocks(p.ensemble->members);
    double least_of_ensemble = 1e9;
    std::vector<bench::Program> programs{{"by hand, over 64 lanes", [&] { blocks.step(hand); }},
                                         {"Actio, steps and observation", [&] {
                                            const double before = ensemble.seconds();
                                            (void)ensemble.advance();
                                            least_of_ensemble = std::min(least_of_ensemble, ensemble.seconds() - before);
                                          }}};
    bench::measure(programs, members * steps, rounds);
    double apart = 0;  // the same steps: rounding, and for midpoint the iterations
    for (long m = 0; m < members; m += 1001)
      apart = std::max(apart, std::abs(ensemble.q(m, 0) - blocks.x[static_cast<std::size_t>(m / width * width * 4 + m % width)]));
    if (!(apart < 1e-6)) {
      std::fprintf(stderr, "%s: the programs end %g apart\n", method, apart);
      std::exit(1);
    }
    programs.push_back({"Actio, steps alone", {}, 1e9 * least_of_ensemble / static_cast<double>(members * steps)});
    bench::print(std::string(method) + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"), programs);
  }
  core::set_threads(1);
  bench::FromFile alone("examples/oscillator.toml", method);
  volatile double sink = 0;
  std::vector<bench::Program> one{{"Actio, one oscillator alone", [&] { sink = alone({1.2, 0, 0, 0.2}, h, 2000).x; }}};
  bench::measure(one, 2000, 200);
  bench::print(method, one);
}

}  // namespace

int main() {
  std::printf("%ld oscillators in two dimensions, %ld steps of %g between two observations\n\n", members, steps, h);
  race("verlet", hand_verlet_lanes);
  race("midpoint", hand_midpoint_lanes);
}
