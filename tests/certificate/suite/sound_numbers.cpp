#include <algorithm>

#include "suite.hpp"
#include "systems.hpp"

// The same physics in other units, few and many steps, stiff and soft, light and heavy.
namespace certificate {

void add_sound_numbers(std::vector<Run>& runs) {
  const auto add = [&](const char* kind, std::string name, std::string text, std::vector<std::string> overrides = {},
                       unsigned right = kept, bool long_run = false) {
    runs.push_back({.kind = kind,
                    .name = std::move(name),
                    .problem = std::move(text),
                    .overrides = std::move(overrides),
                    .right = right,
                    .long_run = long_run});
  };

  const char* scales = "scales";
  struct Scale {
    double m, l, T;
  };
  std::vector<Scale> all;
  for (const double m : {1e-30, 1.0, 1e30})
    for (const double l : {1e-30, 1.0, 1e30})
      for (const double T : {1e-30, 1.0, 1e30})
        if (m != 1 || l != 1 || T != 1) all.push_back({m, l, T});
  const char* methods[] = {"verlet", "midpoint", "newmark", "variational", "zhang-skeel", "energy-momentum", "generalized-alpha"};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Scale& s = all[k];
    for (const std::size_t which : {k % 7, (k + 3) % 7}) {
      const std::string method = methods[which];
      add(scales, fmt::format("mass {:g}, length {:g}, time {:g}: {}", s.m, s.l, s.T, method),
          fmt::format(
              "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = {{ m = {}, l = {}, T = {} }}\nmass = \"m\"\npotential = "
              "\"m/T^2*(x^2 + y^2)*((x^2 + y^2)/l^2 - 1)^2\"\n[[symmetry]]\nname = \"angular momentum\"\ngenerator = [\"-y\", "
              "\"x\"]\n[initial]\nposition = [\"1.2*l\", 0]\nvelocity = [0, \"0.2*l/T\"]\n[method]\nname = \"{}\"\n{}\n[run]\n"
              "step = \"0.05*T\"\nsteps = 400\n",
              s.m, s.l, s.T, method, method == "generalized-alpha" ? "rho = 1" : ""));
    }
  }

  for (std::size_t k = 0; k < all.size(); k += 2) {
    const Scale& s = all[k];
    const std::string numbers = fmt::format("parameters = {{ m = {}, l = {}, T = {} }}\n", s.m, s.l, s.T),
                      named = fmt::format("mass {:g}, length {:g}, time {:g}", s.m, s.l, s.T);
    const auto steps = [](const char* method, double h, long count, const char* how = "") {
      return fmt::format("[method]\nname = \"{}\"\n{}\n[run]\nstep = \"{}*T\"\nsteps = {}\n", method, how, h, count);
    };
    const char* rattles[] = {"rattle", "midpoint", "energy-momentum", "shake"};
    add(scales, fmt::format("{}: two rods, {}", named, rattles[k / 2 % 4]),
        "[system]\n" + numbers + R"toml(coordinates = ["x1", "y1", "x2", "y2"]
mass = "m"
potential = "m*l/T^2*(y1 + y2)"
constraints = ["(x1^2 + y1^2)/l^2 - 1", "((x2 - x1)^2 + (y2 - y1)^2)/l^2 - 2"]
[initial]
position = [0, "-l", "l", "-2*l"]
)toml" + steps(rattles[k / 2 % 4], 0.01, 300));
    const char* turns[] = {"lie-group", "rattle", "energy-momentum"};
    const double length = s.l < 1 ? 1e-6 : s.l > 1 ? 1e6 : 1;  // beside rotations, which have a unit of their own
    add(scales, fmt::format("mass {:g}, length {:g}, time {:g}: a heavy top, {}", s.m, length, s.T, turns[k / 2 % 3]),
        fmt::format("[system]\nparameters = {{ m = {}, l = {}, T = {} }}\n", s.m, length, s.T) +
            R"toml(bodies = [{ name = "top", mass = "m", inertia = ["0.2*m*l^2", "0.2*m*l^2", "0.08*m*l^2"] }]
potential = "m*l/T^2*top.z"
[[system.joint]]
type = "spherical"
between = ["top.point(0, 0, -l)", "ground.point(0, 0, 0)"]
[[symmetry]]
name = "about the vertical"
rotation = [0, 0, 1]
[initial.bodies.top]
orientation = { axis = [1, 0, 0], angle = 0.3 }
position = [0, "-l*sin(0.3)", "l*cos(0.3)"]
angular_velocity = [0, 0, "20/T"]
)toml" + steps(turns[k / 2 % 3], 5e-3, 200),
        {}, kept);
    add(scales, fmt::format("{}: a damped frame under a load, newmark", named),
        "[system]\n" + numbers + R"toml(coordinates = ["u[2]"]
mass = "m"
[[system.term]]
over = "i = 0..0"
potential = "0.5*m/T^2*(u[0]^2 + 4*(u[1] - u[0])^2)"
[[system.term]]
over = "i = 0..1"
dissipation = "0.05*m/T*u'[i]^2"
[system.force]
"u[1]" = "0.3*m*l/T^2*sin(2*t/T)"
[initial]
position = [0, 0]
)toml" + steps("newmark", 0.05, 400));
  }
  // Coordinates of different units beside one another.
  for (const char* method : {"verlet", "midpoint", "newmark", "variational", "energy-momentum", "zhang-skeel"})
    for (const double l : {1e-9, 1e9})
      add(scales, fmt::format("{}: one coordinate in units of {:g} of the other", method, l),
          problem(fmt::format(
                      "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = {{ l = {} }}\nmass = [1.0, \"1/l^2\"]\npotential = "
                      "\"(x^2 + (y/l)^2)*(x^2 + (y/l)^2 - 1)^2\"\n[[symmetry]]\nname = \"angular momentum\"\ngenerator = "
                      "[\"-y/l\", \"x*l\"]\n[initial]\nposition = [1.2, 0]\nvelocity = [0, \"0.2*l\"]\n",
                      l),
                  method, 0.05, 400));

  const char* stiff = "stiff and linear";
  for (const double h : {0.1, 1.0, 10.0})
    add(stiff, fmt::format("newmark, stiffness 1e6, h = {}", h), problem(harmonic, "newmark", h, 400),
        {"system.parameters.k=1e6"});
  for (const char* method : {"midpoint", "generalized-alpha", "hht", "energy-momentum", "variational"})
    add(stiff, fmt::format("{}, stiffness 1e6, h = 10", method),
        problem(harmonic, method, 10, 400, 1,
                std::string(method) == "generalized-alpha" || std::string(method) == "hht" ? "rho = 1" : ""),
        {"system.parameters.k=1e6"});
  const std::string storeys =
      "[system]\ncoordinates = [\"u[3]\"]\nmass = [3e4, 3e4, 2e4]\nstiffness = [[6e7, -3e7, 0], [-3e7, 5e7, "
      "-2e7], [0, -2e7, 2e7]]\n[initial]\nposition = [0.01, 0.02, 0.03]\n";
  for (const double h : {0.01, 1.0, 30.0, 200.0})
    add(stiff, fmt::format("newmark, a frame of three storeys, h = {}", h), problem(storeys, "newmark", h, 400));
  for (const char* method : {"newmark", "midpoint", "verlet", "energy-momentum"})
    for (const auto& [h, steps] : {std::pair{1e-4, 100L}, {1e-3, 20L}, {1.0, 100L}})
      if (h < 5e-4 || std::string(method) != "verlet")
        add(stiff, fmt::format("{} on -1e6 x^2, h = {}", method, h), problem(harmonic, method, h, steps),
            {"system.parameters.k=-2e6"});
  for (const char* method : {"newmark", "midpoint", "energy-momentum"})
    for (const double h : {0.01, 1.0})
      add(stiff, fmt::format("{}: 24000 times the same spring, h = {}", method, h),
          problem("[system]\ncoordinates = [\"x[1]\"]\nmass = 1\n[[system.term]]\nover = \"i = 0..23999\"\npotential = "
                  "\"0.5*x[0]^2\"\n[initial]\nposition = [1]\n",
                  method, h, 50, 5));
  for (const char* method : {"newmark", "midpoint", "energy-momentum"})
    add(stiff, fmt::format("{}: a sum of 24000 quadratic terms", method),
        problem("[system]\ncoordinates = [\"x\", \"y\"]\nmass = 1\n[[system.term]]\nover = \"i = 0..23999\"\npotential = "
                "\"1e-4*(x*cos(0.1*i) + y*sin(0.1*i) - 1)^2\"\n[initial]\nposition = [1, 0.3]\nvelocity = [0.2, 0.1]\n",
                method, 0.1, 100));
  for (const char* method : {"newmark", "midpoint", "energy-momentum"})
    add(stiff, fmt::format("{}: a sum of 24000 quadratic terms about a place far away", method),
        problem("[system]\ncoordinates = [\"x\", \"y\"]\nmass = 1\n[[system.term]]\nover = \"i = 0..23999\"\npotential = "
                "\"1e-4*(x - 0.01*i)^2 + 1e-4*(y + 0.01*i)^2\"\n[initial]\nposition = [120, -120]\nvelocity = [0.2, 0.1]\n",
                method, 0.1, 100));
  for (const char* method : {"variational", "midpoint"})
    add(stiff, fmt::format("{}: indefinite kinetic energy with E = 0 and p v = 0", method),
        problem("[system]\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"0.5*(x'^2 - 3*y'^2) - 0.5*(x^2 - 3*y^2)\"\n[initial]\n"
                "position = [1, \"1/sqrt(3)\"]\nvelocity = [0.3, \"0.3/sqrt(3)\"]\n",
                method, 0.1, 400));
  for (const char* method : {"variational", "midpoint"})
    add(stiff, fmt::format("{}: indefinite kinetic energy, two alike", method),
        problem(
            "[system]\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"0.5*(x'^2 - y'^2) - 0.5*(x^2 - y^2)\"\n[initial]\nposition = "
            "[1, 1]\nvelocity = [0.3, 0.3]\n",
            method, 0.1, 400));
  // What grows makes its round-off grow with it: it may be too much to tell, but it is nobody's fault.
  for (const char* method : {"variational", "midpoint"})
    add(stiff, fmt::format("{}: indefinite kinetic energy, growing", method),
        problem(
            "[system]\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"0.5*(x'^2 - y'^2) + 0.5*(x^2 - y^2)\"\n[initial]\nposition = "
            "[0.6, 0.8]\nvelocity = [0.8, 0.6]\n",
            method, 0.1, 400),
        {}, kept | unresolved);
  for (const char* method : {"verlet", "midpoint", "newmark", "energy-momentum", "symplectic-euler"})
    add(stiff, fmt::format("{}: x'' = x for 20 s", method), problem(harmonic, method, 0.05, 400), {"system.parameters.k=-1"},
        kept | unresolved);
  for (const char* method : {"variational", "midpoint"})
    add(stiff, fmt::format("{}: indefinite kinetic energy with E = 0", method),
        problem(
            "[system]\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"0.5*(x'^2 - y'^2) - 0.5*(x^2 - y^2)\"\n[initial]\nposition = "
            "[1, 0]\nvelocity = [0, 1]\n",
            method, 0.1, 400));

  const char* light = "light beside heavy";
  for (const char* method : {"verlet", "midpoint", "newmark", "zhang-skeel"})
    add(light, fmt::format("{}: thirteen oscillators, one of mass 1e-9", method),
        problem("[system]\ncoordinates = [\"x[13]\"]\nparameters = { w = 1 }\nmass = { x = \"where(i < 12, 1, 1e-9)\" "
                "}\n[[system.term]]\n"
                "over = \"i = 0..11\"\npotential = \"0.25*x[i]^4 + 0.5*x[i]^2\"\n[[system.term]]\npotential = "
                "\"1e-9*(0.25*x[12]^4 + 0.5*x[12]^2)\"\n[initial.position]\nx = \"1 + 0.1*i\"\n",
                method, 0.1, 400));
  // Sun with the inner planets, Jupiter, Saturn, Uranus, Neptune, Pluto: AU, days, solar masses (Hairer, Lubich, Wanner I.2.4).
  const std::string planets = R"toml([system]
coordinates = ["x[6]", "y[6]", "z[6]"]
parameters = { G = 2.95912208286e-4 }
tables = { m = [1.00000597682, 0.000954786104043, 0.000285583733151, 0.0000437273164546, 0.0000517759138449, 7.692307692307693e-9] }
mass = { x = "m[i]", y = "m[i]", z = "m[i]" }
[[system.term]]
over = "i = 0..5, j = i+1..5"
potential = "-G*m[i]*m[j]/sqrt((x[i]-x[j])^2 + (y[i]-y[j])^2 + (z[i]-z[j])^2)"
[[symmetry]]
name = "angular momentum z"
rotation = [0, 0, 1]
triples = [["x", "y", "z"]]
[initial.position]
x = [0, -3.5023653, 9.0755314, 8.3101420, 11.4707666, -15.5387357]
y = [0, -3.8169847, -3.0458353, -16.2901086, -25.7294829, -25.2225594]
z = [0, -1.5507963, -1.6483708, -7.2521278, -10.8169456, -3.1902382]
[initial.velocity]
x = [0, 0.00565429, 0.00168318, 0.00354178, 0.00288930, 0.00276725]
y = [0, -0.00412490, 0.00483525, 0.00137102, 0.00114527, -0.00170702]
z = [0, -0.00190589, 0.00192462, 0.00055029, 0.00039677, -0.00136504]
)toml";
  for (const char* method : {"verlet", "symplectic-euler", "midpoint", "mclachlan-atela", "newmark", "energy-momentum"})
    add(light, fmt::format("the outer solar system, {}", method), problem(planets, method, 50, 400));
  add(light, "the outer solar system, verlet, 200000 days", problem(planets, "verlet", 100, 2000, 10));

  const char* length = "short and long";
  for (const long steps : {1L, 3L, 10L, 20L})
    for (const char* method : {"verlet", "newmark", "midpoint", "energy-momentum"})
      add(length, fmt::format("{}, {} steps", method, steps), problem(ring, method, 0.05, steps));
  // The same systems at other steps and for other times: the states at which a step is measured are others each time.
  struct System {
    const char* name;
    const std::string& text;
    double h;
    bool separable;
  };
  for (const System& system : {System{"the ring", ring, 0.2, true},
                               {"Kepler", kepler, 0.02, true},
                               {"Henon-Heiles", henon_heiles, 0.2, true},
                               {"a pendulum", pendulum, 0.05, false},
                               {"two angles", angles, 0.1, false},
                               {"a full mass", full_mass, 0.1, true},
                               {"a chain", chain, 0.1, true}})
    for (const char* method : {"verlet", "newmark", "midpoint", "variational"})
      for (const auto& [part, steps] : {std::pair{1.0, 1000L}, {0.5, 333L}, {0.1, 3000L}}) {
        if (!system.separable && (std::string(method) == "verlet" || std::string(method) == "newmark")) continue;
        add(length, fmt::format("{} on {}, {} steps of {:g}", method, system.name, steps, part * system.h),
            problem(system.text, method, part * system.h, steps, steps > 1000 ? 10 : 1));
      }
  for (const char* method : {"verlet", "newmark", "midpoint"})
    for (const long steps : {17L, 31L, 126L})
      add(length, fmt::format("{}: an oscillator, {} steps of .05", method, steps), problem(harmonic, method, 0.05, steps));
  // An oscillation slower than the run is not told from a drift, and is called neither.
  for (const char* word : {"drifts", "lost for good"})
    for (const char* method : {"verlet", "symplectic-euler", "variational"}) {
      add(length, fmt::format("{}: a quarter of a period, {}", method, word),
          problem(harmonic, method, 0.02, 78, 1, std::string(method) == "variational" ? "alpha = 0.2" : ""));
      runs.back().unsaid = word;
    }
  for (const long every : {7L, 100L, 400L})
    add(length, fmt::format("verlet, observed every {}", every), problem(ring, "verlet", 0.05, 400, every));
  add(length, "verlet, 100000 steps", problem(ring, "verlet", 0.05, 100000, 100));
  add(length, "midpoint, 20000 steps", problem(pendulum, "midpoint", 0.02, 20000, 10));
  add(length, "newmark, a chain at a long step", problem(chain, "newmark", 0.5, 400));
  add(length, "verlet, h omega = 0.8", problem(harmonic, "verlet", 0.8, 400));
  add(length, "steps that differ, verlet", problem(ring, "verlet", 0.05, 400), {"run.step=[0.05, 0.03, 0.06]"});
  add(length, "steps that differ, midpoint", problem(pendulum, "midpoint", 0.05, 400), {"run.step=\"0.02*(1 + 0.5*sin(t))\""});
  // What x = 1e8 rounds is seen in the energy: it may be too much to tell.
  for (const char* method : {"verlet", "midpoint", "newmark"})
    add(length, fmt::format("an oscillator at x = 1e8, {}", method),
        problem(
            "[system]\ncoordinates = [\"x\"]\nmass = 1\npotential = \"0.5*(x - 1e8)^2\"\n[initial]\nposition = [100000001.0]\n",
            method, 0.1, 400),
        {}, kept | unresolved);
  add(length, "at rest, verlet", problem(chain, "verlet", 0.05, 400),
      {"initial.position={ x = \"i\" }", "initial.velocity={ x = 0 }"});
}

}  // namespace certificate
