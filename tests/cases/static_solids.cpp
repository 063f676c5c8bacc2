#include <gtest/gtest.h>

#include <fmt/format.h>

#include <models/mesh.hpp>

#include <cmath>

#include <io/solids.hpp>

#include <actio/core/error.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/statics.hpp>
#include <actio/system/solid.hpp>

// Solids in equilibrium, against formulae of bars.
namespace actio {
namespace {

using io::test::Folder;
using io::test::with;
using system::Cell;

// 10 x 1 x 1 m, along x from its clamp; 1 Pa, without contraction, 1 kg/m^3.
class Bar {
 public:
  io::Problem problem(const std::string& load, const char* model, Cell cell = Cell::hexahedron8, int n = 4) const {
    models::write_msh(models::mesh_of({cell, {n, 1, 1}, {10, 1, 1}}), folder_ / "bar.msh");
    return io::load_text(fmt::format(R"toml([system.solid]
mesh = "{}"
{}
material = {{ model = "{}", E = 1, nu = 0, density = 1 }}
[initial]
static = true
[method]
name = "midpoint"
[run]
start = 1
step = 0.1
steps = 20
)toml",
                                     folder_ / "bar.msh", load, model),
                         "p.toml");
  }
  // How much longer it is.
  static double stretch(const io::Problem& p, const Eigen::VectorXd& q) {
    return Eigen::Map<const Eigen::Matrix3Xd>(q.data(), 3, q.size() / 3).row(0).maxCoeff() -
           Eigen::Map<const Eigen::Matrix3Xd>(p.q0.data(), 3, q.size() / 3).row(0).maxCoeff();
  }

 private:
  Folder folder_;
};

method::Statics equilibrium(const io::Problem& p) {
  EXPECT_TRUE(p.equilibrium);
  return method::equilibrium(p.model, p.schedule.start, p.q0);
}

std::string refused(const io::Problem& p) {
  try {
    (void)equilibrium(p);
  } catch (const core::InputError& error) { return error.what(); }
  return "";
}

const std::string clamp = "fixed = [\"x0\"]\n";

// u = rho g (L X - X^2/2)/E, which linear elements have at their nodes.
TEST(StaticStart, of_a_hanging_elastic_bar_is_hookes) {
  const Bar bar;
  const io::Problem p = bar.problem(clamp + "gravity = [2e-4, 0, 0]", "linear-elastic");
  const auto at = equilibrium(p);
  EXPECT_EQ(at.load_steps, 1);
  const auto& X = p.model.solids[0].mesh->points;
  for (long a = 0; a < X.cols(); ++a) {
    const double x = X(0, a);
    EXPECT_NEAR(at.q[3 * a] - x, 2e-4 * (10 * x - x * x / 2), 1e-12);
    EXPECT_NEAR(at.q[3 * a + 1], X(1, a), 1e-12);
  }
  EXPECT_NEAR(at.moved, 0.01, 1e-12);
}

// mu (f - 1/f) = rho g (L - X) of the stretch f: 2 f = c s + sqrt(c^2 s^2 + 4), c = rho g/mu, s = L - X. The bar is more than
// half again as long; quadratic elements are right to the fourth power of their size at the tip.
TEST(StaticStart, of_a_heavy_hanging_rubber_bar_is_that_of_its_large_stretch) {
  const Bar bar;
  const double c = 0.1 / 0.5, length = c * 25 + 2.5 * std::sqrt(c * c * 100 + 4) + std::asinh(5 * c) / c;
  double error[2]{};
  for (const int n : {2, 4}) {
    const io::Problem p = bar.problem(clamp + "gravity = [0.1, 0, 0]", "neo-hookean", Cell::hexahedron20, n);
    error[n / 4] = std::abs(10 + Bar::stretch(p, equilibrium(p).q) - length);
  }
  EXPECT_LT(error[1], 1e-3);
  EXPECT_GT(std::log2(error[0] / error[1]), 3.5);
}

// A pressure that pulls and follows: mu (f - 1/f) = 0.75 at f = 2. A traction of the time 1: F L/(E A).
TEST(StaticStart, feels_forces_that_are_no_potential_and_those_of_its_time) {
  const Bar bar;
  const io::Problem pulled = bar.problem(clamp + "pressure = { group = \"x1\", value = -0.75 }", "neo-hookean");
  EXPECT_NEAR(Bar::stretch(pulled, equilibrium(pulled).q), 10, 1e-9);
  const io::Problem later = bar.problem(clamp + "traction = { group = \"x1\", value = [\"1e-3*t^2\", 0, 0] }", "linear-elastic");
  EXPECT_NEAR(Bar::stretch(later, equilibrium(later).q), 0.01, 1e-12);
}

// Nodes of a table stay on it: u = 2 t X/L.
TEST(StaticStart, holds_what_is_driven) {
  const Bar bar;
  const io::Problem p = bar.problem(clamp + "driven = { group = \"x1\", x = \"2*t\" }", "neo-hookean");
  const auto at = equilibrium(p);
  const auto& X = p.model.solids[0].mesh->points;
  for (long a = 0; a < X.cols(); ++a) EXPECT_NEAR(at.q[3 * a], 1.2 * X(0, a), 1e-9);
}

// By 3 of its 4 elements' length: the others follow. A bar whose one end is driven alone goes with it as it is.
TEST(StaticStart, follows_what_is_driven_far) {
  const Bar bar;
  for (const double far : {-7.5, 15.0}) {
    const io::Problem p = bar.problem(clamp + fmt::format("driven = {{ group = \"x1\", x = {}, y = 0 }}", far), "neo-hookean");
    const auto at = equilibrium(p);
    const auto& X = p.model.solids[0].mesh->points;
    for (long a = 0; a < X.cols(); ++a) {
      EXPECT_NEAR(at.q[3 * a], (1 + far / 10) * X(0, a), 1e-8) << far;
      EXPECT_NEAR(at.q[3 * a + 1], X(1, a), 1e-8) << far;
    }
  }
  const io::Problem aside = bar.problem("driven = [{ group = \"x0\", x = 20, y = 0, z = 0 }]", "neo-hookean");
  const auto at = equilibrium(aside);
  for (long a = 0; a < at.q.size() / 3; ++a) EXPECT_NEAR(at.q[3 * a], aside.model.solids[0].mesh->points(0, a) + 20, 1e-8);
}

TEST(StaticStart, is_where_a_run_stays) {
  const Bar bar;
  const io::Problem p = bar.problem(clamp + "gravity = [0.05, 0.001, 0]", "neo-hookean", Cell::hexahedron20);
  const auto at = equilibrium(p);
  const auto integrator = method::make_integrator(p.model, p.method);
  integrator->start(p.schedule.start, at.q, p.v0);
  ASSERT_TRUE(integrator->advance(p.schedule.steps, p.schedule.step[0]).ok);
  method::Snapshot state;
  integrator->snapshot(state);
  EXPECT_LE((state.q - at.q).norm(), 1e-9);
  EXPECT_GT(at.moved, 1);
}

// Where forces are what rounding leaves of them.
TEST(StaticStart, without_load_is_where_it_was) {
  const Bar bar;
  const io::Problem p = bar.problem(clamp, "neo-hookean");
  EXPECT_LT(equilibrium(p).moved, 1e-14);
}

// St. Venant and Kirchhoff's bar takes E (f - f^3)/2 <= 0.19 E as it is pressed, and more at f < -1, inside out.
TEST(StaticStart, that_would_be_inside_out_is_refused_with_the_element) {
  const Bar bar;
  const auto pressed = [&](double p) {
    return bar.problem(clamp + fmt::format("traction = {{ group = \"x1\", value = [{}, 0, 0] }}", -p), "st-venant-kirchhoff");
  };
  const io::Problem bears = pressed(0.15);
  EXPECT_LT(Bar::stretch(bears, equilibrium(bears).q), -1);
  EXPECT_EQ(system::inside_out(bears.model, equilibrium(bears).q), "");
  int named = 0;  // how far Newton's method gets to one inside out is a matter of rounding
  for (const double p : {0.25, 0.3, 0.5, 1.0, 1.5, 2.0}) {
    const std::string message = refused(pressed(p));
    EXPECT_NE(message.find("no static start"), std::string::npos) << p;
    named += message.find("of the mesh file, a hexahedron8 of x, is inverted: det F is -") != std::string::npos;
  }
  EXPECT_GT(named, 0);
}

TEST(StaticStart, of_what_nothing_holds_is_refused) {
  const Bar bar;
  const std::string adrift = refused(bar.problem("gravity = [0, 0, -1]", "neo-hookean"));
  EXPECT_NE(adrift.find("no static start"), std::string::npos) << adrift;
  EXPECT_NE(adrift.find("some part can move freely"), std::string::npos) << adrift;
  io::Problem turning = bar.problem(clamp, "neo-hookean");
  turning.model.terms[0].velocities = true;
  EXPECT_NE(refused(turning).find("the Lagrangian is not"), std::string::npos);
}

}  // namespace
}  // namespace actio
