#include "spoiled.hpp"
#include "systems.hpp"

// Steps of another method, or of another system, than the one that is certified.
namespace certificate {

void add_spoiled_systems(std::vector<Run>& runs) {
  const auto add = [&](const char* kind, const std::string& name, const std::string& text, std::vector<std::string> as) {
    Run r{.kind = kind, .name = name, .problem = text, .spoiled = true, .right = seen};
    r.stepped_as = std::move(as);
    runs.push_back(std::move(r));
  };
  struct Base {
    const char* name;
    std::string problem;
    double c;
  };
  const std::vector<Base> bases = {{"verlet on the ring", problem(ring, "verlet", 0.05, 400), 1},
                                   {"verlet on Kepler", problem(kepler, "verlet", 0.01, 1260), 1},
                                   {"newmark on the ring", problem(ring, "newmark", 0.05, 400), 1},
                                   {"midpoint on a pendulum", problem(pendulum, "midpoint", 0.02, 500), 9.81},
                                   {"variational on two angles", problem(angles, "variational", 0.02, 500), 1},
                                   {"verlet on a chain of 20", problem(chain, "verlet", 0.05, 400), 1},
                                   {"energy-momentum on the ring", problem(ring, "energy-momentum", 0.05, 400), 1},
                                   {"rattle on two rods", problem(rods, "rattle", 0.01, 500), 1},
                                   {"lie-group on a magnet", problem(magnet, "lie-group", 0.1, 200), 1},
                                   {"rattle on a heavy top", problem(heavy_top, "rattle", 2e-3, 400), 9.81}};
  for (const Base& b : bases)
    for (const double f : {0.9, 0.999, 1.0001, -1.0})
      add("another system: forces", fmt::format("{}: forces times {}", b.name, f), b.problem,
          {fmt::format("system.parameters.c={}", b.c * f)});
  for (const Base& b : bases)
    if (b.problem.find("m = 1.0") != std::string::npos)
      for (const double f : {1.1, 1.001})
        add("another system: masses", fmt::format("{}: masses times {}", b.name, f), b.problem,
            {fmt::format("system.parameters.m={}", f)});

  const auto on = [](const std::string& system, const char* method, const char* how = "") {
    return problem(system, method, 0.05, 400, 1, how);
  };
  const char* other = "another method";
  add(other, "symplectic-euler called verlet", on(ring, "verlet"), {"method.name=symplectic-euler"});
  add(other, "rk4 called verlet", on(ring, "verlet"), {"method.name=rk4"});
  add(other, "rk4 called midpoint", problem(pendulum, "midpoint", 0.05, 400), {"method.name=rk4"});
  add(other, "rk4 called mclachlan-atela", on(kepler, "mclachlan-atela"), {"method.name=rk4"});
  add(other, "newmark with gamma .51 called newmark", on(ring, "newmark"), {"method.gamma=0.51"});
  add(other, "newmark with gamma .5001 called newmark", on(ring, "newmark"), {"method.gamma=0.5001"});
  add(other, "newmark with gamma .5001 called newmark, linear", on(harmonic, "newmark"), {"method.gamma=0.5001"});
  add(other, "newmark with one iteration called newmark", on(ring, "newmark"), {"method.iterations=1"});
  add(other, "hht of .9 called newmark", on(ring, "newmark"), {"method.name=hht", "method.rho=0.9"});
  add(other, "generalized-alpha of .99 called of 1", on(ring, "generalized-alpha", "rho = 1"), {"method.rho=0.99"});
  add(other, "generalized-alpha of .99 called of 1, linear", on(harmonic, "generalized-alpha", "rho = 1"), {"method.rho=0.99"});
  add(other, "wbz of .9 called of 1", on(ring, "wbz", "rho = 1"), {"method.rho=0.9"});
  add(other, "wilson of 1.4 called of 1", on(ring, "wilson", "theta = 1"), {"method.theta=1.4"});
  add(other, "zhang-skeel-simplified called zhang-skeel", problem(ring, "zhang-skeel", 0.2, 400),
      {"method.name=zhang-skeel-simplified"});
  add(other, "verlet called energy-momentum", on(ring, "energy-momentum"), {"method.name=verlet"});
  add(other, "midpoint called energy-momentum", on(ring, "energy-momentum"), {"method.name=midpoint"});
  // Of order 2, reversible, with the energy kept and the momentum: only the form is lost.
  for (const char* method : {"midpoint", "verlet", "variational", "generalized-alpha"})
    for (const auto& [name, system, h] : {std::tuple{"the ring", &ring, 0.2}, {"Henon-Heiles", &henon_heiles, 0.2}})
      add(other, fmt::format("energy-momentum called {}, on {}", method, name),
          problem(*system, method, h, 400, 1, std::string(method) == "generalized-alpha" ? "rho = 1" : ""),
          {"method.name=energy-momentum"});
  add(other, "verlet called mclachlan-atela of order 4", on(kepler, "mclachlan-atela"), {"method.name=verlet"});
  add(other, "takahashi-imada called mclachlan-atela of order 4", on(kepler, "mclachlan-atela"), {"method.name=takahashi-imada"});
  add(other, "mclachlan-atela of order 3 called 4", on(henon_heiles, "mclachlan-atela"), {"method.order=3"});
  add(other, "order 4 called order 8", on(henon_heiles, "verlet", "compose = { order = 8, scheme = \"kahan-li\" }"),
      {"method.compose.order=4", "method.compose.scheme=yoshida"});
  add(other, "variational with alpha .4 called symmetric", problem(angles, "variational", 0.02, 500, 1, "alpha = 0.4"),
      {"method.symmetric=false"});
  add(other, "variational with alpha .499 called .5",
      problem(angles, "variational", 0.02, 500, 1, "alpha = 0.5\nsymmetric = false"), {"method.alpha=0.499"});
  add(other, "lie-group with alpha .4 called .5", problem(magnet, "lie-group", 0.1, 200), {"method.alpha=0.4"});
  add(other, "minimising-newmark with gamma .51", on(ring, "minimising-newmark"), {"method.gamma=0.51"});

  const char* more = "another system: a force beside";
  const std::string walk = on(ring, "verlet"), wave = on(ring, "newmark"), kept_energy = on(ring, "energy-momentum");
  for (const auto& [name, text] : {std::pair{"verlet", walk}, {"newmark", wave}, {"energy-momentum", kept_energy}}) {
    add(more, fmt::format("{}: a wind of 1e-4", name), text, {"system.force.x=\"1e-4\""});
    add(more, fmt::format("{}: a wind of 1e-4 sin(t)", name), text, {"system.force.x=\"1e-4*sin(t)\""});
    add(more, fmt::format("{}: a force -1e-4 y, x across", name), text,
        {"system.force.x=\"-1e-4*y\"", "system.force.y=\"1e-4*x\""});
  }
  for (const auto& [name, text] : {std::pair{"newmark", wave}, {"energy-momentum", kept_energy}})
    for (const double d : {1e-3, 1e-5})
      add(more, fmt::format("{}: friction of {}", name, d), text, {fmt::format("system.dissipation=\"{}*(x'^2 + y'^2)\"", d)});
  for (const char* method : {"newmark", "midpoint", "variational", "energy-momentum"}) {
    Run r{.kind = "another system: friction",
          .name = fmt::format("{}: half the friction", method),
          .problem = problem(ring, method, 0.05, 400),
          .spoiled = true,
          .right = seen};
    r.overrides = {"system.dissipation=\"0.01*(x'^2 + y'^2)\""};
    r.stepped_as = {"system.dissipation=\"0.005*(x'^2 + y'^2)\""};
    runs.push_back(r);
    r.name = fmt::format("{}: friction that drives", method);
    r.stepped_as = {"system.dissipation=\"-0.01*(x'^2 + y'^2)\""};
    runs.push_back(r);
  }
}

}  // namespace certificate
