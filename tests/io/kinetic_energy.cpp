#include <cmath>

#include <fmt/format.h>

#include <actio/method/frequencies.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/kinetic_energy.hpp>
#include <common.hpp>

#include "evaluate.hpp"
#include "wrong.hpp"

// A kinetic energy 1/2 v'Mv with a constant M that Lagrangians give is a mass: every method takes it as one.
namespace actio::io::test {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using Kind = system::MassMatrix::Kind;
using actio::test::eps;

std::string coupled(const std::string& energies, const std::string& method = "newmark") {
  return R"toml([system]
coordinates = ["x", "y"]
parameters = { m = 2, c = 0.3, k = 5 }
)toml" + energies +
         "\n[initial]\nposition = [1, 0.2]\nvelocity = [0.3, -0.1]\n[method]\nname = \"" + method +
         "\"\n[run]\nstep = 0.05\nsteps = 200\n";
}
const std::string by_terms = R"(lagrangian = "0.5*m*x'^2 + c*x'*y' + 0.5*y'^2 - 0.5*k*x^2 - 0.5*(y - x)^2 - 0.1*x^4 + 3")";
const std::string by_mass = R"(mass = [["m", "c"], ["c", 1]]
potential = "0.5*k*x^2 + 0.5*(y - x)^2 + 0.1*x^4 - 3")";

MatrixXd mass_of(const Problem& problem) {
  const system::MassMatrix& mass = problem.model.mass;
  if (mass.kind == Kind::none) return {};
  return mass.kind == Kind::full ? MatrixXd(mass.full) : MatrixXd(mass.diagonal.asDiagonal());
}

method::Snapshot end_of(const Problem& p) {
  const auto integrator = method::make_integrator(p.model, p.method, {{"none", {}}});
  integrator->start(0, p.q0, p.v0);
  EXPECT_EQ(integrator->advance(p.schedule.steps, p.schedule.step[0]).steps, p.schedule.steps);
  method::Snapshot s;
  integrator->snapshot(s);
  return s;
}

TEST(KineticEnergy, of_terms_is_the_mass_that_could_be_given) {
  const Problem terms = load_text(coupled(by_terms), "p.toml"), mass = load_text(coupled(by_mass), "p.toml");
  EXPECT_EQ(mass_of(terms), mass_of(mass));
  EXPECT_FALSE(terms.model.terms.at(0).velocities);
  EXPECT_NEAR(energy(terms.model, terms.q0, terms.v0), energy(mass.model, mass.q0, mass.v0), 10 * eps);
}

TEST(KineticEnergy, of_terms_moves_as_the_mass_does_by_every_method) {
  for (const char* method : {"newmark", "hht", "generalized-alpha", "central-difference", "verlet", "symplectic-euler", "rk4",
                             "midpoint", "variational", "energy-momentum", "zhang-skeel", "minimising-newmark"}) {
    SCOPED_TRACE(method);
    const method::Snapshot a = end_of(load_text(coupled(by_terms, method), "p.toml"));
    const method::Snapshot b = end_of(load_text(coupled(by_mass, method), "p.toml"));
    EXPECT_LT((a.q - b.q).norm(), 1e-12);  // 200 steps of rounding
    EXPECT_LT((a.p - b.p).norm(), 1e-12);
    EXPECT_GT((a.q - VectorXd::Map(std::array{1.0, 0.2}.data(), 2)).norm(), 0.1);
  }
}

TEST(KineticEnergy, of_terms_has_frequencies) {
  const auto of = [](const std::string& energies) {
    const Problem p = load_text(coupled(energies), "p.toml");
    return method::frequencies(p.model, 0, p.q0, {"none", {}});
  };
  const method::Frequencies a = of(by_terms), b = of(by_mass);
  ASSERT_TRUE(a.measured()) << a.why_not;
  EXPECT_NEAR(a.highest, b.highest, 100 * eps * b.highest);
  EXPECT_NEAR(a.lowest, b.lowest, 100 * eps * b.highest);
}

// Tables, couplings of neighbours around a ring, and a mass beside them.
TEST(KineticEnergy, over_ranges_adds_up_with_a_mass) {
  const Problem p = load_text(R"toml([system]
coordinates = ["u[4]"]
tables = { m = [1, 2, 3, 4] }
mass = 10
[[system.term]]
over = "k = 0..3"
periodic = true
lagrangian = "0.5*m[k]*(u'[k] + u'[k+1])^2 - 0.5*(u[k+1] - u[k])^2*(1 + t)"
[initial]
position = [0, 0, 0, 0]
[method]
name = "newmark"
[run]
step = 0.1
steps = 1
)toml",
                              "p.toml");
  MatrixXd M(4, 4);
  M << 15, 1, 0, 4, 1, 13, 2, 0, 0, 2, 15, 3, 4, 0, 3, 17;
  EXPECT_EQ(mass_of(p), M);
}

TEST(KineticEnergy, alone_leaves_no_term) {
  const Problem p = load_text(coupled("lagrangian = \"0.5*m*x'^2 + y'^2\"\nstiffness = [1, 1]"), "p.toml");
  EXPECT_TRUE(p.model.terms.empty());
  EXPECT_EQ(p.model.mass.kind, Kind::diagonal);
  EXPECT_EQ(p.model.mass.diagonal, Eigen::Vector2d(2, 2));
}

TEST(KineticEnergy, takes_the_load_of_a_base) {
  const Problem p = load_text(coupled(by_terms + "\n[system.base]\nacceleration = \"sin(t)\"\ndirection = [1, 0]"), "p.toml");
  ASSERT_EQ(p.model.forces.size(), 1U);
}

TEST(KineticEnergy, damps_by_rayleigh_as_the_mass_does) {
  const std::string more = "\nstiffness = [[3, 1], [1, 2]]\nrayleigh = { mass = 0.5, stiffness = 0.1 }";
  const Problem terms = load_text(coupled(by_terms + more), "p.toml"), mass = load_text(coupled(by_mass + more), "p.toml");
  EXPECT_EQ(MatrixXd(terms.model.damping), MatrixXd(mass.model.damping));
  EXPECT_NEAR(terms.model.damping.coeff(0, 1), 0.5 * 0.3 + 0.1, eps);
  const Problem held =
      load_text(coupled("mass = [2, 0]\nconstraints = [\"y\"]\npotential = \"x^2\"\nrayleigh = { mass = 3 }"), "p.toml");
  EXPECT_EQ(MatrixXd(held.model.damping), MatrixXd(Eigen::Vector2d(6, 0).asDiagonal()));
}

// What is no constant mass stays a Lagrangian, for the methods that take one, and the others say why they do not.
TEST(KineticEnergy, that_is_none_of_a_mass_stays_and_says_why) {
  for (const auto& [lagrangian, why] : std::vector<std::pair<std::string, std::string>>{
           {"0.5*x'^2 + 0.5*(1 + x^2)*y'^2", "depends on positions, or is not quadratic in the velocities"},
           {"0.5*x'^2 + 0.5*(2 + sin(t))*y'^2", "depends on the time"},
           {"0.5*x'^2 + 0.5*y'^2 + x*y'", "has a part that is linear in the velocities"},
           {"0.5*x'^2 + 0.5*y'^2 + x'", "has a part that is linear in the velocities"},
           {"0.5*x'^2 + 0.5*y'^2 + abs(y')", "is not quadratic in the velocities"},
           {"0.5*x'^2 + where(y' > 0, 0.5, 0.5000001)*y'^2", "is not quadratic in the velocities"},
           {"0.5*x'^2 + max(y', 0)^2 + y'^2", "is not quadratic in the velocities"},
           {"0.5*x'^2 + 0.5*y'^2 + y'^4", "is not quadratic in the velocities"}}) {
    SCOPED_TRACE(lagrangian);
    const std::string text = coupled("lagrangian = \"" + lagrangian + " - x^2\"", "variational");
    const Problem p = load_text(text, "p.toml");
    EXPECT_EQ(p.model.mass.kind, Kind::none);
    EXPECT_TRUE(p.model.terms.at(0).velocities);
    const std::string message = error_of(with(text, "variational", "verlet"));
    EXPECT_NE(message.find("\n  the kinetic energy of \"lagrangian\" " + why + "; methods that fit: variational, "),
              std::string::npos)
        << message;
  }
  const std::string indefinite = error_of(coupled("lagrangian = \"x'*y'\"", "verlet"));
  EXPECT_NE(indefinite.find("the kinetic energy is not positive: x has a mass of 0"), std::string::npos) << indefinite;
  const std::string saddle = error_of(coupled("lagrangian = \"0.5*x'^2 + 0.5*y'^2 + 2*x'*y'\"", "verlet"));
  EXPECT_NE(saddle.find("its matrix has no Cholesky factor"), std::string::npos) << saddle;
}

// ---- coordinates without mass

const std::string held = "mass = [2, 0]\nfixed = [\"y\"]\npotential = \"0.5*k*(x - y)^2\"";

TEST(NoMass, is_asked_of_a_fixed_coordinate) {
  for (const std::string& mass : {std::string("mass = [2, 0]"), std::string("mass = [[2, 0], [0, 0]]")}) {
    for (const char* method : {"newmark", "verlet", "midpoint", "rk4", "hht"}) {
      SCOPED_TRACE(mass + method);
      const std::string text =
          with(with(coupled(with(held, "mass = [2, 0]", mass), method), "-0.1]", "0]"), "[1, 0.2]", "[1, 0.25]");
      const method::Snapshot none = end_of(load_text(text, "p.toml"));
      const method::Snapshot some = end_of(load_text(with(text, mass, "mass = [2, 7]"), "p.toml"));
      EXPECT_LT((none.q - some.q).norm(), 1e-13);
      EXPECT_LT(std::abs(none.p[0] - some.p[0]), 1e-13);
      EXPECT_EQ(none.q[1], 0.25);
    }
  }
  // with a Lagrangian, whether it is a mass or not
  for (const char* kinetic : {"0.5*m*x'^2", "0.5*m*(1 + x^2)*x'^2"}) {
    const std::string text = with(
        coupled(fmt::format("lagrangian = \"{} - 0.5*k*(x - y)^2\"\nfixed = [\"y\"]", kinetic), "variational"), "-0.1]", "0]");
    const method::Snapshot end = end_of(load_text(text, "p.toml"));
    EXPECT_EQ(end.q[1], 0.2);
    EXPECT_LT(std::abs(end.q[0] - end_of(load_text(with(text, "x'^2", "x'^2 + 3*y'^2"), "p.toml")).q[0]), 1e-12);
  }
}

TEST(NoMass, is_asked_of_a_driven_coordinate_by_newmark_and_its_kind) {
  const std::string driven = "mass = [2, 0]\nconstraints = [\"y - 0.2*cos(t)\"]\npotential = \"0.5*k*(x - y)^2\"";
  for (const char* method : {"newmark", "hht", "generalized-alpha", "central-difference"}) {
    SCOPED_TRACE(method);
    const std::string text = with(coupled(driven, method), "-0.1]", "0]");
    const Problem p = load_text(text, "p.toml");
    const method::Snapshot none = end_of(p), some = end_of(load_text(with(text, "[2, 0]", "[2, 7]"), "p.toml"));
    EXPECT_LT((none.q - some.q).norm(), 1e-13);
    EXPECT_NEAR(none.q[1], 0.2 * std::cos(10), 1e-13);
    EXPECT_LT(std::abs(none.p[1]), 1e-18);
  }
  expect_errors(coupled(driven, "rattle"),
                {{"potential", "potential", "4:12", "the mass of y is 0; it must be positive, and rattle divides by it", "0",
                  "y is given as a function of t, so its mass changes the force that drives it, not the motion: give it any; "
                  "newmark, hht and their relatives need none"}});
}

TEST(NoMass, of_a_free_coordinate_is_refused_with_what_to_do) {
  const std::string text = coupled("mass = [2, 0]\npotential = \"0.5*k*(x - y)^2 + y^2\"");
  for (const auto& [mass, place, message] : std::vector<std::array<std::string, 3>>{
           {"mass = [2, 0]", "4:12", "the mass of y is 0; it must be positive"},
           {"mass = { x = 2, y = 0 }", "4:21", "the mass of y is 0; it must be positive"},
           {"mass = [[2, 0], [0, 0]]", "4:21", "the mass is not positive definite: y has 0 on the diagonal"},
           {"lagrangian = \"x'^2\"", "2:1", "y has no kinetic energy"}}) {
    const std::string error = error_of(with(text, "mass = [2, 0]", mass));
    EXPECT_TRUE(error.starts_with("p.toml:" + place + ": error: " + message)) << error;
    EXPECT_NE(error.find("\n  y is free to move: give it a mass (or y' in a lagrangian)"), std::string::npos) << error;
    EXPECT_NE(error.find("fixed = [\"y\"]"), std::string::npos) << error;
  }
  EXPECT_NE(error_of(with(text, "[2, 0]", "0")).find("the mass of x is 0; it must be positive"), std::string::npos);
  EXPECT_NE(error_of(with(text, "[2, 0]", "[2, -1]")).find("the mass of y is -1; it must be positive"), std::string::npos);
  EXPECT_NE(error_of(with(text, "[2, 0]", "[[2, 1], [1, 0]]")).find("y has 0 on the diagonal"), std::string::npos);
}

}  // namespace
}  // namespace actio::io::test
