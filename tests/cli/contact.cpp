#include <gtest/gtest.h>

#include <cli/program.hpp>
#include <run/json.hpp>

// [[system.contact]], from the file to what a user reads.
namespace {

using test::Folder;
using test::Json;

TEST(Contacts, of_the_examples_are_certified_and_listed) {
  const Folder here;
  const auto ball = here.run(fmt::format("run examples/bouncing-ball.toml -o '{}'", (here / "p.csv").string()));
  ASSERT_EQ(ball.code, 0) << ball.err;
  EXPECT_TRUE(test::contains(ball.out, "contacts        59 impacts, which took 9.81 of the energy, 1 contact lasts; lowest gap "))
      << ball.out;
  EXPECT_TRUE(test::contains(ball.out, "impacts         contacts 59 impacts, the first of floor at t = 0.4515236409857"))
      << ball.out;
  EXPECT_TRUE(test::contains(ball.out, "closed for good from t = 4.06371276887")) << ball.out;
  const std::string table = test::read(here / "p.impacts.csv");
  EXPECT_TRUE(table.starts_with("t,contact,impulse,before,after,lasts\n0.45152364098")) << table.substr(0, 200);
  for (const char* example : {"billiard", "cradle"}) {
    const auto run = here.run(fmt::format("run examples/{}.toml --json", example));
    ASSERT_EQ(run.code, 0) << run.err;
    const Json c = Json::parse(run.out);
    EXPECT_EQ(c["verdict"].text(), "kept") << run.out.substr(0, 2000);
    EXPECT_GT(c["contacts"]["impacts"].number(), 50);
  }
}

TEST(Contacts, that_overlap_at_the_start_are_refused) {
  const Folder here;
  const auto run = here.run("run examples/bouncing-ball.toml initial.position=[-0.04]");
  EXPECT_NE(run.code, 0);
  EXPECT_TRUE(test::contains(run.err, "the gap of floor is -0.04 at the start: what touches there overlaps")) << run.err;
}

}  // namespace
