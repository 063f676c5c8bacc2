#include <string>

#include <gtest/gtest.h>

#include <cli/program.hpp>

namespace {

using test::contains;

void expect_parts(const std::string& out, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_TRUE(contains(out, part)) << part << "\n" << out;
}

TEST(ActioCheck, says_what_constraints_leave) {
  const test::Folder here;
  const auto r = here.run("check examples/double-pendulum.toml");
  EXPECT_EQ(r.code, 0) << r.err;
  expect_parts(r.out, {"constraint   upper rod: a function of 2 coordinates at 1 place",
                       "constraint   lower rod: a function of 4 coordinates at 1 place", "enforced by  multipliers",
                       "freedom      4 coordinates that move, 2 constraints: 2 degrees of freedom"});
  expect_parts(here.run("check examples/car-axis.toml").out, {"perpendicular: moves, a function of 2 coordinates at 1 place"});
  expect_parts(here.run("check --json examples/double-pendulum.toml").out, {"\"constraints\":2", "\"penalised\":0"});
}

TEST(ActioCheck, says_what_a_penalty_takes_the_place_of) {
  const test::Folder here;
  const std::string soft = "examples/double-pendulum.toml system.constraint_method=penalty system.omega=20 method.name=newmark";
  const auto r = here.run("check " + soft);
  EXPECT_EQ(r.code, 0) << r.err;
  expect_parts(r.out, {"term         upper rod: a stiff potential of 2 coordinates at 1 place",
                       "constraint   lower rod: a function of 4 coordinates at 1 place",
                       "enforced by  a penalty 1/2 omega^2 g^2 each, omega = 20"});
  EXPECT_FALSE(contains(r.out, "freedom")) << r.out;
  expect_parts(here.run("check --json " + soft).out, {"\"constraints\":0", "\"penalised\":2", "\"omega\":20"});
}

}  // namespace
