#include "callbacks.hpp"
#include "suite.hpp"
#include "systems.hpp"

// Every kind of system that problem files have.
namespace certificate {

namespace {

// Five rods of 1 m and 1 kg along the edges of a cube, six hinges with the ground's: one of their equations follows from the
// others (IFToMM A04).
std::string bricard() {
  std::string text = R"toml([system]
redundant = "least-squares"
bodies = [{ name = "rod[5]", mass = 1, inertia = [1e-4, 0.0833333333333333, 0.0833333333333333] }]
[[system.term]]
over = "k = 0..4"
potential = "9.81*rod[k].y"
)toml";
  struct Point {
    double x, y, z;
  };
  const Point P[6] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Point axes[6] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  // A rod keeps the axes of space at the start: its ends are at half its edge.
  std::string initial;
  const auto end_of = [&](int rod, int joint) {
    if (rod < 0 || rod > 4) return fmt::format("ground.point({}, {}, {})", P[joint].x, P[joint].y, P[joint].z);
    const Point &a = P[rod], &b = P[rod + 1];
    const double s = joint == rod ? -0.5 : 0.5;
    return fmt::format("rod[{}].point({}, {}, {})", rod, s * (b.x - a.x), s * (b.y - a.y), s * (b.z - a.z));
  };
  const auto axis_of = [&](int rod, int joint) {
    return fmt::format("{}.axis({}, {}, {})", rod < 0 || rod > 4 ? std::string("ground") : fmt::format("rod[{}]", rod),
                       axes[joint].x, axes[joint].y, axes[joint].z);
  };
  for (int j = 0; j < 6; ++j)
    text += fmt::format("[[system.joint]]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\naxes = [\"{}\", \"{}\"]\n",
                        end_of(j == 5 ? 4 : j, j), end_of(j - 1 < 0 || j == 5 ? -1 : j - 1, j), axis_of(j == 5 ? 4 : j, j),
                        axis_of(j - 1 < 0 || j == 5 ? -1 : j - 1, j));
  for (int k = 0; k < 5; ++k)
    text += fmt::format("[initial.bodies.\"rod[{}]\"]\nposition = [{}, {}, {}]\n", k, (P[k].x + P[k + 1].x) / 2,
                        (P[k].y + P[k + 1].y) / 2, (P[k].z + P[k + 1].z) / 2);
  // Slender along its own edge.
  return text;
}

}  // namespace

void add_sound_systems(std::vector<Run>& runs) {
  const auto add = [&](const char* kind, std::string name, std::string text, std::vector<std::string> overrides = {},
                       unsigned right = kept, bool long_run = false) {
    runs.push_back({.kind = kind,
                    .name = std::move(name),
                    .problem = std::move(text),
                    .overrides = std::move(overrides),
                    .right = right,
                    .long_run = long_run});
  };
  const char* examples = "examples";
  const auto example = [&](const char* name, std::vector<std::string> overrides = {}, bool long_run = false) {
    std::string title(name);
    for (const auto& o : overrides) title += " " + o;
    add(examples, title, fmt::format("examples/{}.toml", name), overrides, kept, long_run);
  };
  example("car-axis", {"run.end=1"});
  example("chain", {"system.parameters.N=100", "run.end=10"});
  example("damped-oscillator", {"run.end=40"});
  example("damped-oscillator", {"run.end=40", "method.name=midpoint"});
  example("damped-oscillator", {"run.end=40", "method.name=variational"});
  example("damped-oscillator", {"run.end=40", "method.name=energy-momentum"});
  example("dna", {"system.parameters.N=40", "run.end=100"});
  example("dna", {"system.parameters.N=40", "run.end=100", "method.name=zhang-skeel"});
  example("dna", {"system.parameters.N=40", "run.end=100", "method.name=zhang-skeel-stiff"});
  example("double-pendulum", {"run.end=10"});
  example("double-pendulum", {"system.constraint_method=penalty", "system.omega=20", "method.name=midpoint", "run.end=10"});
  example("figure-eight");
  example("forced-pendulum", {"run.end=40"});
  example("fpu", {"run.end=10", "run.every=50"});
  example("fpu", {"run.end=10", "run.step=0.02", "run.every=5", "method.name=zhang-skeel"});
  example("fpu", {"run.end=10", "run.step=0.02", "run.every=5", "method.name=midpoint"});
  example("frame", {"run.end=5"});
  example("frame", {"run.end=5", "method.name=midpoint"});
  example("heavy-top", {"run.end=0.3"});
  example("henon-heiles", {"run.end=20"});
  example("implicit-oscillator", {}, false);
  runs.back().right = no_claims | kept;
  example("kepler", {"run.end=15"});
  example("oscillator");
  example("pendulum", {"run.end=3"});
  example("pleiades", {"run.end=1"});
  example("cantilever", {"run.end=0.05"}, true);
  example("shaken-cantilever", {"run.end=0.05"}, true);
  runs.back().right = no_claims;

  // Free, turning and deformed.
  const char* solids = "solids";
  for (const char* mesh : {"hex8_41_text", "tet10_41_text"})
    for (const char* method : {"newmark", "midpoint", "verlet", "energy-momentum"})
      add(solids, fmt::format("{}: a free block that turns, {}", method, mesh),
          fmt::format("[system.solid]\nmesh = \"tests/data/meshes/{}.msh\"\nmomentum = [\"linear\", "
                      "\"angular\"]\n[[system.solid.material]]\nmodel = \"neo-hookean\"\nE = 1000.0\nnu = 0.3\ndensity = "
                      "10.0\n[initial.solid]\nangular_velocity = [0, 0.1, 2]\nvelocity = [0.1, 0, 0]\n[method]\nname = "
                      "\"{}\"\n[run]\nstep "
                      "= 0.002\nsteps = 100\n",
                      mesh, method),
          std::string(method) == "verlet" ? std::vector<std::string>{"system.solid.mass=lumped"} : std::vector<std::string>{});

  const char* papers = "papers";
  const auto paper = [&](const char* name, std::vector<std::string> overrides = {}, unsigned right = kept) {
    std::string title(name);
    for (const auto& o : overrides) title += " " + o;
    add(papers, title, fmt::format("papers/{}.toml", name), overrides, right);
  };
  paper("karow/bathe");
  paper("karow/sdof");
  paper("karow/equation", {}, no_claims | kept);
  paper("karow/implicit", {}, no_claims | kept);
  paper("kmow/curved");
  paper("kmow/forced");
  paper("kmow/friction");
  paper("kmow/linear");
  paper("kmow/oscillator");
  paper("kmow/rough", {}, no_claims);
  paper("to/angles", {"run.end=2"});
  paper("to/chain", {"run.end=10"});
  paper("to/pendulum", {"run.end=20"});
  paper("to-so3/magnet", {"run.end=10"});
  paper("wm/pendulum", {"run.end=10"});
  paper("wm/rigid-body", {"run.end=5"});

  const char* driven = "driven and forced";
  for (const char* method : {"newmark", "midpoint", "verlet", "variational", "energy-momentum", "central-difference"}) {
    add(driven, fmt::format("{}: V of the time", method), problem(ring, method, 0.05, 400),
        {"system.potential=\"c*(1 + 0.2*cos(3*t))*(x^2 + y^2)*(x^2 + y^2 - 1)^2\""});
    add(driven, fmt::format("{}: a force of the time", method), problem(ring, method, 0.05, 400),
        {"system.force.x=\"0.1*sin(t)\""});
  }
  for (const char* method : {"newmark", "midpoint", "variational", "energy-momentum"})
    add(driven, fmt::format("{}: friction", method), problem(ring, method, 0.05, 400),
        {"system.dissipation=\"0.01*(x'^2 + y'^2)\""});

  // A crank that is turned, a rod and a slider: 25 coordinates, 25 constraints, and nothing is left to move freely.
  const std::string crank = R"toml([system]
coordinates = ["s"]
parameters = { w = 3.0 }
mass = 1
bodies = [{ name = "crank", mass = 1, inertia = [0.01, 0.02, 0.02] }, { name = "rod", mass = 2, inertia = [0.01, 0.2, 0.2] }]
potential = "9.81*(crank.y + 2*rod.y)"
constraints = ["crank.R21*cos(w*t) - crank.R11*sin(w*t)", "rod.point(0.5, 0, 0).x - s", "rod.point(0.5, 0, 0).y"]
[[system.joint]]
type = "revolute"
between = ["crank.point(-0.1, 0, 0)", "ground.point(0, 0, 0)"]
axes = ["crank.axis(0, 0, 1)", "ground.axis(0, 0, 1)"]
[[system.joint]]
type = "revolute"
between = ["rod.point(-0.5, 0, 0)", "crank.point(0.1, 0, 0)"]
axes = ["rod.axis(0, 0, 1)", "crank.axis(0, 0, 1)"]
[initial]
project = true
position = { s = 1.2 }
velocity = { s = 0 }
[initial.bodies.crank]
position = [0.1, 0, 0]
velocity = [0, 0.3, 0]
angular_velocity = [0, 0, 3]
[initial.bodies.rod]
position = [0.7, 0, 0]
velocity = [0, 0.3, 0]
angular_velocity = [0, 0, -0.6]
)toml";
  for (const char* method : {"rattle", "shake", "midpoint", "lie-group"})
    add(driven, fmt::format("{}: a crank that is turned, nothing is free", method), problem(crank, method, 0.005, 400), {},
        kept | no_claims);

  const char* own = "a code or a library of one's own";
  for (const char* method : {"verlet", "midpoint", "newmark", "variational", "zhang-skeel-simplified"}) {
    for (const Wrong wrong : {Wrong::nothing, Wrong::no_energy}) {
      add(own, fmt::format("{}: a code, {}", method, word(wrong)), problem(ring, method, 0.05, 400), {"symmetry=[]"},
          wrong == Wrong::nothing ? kept : kept | unresolved);
      runs.back().edit = [wrong](io::Problem& p) { take_callbacks(p, wrong); };
    }
    add(own, fmt::format("{}: a library", method),
        problem(
            fmt::format("[system]\nlibrary = \"{}\"\ncoordinates = [\"x\", \"y\"]\nparameters = {{ c = 1.0, wrong = 0 }}\nmass = "
                        "1.0\n[[symmetry]]\nname = \"angular momentum\"\ngenerator = [\"-y\", \"x\"]\n[initial]\nposition = "
                        "[1.2, 0.0]\nvelocity = [0.0, 0.2]\n",
                        ACTIO_SUITE_POTENTIAL),
            method, 0.05, 400));
  }

  const char* bodies = "bodies";
  for (const char* method : {"lie-group", "rattle", "midpoint", "energy-momentum"})
    for (const double end : {0.2, 2.0})
      add(bodies, fmt::format("Bricard's linkage, {}, {} s", method, end),
          problem(bricard(), method, 0.005, std::lround(end / 0.005)));
  // Far from its hanger a chain moves much faster than its neighbours turn against one another.
  for (const int links : {10, 60})
    add(bodies, fmt::format("a chain of {} links, lie-group", links), problem(hanging_chain(links), "lie-group", 1e-3, 200));
}

}  // namespace certificate
