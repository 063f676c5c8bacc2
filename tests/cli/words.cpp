#include <gtest/gtest.h>

#include <cli/program.hpp>

// Words that a run and a check use: units, names of others, what a short run can know.
namespace {

using test::contains;

std::string spring(const std::string& more) {
  return "[system]\ncoordinates = [\"x\"]\nmass = 1\npotential = \"2*x^2\"\n" + more +
         "[initial]\nposition = [1]\n[method]\nname = \"verlet\"\n[run]\nstep = 0.1\nend = 1.05\n";
}

}  // namespace

TEST(ActioCheck, gives_frequencies_per_unit_of_time_of_the_file) {
  const test::Folder here;
  const auto none = here.run("check " + here.write("a.toml", spring("")));
  EXPECT_TRUE(contains(none.out, "lowest 2 rad per unit of time (period 3.142), ")) << none.out << none.err;
  const auto days = here.run("check " + here.write("b.toml", spring("units = { time = \"day\" }\n")));
  EXPECT_TRUE(contains(days.out, "lowest 2 rad/day (period 3.142 day), ")) << days.out << days.err;
  const auto atoms = here.run(
      "check " + here.write("c.toml", spring("units = { length = \"angstrom\", mass = \"amu\", energy = \"kcal/mol\" }\n")));
  EXPECT_TRUE(contains(atoms.out, "rad per 48.8882 fs")) << atoms.out << atoms.err;
  const auto limit = here.run("run " + (here / "b.toml").string() + " run.step=1.5");
  EXPECT_TRUE(contains(limit.err, "highest frequency w = 2 rad/day")) << limit.err;
  EXPECT_TRUE(contains(here.run("check examples/cantilever.toml").out, " rad/s (period "));
}

TEST(ActioCheck, shows_the_start_that_was_put_on_the_constraints) {
  const test::Folder here;
  const std::string file = here.write("rod.toml",
                                      "[system]\ncoordinates = [\"x\", \"y\"]\nmass = 1\nconstraints = [\"x^2 + y^2 - 1\"]\n"
                                      "[initial]\nposition = [1.1, 0]\nvelocity = [0.5, 1]\nproject = true\n[method]\nname = "
                                      "\"rattle\"\n[run]\nstep = 0.1\nsteps = 3\n");
  const auto r = here.run("check " + file);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out,
                       "projected onto the constraints: position moved by 1.00e-01, velocity by 5.00e-01; x = 1, x' = 0, "
                       "y = 0, y' = 1"))
      << r.out;
  EXPECT_TRUE(contains(here.run("check " + file + " initial.position=[1,0] initial.velocity=[0,1]").out,
                       "on the constraints as it is given"));
}

TEST(ActioRun, meets_its_end_by_a_shorter_last_step_and_says_so) {
  const test::Folder here;
  const std::string file = here.write("a.toml", spring(""));
  const auto r = here.run("run " + file);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "11 of 11 steps of 0.1, the last 0.05, 1 coordinate, t = 1.05;")) << r.out;
  EXPECT_TRUE(contains(r.out, "the energy near its start")) << r.out;  // as with equal steps
  const auto newmark = here.run("run " + file + " method.name=newmark");
  EXPECT_TRUE(contains(newmark.out, "t = 1.1 is past run.end = 1.05: what newmark conserves depends on the step")) << newmark.out;
}

TEST(ActioRun, of_few_steps_says_that_they_show_no_drift) {
  const test::Folder here;
  const std::string file = here.write("a.toml", spring(""));
  const auto one = here.run("run " + file + " run.steps=1"), three = here.run("run " + file + " run.steps=3");
  EXPECT_TRUE(contains(one.out, "drift not measured: 1 step tell")) << one.out;
  EXPECT_TRUE(contains(three.out, "drift not measured: 3 steps tell too little; it takes 8 observations")) << three.out;
  EXPECT_TRUE(contains(three.out, "the energy near its start (too few observations to see a drift)")) << three.out;
}

TEST(ActioList, groups_methods_by_use_with_the_names_that_others_give_them) {
  const test::Folder here;
  const auto r = here.run("list");
  const auto at = [&](const std::string& text) {
    EXPECT_TRUE(contains(r.out, text)) << text;
    return r.out.find(text);
  };
  EXPECT_LT(at("explicit: "), at("\nverlet "));
  EXPECT_LT(at("\nverlet "), at("structural dynamics: "));
  EXPECT_LT(at("structural dynamics: "), at("\nhht "));
  EXPECT_LT(at("for comparison: "), at("\nrk4 "));
  EXPECT_TRUE(contains(r.out, "also called     leapfrog, Stormer-Verlet, ")) << r.out;
  EXPECT_TRUE(contains(here.run("explain hht").out, "also called HHT-alpha, Hilber-Hughes-Taylor")) << r.out;
  EXPECT_TRUE(contains(here.run("explain Velocity-Verlet").err, "did you mean \"verlet\"?"));
}

TEST(Actio, says_how_to_run_on_many_processes) {
  const test::Folder here;
  for (const char* words : {"--help", "run --help"})
    EXPECT_TRUE(contains(here.run(words).out, "-np N: actio run -np N FILE")) << words;
}
