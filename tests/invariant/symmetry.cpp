#include <actio/invariant/symmetry.hpp>

#include <gtest/gtest.h>

#include <run/fakes.hpp>

using namespace actio;
using Eigen::VectorXd;

namespace {

const expr::CompileOptions interpreted{"none", {}};

std::vector<invariant::SymmetryCheck> check(const fakes::Fake& system, const system::Model& model, VectorXd q, VectorXd v) {
  invariant::MomentumMap map(model, interpreted);
  return invariant::check_symmetries(system, map, {0, q, v, v}, 0.1);
}

}  // namespace

TEST(Symmetry, rotation_leaves_a_central_potential_alone_and_a_shift_does_not) {
  auto model = fakes::plane();
  fakes::declare_shift(model);
  const auto c = check(fakes::verlet(), model, VectorXd{{1.2, 0}}, VectorXd{{0, 0.2}});
  EXPECT_TRUE(c[0].holds);
  EXPECT_LT(c[0].defect, 1e-9);
  EXPECT_FALSE(c[1].holds);
  EXPECT_GT(c[1].defect, 1e-2);
}

TEST(Symmetry, shift_leaves_a_free_particle_alone_even_at_rest) {
  auto model = fakes::plane();
  fakes::declare_shift(model);
  const fakes::Fake free(
      2, [](VectorXd& q, VectorXd& v, double h) { q += h * v; },
      [](const VectorXd&, const VectorXd& v) { return 0.5 * v.squaredNorm(); });
  for (const VectorXd& v : {VectorXd{{0.3, -0.1}}, VectorXd{{0.0, 0.0}}}) {
    const auto c = check(free, model, VectorXd{{1e3, 2}}, v);
    EXPECT_TRUE(c[0].holds);
    EXPECT_TRUE(c[1].holds);
  }
}

TEST(Symmetry, is_tried_near_the_initial_state_where_a_special_state_would_hide_the_loss) {
  // V = x^4 y^2 is stationary along every direction at the origin.
  auto model = fakes::plane();
  const fakes::Fake saddle(
      2, [](VectorXd&, VectorXd&, double) {},
      [](const VectorXd& q, const VectorXd& v) { return 0.5 * v.squaredNorm() + std::pow(q[0], 4) * q[1] * q[1]; });
  EXPECT_FALSE(check(saddle, model, VectorXd{{0, 0}}, VectorXd{{1, 0}})[0].holds);
}

TEST(Symmetry, generator_that_moves_velocities_wrongly_is_found_in_the_kinetic_energy) {
  // A shear x d/dy of a free particle: the potential does not see it, the kinetic energy does.
  auto model = fakes::plane();
  model.symmetries = {{"shear", {fakes::component(1, {0}, [](auto& g) { return g.column(0); })}}};
  const fakes::Fake free(
      2, [](VectorXd& q, VectorXd& v, double h) { q += h * v; },
      [](const VectorXd&, const VectorXd& v) { return 0.5 * v.squaredNorm(); });
  EXPECT_FALSE(check(free, model, VectorXd{{1, 2}}, VectorXd{{0.3, -0.1}})[0].holds);
}
