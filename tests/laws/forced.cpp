#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <ostream>

#include "systems.hpp"

// What every method must do where forces act that come from no Lagrangian: friction phi(q, v) and external forces F(q, v, t).
namespace actio::laws {
using Eigen::VectorXd;
using method::Integrator;

namespace {

// Manufactured: the external force is what makes x(t) and y(t) the solution.
std::string with(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [word, meaning] : words)
    for (std::size_t at; (at = text.find(word)) != std::string::npos;) text.replace(at, word.size(), meaning);
  return text;
}
const std::map<std::string, std::string> motion{{"#x", "(0.8*cos(t))"},  {"#y", "(0.2 + 0.5*sin(1.3*t))"},
                                                {"#u", "(-0.8*sin(t))"}, {"#v", "(0.65*cos(1.3*t))"},
                                                {"#a", "(-0.8*cos(t))"}, {"#b", "(-0.845*sin(1.3*t))"}};
Eigen::Vector4d solution(double t) {
  return {0.8 * std::cos(t), 0.2 + 0.5 * std::sin(1.3 * t), -0.8 * std::sin(t), 0.65 * std::cos(1.3 * t)};
}

const System& rough() {  // a full mass, friction that depends on positions, a force that depends on everything
  static const System system{"rough",
                             problem(with(R"toml(
[system]
coordinates = ["x", "y"]
mass = [[2.0, 0.3], [0.3, 1.0]]
potential = "0.5*x^2 + 0.25*x^4 + 0.5*(x - y)^2 + y^3/3"
dissipation = "0.05*(1 + x^2)*(x' - y')^4 + 0.1*y'^2*(2 + sin(y))"
[system.force]
x = "-0.2*x*y'*x' + 2*#a + 0.3*#b + #x + #x^3 + #x - #y + 0.2*(1 + #x^2)*(#u - #v)^3 + 0.2*#x*#v*#u"
y = "-0.1*x*y' + 0.3*#a + #b - #x + #y + #y^2 - 0.2*(1 + #x^2)*(#u - #v)^3 + 0.2*#v*(2 + sin(#y)) + 0.1*#x*#v"
[initial]
position = [0.8, 0.2]
velocity = [0, 0.65]
)toml",
                                          motion)),
                             true};
  return system;
}
const System& swirl() {  // a force that has no potential, without velocities: explicit methods take it too
  static const System system{"swirl",
                             problem(with(R"toml(
[system]
coordinates = ["x", "y"]
mass = [2.0, 1.0]
potential = "0.5*x^2 + 0.25*x^4 + 0.5*(x - y)^2"
[system.force]
x = "0.3*y*x^2 + 2*#a + #x + #x^3 + #x - #y - 0.3*#y*#x^2"
y = "-0.4*x^3 + #b - #x + #y + 0.4*#x^3"
[initial]
position = [0.8, 0.2]
velocity = [0, 0.65]
)toml",
                                          motion)),
                             true};
  return system;
}
const System& general() {  // mass depends on position
  static const System system{"general",
                             problem(with(R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "0.5*x'^2*(1 + 0.2*sin(x)) + 0.5*y'^2 + cos(x) - 0.5*(x - y)^2"
dissipation = "0.1*x'^2*(1 + x^2) + 0.05*(x' - y')^2"
[system.force]
x = "-0.1*sin(x)*x'*y' + (1 + 0.2*sin(#x))*#a + 0.1*cos(#x)*#u^2 + sin(#x) + #x - #y + 0.2*#u*(1 + #x^2) + 0.1*(#u - #v) + 0.1*sin(#x)*#u*#v"
y = "#b + #y - #x - 0.1*(#u - #v)"
[initial]
position = [0.8, 0.2]
velocity = [0, 0.65]
)toml",
                                          motion)),
                             false};
  return system;
}

VectorXd end(Integrator& integrator, const System& system, double h, long steps) {
  integrator.start(0, system.problem.q0, system.problem.v0);
  const auto report = integrator.advance(steps, h);
  EXPECT_TRUE(report.ok) << report.what;
  method::Snapshot s;
  integrator.snapshot(s);
  VectorXd z(4);
  z << s.q, s.v;
  return z;
}

bool rubs(const System& system) { return !system.problem.model.dissipation.empty(); }

class ForcedLaw : public testing::TestWithParam<Case> {};

// As laws.cpp has it: from the first step at which the error is below 0.1 down to the plateau of rounding.
TEST_P(ForcedLaw, has_the_stated_order_on_a_manufactured_motion) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of the other laws";
  const auto& [spec, system] = GetParam();
  const auto integrator = method::make_integrator(system->problem.model, spec);
  std::vector<double> orders;
  double last = 0;
  const int stated = spec.order(rubs(*system)), finest = stated == 1 ? 12 : 9;
  for (int k = 0; k <= finest; ++k) {
    const long steps = 1L << k;
    const double error = (end(*integrator, *system, 1.0 / static_cast<double>(steps), steps) - solution(1)).norm();
    if (error < 2e-12) break;
    if (last > 0 && last < 0.1) orders.push_back(std::log2(last / error));
    last = error;
  }
  ASSERT_GE(orders.size(), 1U);
  EXPECT_NEAR(orders.back(), stated, 0.2) << "orders: " << testing::PrintToString(orders);
}

TEST_P(ForcedLaw, runs_backwards_when_symmetric) {
  const auto& [spec, system] = GetParam();
  const auto integrator = method::make_integrator(system->problem.model, spec);
  integrator->start(0, system->problem.q0, system->problem.v0);
  ASSERT_TRUE(integrator->advance(1, 0.2).ok);
  method::Snapshot s;
  integrator->snapshot(s);
  integrator->start(0.2, s.q, s.v);
  ASSERT_TRUE(integrator->advance(1, -0.2).ok);
  integrator->snapshot(s);
  const double back = (s.q - system->problem.q0).norm() + (s.v - system->problem.v0).norm();
  const bool symmetric = spec.symmetric();
  if (symmetric && spec.order(rubs(*system)) == spec.order()) {
    EXPECT_LT(back, 1e-13);
  } else {
    EXPECT_GT(back, 1e-8);
  }
}

TEST_P(ForcedLaw, walks_the_same_path_on_every_space) {
  const auto& [spec, system] = GetParam();
  using Space = method::BuildOptions::Space;
  VectorXd reference;
  for (const Space space : {Space::fixed, Space::dense, Space::sparse})
    for (const char* compiler : {"", "none"}) {
      const auto integrator = method::make_integrator(system->problem.model, spec, {{compiler, ""}, space});
      const VectorXd z = end(*integrator, *system, 0.05, 40);
      if (reference.size() == 0) reference = z;
      EXPECT_LT((z - reference).norm(), 1e-12) << static_cast<int>(space) << compiler;
    }
}

// Order 8 leaves its asymptotic range only below rounding.
INSTANTIATE_TEST_SUITE_P(every, ForcedLaw,
                         testing::ValuesIn(only(cases({&rough(), &swirl(), &general()}),
                                                [](const Case& c) { return c.spec.order() < 8 && c.spec.order() > 0; })),
                         [](const auto& which) { return case_name(which.param); });

// The work a method counts, against Simpson's rule along its own path: both are the integral of F . v, to second order a run.
TEST_P(ForcedLaw, counts_the_work_of_its_path) {
  const System* const system = GetParam().system;
  const auto integrator = method::make_integrator(system->problem.model, GetParam().spec);
  integrator->start(0, system->problem.q0, system->problem.v0);
  const double before = integrator->energy();
  const auto rest = [&](long steps) {
    integrator->start(0, system->problem.q0, system->problem.v0);
    const auto report = integrator->advance(steps, 1.0 / static_cast<double>(steps));
    return std::abs(integrator->energy() - before - report.work.external + report.work.dissipated - report.work.residual);
  };
  // What is left is the method's own error: it vanishes with h, like h^min(order, 2) or faster.
  const double coarse = rest(64), fine = rest(128);
  EXPECT_LT(coarse, 0.05);
  EXPECT_LT(fine, 0.6 * coarse + 1e-11);
}

// Friction between two bodies and along their line: momentum of both, and angular momentum, are none of its business.
struct Kept {
  const char* name;
  io::Problem problem;
};
const std::vector<Kept>& internal_friction() {
  static const std::vector<Kept> all{{"translation", problem(R"toml(
[system]
coordinates = ["x", "y", "z"]
mass = [[2.0, 0.3, -0.2], [0.3, 1.0, 0.4], [-0.2, 0.4, 1.5]]
potential = "0.5*(x - y)^2 + 0.25*(x - y)^4 + (1 - cos(y - z))"
dissipation = "0.1*(x' - y')^2*(1 + (x - y)^2) + 0.05*(y' - z')^4"
[initial]
position = [0.4, -0.3, 0.2]
velocity = [0.1, 0.5, -0.3]
)toml")},
                                     {"rotation", problem(R"toml(
[system]
coordinates = ["x", "y"]
mass = 1.0
potential = "(x^2 + y^2)*(x^2 + y^2 - 1)^2"
dissipation = "0.05*(x*x' + y*y')^2"
[initial]
position = [1.2, 0.1]
velocity = [0.1, 0.2]
)toml")}};
  return all;
}
TEST(ForcedMomentum, is_kept_by_discrete_forces_that_do_not_push_along_the_symmetry) {
  for (const Kept& kept : internal_friction())
    for (const method::AnyMethod& choice :
         std::initializer_list<method::AnyMethod>{method::Variational{0.5, true}, method::Variational{0.2, true},
                                                  method::Variational{0, true}, method::Variational{0.3, false}}) {
      const auto integrator = method::make_integrator(kept.problem.model, {choice, false, {}});
      integrator->start(0, kept.problem.q0, kept.problem.v0);
      method::Snapshot s;
      const auto momentum = [&] {
        integrator->snapshot(s);
        return s.q.size() == 3 ? s.p.sum() : s.q[0] * s.p[1] - s.q[1] * s.p[0];
      };
      const double before = momentum(), energy = integrator->energy();
      ASSERT_TRUE(integrator->advance(500, 0.1).ok);
      EXPECT_NEAR(momentum(), before, 1e-12) << kept.name;
      EXPECT_LT(integrator->energy(), energy - 1e-3);
    }
}

// Karow (13): of a linear system these lose nothing, whatever the step; others do.
TEST(EnergyBalance, closes_on_linear_systems_for_the_methods_that_say_so) {
  const io::Problem linear = problem(R"toml(
[system]
coordinates = ["x", "y", "z"]
mass = [[2.0, 0.3, -0.2], [0.3, 1.0, 0.4], [-0.2, 0.4, 1.5]]
stiffness = [[3.0, -1.0, 0.0], [-1.0, 2.0, -0.5], [0.0, -0.5, 40.0]]
damping = [[0.3, -0.1, 0.0], [-0.1, 0.2, -0.05], [0.0, -0.05, 0.1]]
[system.force]
x = "sin(2*t)"
z = "0.5*exp(-t)"
[initial]
position = [0.4, -0.3, 0.2]
velocity = [0.1, 0.5, -0.3]
)toml");
  int closed = 0;
  for (const method::Spec& spec : methods()) {
    if (!method::why_incompatible(linear.model, spec).empty()) continue;
    using Space = method::BuildOptions::Space;
    for (const Space space : {Space::fixed, Space::dense, Space::sparse}) {
      const auto integrator = method::make_integrator(linear.model, spec, {{}, space});
      ASSERT_TRUE(integrator->properties().linear);
      integrator->start(0, linear.q0, linear.v0);
      double worst = 0;
      for (int k = 0; k < 50; ++k) {
        const double before = integrator->energy();
        const auto report = integrator->advance(1, k % 2 ? 0.3 : 0.2);
        ASSERT_TRUE(report.ok);
        worst = std::max(worst, std::abs(integrator->energy() - before - report.work.external + report.work.dissipated -
                                         report.work.residual));
      }
      if (spec.balances_linear()) {
        EXPECT_LT(worst, 1e-13) << label(spec);
        ++closed;
      } else if (!spec.composed) {
        EXPECT_GT(worst, 1e-7) << label(spec);
      }
    }
  }
  EXPECT_GE(closed, 9);  // Newmark, midpoint and Ld^{1/2} on three spaces at least
}

}  // namespace
}  // namespace actio::laws
