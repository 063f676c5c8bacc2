#include <gtest/gtest.h>

#include "laws/systems.hpp"

namespace actio::method {
namespace {

Eigen::VectorXd end(const laws::System& system, const Spec& spec, long steps) {
  const auto integrator = make_integrator(system.problem.model, spec);
  integrator->start(0, system.problem.q0, system.problem.v0);
  EXPECT_TRUE(integrator->advance(steps, 2.0 / static_cast<double>(steps)).ok);
  Snapshot s;
  integrator->snapshot(s);
  EXPECT_NEAR(s.t, 2, 1e-14);
  Eigen::VectorXd z(2 * s.q.size());
  z << s.q, s.p;
  return z;
}

// A variable-order method's global error is some 100 times its tolerance here; tenfold tolerance, some tenfold error.
TEST(CvodeAdams, follows_its_tolerance_on_every_system) {
  for (const laws::System* system : laws::systems()) {
    const auto truth =
        end(*system, {system->separable ? AnyMethod(Verlet{}) : AnyMethod(Midpoint{}), true, {8, "kahan-li"}}, 400);
    EXPECT_LT((end(*system, {CvodeAdams{1e-10, 1e-12}, false, {}}, 20) - truth).norm(), 1e-7) << system->name;
    EXPECT_LT((end(*system, {CvodeAdams{1e-13, 1e-14}, false, {}}, 20) - truth).norm(), 1e-10) << system->name;
    EXPECT_GT((end(*system, {CvodeAdams{1e-4, 1e-4}, false, {}}, 20) - truth).norm(), 1e-6) << system->name;
  }
}

TEST(CvodeAdams, copies_walk_on_alone) {
  const laws::System& system = laws::oscillator();
  const auto a = make_integrator(system.problem.model, {CvodeAdams{}, false, {}});
  a->start(0, system.problem.q0, system.problem.v0);
  ASSERT_TRUE(a->advance(5, 0.1).ok);
  const auto b = a->clone();
  ASSERT_TRUE(a->advance(5, 0.1).ok);
  ASSERT_TRUE(b->advance(5, 0.1).ok);
  Snapshot x, y;
  a->snapshot(x);
  b->snapshot(y);
  EXPECT_LT((x.q - y.q).norm(), 1e-8);  // the copy starts its history again
}

}  // namespace
}  // namespace actio::method
