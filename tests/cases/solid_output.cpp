#include <gtest/gtest.h>

#include <fmt/format.h>

#include <models/mesh.hpp>

#include <cmath>
#include <map>
#include <numeric>

#include <io/solids.hpp>

#include <actio/invariant/constraints.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/statics.hpp>
#include <actio/system/neighbours.hpp>
#include <actio/system/reactions.hpp>
#include <actio/system/stress.hpp>
#include <common.hpp>

// What is told of solids beside their places: reactions against weights and momenta, stresses against beams.
namespace actio {
namespace {

using actio::test::interpreted;
using io::test::Folder;
using io::test::with;
using system::Cell;

// 4 x 1 x 1 m along x, 1 Pa and 1 kg/m^3: 4 kg.
class Block {
 public:
  io::Problem problem(const std::string& solid, const std::string& method, double h = 0.05) const {
    models::write_msh(models::mesh_of({Cell::hexahedron8, {4, 1, 1}, {4, 1, 1}}), folder_ / "block.msh");
    return io::load_text(fmt::format(R"toml([system.solid]
mesh = "{}"
{}
[initial.solid]
velocity = [0, 0, "0.05*X"]
[method]
name = "{}"
[run]
step = {}
end = 1
)toml",
                                     folder_ / "block.msh", solid, method, h),
                         "p.toml");
  }

 private:
  Folder folder_;
};
const std::string rubber = "material = { model = \"neo-hookean\", E = 1, nu = 0.3, density = 1, viscosity = 0.05 }\n";
const std::string slippery = "material = { model = \"neo-hookean\", E = 1, nu = 0.3, density = 1 }\n";

std::map<std::string, double> reactions(system::Reactions& at, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                        std::span<const double> lambda = {}) {
  std::vector<double> out(at.names().size());
  at(t, q, v, lambda, out);
  std::map<std::string, double> named;
  for (std::size_t k = 0; k < out.size(); ++k) named[at.names()[k]] = out[k];
  return named;
}
double total(const std::map<std::string, double>& all, char component) {
  double sum = 0;
  for (const auto& [name, force] : all)
    if (name.back() == component) sum += force;
  return sum;
}

// Of a block at rest they are its weight, whoever of two groups holds the nodes of both.
TEST(Reactions, of_a_block_in_equilibrium_are_its_weight) {
  const Block block;
  for (const char* mass : {"consistent", "lumped"}) {
    const io::Problem p = block.problem(
        fmt::format("mass = \"{}\"\nfixed = [\"x0\", {{ group = [\"y0\", \"y1\"], components = [\"x\", \"y\"] }}]\n", mass) +
            rubber + "gravity = [0.01, 0.02, -0.03]\n",
        "midpoint");
    const Eigen::VectorXd q = method::equilibrium(p.model, 0, p.q0, interpreted).q;
    system::Reactions at(p.model, p.supports, interpreted);
    EXPECT_EQ(at.names(), (std::vector<std::string>{"x0.x", "x0.y", "x0.z", "y0.x", "y0.y", "y1.x", "y1.y"}));
    const auto R = reactions(at, 0, q, Eigen::VectorXd::Zero(q.size()));
    EXPECT_NEAR(total(R, 'x'), -0.04, 1e-11) << mass;
    EXPECT_NEAR(total(R, 'y'), -0.08, 1e-11) << mass;
    EXPECT_NEAR(R.at("x0.z"), 0.12, 1e-11) << mass;
  }
}

struct Balance {
  double impulse = 0;  // of supports and loads, by the trapezoidal rule
  double gained = 0;   // momentum
};
// Along z of a block whose loads are its weight and a traction sin(t).
Balance balance(const io::Problem& p, double weight, double traction) {
  const auto integrator = method::make_integrator(p.model, p.method, {interpreted});
  system::Reactions at(p.model, p.supports, interpreted);
  Eigen::VectorXd lambda;
  integrator->start(0, p.q0, p.v0);
  EXPECT_TRUE(integrator->project().found);
  const double h = p.schedule.step[0];
  method::Snapshot s;
  Balance out;
  for (long k = 0; k <= p.schedule.steps; ++k) {
    integrator->snapshot(s);
    integrator->multipliers(h, lambda);
    const auto R = reactions(at, s.t, s.q, s.v, {lambda.data(), static_cast<std::size_t>(lambda.size())});
    const bool end = k == 0 || k == p.schedule.steps;
    out.impulse += (end ? 0.5 : 1) * h * (total(R, 'z') + weight + traction * std::sin(s.t));
    const bool consistent = p.model.mass.kind == system::MassMatrix::Kind::full;
    const Eigen::VectorXd momentum =
        consistent ? Eigen::VectorXd(p.model.mass.full * s.v) : Eigen::VectorXd(p.model.mass.diagonal.cwiseProduct(s.v));
    const double z = Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<3>>(momentum.data() + 2, momentum.size() / 3).sum();
    if (k == 0) out.gained = -z;
    if (k == p.schedule.steps) out.gained += z;
    if (end && k > 0) break;
    EXPECT_TRUE(integrator->advance(1, h).ok);
  }
  return out;
}

const std::string loads = "gravity = [0, 0, -0.01]\ntraction = { group = \"x1\", value = [0, 0, \"0.02*sin(t)\"] }\n";

// Newmark's velocities and those of Verlet are the trapezoidal rule of accelerations that solve the equations at both ends: to
// the solver's tolerance the impulses are all the momentum there is. (3e-13 a step of momenta of size 1.)
TEST(Reactions, of_a_swinging_block_are_with_its_loads_the_momentum_it_gains) {
  const Block block;
  for (const char* mass : {"consistent", "lumped"})
    for (const char* method : {"newmark", "verlet"}) {
      const bool damped = std::string(method) == "newmark";
      const io::Problem p =
          block.problem(fmt::format("mass = \"{}\"\nfixed = [\"x0\"]\n", mass) + loads + (damped ? rubber : slippery), method);
      const Balance b = balance(p, -0.04, 0.02);
      EXPECT_NEAR(b.impulse, b.gained, 1e-11) << method << ' ' << mass;
      EXPECT_GT(std::abs(b.gained), 0.01);
    }
}

// Others are as far off as the trapezoidal rule and the states are: their second order.
TEST(Reactions, of_any_method_are_the_momentum_to_second_order) {
  const Block block;
  struct Case {
    const char *method, *held;
  };
  for (const auto& [method, held] : {Case{"midpoint", "fixed = [\"x0\"]\n"}, Case{"energy-momentum", "fixed = [\"x0\"]\n"},
                                     Case{"rattle", "driven = { group = \"x0\", x = 0, y = 0, z = \"0.1*sin(t)^2\" }\n"},
                                     Case{"newmark", "driven = { group = \"x0\", x = 0, y = 0, z = \"0.1*sin(t)^2\" }\n"},
                                     Case{"hht",
                                          "fixed = [{ group = \"x0\", components = [\"x\", \"y\"] }]\n"
                                          "driven = { group = \"x0\", z = \"0.1*sin(t)^2\" }\n"},
                                     Case{"midpoint",
                                          "fixed = [{ group = \"x0\", components = [\"x\", \"y\"] }]\n"
                                          "driven = { group = \"x0\", z = \"0.1*sin(t)^2\" }\n"}}) {
    double error[2]{};
    for (const int fine : {0, 1}) {
      const Balance b = balance(block.problem(held + loads + slippery, method, fine ? 0.01 : 0.02), -0.04, 0.02);
      error[fine] = std::abs(b.impulse - b.gained);
      EXPECT_GT(std::abs(b.gained), 0.005);
    }
    EXPECT_LT(error[1], 1e-4) << method;
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.2) << method << ' ' << held << ' ' << error[0] << ' ' << error[1];
  }
}

// sigma = M z/I: of the upper half of the element beside the clamp the mean of z is a quarter, of M that of its middle, and of
// the shear stress F/A. Clamped in all components, without contraction.
TEST(CauchyStress, at_the_root_of_a_beam_is_that_of_its_bending) {
  const Folder folder;
  models::write_msh(models::mesh_of({Cell::hexahedron20, {10, 1, 2}, {10, 1, 1}}), folder / "beam.msh");
  const io::Problem p = io::load_text(with(R"toml([system.solid]
mesh = "MESH"
fixed = ["x0"]
traction = { group = "x1", value = [0, 0, 1e-6] }
material = { model = "linear-elastic", E = 1, nu = 0, density = 1 }
probe = [{ name = "top", at = [0.5, 0.5, 0.75], stress = true }, { name = "bottom", at = [0.5, 0.5, 0.25], stress = true },
         { name = "root", group = "x0", stress = true }]
[method]
name = "newmark"
[run]
step = 0.1
steps = 1
)toml",
                                           "MESH", folder / "beam.msh"),
                                      "p.toml");
  const Eigen::VectorXd q = method::equilibrium(p.model, 0, p.q0, interpreted).q;
  ASSERT_EQ(p.stresses.size(), 3u);
  ASSERT_EQ(p.stresses[0].elements.size(), 1u);
  ASSERT_EQ(p.stresses[2].elements.size(), 2u);
  const std::array elements{p.stresses[0].elements[0], p.stresses[1].elements[0]};
  system::ElementStress stress(p.model, elements, interpreted);
  system::SevenRows out;
  stress(0, q, out);
  const double bending = 1e-6 * 9.5 * 0.25 * 12, shear = 1e-6;
  EXPECT_NEAR(out(0, 0) / out(6, 0), -bending, 0.01 * bending);
  EXPECT_NEAR(out(0, 1) / out(6, 1), bending, 0.01 * bending);
  EXPECT_NEAR((out(5, 0) + out(5, 1)) / (out(6, 0) + out(6, 1)), shear, 1e-3 * shear);
  EXPECT_NEAR(out(6, 0), 0.5, 1e-12);
  system::Reactions at(p.model, p.supports, interpreted);
  const auto R = reactions(at, 0, q, Eigen::VectorXd::Zero(q.size()));
  EXPECT_NEAR(R.at("x0.z"), -1e-6, 1e-14);
}

}  // namespace
}  // namespace actio
