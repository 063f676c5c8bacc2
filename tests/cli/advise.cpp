#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "program.hpp"

// actio advise: what it finds, what it proposes, what it refuses.
namespace {

using test::contains;

const std::string oscillators = R"toml(title = "Two oscillators"
[system]
coordinates = ["x", "y"]
mass = [1, 2]
potential = "x^2 + y^2 + 0.1*x^2*y"
[initial]
position = [1, 0.5]
[run]
end = 50
)toml";

double number_after(const std::string& text, const std::string& key) {
  const std::size_t at = text.find(key);
  return at == std::string::npos ? std::nan("") : std::strtod(text.c_str() + at + key.size(), nullptr);
}

// The text after "as lines of a problem file:".
std::string proposed(const std::string& text) {
  const std::size_t at = text.find("[method]\n");
  return at == std::string::npos ? "" : text.substr(at);
}

TEST(AdviseCommand, proposes_lines_that_run_where_the_file_has_no_method_and_no_step) {
  const test::Folder here;
  const std::string file = here.write("p.toml", oscillators);
  const test::Result r = here.run("advise " + file);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "2 coordinates, L = 1/2 v'Mv - V(q) with a constant mass, nonlinear\n")) << r.out;
  EXPECT_TRUE(contains(r.out, "no constraints, no friction, no forces\n")) << r.out;
  const std::string lines = proposed(r.out);
  const std::size_t run = lines.find("\n[run]\n");
  ASSERT_NE(run, std::string::npos) << r.out;
  std::string whole = oscillators;
  whole.replace(whole.find("[run]\n"), 6, lines.substr(run + 1));
  const test::Result made = here.run("run -q " + here.write("q.toml", whole + lines.substr(0, run)));
  EXPECT_EQ(made.code, 0) << whole << lines << made.err;
}

TEST(AdviseCommand, changes_no_file) {
  const test::Folder here;
  const std::string file = here.write("p.toml", oscillators);
  EXPECT_EQ(here.run("advise -q " + file).code, 0);
  EXPECT_EQ(test::read(file), oscillators);
}

// The error that the table states is the one that a comparison with a reference measures.
TEST(AdviseCommand, has_steps_of_the_error_that_is_asked_for) {
  const test::Folder here;
  const std::string file = here.write("p.toml", oscillators);
  const test::Result r = here.run("advise --json -e 1e-5 -m midpoint " + file);
  ASSERT_EQ(r.code, 0) << r.err;
  const double step = number_after(r.out, "\"step\":"), window = number_after(r.out, "\"window\":");
  const double steps = std::round(window / step);
  const test::Result c =
      here.run(fmt::format("compare {} -m midpoint --reference gauss@{} run.step={} run.end={} run.every={} --json", file,
                           window / steps / 4, window / steps, window, std::max(1.0, std::floor(steps / 4))));
  ASSERT_EQ(c.code, 0) << c.err;
  const double error = number_after(c.out, "\"position\":");
  EXPECT_GT(error, 0.4e-5) << c.out;
  EXPECT_LT(error, 2.5e-5) << c.out;
}

TEST(AdviseCommand, measures_the_order_of_what_it_tries) {
  const test::Folder here;
  const test::Result r = here.run("advise --json -m midpoint " + here.write("p.toml", oscillators));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_NEAR(number_after(r.out, "\"order\":"), 2, 0.2) << r.out;
  EXPECT_TRUE(contains(r.out, "\"verdict\":\"kept\"")) << r.out;
  EXPECT_TRUE(contains(r.out, "\"best\":\"midpoint\"")) << r.out;
}

TEST(AdviseCommand, lists_only_methods_that_take_the_system) {
  const test::Folder here;
  const test::Result r = here.run("advise --json --tries 1 examples/double-pendulum.toml");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "\"name\":\"rattle\"")) << r.out;
  EXPECT_FALSE(contains(r.out, "\"name\":\"verlet\"")) << r.out;
  EXPECT_FALSE(contains(r.out, "\"name\":\"newmark\"")) << r.out;
}

TEST(AdviseCommand, puts_steps_that_follow_the_motion_first_where_bodies_meet) {
  const test::Folder here;
  const test::Result r = here.run("advise examples/comet.toml");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "close encounters: ")) << r.out;
  EXPECT_TRUE(contains(proposed(r.out), "name = \"log-hamiltonian\"\n")) << r.out;
}

TEST(AdviseCommand, takes_a_member_of_an_ensemble) {
  const test::Folder here;
  const test::Result r = here.run("advise --tries 1 examples/henon-heiles-ensemble.toml ensemble.members=3");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "member 0 of the ensemble\n")) << r.out;
}

TEST(AdviseCommand, says_what_is_wrong_with_the_problem) {
  const test::Folder here;
  const auto error = [&](std::string from, const std::string& to) {
    std::string text = oscillators;
    text.replace(text.find(from), from.size(), to);
    const test::Result r = here.run("advise " + here.write("p.toml", text));
    EXPECT_EQ(r.code, 2) << r.out;
    return r.err;
  };
  EXPECT_TRUE(contains(error("0.1*x^2*y", "0.1*z"), "unknown name \"z\"")) << error("0.1*x^2*y", "0.1*z");
  EXPECT_TRUE(contains(error("mass = [1, 2]", "maas = [1, 2]"), "\"maas\""));
  EXPECT_TRUE(contains(error("end = 50", ""), "run.end is missing"));
  EXPECT_TRUE(contains(error("coordinates = [\"x\", \"y\"]", "coordinates = []"), "coordinates"));
}

TEST(AdviseCommand, refuses_options_that_make_no_sense) {
  const test::Folder here;
  const std::string file = here.write("p.toml", oscillators);
  EXPECT_TRUE(contains(here.run("advise -e 2 " + file).err, "the error is 2; it must be between 0 and 1"));
  EXPECT_TRUE(contains(here.run("advise --seconds 0 " + file).err, "the trials need some time"));
  EXPECT_TRUE(contains(here.run("advise --tries 0 " + file).err, "at least one method must be tried"));
  EXPECT_TRUE(contains(here.run("advise -m verlat " + file).err, "--methods: unknown method \"verlat\""));
  EXPECT_TRUE(contains(here.run("advise -m wisdom-holman " + file).err, "none of these methods takes the system"));
}

}  // namespace
