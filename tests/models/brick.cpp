#include <models/brick.hpp>
#include <models/vibration.hpp>
#include <stdexcept>

namespace models {
namespace {

TEST(Brick, rigid_motions_cost_no_energy_and_carry_the_whole_mass) {
  const Brick brick{.elements = {3, 4, 2}, .size = {2, 1, 0.5}, .clamped = false};
  const Structure s = make(brick);
  EXPECT_EQ(s.size(), 3 * 4 * 5 * 3);
  tests::expect_rigid_motions_cost_nothing(s, 7850 * 2 * 1 * 0.5);
  const Eigen::VectorXd lumped = s.lumped_mass();
  EXPECT_NEAR(lumped.sum(), 3 * 7850.0, 1e-9);
  EXPECT_NEAR(lumped.minCoeff(), 7850.0 / 24 / 8, 1e-10);  // a corner has an eighth of one element
}

// Moment of inertia about x through the corner: m (b^2 + c^2) / 3; trilinear elements have it exactly.
TEST(Brick, turns_with_its_moment_of_inertia) {
  const Structure s = make({.elements = {2, 3, 2}, .size = {2, 1, 0.5}, .clamped = false});
  const Eigen::VectorXd u = s.rigid({0, 0, 0}, {1, 0, 0});
  EXPECT_NEAR(u.dot(s.mass * u), 7850 * (1 + 0.25) / 3, 1e-9);
}

// A bar of nu = 0 pulled by a uniform strain e has the energy 1/2 E e^2 of each unit of volume; sheared by g, 1/2 G g^2.
TEST(Brick, uniform_strain_has_the_energy_of_hookes_law) {
  for (const double nu : {0.0, 0.3}) {
    const Structure s = make({.elements = {3, 2, 2}, .size = {3, 1, 2}, .nu = nu, .clamped = false});
    Eigen::VectorXd pull(s.size()), shear(s.size());
    for (std::size_t node = 0; node < s.nodes.size(); ++node) {
      const auto& r = s.nodes[node];
      pull.segment<3>(3 * static_cast<long>(node)) = Eigen::Vector3d(r[0], -nu * r[1], -nu * r[2]);  // free to contract
      shear.segment<3>(3 * static_cast<long>(node)) = Eigen::Vector3d(0, r[2], 0);
    }
    EXPECT_NEAR(pull.dot(s.stiffness * pull), 210e9 * 6, 1e-12 * 210e9 * 6);
    EXPECT_NEAR(shear.dot(s.stiffness * shear), 210e9 / (2 * (1 + nu)) * 6, 1e-12 * 210e9 * 6);
  }
}

// omega^2 of a cantilever of height H and length 10 H, nu = 0, against (1.875104)^4 E I / (rho A L^4). Elements of edge a bend
// with a parasitic shear that makes them (G/E) (a/H)^2 stiffer, here 1/2 (a/H)^2; shear and rotary inertia lower omega^2 by at
// most 1.5 % (Dunkerley: (H/L)^2 (1.03/1.03 + 1/12 ...)).
TEST(Brick, cantilever_vibrates_as_beam_theory_says) {
  const double exact = std::pow(1.8751040687, 4) * 210e9 / 12 / (7850 * 1e4);
  double square[3];
  for (int k : {2, 4}) {
    const Structure s = make({.elements = {10 * k, k, k}, .size = {10, 1, 1}, .nu = 0});
    Eigen::VectorXd sideways = s.rigid({0, 0, 1}, {0, 0, 0});
    square[k / 2] = tests::lowest_square(s, sideways) / exact;
  }
  EXPECT_NEAR(square[1] - square[2], 0.5 * (1.0 / 4 - 1.0 / 16), 0.01);  // the next order is (1/2 1/4)^2 = 0.016 less of it
  const double extrapolated = (4 * square[2] - square[1]) / 3;
  EXPECT_GT(extrapolated, 0.98);
  EXPECT_LT(extrapolated, 1);
}

TEST(Brick, supports_are_left_out_or_listed) {
  Brick brick{.elements = {3, 2, 2}};
  const Structure without = make(brick);
  brick.supports = Supports::listed;
  const Structure with = make(brick);
  EXPECT_EQ(without.size(), with.size() - 3 * 9);
  ASSERT_EQ(with.fixed.size(), 27u);
  EXPECT_TRUE(without.fixed.empty());
  std::vector<bool> fixed(static_cast<std::size_t>(with.size()));
  for (const auto i : with.fixed) fixed[i] = true;
  std::vector<int> kept;
  for (int i = 0; i < with.size(); ++i)
    if (!fixed[i]) kept.push_back(i);
  const Eigen::MatrixXd all = with.stiffness, rest = without.stiffness;
  EXPECT_EQ(Eigen::MatrixXd(all(kept, kept)), rest);
}

TEST(Brick, senseless_numbers_are_refused) {
  EXPECT_THROW(make(Brick{.elements = {0, 1, 1}}), std::invalid_argument);
  EXPECT_THROW(make(Brick{.elements = {3000, 3000, 3000}}), std::invalid_argument);
  EXPECT_THROW(make(Brick{.size = {1, -1, 1}}), std::invalid_argument);
  EXPECT_THROW(make(Brick{.nu = 0.5}), std::invalid_argument);
  EXPECT_THROW(make(Brick{.rho = std::nan("")}), std::invalid_argument);
}

}  // namespace
}  // namespace models
