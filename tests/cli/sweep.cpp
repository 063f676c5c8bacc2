#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <cli/program.hpp>
#include <run/json.hpp>

using test::Json;

namespace {

using test::contains;

const std::string swinging = R"toml(title = "A swing"
[system]
coordinates = ["x"]
parameters = { k = 1.0 }
mass = 1
potential = "0.5*k*x^2"
[initial]
position = [1]
[method]
name = "newmark"
[run]
step = 0.1
end = 5.6
)toml";

}  // namespace

// x = cos(t), so the error of x at the end falls with the square of the step.
TEST(ActioSweep, of_steps_and_methods_converges_at_the_order_of_each) {
  const test::Folder here;
  const std::string file = here.write("swing.toml", swinging);
  const auto r = here.run("sweep " + file + " method.name=newmark,rk4 run.step=0.1,0.05 --jobs 2 --json");
  ASSERT_EQ(r.code, 0) << r.err;
  const Json j = Json::parse(r.out);
  ASSERT_EQ(j["runs"].size(), 4U);
  const auto error = [&](int k) { return std::abs(j["runs"][k]["x.last"].number() - std::cos(5.6)); };
  EXPECT_NEAR(std::log2(error(0) / error(1)), 2, 0.2);
  EXPECT_NEAR(std::log2(error(2) / error(3)), 4, 0.3);
  EXPECT_EQ(j["runs"][2]["values"]["method.name"].text(), "rk4");
  EXPECT_EQ(j["runs"][3]["values"]["run.step"].number(), 0.05);
  EXPECT_EQ(j["runs"][0]["verdict"].text(), "kept");
  EXPECT_NEAR(j["runs"][0]["x.largest"].number(), 1, 1e-12);
}

TEST(ActioSweep, a_combination_that_does_not_fit_is_a_row_that_says_why) {
  const test::Folder here;
  const std::string file = here.write("swing.toml", swinging), table = (here / "table.csv").string();
  const auto r = here.run("sweep " + file + " method.name=newmark,nope,rattle k=1,2 -o " + table);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "unknown method \"nope\"") && contains(r.out, "wrong input")) << r.out;
  const std::string text = test::read(table);
  EXPECT_EQ(text.find("method.name,k,verdict,energy_error,drift_per_step,seconds,x.largest,x.last,error\nnewmark,1,kept,"), 0U)
      << text;
  const auto none = here.run("sweep " + file + " run.stp=1,2");
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.out, "");
  EXPECT_TRUE(contains(none.err, "unknown key \"stp\" in [run]")) << none.err;
  EXPECT_EQ(here.run("sweep " + file + " run.step=0.1,0.2 -o " + (here / "t.h5").string()).code, 0);
  EXPECT_GT(test::read(here / "t.h5").size(), 1000U);
}

// Lists and brackets keep their commas; the sweep of initial values is that of each start.
TEST(ActioSweep, values_are_parted_outside_of_brackets) {
  const test::Folder here;
  const std::string file = here.write("swing.toml", swinging);
  const auto r = here.run("sweep " + file + " 'initial.position=[1],[-3]' --json");
  ASSERT_EQ(r.code, 0) << r.err;
  const Json j = Json::parse(r.out);
  EXPECT_EQ(j["runs"][1]["values"]["initial.position"].text(), "[-3]");
  EXPECT_NEAR(j["runs"][1]["x.largest"].number(), -3, 1e-12);
  const Json steps = Json::parse(here.run("sweep " + file + " 'run.step=[0.1,0.2],0.05' --json").out);
  ASSERT_EQ(steps["runs"].size(), 2U);
  EXPECT_EQ(steps["runs"][0]["values"]["run.step"].text(), "[0.1,0.2]");
  const auto empty = here.run("sweep " + file + " run.end=1,,2");
  EXPECT_EQ(empty.code, 2);
  EXPECT_TRUE(contains(empty.err, "command line:1:11: error: run.end has an empty value")) << empty.err;
  EXPECT_TRUE(contains(here.run("sweep " + file + " k=1,2 system.parameters.k=3,4").err, "is given twice"));
}

TEST(ActioSweep, of_parameters_says_why_it_is_not_an_ensemble) {
  const test::Folder here;
  const std::string file = here.write("swing.toml", swinging);
  const auto r = here.run("sweep " + file + " k=1,4");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "runs of their own: steps of an ensemble are generated for verlet and midpoint")) << r.out;
  EXPECT_TRUE(contains(here.run("sweep " + file + " k=1,4 method.name=midpoint").out, "ns a step of a member"));
}

// A force changes the energy, and so does a Lagrangian that depends on time: no error is claimed of either, by any way of
// running.
TEST(ActioSweep, of_driven_systems_leaves_the_energy_error_blank_and_says_why) {
  const test::Folder here;
  std::string text = swinging;
  text.insert(text.find("[initial]"), "[system.force]\nx = \"sin(t)\"\n");
  std::string with_time = swinging;
  with_time.insert(with_time.find("k*x^2") + 5, "*cos(t)");
  const std::string file = here.write("driven.toml", text), table = (here / "table.csv").string();
  const auto r = here.run("sweep " + file + " k=1,2 -o " + table);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "no energy error where forces act")) << r.out;
  EXPECT_TRUE(contains(test::read(table), "\n1,kept,,,") && contains(test::read(table), "\n2,kept,,,")) << test::read(table);
  const auto members = here.run("sweep " + here.write("time.toml", with_time) + " k=1,2 method.name=midpoint -o " + table);
  EXPECT_EQ(members.code, 0) << members.err;
  EXPECT_TRUE(contains(members.out, "ns a step of a member") && contains(members.out, "forces or the time change it"))
      << members.out;
  EXPECT_TRUE(contains(test::read(table), ",nan,\n")) << test::read(table);
  const auto steps = here.run("sweep " + file + " run.step=0.1,0.05 --json");
  EXPECT_TRUE(Json::parse(steps.out)["runs"][0]["energy_error"].is_null()) << steps.out;
  EXPECT_TRUE(Json::parse(steps.out)["runs"][0]["drift_per_step"].is_null()) << steps.out;
  const auto compared = here.run("compare " + file + " -m newmark,rk4");
  EXPECT_TRUE(contains(compared.out, "no energy error where forces act")) << compared.out;
}

TEST(ActioSweep, with_a_picture_needs_the_package) {
  const test::Folder here;
  const auto r = here.run("sweep " + here.write("swing.toml", swinging) + " k=1,2 --plot " + (here / "a.svg").string());
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "--plot: the Python package draws pictures") && contains(r.err, "./actio sweep")) << r.err;
}
