#pragma once
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <algorithm>
#include <cctype>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "methods.hpp"

// The systems and methods every law is tested on.
namespace actio::laws {

struct System {
  std::string name;
  io::Problem problem;
  bool separable;
};

inline io::Problem problem(const std::string& text) {
  return io::load_text(text + "\n[method]\nname = \"midpoint\"\n[run]\nstep = 0.1\nsteps = 1\n", "laws.toml");
}

inline const System& oscillator() {
  static const System system{"oscillator", problem(R"toml(
[system]
coordinates = ["x", "y"]
mass = 1.0
potential = "(x^2 + y^2)*(x^2 + y^2 - 1)^2"
[[symmetry]]
name = "angular momentum"
generator = ["-y", "x"]
[initial]
position = [1.2, 0.1]
velocity = [0.1, 0.2]
)toml"),
                             true};
  return system;
}

// Nonlinear, a full mass matrix, invariant under translation of all three.
inline const System& full_mass() {
  static const System system{"full_mass", problem(R"toml(
[system]
coordinates = ["x", "y", "z"]
mass = [[2.0, 0.3, -0.2], [0.3, 1.0, 0.4], [-0.2, 0.4, 1.5]]
potential = "0.5*(x - y)^2 + 0.25*(x - y)^4 + (1 - cos(y - z)) + 0.3*(z - x)^3 + exp(x - z)"
[[symmetry]]
name = "momentum"
generator = ["1", "1", "1"]
[initial]
position = [0.4, -0.3, 0.2]
velocity = [0.1, 0.5, -0.3]
)toml"),
                             true};
  return system;
}

// phi = 1/4 (1 + x^2) (vx^2 + vy^2 + vz^2)
inline const System& full_mass_with_friction() {
  static const System system = [] {
    System rubbed = full_mass();
    rubbed.name = "full_mass_with_friction";
    system::Term phi;
    auto& g = phi.graph;
    expr::Id squares = g.constant(0);
    for (int i = 3; i < 6; ++i) squares = g.add(squares, g.mul(g.column(i), g.column(i)));
    phi.value = g.mul(g.constant(0.25), g.mul(g.add(g.constant(1), g.mul(g.column(0), g.column(0))), squares));
    phi.velocities = true;
    phi.locals = 3;
    phi.dofs = {0, 1, 2};
    rubbed.problem.model.dissipation.push_back(phi);
    return rubbed;
  }();
  return system;
}

// Mass depends on position: the double pendulum in angles (TO 23), gravity down.
inline const System& double_pendulum() {
  static const System system{"double_pendulum", problem(R"toml(
[system]
coordinates = ["a", "b"]
lagrangian = "a'^2 + b'^2 + sqrt(2)*a'*b'*cos(a - b) + 2*cos(a) + sqrt(2)*cos(b)"
[initial]
position = [0.9, -0.4]
velocity = [0.2, 0.3]
)toml"),
                             false};
  return system;
}

// Gyroscopic: a charge in a magnetic field that varies, turning about the origin; a mass beside the Lagrangian.
inline const System& charge() {
  static const System system{"charge", problem(R"toml(
[system]
coordinates = ["x", "y"]
mass = [1.0, 1.0]
lagrangian = "0.4*(1 + x^2 + y^2)*(x*y' - y*x') - 0.3*(x^2 + y^2)^2 - 0.2*(x^2 + y^2)"
[[symmetry]]
name = "angular momentum"
generator = ["-y", "x"]
[initial]
position = [0.8, 0.1]
velocity = [-0.2, 0.6]
)toml"),
                             false};
  return system;
}

// Energies that depend on time, separable and not. Not among systems(): energy is not kept.
inline const System& driven() {
  static const System system{"driven", problem(R"toml(
[system]
coordinates = ["x", "y"]
mass = [[2.0, 0.5], [0.5, 1.0]]
potential = "0.5*(1 + 0.4*cos(3*t))*x^2 + 0.25*x^4 + 0.5*(x - y)^2 - y*sin(2*t)"
[initial]
position = [0.8, 0.1]
velocity = [-0.2, 0.6]
)toml"),
                             true};
  return system;
}
inline const System& driven_pendulum() {
  static const System system{"driven_pendulum", problem(R"toml(
[system]
coordinates = ["theta"]
lagrangian = "0.5*theta'^2*(1 + 0.2*sin(theta)) + theta'*sin(theta)*sin(3*t) + cos(theta)"
[initial]
position = [0.8]
velocity = [-0.2]
)toml"),
                             false};
  return system;
}

// With a part whose motion is known: quadratic, of modes of which one does not turn; the rest is as large.
inline const System& split_oscillator() {
  static const System system{"split_oscillator", problem(R"toml(
[system]
coordinates = ["x", "y", "z"]
mass = [[2.0, 0.3, -0.2], [0.3, 1.0, 0.4], [-0.2, 0.4, 1.5]]
[[system.term]]
potential = "(x - y)^2 + 0.5*(y - z - 0.2)^2"
stiff = true
[[system.term]]
potential = "0.25*(x - y)^4 + 0.7*cos(1.3*(z - x))"
[system.split]
fast = "linear"
[[symmetry]]
name = "momentum"
generator = ["1", "1", "1"]
[initial]
position = [0.4, -0.3, 0.2]
velocity = [0.1, 0.5, -0.3]
)toml"),
                             true};
  return system;
}

// Three points in a plane, each of another order of size; not the first is the heaviest.
inline const System& split_planets() {
  static const System system{"split_planets", problem(R"toml(
[system]
coordinates = ["x[3]", "y[3]"]
tables = { m = [1.0, 20.0, 2.0] }
mass = { x = "m[i]", y = "m[i]" }
points = { body = ["x", "y"] }
[[system.term]]
over = "i = 0..2, j = i+1..2"
potential = "-0.055*m[i]*m[j]/distance(body[i], body[j])"
[system.split]
fast = "kepler"
gravitational_constant = 0.055
[[symmetry]]
name = "momentum"
generator = ["1", "1", "1", "1", "1", "1"]
[initial.position]
x = [1, 0, -3.2]
y = [0.2, 0, 0.4]
[initial.velocity]
x = [-0.2, 0.0175, -0.075]
y = [1.02, 0.0085, -0.596]
)toml"),
                             true};
  return system;
}

// Its rest depends on time, and a force acts that is no potential's.
inline const System& split_driven() {
  static const System system{"split_driven", problem(R"toml(
[system]
coordinates = ["x", "y"]
mass = [[2.0, 0.5], [0.5, 1.0]]
[[system.term]]
potential = "x^2 + 0.5*(x - y)^2"
stiff = true
[[system.term]]
potential = "0.2*cos(3*t)*x^2 + 0.25*x^4"
[[system.term]]
on = "y"
force = "sin(2*t) - 0.1*y^3"
[system.split]
fast = "linear"
[initial]
position = [0.8, 0.1]
velocity = [-0.2, 0.6]
)toml"),
                             true};
  return system;
}

inline std::vector<const System*> systems() {
  return {&oscillator(), &full_mass(), &double_pendulum(), &charge(), &split_oscillator(), &split_planets()};
}

inline std::vector<method::Spec> methods() {
  using namespace method;
  std::vector<Spec> specs;
  for (const AnyMethod& choice : std::initializer_list<AnyMethod>{Newmark{0, 0.5},
                                                                  Newmark{0.25, 0.5},
                                                                  Newmark{0.4, 0.5},
                                                                  Newmark{1.0 / 12, 0.5},
                                                                  Newmark{0.3025, 0.6},
                                                                  Newmark{0.1, 0.3},
                                                                  Verlet{"velocity"},
                                                                  Verlet{"position"},
                                                                  Variational{0, true},
                                                                  Variational{0.2, true},
                                                                  Variational{0.8, true},
                                                                  Variational{0.5, true},
                                                                  Variational{0, false},
                                                                  Variational{0.3, false},
                                                                  Variational{0.7, false},
                                                                  Variational{1, false},
                                                                  McLachlanAtela{2},
                                                                  McLachlanAtela{3},
                                                                  McLachlanAtela{4},
                                                                  McLachlanAtela{5},
                                                                  GeneralizedAlpha{0.5},
                                                                  GeneralizedAlpha{1},
                                                                  Hht{0.6},
                                                                  Wbz{0.3},
                                                                  MinimisingNewmark{0.25, 0.5, 0.5},
                                                                  MinimisingNewmark{0, 0.5, 0.5},
                                                                  MinimisingNewmark{0.3025, 0.6, 0.5},
                                                                  TwoStep{0.2, true},
                                                                  TwoStep{0.3, false},
                                                                  Newmark{0.25, 0.5, 1},
                                                                  WisdomHolman{0},
                                                                  WisdomHolman{8},
                                                                  Saba{1},
                                                                  Saba{2},
                                                                  Sbab{1},
                                                                  Aba{"8-6-4"},
                                                                  Aba{"10-6-4"},
                                                                  EnergyMomentum{true},
                                                                  EnergyMomentum{false}})
    specs.push_back({choice, false, {}});
  specs = and_all_that(
      [](const Traits& of) { return !of.chooses_steps && !of.needs_constraints && !of.on_groups && !of.transforms_time; },
      std::move(specs));
  for (const int order : {4, 6, 8})
    for (const char* scheme : {"yoshida", "suzuki", "kahan-li"})
      for (const AnyMethod& base : std::initializer_list<AnyMethod>{Verlet{}, Midpoint{}})
        specs.push_back({base, true, {order, scheme}});
  specs.push_back({Newmark{0.25, 0.5}, true, {4, "suzuki"}});
  specs.push_back({Variational{0.2, true}, true, {4, "yoshida"}});
  for (const int order : {4, 6}) specs.push_back({ZhangSkeel{0.3}, true, {order, "kahan-li"}});
  specs.push_back({ZhangSkeelSimplified{0.3}, true, {6, "kahan-li"}});
  specs.push_back({PushForwardNewmark{0.3}, true, {6, "kahan-li"}});
  specs.push_back({EnergyMomentum{}, true, {4, "suzuki"}});
  return specs;
}

inline std::string label(const method::Spec& spec) {
  std::string text = spec.name();
  std::visit(
      [&]<class M>(const M& m) {
        core::for_each_field<M>([&](const auto& field) {
          std::ostringstream value;
          value << m.*field.member;
          text += " " + std::string(field.name) + "=" + value.str();
        });
      },
      spec.choice);
  return text;
}

struct Case {
  method::Spec spec;
  const System* system;
};

// Every method on every system that it fits, those that need a split on systems with one alone; where tests are short, on every
// third of them, beginning with another each time.
inline std::vector<Case> cases(const std::vector<const System*>& systems) {
  std::vector<Case> all;
  std::size_t methods_so_far = 0;
  for (const auto& spec : methods()) {
    std::vector<Case> fitting;
    for (const System* system : systems)
      if (spec.traits().needs_split == (system->problem.model.fast != nullptr) &&
          method::why_incompatible(system->problem.model, spec).empty())
        fitting.push_back({spec, system});
    const std::size_t stride = ACTIO_TEST_SHORT ? std::clamp<std::size_t>(fitting.size(), 1, 3) : 1;
    for (std::size_t k = methods_so_far++ % stride; k < fitting.size(); k += stride) all.push_back(fitting[k]);
  }
  return all;
}

template <class Predicate>
std::vector<Case> only(std::vector<Case> cases, Predicate&& keep) {
  std::erase_if(cases, [&](const Case& c) { return !keep(c); });
  return cases;
}

inline std::string case_name(const Case& c) {
  std::string text = label(c.spec) + " on " + c.system->name;
  for (char& letter : text)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return text;
}

inline void PrintTo(const Case& c, std::ostream* out) { *out << case_name(c); }

}  // namespace actio::laws
