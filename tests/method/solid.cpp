#include "system/monomial_elements.hpp"

#include <gtest/gtest.h>

#include <actio/method/integrator.hpp>
#include <common.hpp>

#include "method/count_allocations.hpp"

// A free block of rubber that turns and swings.
namespace actio::method {
namespace {

using Eigen::Vector3d;

constexpr double mass = 1.5;

solid::Mesh block(solid::Kind kind) {
  const std::array<int, 3> cells = kind == solid::Kind::hexahedron8 ? std::array{3, 1, 2} : std::array{1, 1, 1};
  return solid::brick(kind, cells, [](const Vector3d& x) { return Vector3d(x + 0.1 * x.cwiseProduct(x)); });
}

struct Motion {
  solid::Mesh mesh;
  std::unique_ptr<Integrator> integrator;
  Snapshot now;
  Motion(solid::Kind kind, const AnyMethod& method) : mesh(block(kind)) {
    integrator =
        make_integrator(solid::model(kind, mesh, solid::neo_hookean(2, 3), mass), {method, false, {}},
                        {{}, kind >= solid::Kind::hexahedron20 ? BuildOptions::Space::dense : BuildOptions::Space::automatic});
    const Eigen::VectorXd q = solid::rest(mesh);
    Eigen::VectorXd v(q.size());
    for (long a = 0; a < q.size(); a += 3) {
      const Vector3d x = q.segment<3>(a);
      v.segment<3>(a) = Vector3d(0.3, 0.2, -0.1) + Vector3d(0.5, -0.4, 1).cross(x) + 0.1 * x.cwiseProduct(x);
    }
    integrator->start(0, q, v);
  }
  Vector3d momentum() {
    integrator->snapshot(now);
    Vector3d sum = Vector3d::Zero();
    for (long a = 0; a < now.p.size(); a += 3) sum += now.p.segment<3>(a);
    return sum;
  }
  Vector3d angular_momentum() {
    integrator->snapshot(now);
    Vector3d sum = Vector3d::Zero();
    for (long a = 0; a < now.p.size(); a += 3) sum += now.q.segment<3>(a).cross(now.p.segment<3>(a));
    return sum;
  }
};

// The largest changes of a run, and how far the energy in the elements has been from that at the start.
struct Lost {
  double energy = 0, momentum = 0, angular = 0, residual = 0, swung = 0, size = 0;
};
Lost run(solid::Kind kind, const AnyMethod& method, double h, int steps) {
  Motion body(kind, method);
  const auto kinetic = [&] { return 0.5 * body.now.p.dot(body.now.v); };
  const Vector3d P = body.momentum(), L = body.angular_momentum();
  const double E = body.integrator->energy(), T = kinetic();
  Lost lost;
  lost.size = E;
  for (int k = 0; k < steps; ++k) {
    const BatchReport report = body.integrator->advance(1, h);
    EXPECT_TRUE(report.ok) << report.what;
    lost.residual = std::max(lost.residual, report.worst_residual);
    lost.momentum = std::max(lost.momentum, (body.momentum() - P).norm());
    lost.angular = std::max(lost.angular, (body.angular_momentum() - L).norm());
    lost.energy = std::max(lost.energy, std::abs(body.integrator->energy() - E));
    lost.swung = std::max(lost.swung, std::abs(kinetic() - T));
  }
  return lost;
}

using actio::test::eps;
constexpr double h = 0.05;
constexpr int steps = 25;

class SolidsOfElements : public testing::TestWithParam<solid::Kind> {};
INSTANTIATE_TEST_SUITE_P(Elements, SolidsOfElements, testing::ValuesIn(solid::every_kind));

}  // namespace

TEST_P(SolidsOfElements, energy_momentum_keeps_energy_and_both_momenta_of_a_free_body) {
  const Lost lost = run(GetParam(), EnergyMomentum{}, h, steps);
  const double rounding = 100 * steps * eps;
  EXPECT_GT(lost.swung, 0.02 * lost.size);
  EXPECT_LT(lost.energy, rounding * lost.size);
  EXPECT_LT(lost.momentum, rounding);
  EXPECT_LT(lost.angular, rounding);
}

TEST_P(SolidsOfElements, without_turns_taken_out_energy_momentum_gives_angular_momentum_away) {
  const Lost lost = run(GetParam(), EnergyMomentum{false}, h, steps);
  const double rounding = 100 * steps * eps;
  EXPECT_LT(lost.energy, rounding * lost.size);
  EXPECT_LT(lost.momentum, rounding);
  EXPECT_GT(lost.angular, 1e-7);
}

TEST_P(SolidsOfElements, variational_methods_keep_both_momenta_of_a_free_body) {
  const double rounding = 100 * steps * eps;
  for (const AnyMethod& method : {AnyMethod(Variational{}), AnyMethod(Midpoint{}), AnyMethod(Verlet{})}) {
    const double step = std::holds_alternative<Verlet>(method) ? h / 10 : h;
    const Lost lost = run(GetParam(), method, step, steps);
    EXPECT_LT(lost.momentum, rounding);
    EXPECT_LT(lost.angular, rounding);
    EXPECT_GT(lost.energy, 1e-9 * lost.size);
  }
}

TEST(SolidOfElements, energy_of_a_variational_method_is_off_by_the_square_of_the_step) {
  const double once = run(solid::Kind::hexahedron8, Variational{}, h, steps).energy;
  const double twice = run(solid::Kind::hexahedron8, Variational{}, h / 2, 2 * steps).energy;
  EXPECT_NEAR(std::log2(once / twice), 2, 0.2);
}

TEST(SolidOfElements, a_step_allocates_nothing) {
  for (const AnyMethod& method :
       {AnyMethod(EnergyMomentum{}), AnyMethod(Newmark{0.25, 0.5}), AnyMethod(Verlet{}), AnyMethod(ZhangSkeel{})})
    for (const solid::Kind kind : {solid::Kind::tetrahedron4, solid::Kind::hexahedron8}) {
      Motion body(kind, method);
      ASSERT_TRUE(body.integrator->advance(3, 0.01).ok);
      const long before = tests::allocations();
      const bool ok = body.integrator->advance(5, 0.01).ok;
      const long made = tests::allocations() - before;
      EXPECT_TRUE(ok);
      EXPECT_EQ(made, 0) << Spec{method, false, {}}.description().name;
    }
}

// A copy of an integrator goes on by itself.
TEST(SolidOfElements, copies_are_independent) {
  Motion body(solid::Kind::tetrahedron4, Newmark{0.25, 0.5});
  (void)body.integrator->advance(3, h);
  const auto other = body.integrator->clone();
  (void)body.integrator->advance(5, h);
  Snapshot one, two;
  body.integrator->snapshot(one);
  body.integrator.reset();
  (void)other->advance(5, h);
  other->snapshot(two);
  EXPECT_EQ(one.q, two.q);
}

}  // namespace actio::method
