// Nanoseconds a step and per unit of simulated time on the double pendulum of TO 4.1, w = 20, beta = 0.4: Zhang and Skeel's
// method at h = 0.1 against Verlet at h = 0.1/w, as loops written by hand, as Actio's steppers on a C++ system, and from a
// problem file.
#include <actio/method/linearly_implicit.hpp>
#include <actio/method/newmark.hpp>
#include <actio/method/verlet.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "harness.hpp"
#include "pendulum_file.hpp"
#include "pendulum_system.hpp"

namespace {

using namespace actio;
using System = system::Mechanical<DoublePendulum>;
using Vector = DoublePendulum::Vector;
constexpr double w = 20, beta = 0.4;
constexpr long steps = 500;  // t = 50 at h = 0.1
constexpr int rounds = 2000;
const Vector start{0.0, -1.0, 1.0, -2.0};

// The symmetric 4 x 4 solve and the step as a careful programmer would write them for this system.
Vector hand_zhang_skeel(double h, long count) {
  const DoublePendulum V{w * w};
  const double s = beta * h * h;
  Vector x = start, v, F;
  const auto force = [&] {
    Vector g, third;
    DoublePendulum::Matrix H;
    V.gradient(x, g);
    V.hessian(x, H);
    const double i0 = 1 / (1 + s * H(0, 0)), l10 = s * H(1, 0) * i0, l20 = s * H(2, 0) * i0, l30 = s * H(3, 0) * i0;
    const double i1 = 1 / (1 + s * H(1, 1) - l10 * s * H(1, 0));
    const double u21 = s * H(2, 1) - l20 * s * H(1, 0), u31 = s * H(3, 1) - l30 * s * H(1, 0), l21 = u21 * i1, l31 = u31 * i1;
    const double i2 = 1 / (1 + s * H(2, 2) - l20 * s * H(2, 0) - l21 * u21);
    const double u32 = s * H(3, 2) - l30 * s * H(2, 0) - l31 * u21, l32 = u32 * i2;
    const double i3 = 1 / (1 + s * H(3, 3) - l30 * s * H(3, 0) - l31 * u31 - l32 * u32);
    const double y0 = -g[0], y1 = -g[1] - l10 * y0, y2 = -g[2] - l20 * y0 - l21 * y1, y3 = -g[3] - l30 * y0 - l31 * y1 - l32 * y2;
    const double a3 = y3 * i3, a2 = y2 * i2 - l32 * a3, a1 = y1 * i1 - l21 * a2 - l31 * a3;
    const double a0 = y0 * i0 - l10 * a1 - l20 * a2 - l30 * a3;
    const Vector a{a0, a1, a2, a3};
    V.third(x, a, third);
    F = a - (0.5 * s * s) * third;
  };
  force();
  for (long k = 0; k < count; ++k) {
    v += (h / 2) * F;
    x += h * v;
    force();
    v += (h / 2) * F;
  }
  return x;
}

Vector hand_verlet(double h, long count) {
  const DoublePendulum V{w * w};
  Vector x = start, v, g;
  V.gradient(x, g);
  for (long k = 0; k < count; ++k) {
    v -= (h / 2) * g;
    x += h * v;
    V.gradient(x, g);
    v -= (h / 2) * g;
  }
  return x;
}

template <class S>
Vector ends(S stepper, double h, long count) {
  auto state = stepper.start(0, start, Vector());
  for (long k = 0; k < count; ++k)
    if (!stepper.step(state, h).converged) break;
  return state.q;
}
System pendulum() { return System(DoublePendulum{w * w}); }

struct Race {
  std::vector<bench::Program> programs;
  std::vector<double> h;
  volatile double sink = 0;

  // `like`: the end of a program of the same method, or null
  void add(const std::string& name, double step, std::function<Vector(double, long)> method, const Vector* like = nullptr) {
    if (like && !((method(step, steps) - *like).norm() < 1e-6)) {
      std::fprintf(stderr, "%s ends elsewhere than the loop written by hand\n", name.c_str());
      std::exit(1);
    }
    h.push_back(step);
    programs.push_back({name, [this, step, method] { sink = method(step, steps)[0]; }});
  }
  void finish() {
    bench::measure(programs, steps, rounds);
    std::printf("%-44s %10s %8s %22s %10s\n", "", "h", "ns/step", "ns/unit of time", "Verlet's");
    const double verlet = programs[1].best / h[1];
    for (std::size_t k = 0; k < programs.size(); ++k)
      std::printf("%-44s %10g %8.1f %22.0f %8.1f x\n", programs[k].name.c_str(), h[k], programs[k].best, programs[k].best / h[k],
                  verlet * h[k] / programs[k].best);
  }
};

}  // namespace

int main() {
  using namespace method;
  constexpr double h = 0.1, small = 0.1 / w;
  const Vector zs = hand_zhang_skeel(h, steps), verlet = hand_verlet(small, steps);
  Race race;
  race.add("Verlet, hand-written loop", small, hand_verlet);
  race.add(
      "Verlet, Actio, C++ system", small, [](double s, long n) { return ends(VerletStepper(pendulum()), s, n); }, &verlet);
  race.add("Verlet, Actio, problem file", small, bench::pendulum_from_file(Verlet{}), &verlet);
  race.add("zhang-skeel, hand-written loop", h, hand_zhang_skeel);
  race.add(
      "zhang-skeel, Actio, C++ system", h,
      [](double s, long n) { return ends(ZhangSkeelStepper(pendulum(), ZhangSkeel{beta}), s, n); }, &zs);
  race.add("zhang-skeel, Actio, problem file", h, bench::pendulum_from_file(ZhangSkeel{beta}), &zs);
  race.add("zhang-skeel-simplified, Actio, C++ system", h,
           [](double s, long n) { return ends(ZhangSkeelSimplifiedStepper(pendulum(), ZhangSkeelSimplified{beta}), s, n); });
  race.add("push-forward-newmark, Actio, C++ system", h,
           [](double s, long n) { return ends(PushForwardNewmarkStepper(pendulum(), PushForwardNewmark{beta}), s, n); });
  race.add("newmark, Actio, C++ system", h, [](double s, long n) {
    return ends(NewmarkStepper(pendulum(), Newmark{beta, 0.5}), s, n);
  });
  race.add("newmark, one iteration, Actio, C++ system", h, [](double s, long n) {
    return ends(NewmarkStepper(pendulum(), Newmark{beta, 0.5, 1}), s, n);
  });
  race.finish();
}
