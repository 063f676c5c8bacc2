// Nanoseconds a step on the oscillator: a loop written by hand, Actio's steppers on a C++ system, on a problem file, and other
// libraries.
#include <cmath>

#include "harness.hpp"
#include "steppers.hpp"

namespace {

using bench::Phase;

constexpr Phase start{1.2, 0, 0, 0.2};
constexpr long steps = 4000;
constexpr int rounds = 400;

bool failed = false;

// Adds a program after checking that it ends where the first one does.
struct Race {
  std::string title;
  double h;
  std::vector<bench::Program> programs;
  Phase first{};

  void add(const std::string& name, std::function<Phase(Phase, double, long)> run) {
    const Phase end = run(start, h, steps);
    if (programs.empty()) first = end;
    const double distance =
        std::hypot(std::hypot(end.x - first.x, end.y - first.y), std::hypot(end.u - first.u, end.v - first.v));
    if (!(distance < 1e-6)) {
      std::fprintf(stderr, "%s: %s ends %g away from where it should\n", title.c_str(), name.c_str(), distance);
      failed = true;
    }
    programs.push_back({name, [run, h = h] {
                          volatile double sink = run(start, h, steps).x;
                          static_cast<void>(sink);
                        }});
  }
  void finish() {
    bench::measure(programs, steps, rounds);
    bench::print(title, programs);
  }
};

}  // namespace

int main() {
  Race verlet{"velocity Verlet, h = 0.2", 0.2, {}};
  verlet.add("hand-written loop", bench::hand_verlet);
  verlet.add("actio, C++ system", bench::actio_verlet);
  verlet.finish();

  Race rk4{"RK4, h = 0.05", 0.05, {}};
  rk4.add("hand-written loop", bench::hand_rk4);
  rk4.add("actio, C++ system", bench::actio_rk4);
  rk4.finish();

  Race midpoint{"midpoint, h = 0.2", 0.2, {}};
  midpoint.add("hand-written loop", bench::hand_midpoint);
  midpoint.add("actio, C++ system", bench::actio_midpoint);
  midpoint.finish();

  Race newmark{"Newmark 1/4 1/2, h = 0.2", 0.2, {}};
  newmark.add("hand-written loop", bench::hand_newmark);
  newmark.add("actio, C++ system", bench::actio_newmark);
  newmark.finish();
  return failed;
}
