#include <gtest/gtest.h>

#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>

// A copy of a system made of terms has buffers of its own.
namespace actio::system {
namespace {

TEST(Assembled, copies_step_alone_after_the_original_is_gone) {
  const io::Problem problem = io::load("examples/pleiades.toml");
  for (const method::AnyMethod& choice :
       std::initializer_list<method::AnyMethod>{method::Verlet{}, method::Midpoint{}, method::CvodeAdams{}}) {
    auto original = method::make_integrator(problem.model, {choice, false, {}});
    original->start(0, problem.q0, problem.v0);
    const auto copy = original->clone();
    original->start(0, 2 * problem.q0, problem.v0);
    ASSERT_TRUE(original->advance(3, 1e-3).ok);
    method::Snapshot elsewhere, here;
    original->snapshot(elsewhere);
    const auto reference = method::make_integrator(problem.model, {choice, false, {}});
    reference->start(0, problem.q0, problem.v0);
    ASSERT_TRUE(reference->advance(3, 1e-3).ok);
    reference->snapshot(elsewhere);
    original.reset();
    ASSERT_TRUE(copy->advance(3, 1e-3).ok);
    copy->snapshot(here);
    EXPECT_LT((here.q - elsewhere.q).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace actio::system
