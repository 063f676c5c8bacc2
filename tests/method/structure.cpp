#include <gtest/gtest.h>

#include <actio/method/newmark.hpp>
#include <actio/system/assembled.hpp>
#include <method/count_allocations.hpp>
#include <models/brick.hpp>

// Newmark's method on a finite element model large enough for supernodes.
namespace actio::method {
namespace {

system::Model brick(int edge) {
  const models::Structure s = make(models::Brick{.elements = {edge, edge, edge}});
  system::Model model;
  model.families = {{"u", s.size(), 0, true}};
  model.mass.kind = system::MassMatrix::Kind::full;
  model.mass.full = s.mass;
  model.stiffness = s.stiffness;
  model.damping = s.mass;  // Rayleigh damping a M + b S
  model.damping.coeffs() = 50 * s.mass.coeffs() + 1e-6 * s.stiffness.coeffs();
  return model;
}

TEST(Structure, steps_of_one_length_factor_once_and_allocate_nothing) {
  using Space = algebra::SparseSpace;
  using System = system::Assembled<Space>;
  const auto compiled = system::compile(brick(8));
  ASSERT_TRUE(compiled->linear);
  ASSERT_TRUE(compiled->symmetric);
  NewmarkStepper<System> newmark(System(compiled, system::layout<Space>(*compiled, true)), {.beta = 0.25, .gamma = 0.5});
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(compiled->n), push = Eigen::VectorXd::Ones(compiled->n);
  auto state = newmark.start(0, rest, push);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(newmark.step(state, 1e-5).converged);
  const long before = tests::allocations();
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(newmark.step(state, 1e-5).converged);
  EXPECT_EQ(tests::allocations(), before);
  EXPECT_EQ(newmark.factorisations(), 1);
  EXPECT_LT(newmark.residual(state, state, 1e-5), 1e-10);
}

}  // namespace
}  // namespace actio::method
