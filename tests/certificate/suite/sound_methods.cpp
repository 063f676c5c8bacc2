#include "suite.hpp"
#include "systems.hpp"

// Every method on systems it takes.
namespace certificate {

namespace {

struct Method {
  const char *name, *how = "";
  bool claims = true;  // something, of a system on which no forces act
};

const std::vector<Method>& methods() {
  static const std::vector<Method> list = {{"newmark"},
                                           {"newmark", "beta = 0"},
                                           {"newmark", "beta = 0.4"},
                                           {"newmark", "beta = 0.08333333333333333"},
                                           {"newmark", "beta = 0.3025\ngamma = 0.6", false},
                                           {"newmark", "iterations = 1", false},
                                           {"generalized-alpha", "", false},
                                           {"generalized-alpha", "rho = 1"},
                                           {"hht", "", false},
                                           {"hht", "rho = 1"},
                                           {"wbz", "", false},
                                           {"wbz", "rho = 1"},
                                           {"wilson", "", false},
                                           {"wilson", "theta = 1"},
                                           {"central-difference"},
                                           {"verlet"},
                                           {"verlet", "form = \"position\""},
                                           {"symplectic-euler"},
                                           {"variational", "alpha = 0.2"},
                                           {"variational", "alpha = 0.3\nsymmetric = false"},
                                           {"variational"},
                                           {"midpoint"},
                                           {"rk4", "", false},
                                           {"cvode-adams", "", false},
                                           {"takahashi-imada", ""},
                                           {"mclachlan-atela", "order = 2"},
                                           {"mclachlan-atela", "order = 3"},
                                           {"mclachlan-atela", "order = 4"},
                                           {"mclachlan-atela", "order = 5"},
                                           {"minimising-newmark"},
                                           {"minimising-newmark", "beta = 0"},
                                           {"two-step"},
                                           {"two-step", "alpha = 0.3\nsymmetric = false"},
                                           {"zhang-skeel"},
                                           {"zhang-skeel-simplified"},
                                           {"zhang-skeel-stiff"},
                                           {"push-forward-newmark"},
                                           {"energy-momentum"},
                                           {"energy-momentum", "equivariant = false"}};
  return list;
}

}  // namespace

void add_sound_methods(std::vector<Run>& runs) {
  struct Base {
    const char* name;
    const std::string& system;
    double h;
    long steps;
    bool separable;
  };
  const std::vector<Base> bases = {{"the ring", ring, 0.05, 400, true},
                                   {"Henon-Heiles", henon_heiles, 0.1, 400, true},
                                   {"a full mass", full_mass, 0.05, 400, true},
                                   {"a linear oscillator", harmonic, 0.1, 400, true},
                                   {"a pendulum by its Lagrangian", pendulum, 0.02, 400, false},
                                   {"two angles", angles, 0.02, 400, false},
                                   {"a charge in a magnetic field", charge, 0.05, 400, false}};
  for (const Base& b : bases)
    for (const Method& m : methods()) {
      Run r{.kind = b.separable ? "every method" : "every method, any Lagrangian"};
      r.name = fmt::format("{} {}on {}", m.name, *m.how ? std::string("(") + m.how + ") " : "", b.name);
      std::replace(r.name.begin(), r.name.end(), '\n', ' ');
      r.problem = problem(b.system, m.name, b.h, b.steps, 1, m.how);
      r.right = m.claims ? kept : no_claims;
      const std::string method(m.name);
      if (!b.separable && io::load_method(method).traits().separable) continue;
      if (method == "zhang-skeel-stiff") r.overrides = {"system.term=[{ potential = \"0.5*x^2\", stiff = true }]"};
      if ((method == "zhang-skeel-simplified" || method == "zhang-skeel-stiff")) r.right = kept;  // they are reversible
      if (std::string(m.how) == "iterations = 1" && &b.system == &harmonic) r.right = kept;       // one is enough
      runs.push_back(std::move(r));
    }

  for (const char* scheme : {"yoshida", "suzuki", "kahan-li"})
    for (const int order : {4, 6, 8})
      for (const char* method : {"verlet", "midpoint"})
        runs.push_back({.kind = "composed",
                        .name = fmt::format("{} of order {} ({}) on the ring", method, order, scheme),
                        .problem = problem(ring, method, 0.05, 400, 1,
                                           fmt::format("compose = {{ order = {}, scheme = \"{}\" }}", order, scheme))});
  for (const char* method : {"zhang-skeel", "push-forward-newmark", "energy-momentum", "central-difference"})
    runs.push_back({.kind = "composed",
                    .name = fmt::format("{} of order 4 on the ring", method),
                    .problem = problem(ring, method, 0.05, 400, 1, "compose = { order = 4, scheme = \"suzuki\" }")});

  for (const char* method : {"rattle", "shake", "midpoint", "variational", "lobatto", "energy-momentum"}) {
    runs.push_back(
        {.kind = "constrained", .name = fmt::format("{} on two rods", method), .problem = problem(rods, method, 0.01, 500)});
    runs.push_back(
        {.kind = "constrained", .name = fmt::format("{} on a sphere", method), .problem = problem(sphere, method, 0.01, 500)});
    runs.push_back(
        {.kind = "bodies", .name = fmt::format("{} on a magnet", method), .problem = problem(magnet, method, 0.05, 200)});
    runs.push_back(
        {.kind = "bodies", .name = fmt::format("{} on a heavy top", method), .problem = problem(heavy_top, method, 1e-3, 400)});
    runs.push_back({.kind = "moving constraints",
                    .name = fmt::format("{} on a car's axis", method),
                    .problem = "examples/car-axis.toml",
                    .overrides = {fmt::format("method.name={}", method), "run.end=0.5"}});
  }
  for (const char* how : {"", "retraction = \"cayley\"", "rule = \"midpoint\"", "alpha = 0"}) {
    runs.push_back({.kind = "bodies",
                    .name = fmt::format("lie-group ({}) on a magnet", how),
                    .problem = problem(magnet, "lie-group", 0.05, 200, 1, how)});
    runs.push_back({.kind = "bodies",
                    .name = fmt::format("lie-group ({}) on a heavy top", how),
                    .problem = problem(heavy_top, "lie-group", 1e-3, 400, 1, how)});
  }
}

}  // namespace certificate
