#include "callbacks.hpp"
#include "spoiled.hpp"
#include "systems.hpp"

// Potentials that are not what they say, and numbers that hide what happens: offsets, scales, few observations.
namespace certificate {

namespace {

const std::string library = fmt::format("[system]\nlibrary = \"{}\"\n", ACTIO_SUITE_POTENTIAL) + R"toml(
coordinates = ["x", "y"]
parameters = { c = 1.0, wrong = 0 }
mass = 1.0
[initial]
position = [1.2, 0.0]
velocity = [0.0, 0.2]
)toml";

}  // namespace

void add_spoiled_numbers(std::vector<Run>& runs) {
  const auto add = [&](const char* kind, std::string name, std::string text, std::vector<std::string> overrides = {},
                       unsigned right = seen, Step step = {}) {
    Run r{.kind = kind,
          .name = std::move(name),
          .problem = std::move(text),
          .overrides = std::move(overrides),
          .spoiled = true,
          .right = right};
    r.step = std::move(step);
    runs.push_back(std::move(r));
  };

  const char* lib = "a library that is wrong";
  const char* wrongs[] = {"",
                          "twice its gradient",
                          "half its gradient",
                          "another potential's gradient",
                          "no value",
                          "a force across for x > .5",
                          "a force across in a strip",
                          "no Hessian",
                          "a Hessian that is off",
                          "one sign of the gradient",
                          "a value that is a thousandth too large",
                          "a value of the time"};
  for (const char* method : {"verlet", "midpoint", "newmark"})
    for (int k = 1; k < 12; ++k) {
      const bool hessian = k == 7 || k == 8;
      if (hessian && std::string(method) == "verlet") continue;  // it asks for none
      add(lib, fmt::format("{}: {}", method, wrongs[k]), problem(library, method, 0.05, 400),
          {fmt::format("system.parameters.wrong={}", k)});
    }

  const char* code = "a code of one's own that is wrong";
  for (const char* method : {"verlet", "midpoint", "newmark"})
    for (const Wrong wrong : {Wrong::twice, Wrong::half, Wrong::sign, Wrong::curl, Wrong::tangent, Wrong::energy, Wrong::time}) {
      if (wrong == Wrong::tangent && std::string(method) == "verlet") continue;
      add(code, fmt::format("{}: {}", method, word(wrong)), problem(ring, method, 0.05, 400), {"symmetry=[]"});
      runs.back().edit = [wrong](io::Problem& p) { take_callbacks(p, wrong); };
    }

  const char* offset = "an offset that hides it";
  const auto damped = then([](const auto&, method::Snapshot& s, double, long) { s.p *= 0.999; });
  for (const double V : {1e8, 1e12, 1e14, 1e17})
    for (const char* method : {"verlet", "newmark", "energy-momentum"})
      add(offset, fmt::format("V + {:g}, {}: momenta fall by 1e-3 a step", V, method), problem(ring, method, 0.05, 400),
          {fmt::format("system.potential=\"c*(x^2 + y^2)*(x^2 + y^2 - 1)^2 + {:g}\"", V)}, seen, damped);
  for (const double V : {1e12, 1e14})
    add(offset, fmt::format("V + {:g}: energy-momentum", V), problem(ring, "energy-momentum", 0.05, 400),
        {fmt::format("system.potential=\"c*(x^2 + y^2)*(x^2 + y^2 - 1)^2 + {:g}\"", V)});
  for (const double V : {1e14, 1e17})
    add(offset, fmt::format("V + {:g}: verlet", V), problem(ring, "verlet", 0.05, 400),
        {fmt::format("system.potential=\"c*(x^2 + y^2)*(x^2 + y^2 - 1)^2 + {:g}\"", V)});
  for (const char* method : {"verlet", "midpoint", "newmark"})
    add(offset, fmt::format("an oscillator at x = 1e8, {}: momenta fall by 1e-3 a step", method),
        problem(
            "[system]\ncoordinates = [\"x\"]\nmass = 1\npotential = \"0.5*(x - 1e8)^2\"\n[initial]\nposition = [100000001.0]\n",
            method, 0.1, 400),
        {}, seen, damped);
  add(offset, "a run that starts at 1e17", problem(harmonic, "verlet", 0.1, 400), {"run.start=1e17"}, seen | refused);

  const char* symmetry = "a symmetry that is none";
  const std::string tilted = problem(ring, "verlet", 0.05, 400);
  for (const double f : {1.0, 1e-3, 1e-5})
    add(symmetry, fmt::format("a rotation, and a force of {:g} along x", f), tilted,
        {fmt::format("system.potential=\"c*(x^2 + y^2)*(x^2 + y^2 - 1)^2 + {:g}*x\"", f)});
  add(symmetry, "a shift of the chain, and a spring of 1e-3 to the wall", problem(chain, "verlet", 0.05, 400),
      {"system.term.0.potential=\"0.5*c*(x[i+1] - x[i] - 1)^2 + 0.5e-3*x[i]^2\""});
  add(symmetry, "a rotation with the wrong sign", tilted, {"symmetry.0.generator=[\"y\", \"x\"]"});

  const char* scale = "spoiled at another scale";
  for (const double m : {1e-30, 1e30})
    for (const double l : {1e-30, 1e30}) {
      const auto text = [&](const char* method) {
        return problem(
            fmt::format("[system]\ncoordinates = [\"x\", \"y\"]\nparameters = {{ m = {}, l = {}, c = 1.0 }}\nmass = "
                        "\"m\"\npotential = \"c*m*(x^2 + y^2)*((x^2 + y^2)/l^2 - 1)^2\"\n[[symmetry]]\nname = \"angular "
                        "momentum\"\ngenerator = [\"-y\", \"x\"]\n[initial]\nposition = [\"1.2*l\", 0]\nvelocity = [0, "
                        "\"0.2*l\"]\n",
                        m, l),
            method, 0.05, 400);
      };
      for (const char* method : {"verlet", "newmark", "energy-momentum"})
        add(scale, fmt::format("mass {:g}, length {:g}, {}: momenta fall by 1e-6 a step", m, l, method), text(method), {}, seen,
            then([](const auto&, method::Snapshot& s, double, long) { s.p *= 1 - 1e-6; }));
      Run r{.kind = scale,
            .name = fmt::format("mass {:g}, length {:g}, verlet: .9 of the force", m, l),
            .problem = text("verlet"),
            .spoiled = true,
            .right = seen};
      r.stepped_as = {"system.parameters.c=0.9"};
      runs.push_back(r);
    }

  const char* few = "seen few times";
  for (const long steps : {1L, 3L, 10L, 20L, 400L})
    for (const char* method : {"verlet", "energy-momentum"}) {
      add(few, fmt::format("{}, {} steps, the ends: momenta fall by 1e-4 a step", method, steps),
          problem(ring, method, 0.05, steps, steps), {}, seen,
          then([](const auto&, method::Snapshot& s, double, long) { s.p *= 1 - 1e-4; }));
      Run r{.kind = few,
            .name = fmt::format("{}, {} steps, the ends: .9 of the force", method, steps),
            .problem = problem(ring, method, 0.05, steps, steps),
            .spoiled = true,
            .right = seen};
      r.stepped_as = {"system.parameters.c=0.9"};
      runs.push_back(r);
    }
}

}  // namespace certificate
