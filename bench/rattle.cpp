// Nanoseconds a step of RATTLE: the double pendulum of TO 4.1 on fixed sizes beside loops written by hand, and chains of 10 to
// 1e5 links on sparse matrices.
#include <unistd.h>

#include <actio/method/constrained.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <method/rods.hpp>

#include "hand_rattle.hpp"
#include "harness.hpp"

namespace {

using Space = actio::algebra::DenseSpace<4>;
using Vector = Space::Vector;
using actio::discrete::Nodes;
using actio::discrete::Quadrature;
using actio::method::ConstrainedStepper;

struct Gravity {
  using Space = ::Space;
  using Vector = Space::Vector;
  using Matrix = Space::Matrix;
  double value(const Vector& q) const { return q[1] + q[3]; }
  void gradient(const Vector&, Vector& g) const { g = {0.0, 1.0, 0.0, 1.0}; }
  void hessian(const Vector&, Matrix& H) const { H.setZero(); }
};
struct Rods {
  static constexpr int count = 2;
  template <class G>
  void value(double, const Vector& q, G& g) const {
    const double x = q[2] - q[0], y = q[3] - q[1];
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
    g[1] = (x * x + y * y - 2) / 2;
  }
  template <class J>
  void jacobian(double, const Vector& q, J& G) const {
    const double x = q[2] - q[0], y = q[3] - q[1];
    G(0, 0) = q[0], G(0, 1) = q[1], G(0, 2) = 0, G(0, 3) = 0;
    G(1, 0) = -x, G(1, 1) = -y, G(1, 2) = x, G(1, 3) = y;
  }
};

template <class S>
auto rattle(S system) {
  return ConstrainedStepper(Quadrature<S>(std::move(system), Nodes::symmetric(0)), true);
}

constexpr double h = 0.01;
constexpr long steps = 2000;

struct End {
  double x2, y2, iterations;
};
[[gnu::noinline]] End by_hand() {
  bench::Pendulum s{0, -1, 1, -2, 0, 0, 0, 0};
  for (long k = 0; k < steps; ++k) bench::hand_rattle(s, h);
  return {s.x2, s.y2, static_cast<double>(s.iterations)};
}
// What the stepper is given, on plain arrays.
struct ByHand {
  void force(const double*, double* f) const { f[0] = 0, f[1] = -1, f[2] = 0, f[3] = -1; }
  void constraint(const double* q, double* g) const {
    const double x = q[2] - q[0], y = q[3] - q[1];
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
    g[1] = (x * x + y * y - 2) / 2;
  }
  void jacobian(const double* q, double (*G)[4]) const {
    const double x = q[2] - q[0], y = q[3] - q[1];
    G[0][0] = q[0], G[0][1] = q[1], G[0][2] = 0, G[0][3] = 0;
    G[1][0] = -x, G[1][1] = -y, G[1][2] = x, G[1][3] = y;
  }
};
[[gnu::noinline]] End by_hand_of_any() {
  bench::Constrained s{{0, -1, 1, -2}, {0, 0, 0, 0}, {0, -1, 0, -1}};
  for (long k = 0; k < steps; ++k) bench::hand_rattle(s, ByHand(), h);
  return {s.q[2], s.q[3], static_cast<double>(s.iterations)};
}
[[gnu::noinline]] End by_actio() {
  auto stepper = rattle(actio::system::WithConstraints(actio::system::Mechanical{Gravity{}}, Rods{}));
  auto x = stepper.start(0, {0.0, -1.0, 1.0, -2.0}, {0.0, 0.0, 0.0, 0.0});
  long iterations = 0;
  for (long k = 0; k < steps; ++k) {
    const auto report = stepper.step(x, h);
    iterations += report.iterations;
    if (!report.converged) std::abort();
  }
  return {x.q[2], x.q[3], static_cast<double>(iterations)};
}

double resident_megabytes() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// TO 4.2's chain, x_i = i, y_i = -2 i, from rest. Taut by its own weight T = n sin(atan 2) it waves by up to 2 sqrt(T/L): at 1e5
// links no step above 0.005 is stable.
constexpr double h_of_chain = 0.002;
void chain_of(long links) {
  const double before = resident_megabytes();
  auto stepper = rattle(actio::tests::chain<actio::algebra::SparseSpace>(links, std::sqrt(5.0)));
  const auto q = actio::tests::slope(stepper.system().space(), std::sqrt(5.0), std::atan2(-2, 1));
  auto x = stepper.start(0, q, actio::algebra::like(q));
  const long count = std::max(10L, 200000 / links);
  long iterations = 0, done = 0;
  const auto run = [&](long n) {
    for (long k = 0; k < n; ++k, ++done) {
      const auto report = stepper.step(x, h_of_chain);
      iterations += report.iterations;
      if (!report.converged) std::abort();
    }
  };
  run(5);
  std::vector<bench::Program> programs{{"", [&] { run(count); }}};
  bench::measure(programs, count, links < 100000 ? 5 : 3);
  std::printf("  %7ld links %12.2f us a step %8.1f ns a link, %.2f Newton iterations a step, %8.1f MB\n", links,
              programs[0].best / 1e3, programs[0].best / static_cast<double>(links),
              static_cast<double>(iterations) / static_cast<double>(done), resident_megabytes() - before);
}

}  // namespace

int main() {
  const std::vector<End> ends{by_hand_of_any(), by_actio(), by_hand()};
  for (const End& end : ends)
    if (!(std::hypot(end.x2 - ends[0].x2, end.y2 - ends[0].y2) < 1e-8)) {
      std::fprintf(stderr, "the programs end %g apart\n", std::hypot(end.x2 - ends[0].x2, end.y2 - ends[0].y2));
      return 1;
    }
  volatile double sink = 0;
  std::vector<bench::Program> programs{{"by hand, of any g and G", [&] { sink = by_hand_of_any().x2; }},
                                       {"Actio, C++ system", [&] { sink = by_actio().x2; }},
                                       {"by hand, of these rods alone", [&] { sink = by_hand().x2; }}};
  bench::measure(programs, steps, 1000);
  std::printf("(Newton iterations a step: %.2f, %.2f, %.2f)\n", ends[0].iterations / steps, ends[1].iterations / steps,
              ends[2].iterations / steps);
  bench::print("RATTLE, double pendulum of TO 4.1, h = 0.01", programs);

  std::printf("RATTLE, chain of TO 4.2, h = 0.002\n");
  for (const long links : {10L, 100L, 1000L, 10000L, 100000L}) chain_of(links);
}
