#include <cmath>

#include "suite.hpp"
#include "systems.hpp"

// Steps too large for what moves: runs that blow up, planets that leave, kinks that are stepped over.
namespace certificate {

void add_large_steps(std::vector<Run>& runs) {
  const auto add = [&](const char* kind, std::string name, std::string text, std::vector<std::string> overrides = {},
                       unsigned right = seen) {
    runs.push_back({.kind = kind,
                    .name = std::move(name),
                    .problem = std::move(text),
                    .overrides = std::move(overrides),
                    .spoiled = true,
                    .right = right});
  };
  const char* blown = "blown up";
  const auto oscillator = [](const char* method, double h, long steps, long every = 1, const char* how = "") {
    return problem(harmonic, method, h, steps, every, how);
  };
  add(blown, "x'' = -x, verlet, h = 2.5, 60 steps", oscillator("verlet", 2.5, 60));
  add(blown, "x'' = -x, verlet, h = 2.5, 10 steps", oscillator("verlet", 2.5, 10));
  add(blown, "x'' = -x, verlet, h = 2.5, 3 steps", oscillator("verlet", 2.5, 3));
  add(blown, "x'' = -x, verlet, h = 2.5, 600 steps, every 20th", oscillator("verlet", 2.5, 600, 20));
  add(blown, "x'' = -x, verlet, h = 2.5, 60 steps, the ends", oscillator("verlet", 2.5, 60, 60));
  add(blown, "x'' = -x, verlet, h = 2.5, until it is no number", oscillator("verlet", 2.5, 6000, 100));
  add(blown, "x'' = -x, newmark with beta = 0, h = 2.5", oscillator("newmark", 2.5, 60, 1, "beta = 0"));
  add(blown, "x'' = -x, newmark with beta = 1/12, h = 2.6", oscillator("newmark", 2.6, 60, 1, "beta = 0.08333333333333333"));
  add(blown, "x'' = -x, central-difference, h = 2.5", oscillator("central-difference", 2.5, 60));
  add(blown, "x'' = -x, symplectic-euler, h = 2.5", oscillator("symplectic-euler", 2.5, 60));
  add(blown, "x'' = -x, mclachlan-atela, h = 3", oscillator("mclachlan-atela", 3.5, 60));
  add(blown, "x'' = -x, zhang-skeel with beta = .1, h = 3", oscillator("zhang-skeel", 3, 60, 1, "beta = 0.1"));
  add(blown, "x'' = -x, verlet by positions, h = 2.05", oscillator("verlet", 2.05, 60, 1, "form = \"position\""));
  for (const int order : {4, 6, 8})
    add(blown, fmt::format("x'' = -x, verlet of order {}, h = 2.5", order),
        oscillator("verlet", 2.5, 60, 1, fmt::format("compose = {{ order = {}, scheme = \"yoshida\" }}", order).c_str()));
  add(blown, "V = x^2/2 (1 + 1e-9 sin t), verlet, h = 2.5", oscillator("verlet", 2.5, 60),
      {"system.potential=\"0.5*x^2*(1 + 1e-9*sin(t))\""});
  add(blown, "V = x^2/2 (1 + 1e-9 sin t), verlet, h = 2.5, 10 steps", oscillator("verlet", 2.5, 10),
      {"system.potential=\"0.5*x^2*(1 + 1e-9*sin(t))\""});
  add(blown, "a force of 1e-9 sin t, verlet, h = 2.5", oscillator("verlet", 2.5, 60), {"system.force.x=\"1e-9*sin(t)\""});
  add(blown, "a force of 1e-9 sin t, newmark with beta = 0, h = 2.5", oscillator("newmark", 2.5, 60, 1, "beta = 0"),
      {"system.force.x=\"1e-9*sin(t)\""});
  add(blown, "friction of 1e-9, newmark with beta = 0, h = 2.5", oscillator("newmark", 2.5, 60, 1, "beta = 0"),
      {"system.dissipation=\"1e-9*x'^2\""});
  add(blown, "steps of 2.05 and 2.06, verlet", oscillator("verlet", 2.05, 60), {"run.step=[2.05, 2.06]"});
  add(blown, "steps of 2.05 and 2.06, verlet, 10 steps", oscillator("verlet", 2.05, 10), {"run.step=[2.05, 2.06]"});
  add(blown, "steps of 2.5 and 1, newmark with beta = 0", oscillator("newmark", 2.5, 60, 1, "beta = 0"), {"run.step=[2.5, 1]"});
  add(blown, "x'' = -x, newmark with gamma .4", oscillator("newmark", 1, 400, 1, "gamma = 0.4"), {}, seen | no_claims);
  add(blown, "the ring, verlet, h = .8", problem(ring, "verlet", 0.8, 60));
  add(blown, "the chain, verlet, h = 1.4", problem(chain, "verlet", 1.4, 60));
  add(blown, "one stiff of thirteen, verlet",
      problem("[system]\ncoordinates = [\"x[13]\"]\nmass = 1\n[[system.term]]\nover = \"i = 0..11\"\npotential = "
              "\"0.5*x[i]^2\"\n[[system.term]]\npotential = \"0.5*900*x[12]^2\"\n[initial.position]\nx = \"where(i < 12, 1, "
              "1e-6)\"\n",
              "verlet", 0.07, 400));
  add(blown, "three stiff springs, verlet, h omega = 2.1", "examples/fpu.toml", {"run.step=0.042", "run.end=20", "run.every=1"});

  const char* lost = "lost for good";
  const std::string planet =
      "[system]\ncoordinates = [\"x\", \"y\"]\nmass = 1\npotential = \"-1/sqrt(x^2 + y^2)\"\n[[symmetry]]\nname = \"angular "
      "momentum\"\ngenerator = [\"-y\", \"x\"]\n[initial]\nposition = [0.1, 0]\nvelocity = [0, 4.358898943540674]\n";
  add(lost, "a planet of eccentricity .9, verlet, h = .02, 20000 steps", problem(planet, "verlet", 0.02, 20000, 10));
  add(lost, "a planet of eccentricity .9, verlet, h = .02, 2000 steps", problem(planet, "verlet", 0.02, 2000));
  add(lost, "a planet of eccentricity .9, verlet, h = .05", problem(planet, "verlet", 0.05, 4000, 10));
  add(lost, "a planet of eccentricity .9, symplectic-euler, h = .02", problem(planet, "symplectic-euler", 0.02, 4000, 10));
  add(lost, "a planet of eccentricity .9, newmark, h = .1", problem(planet, "newmark", 0.1, 2000));
  add(lost, "a planet of eccentricity .9, mclachlan-atela, h = .05", problem(planet, "mclachlan-atela", 0.05, 4000, 10));
  for (const auto& [method, a, x, v] : {std::tuple{"midpoint", 4, 1.8, 0},
                                        {"midpoint", 4, 2.0, 0},
                                        {"midpoint", 4, 2.0, 2},
                                        {"newmark", 4, 1.5, 0},
                                        {"newmark", 4, 1.2, 1},
                                        {"newmark", 4, 2.0, 0},
                                        {"newmark", 1, 1.8, 2},
                                        {"newmark", 1, 2.0, 2},
                                        {"newmark", 1, 2.2, 0}})
    add(lost, fmt::format("a double well {} (x^2 - 1)^2 from {}, {}, {}, h = .5", a, x, v, method),
        problem(fmt::format("[system]\ncoordinates = [\"x\"]\nmass = 1\npotential = \"{}*(x^2 - 1)^2\"\n[initial]\nposition = "
                            "[{}]\nvelocity = [{}]\n",
                            a, x, v),
                method, 0.5, 2000));
  add(lost, "pleiades, verlet, h = .02", "examples/pleiades.toml",
      {"method={ name = \"verlet\" }", "run.step=0.02", "run.every=1"});

  // Stable, and the energy swings by more than the motion has.
  for (const char* h : {"1.9", "1.99"})
    add(lost, fmt::format("x'' = -x, verlet, h = {}", h), oscillator("verlet", 0.5, 400), {fmt::format("run.step={}", h)}, seen);

  const char* tune = "in tune with the step";
  // The product of two stable steps need not be stable.
  add(tune, "x'' = -x, verlet, steps of .4 and 1.99", oscillator("verlet", 0.4, 400), {"run.step=[0.4, 1.99]"});
  add(tune, "x'' = -x, verlet, steps of 1.2 and 1.9", oscillator("verlet", 0.5, 400), {"run.step=[1.2, 1.9]"});
  add(tune, "Henon's map at a third of a turn",
      problem("[system]\ncoordinates = [\"x\"]\nmass = 1\npotential = \"0.5*x^2 - x^3/3\"\n[initial]\nposition = [0.25]\n",
              "verlet", 1.7320508, 400));
  add(tune, "a pendulum driven at twice its frequency by the steps", problem(pendulum, "midpoint", 0.1, 400),
      {"run.step=[0.9, 0.2]"});

  const char* kink = "a kink";
  const auto ball = [](const char* potential, const char* method, double h, long steps) {
    return problem(
        fmt::format("[system]\ncoordinates = [\"x\"]\nmass = 1\npotential = \"{}\"\n[initial]\nposition = [1.03]\nvelocity "
                    "= [0]\n",
                    potential),
        method, h, steps);
  };
  for (const char* method : {"verlet", "symplectic-euler", "mclachlan-atela"}) {
    add(kink, fmt::format("a step of the potential, {}", method), ball("0.5*x^2 + where(x > 0.5, 0.3, 0)", method, 0.05, 2000));
    add(kink, fmt::format("a hard wall, {}", method), ball("x + where(x < 0, 1e6*x^2, 0)", method, 0.01, 4000));
    add(kink, fmt::format("a hard wall, {}, h = .05", method), ball("x + where(x < 0, 1e4*x^2, 0)", method, 0.05, 4000));
  }
  add(kink, "a step of the potential, newmark", ball("0.5*x^2 + where(x > 0.5, 0.3, 0)", "newmark", 0.05, 2000));
  add(kink, "a step of the potential, midpoint", ball("0.5*x^2 + where(x > 0.5, 0.3, 0)", "midpoint", 0.05, 2000));

  const char* slip = "friction";
  const std::string storeys = R"toml([system]
coordinates = ["u[5]", "s[5]"]
parameters = { m = 4e4, k = 4e7, Fy = 2.5e5, kh = 2e6, ms = 1.0 }
mass = { u = "m", s = "ms" }
[[system.term]]
potential = "0.5*k*(u[0]-s[0])^2"
[[system.term]]
over = "i = 1..4"
potential = "0.5*k*(u[i]-u[i-1]-s[i])^2"
[[system.term]]
over = "i = 0..4"
potential = "0.5*kh*s[i]^2"
[[system.term]]
over = "i = 0..4"
dissipation = "Fy*sqrt(s'[i]^2 + 1e-8)"
[system.signals]
ag = { csv = "tests/certificate/record.csv", time = "Time (s)", value = "Acc (g)", scale = 9.81 }
[system.base]
acceleration = "ag"
direction = { "u" = 1 }
[initial]
position = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
)toml";
  const std::string storey = R"toml([system]
coordinates = ["u", "s"]
parameters = { k = 4e7, Fy = 2.5e5 }
mass = { u = 4e4, s = 1.0 }
potential = "0.5*k*(u - s)^2 + 1e6*s^2"
dissipation = "Fy*sqrt(s'^2 + 1e-8)"
force = { u = "3e5*sin(12*t)" }
[initial]
position = [0, 0]
)toml";
  for (const double h : {0.005, 0.002})
    add(slip, fmt::format("a storey that slips by two-step, h = {}", h), problem(storey, "two-step", h, std::lround(4 / h)));
  add(slip, "Coulomb slip by minimising-newmark, h = .005", problem(storeys, "minimising-newmark", 0.005, 1600));
  add(slip, "Coulomb slip by two-step, h = .01", problem(storeys, "two-step", 0.01, 1200));
  add(slip, "Coulomb slip by two-step, h = .005", problem(storeys, "two-step", 0.005, 2400));
}

}  // namespace certificate
