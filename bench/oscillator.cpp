// Nanoseconds a step on the oscillator: a loop written by hand, Actio's steppers on a C++ system and on the problem file, and
// other libraries.
#include <cmath>
#include <cstdlib>

#include "from_file.hpp"
#include "harness.hpp"
#include "others.hpp"
#include "steppers.hpp"

namespace {

using bench::FromFile;
using bench::Phase;

constexpr Phase start{1.2, 0, 0, 0.2};
constexpr long steps = 2000;
constexpr int rounds = 1000;
constexpr const char* problem = "examples/oscillator.toml";

double distance(const Phase& a, const Phase& b) {
  return std::hypot(std::hypot(a.x - b.x, a.y - b.y), std::hypot(a.u - b.u, a.v - b.v));
}

// Programs of one method, each checked to end where the first one does.
class Race {
 public:
  Race(std::string title, double h) : title_(std::move(title)), h_(h) {}

  void add(const std::string& name, std::function<Phase(Phase, double, long)> run, double allowed = 1e-6) {
    const Phase end = run(start, h_, steps);
    if (programs_.empty()) first_ = end;
    if (!(distance(end, first_) <= allowed)) {
      std::fprintf(stderr, "%s: %s ends %g away from the first program\n", title_.c_str(), name.c_str(), distance(end, first_));
      std::exit(1);
    }
    programs_.push_back({name, [this, run] { sink_ = run(start, h_, steps).x; }});
  }
  void finish() {
    bench::measure(programs_, steps, rounds);
    if (first_.iterations > 0)
      title_ += ", " + std::to_string(static_cast<double>(first_.iterations) / steps).substr(0, 4) + " Newton iterations a step";
    bench::print(title_, programs_);
  }

 private:
  std::string title_;
  double h_;
  std::vector<bench::Program> programs_;
  Phase first_{};
  volatile double sink_ = 0;
};

std::function<Phase(Phase, double, long)> from_file(const char* method, const std::string& compiler) {
  auto program = std::make_shared<FromFile>(problem, method, actio::method::BuildOptions{{compiler, {}}, {}});
  return [program](const Phase& s, double h, long count) { return (*program)(s, h, count); };
}

void race(Race& of, const char* method, Phase (*hand)(Phase, double, long), Phase (*system)(Phase, double, long)) {
  of.add("hand-written loop", hand);
  of.add("Actio, C++ system", system);
  of.add("Actio, problem file", from_file(method, ""));
  of.add("Actio, problem file, interpreted", from_file(method, "none"));
}

}  // namespace

int main() {
  Race verlet("velocity Verlet, h = 0.2", 0.2);
  race(verlet, "verlet", bench::hand_verlet, bench::actio_verlet);
  verlet.add("Boost.odeint velocity_verlet", bench::odeint_verlet);
  verlet.finish();

  Race rk4("RK4, h = 0.05", 0.05);
  race(rk4, "rk4", bench::hand_rk4, bench::actio_rk4);
  rk4.add("Boost.odeint runge_kutta4", bench::odeint_rk4);
  rk4.add("GSL rk4", bench::gsl_rk4, 0.1);  // two half steps: another trajectory
  rk4.finish();

  Race midpoint("midpoint, h = 0.2", 0.2);
  race(midpoint, "midpoint", bench::hand_midpoint, bench::actio_midpoint);
  midpoint.finish();

  Race newmark("Newmark, beta = 1/4, gamma = 1/2, h = 0.2", 0.2);
  race(newmark, "newmark", bench::hand_newmark, bench::actio_newmark);
  newmark.finish();
}
