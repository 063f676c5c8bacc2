#include <actio/invariant/momentum.hpp>
#include <common.hpp>

#include <gtest/gtest.h>

#include <run/fakes.hpp>

using actio::invariant::MomentumMap;
using Eigen::VectorXd;

namespace {

using actio::test::interpreted;

// n particles on a line, x[0..n-1]: total momentum and the virial-like m[i] x[i] d/dx[i], by tables.
actio::system::Model line(long n) {
  actio::system::Model m;
  m.families = {{"x", n, 0, true}};
  actio::system::GeneratorBlock shift, stretch;
  shift.value = shift.graph.constant(1);
  stretch.value = stretch.graph.mul(stretch.graph.column(1), stretch.graph.column(0));
  shift.elements = stretch.elements = n;
  stretch.locals = 1;
  stretch.data.resize(1);
  for (std::int32_t i = 0; i < n; ++i) {
    shift.rows.push_back(i);
    stretch.rows.push_back(i);
    stretch.dofs.push_back(i);
    stretch.data[0].push_back(0.5 + i);
  }
  m.symmetries = {{"momentum", {shift}}, {"stretch", {stretch}}};
  return m;
}

}  // namespace

TEST(MomentumMap, of_a_rotation_is_the_angular_momentum) {
  MomentumMap map(fakes::plane(), interpreted);
  ASSERT_EQ(map.size(), 1u);
  EXPECT_EQ(map.name(0), "angular momentum");
  EXPECT_TRUE(map.affine(0));
  double J = 0, scale = 0;
  map(0, VectorXd{{1.2, -0.5}}, VectorXd{{0.3, 0.7}}, {&J, 1}, {&scale, 1});
  EXPECT_DOUBLE_EQ(J, 1.2 * 0.7 - (-0.5) * 0.3);
  EXPECT_DOUBLE_EQ(scale, 1.2 * 0.7 + 0.5 * 0.3);
}

TEST(MomentumMap, round_off_of_an_impulse_counts_where_it_acts) {
  MomentumMap map(fakes::plane(), interpreted);
  double J = 0, scale = 0;
  map(0, VectorXd{{1.2, -0.5}}, VectorXd{{0.3, 0.7}}, {&J, 1}, {&scale, 1}, 10);
  EXPECT_DOUBLE_EQ(scale, 1.2 * 0.7 + 0.5 * 0.3 + 10 * (1.2 + 0.5));
}

TEST(MomentumMap, over_a_family_sums_its_members_with_their_own_tables) {
  constexpr long n = 37;
  MomentumMap map(line(n), interpreted);
  const VectorXd q = VectorXd::LinSpaced(n, -1, 2), p = VectorXd::LinSpaced(n, 3, -1);
  double J[2], scale[2], total = 0, stretch = 0;
  map(0, q, p, J, scale);
  for (long i = 0; i < n; ++i) {
    total += p[i];
    stretch += p[i] * (0.5 + static_cast<double>(i)) * q[i];
  }
  EXPECT_NEAR(J[0], total, 1e-13);
  EXPECT_NEAR(J[1], stretch, 1e-11);
  EXPECT_TRUE(map.affine(0) && map.affine(1));
  VectorXd xi;
  map.field(1, 0, q, xi);
  EXPECT_DOUBLE_EQ(xi[5], 5.5 * q[5]);
}

TEST(MomentumMap, components_written_on_their_own_read_any_coordinate) {
  auto model = line(6);
  model.symmetries = {{"odd", {fakes::component(4, {5, 2}, [](auto& g) { return g.sub(g.column(0), g.column(1)); })}}};
  MomentumMap map(model, interpreted);
  VectorXd xi;
  map.field(0, 0, VectorXd{{0, 1, 2, 3, 4, 50}}, xi);
  EXPECT_EQ(xi, (VectorXd{{0, 0, 0, 0, 48, 0}}));
}

TEST(MomentumMap, a_generator_quadratic_in_q_or_with_time_in_it_is_not_affine) {
  auto model = fakes::plane();
  model.symmetries = {{"quadratic", {fakes::component(0, {0, 1}, [](auto& g) { return g.mul(g.column(0), g.column(1)); })}},
                      {"boost", {fakes::component(0, {}, [](auto& g) { return g.uniform(0); })}},
                      {"far", {fakes::component(0, {1}, [](auto& g) { return g.sub(g.constant(1000), g.column(0)); })}}};
  MomentumMap map(model, interpreted);
  EXPECT_FALSE(map.affine(0));
  EXPECT_FALSE(map.affine(1));
  EXPECT_TRUE(map.affine(2));
  double J[3], scale[3];
  map(3, VectorXd{{2, 999}}, VectorXd{{1, 0}}, J, scale);
  EXPECT_DOUBLE_EQ(J[1], 3);
  // xi = 1000 - 999: what was added up is 1000 and 999, not 1.
  EXPECT_DOUBLE_EQ(J[2], 1);
  EXPECT_DOUBLE_EQ(scale[2], 1999);
}

TEST(MomentumMap, of_a_copy_is_independent) {
  MomentumMap a(line(5), interpreted), b(a);
  a = MomentumMap();
  VectorXd xi;
  b.field(1, 0, VectorXd::Ones(5), xi);
  EXPECT_DOUBLE_EQ(xi[4], 4.5);
}
