#include <algorithm>
#include <cmath>
#include <csignal>

#include <gtest/gtest.h>

#include <cli/program.hpp>
#include <run/json.hpp>

using test::Json;

namespace {

using test::contains, test::oscillator;

const std::string pendulum = "examples/pendulum.toml";

// As Folder::run, with words before the command and its own redirection of standard output.
int shell(const std::string& before, const std::string& after) {
  const int status = std::system(fmt::format("{} '{}' {}", before, test::program(), after).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST(ActioCompare, a_name_that_is_no_method_is_refused_before_anything_runs) {
  const test::Folder here;
  const auto r = here.run("compare " + oscillator + " --methods verlet,nwmark run.end=1e9");
  EXPECT_EQ(r.code, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_TRUE(contains(r.err, "error: --methods: unknown method \"nwmark\"")) << r.err;
  EXPECT_TRUE(contains(r.err, "did you mean \"newmark\"?")) << r.err;
  const auto json = here.run("compare " + oscillator + " -m foo --json");
  EXPECT_EQ(json.code, 2);
  EXPECT_EQ(Json::parse(json.out)["error"]["message"].text().find("--methods: unknown method \"foo\""), 0u) << json.out;
  EXPECT_TRUE(contains(json.err, "known methods: newmark, ")) << json.err;
}

TEST(ActioCompare, a_method_that_does_not_fit_is_a_row_and_wrong_input_only_when_none_fits) {
  const test::Folder here;
  const std::string curved = " run.end=2 \"system.lagrangian=m*l^2*(1 + theta^2)*theta'^2 + m*g*l*cos(theta)\"";
  const auto r = here.run("compare " + pendulum + " --methods verlet,midpoint" + curved);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "wrong input")) << r.out;
  EXPECT_TRUE(contains(r.out, "kept")) << r.out;
  EXPECT_TRUE(contains(r.err, "verlet needs a Lagrangian of the form")) << r.err;
  const auto none = here.run("compare " + pendulum + " --methods verlet,newmark" + curved);
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(contains(none.out, "wrong input")) << none.out;
}

TEST(ActioCompare, a_run_that_fails_is_a_row_and_the_exit_code_when_all_do) {
  const test::Folder here;
  EXPECT_EQ(here.run("compare " + oscillator + " --methods verlet run.step=3 run.end=300").code, 1);
  EXPECT_EQ(here.run("compare " + oscillator + " --methods verlet,midpoint run.step=0.4 run.end=30").code, 0);
}

// Along the exact motion, each method has its order: twenty times the step is 400 times the error of verlet.
TEST(ActioCompare, measures_errors_of_position_and_peaks_by_a_reference) {
  const test::Folder here;
  const auto errors = [&](double step) {
    const auto r = here.run(fmt::format(
        "compare {} -m verlet,rk4 run.step={} run.every={} run.end=10 --reference rk4@0.001 --json", oscillator, step, 1));
    EXPECT_EQ(r.code, 0) << r.err;
    const Json j = Json::parse(r.out);
    EXPECT_EQ(j["reference"]["method"].text(), "rk4");
    EXPECT_GT(j["reference"]["moved"].number(), 0);
    return std::pair{j["runs"][0]["errors"]["position_at_end"].number(), j["runs"][1]["errors"]["position"].number()};
  };
  const auto coarse = errors(0.1), fine = errors(0.05);
  EXPECT_NEAR(std::log2(coarse.first / fine.first), 2, 0.3);
  EXPECT_GT(coarse.second, 8 * fine.second);  // order 4
  const std::string table = (here / "t.csv").string();
  const auto r = here.run("compare " + oscillator + " -m verlet,midpoint --reference cvode-adams -o " + table);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "position error: |q - q_ref|, the largest over the observations")) << r.out;
  EXPECT_TRUE(contains(test::read(table), ",position_error,position_error_at_end,")) << test::read(table);
  const auto shorter =
      here.run("compare " + oscillator + " -m verlet,newmark run.step=0.3 run.end=2 --reference rk4@0.01 --json");
  EXPECT_EQ(shorter.code, 0) << shorter.err;
  EXPECT_GT(Json::parse(shorter.out)["runs"][0]["errors"]["position_at_end"].number(), 0);
  EXPECT_TRUE(Json::parse(shorter.out)["runs"][1]["errors"]["position_at_end"].is_null());  // it ends at 2.1
  const auto no_step = here.run("compare " + oscillator + " -m verlet --reference rk4");
  EXPECT_EQ(no_step.code, 2);
  EXPECT_TRUE(contains(no_step.err, "the reference: rk4 takes the steps it is given")) << no_step.err;
}

TEST(ActioCompare, a_problem_that_cannot_be_read_is_said_once) {
  const test::Folder here;
  const auto r = here.run("compare " + (here / "none.toml").string() + " --methods verlet,newmark,rk4");
  EXPECT_EQ(r.code, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.err.find("none.toml"), r.err.rfind("none.toml")) << r.err;
}

TEST(ActioCompare, an_interrupt_ends_it_and_shows_the_methods_that_ran) {
  const test::Folder here;
  const auto at = [&](const char* name) { return (here / name).string(); };
  const int code =
      shell("timeout --preserve-status -s INT 2",
            fmt::format("compare {} --methods midpoint,verlet,rk4 run.step=1e-3 run.end=1e9 run.every=1000000 >'{}' 2>'{}'",
                        oscillator, at("out"), at("err")));
  EXPECT_EQ(code, 1);
  const std::string out = test::read(at("out")), err = test::read(at("err"));
  EXPECT_TRUE(contains(out, "stopped")) << out;
  EXPECT_FALSE(contains(out, "rk4")) << out;
  EXPECT_TRUE(contains(err, "interrupted in method 1 of 3, at step")) << err;
}

TEST(Actio, fails_when_its_output_cannot_be_written) {
  if (!test::fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  for (const std::string& words : {std::string("list"), "run " + oscillator, "run --json " + oscillator, "check " + oscillator})
    EXPECT_EQ(shell("", words + " >/dev/full 2>/dev/null"), 1) << words;
  EXPECT_EQ(shell("", "run none.toml --json >/dev/full 2>/dev/null"), 2);
}

TEST(Actio, names_every_command_and_the_commit_it_was_built_at) {
  const test::Folder here;
  const auto help = here.run("--help");
  EXPECT_TRUE(contains(help.out, "plot FILE") && contains(help.out, "report FILE")) << help.out;
  const auto plot = here.run("plot a.h5");
  EXPECT_EQ(plot.code, 2);
  EXPECT_TRUE(contains(plot.err, "plot is a command of the Python package")) << plot.err;
  const std::string version = here.run("--version").out;
  EXPECT_TRUE(version.starts_with("actio 0.")) << version;
  if (std::filesystem::exists(".git/logs/HEAD")) { EXPECT_TRUE(contains(version, ", built at commit ")) << version; }
}

// A pendulum with a Lagrangian that is no 1/2 v'Mv - V.
TEST(Actio, names_methods_that_fit_where_one_does_not) {
  const test::Folder here;
  const std::string file = here.write(
      "p.toml",
      "[system]\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"0.5*(1 + x^2)*(x'^2 + y'^2) - x^2\"\n[initial]\nposition = "
      "[1.0, 0.0]\nvelocity = [0, 0]\n[method]\nname = \"verlet\"\n[run]\nstep = 0.1\nsteps = 10\n");
  const auto r = here.run("check " + file);
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "methods that fit: variational, midpoint, gauss")) << r.err;
  for (const char* method : {"variational", "midpoint", "gauss"})
    EXPECT_EQ(here.run("check " + file + " method.name=" + method).code, 0) << method;
}

TEST(Actio, shows_its_name_and_not_its_path) {
  const test::Folder here;
  EXPECT_TRUE(contains(here.run("run --help").out, "Usage: actio run ")) << here.run("run --help").out;
}

TEST(ActioCheck, says_whether_the_energies_are_compiled_with_no_symmetry_declared) {
  const test::Folder here;
  const std::string file = here.write("free.toml",
                                      "[system]\ncoordinates = [\"x\"]\nmass = 1.0\npotential = \"x^4\"\n[initial]\nposition = "
                                      "[1.0]\nvelocity = [0.0]\n[method]\nname = \"verlet\"\n[run]\nstep = 0.1\nsteps = 10\n");
  const auto compiled = here.run("check " + file);
  EXPECT_EQ(compiled.code, 0) << compiled.err;
  EXPECT_TRUE(contains(compiled.out, "kernels      compiled\n")) << compiled.out;
  EXPECT_TRUE(contains(compiled.out, "a potential of 1 coordinate at 1 place\n")) << compiled.out;
  EXPECT_TRUE(contains(here.run("check --kernels=interpret " + file).out, "kernels      interpreted: ")) << file;
  EXPECT_EQ(shell("ACTIO_CC=/none/cc", "run --kernels=compile " + file + " >/dev/null 2>'" + (here / "err").string() + "'"), 2);
  EXPECT_TRUE(contains(test::read(here / "err"), "error: kernels are not compiled: ")) << test::read(here / "err");
  EXPECT_EQ(shell("ACTIO_CC=/none/cc", "run " + file + " >/dev/null"), 0);
}

TEST(ActioRun, a_number_of_threads_that_is_none_is_refused) {
  const test::Folder here;
  const std::string command = "run examples/oscillator.toml >/dev/null 2>'" + (here / "err").string() + "'";
  for (const std::string wrong : {"0", "-1", "two", "2.5", "100000"}) {
    EXPECT_EQ(shell("ACTIO_THREADS=" + wrong, command), 2) << wrong;
    EXPECT_TRUE(contains(test::read(here / "err"), "error: ACTIO_THREADS is \"" + wrong + "\"")) << test::read(here / "err");
  }
  EXPECT_EQ(shell("ACTIO_THREADS=3", command), 0) << test::read(here / "err");
}
