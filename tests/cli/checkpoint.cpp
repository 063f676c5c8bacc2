#include <fcntl.h>
#include <algorithm>
#include <csignal>
#include <random>
#include <regex>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cli/program.hpp>
#include <run/json.hpp>

// A run that is killed, at any time, and resumed, is the run that was not.
namespace {

using test::Folder;
using test::Json;

// The program, killed after so many milliseconds unless it is done: its exit code, -1 when it was killed.
int run_for(const Folder& here, const std::vector<std::string>& words, int milliseconds, int signal = SIGKILL) {
  std::vector<std::string> all{test::program()};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  for (std::string& word : all) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string out = (here / "killed.out").string(), err = (here / "killed.err").string();
  const pid_t child = fork();
  if (child == 0) {
    (void)dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 1);
    (void)dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 2);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  int status = 0;
  for (int k = 0; k < milliseconds; ++k) {
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    usleep(1000);
  }
  kill(child, signal);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// A certificate but for the time it took.
std::string timeless(const std::string& json) {
  return std::regex_replace(json, std::regex("\"((wall_)?seconds)\":[^,}]*"), "\"$1\":0");
}

std::vector<double> numbers(const std::string& path, const char* name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), d = H5Dopen2(file, name, H5P_DEFAULT),
              space = H5Dget_space(d);
  std::vector<double> out(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), 0);
  H5Sclose(space);
  H5Dclose(d);
  H5Fclose(file);
  return out;
}

// A forced pendulum on a rod beside another: forces, constraints, a ledger. What the certificate measures is the same however
// slow the machine: the standard level measures what a share of the run's own time allows.
const char* const problem = R"toml(
title = "killed"
[system]
coordinates = ["x", "y"]
mass = 1.0
potential = "9.81*y"
dissipation = "0.02*(x'^2 + y'^2)"
constraints = ["x^2 + y^2 - 1"]
force = { x = "0.3*sin(1.3*t)" }
[[observe]]
name = "speed"
value = "sqrt(x'^2 + y'^2)"
[[observe]]
name = "height"
value = "y"
reduce = ["mean", "rms", "largest", "smallest", "histogram", "autocorrelation", "mean-square-displacement"]
from = -1
to = 1
bins = 20
every = 7
after = 0.5
[initial]
position = [1, 0]
velocity = [0, 0]
[method]
name = "rattle"
[run]
step = 0.001
steps = 200000
every = 1000
[certificate]
level = "quick"
)toml";

struct Kill {
  std::string output, checkpoint;
  std::vector<std::string> overrides;
  std::string file = "";  // of the problem; "": the pendulum
  std::string space = "dense";
};

// The frames that a .pvd names.
std::vector<std::string> frames_of(const std::string& pvd) {
  std::vector<std::string> out;
  const std::string text = test::read(pvd), folder = std::filesystem::path(pvd).parent_path().string() + "/";
  const std::regex file("timestep=\"([^\"]*)\" part=\"0\" file=\"([^\"]*)\"");
  for (std::sregex_iterator at(text.begin(), text.end(), file), end; at != end; ++at)
    out.push_back((*at)[1].str() + " " + test::read(folder + (*at)[2].str()));
  return out;
}

void expect_the_run_that_was_not_killed(const Kill& how, unsigned seed) {
  const Folder here;
  const std::string file = how.file.empty() ? here.write("problem.toml", problem) : how.file,
                    output = (here / how.output).string(), whole = (here / ("whole-" + how.output)).string();
  std::string words;
  for (const std::string& word : how.overrides) words += " '" + word + "'";
  const auto expected = here.run("run " + file + words + " --kernels interpret --space " + how.space + " --json -o " + whole);
  ASSERT_LE(expected.code, 1) << expected.err;
  std::mt19937 random(seed);
  std::vector<std::string> first{"run",    file, "--kernels", "interpret",    "--space",     how.space,
                                 "--json", "-o", output,      "--checkpoint", how.checkpoint};
  first.insert(first.end(), how.overrides.begin(), how.overrides.end());
  int code = -1, kills = 0;
  for (double longest = 250; code == -1; longest *= 1.15, ++kills) {  // however slow the machine
    const int time = std::uniform_int_distribution<int>(10, static_cast<int>(longest))(random);
    const bool saved = std::filesystem::exists(output + ".checkpoint");
    code = run_for(here, saved ? std::vector<std::string>{"resume", output + ".checkpoint", "--json"} : first, time);
  }
  EXPECT_EQ(code, expected.code) << test::read(here / "killed.err");
  EXPECT_GT(kills, 1);
  EXPECT_EQ(timeless(test::read(here / "killed.out")), timeless(expected.out));
  EXPECT_FALSE(std::filesystem::exists(output + ".checkpoint"));
  EXPECT_FALSE(std::filesystem::exists(output + ".rows"));
  if (how.output.ends_with(".csv")) {
    EXPECT_TRUE(test::read(output) == test::read(whole));
    if (how.file.empty()) { EXPECT_EQ(test::read(here / "out.observed.csv"), test::read(here / "whole-out.observed.csv")); }
    return;
  }
  if (how.output.ends_with(".pvd")) {
    const std::vector<std::string> frames = frames_of(output), all = frames_of(whole);
    ASSERT_EQ(frames.size(), all.size());
    for (std::size_t k = 0; k < all.size(); ++k) EXPECT_TRUE(frames[k] == all[k]) << "frame " << k;
    EXPECT_GT(all.size(), 2u);
    return;
  }
  for (const char* name : {"t", "q", "v", "p", "energy", "ledger/external", "ledger/method"})
    EXPECT_EQ(numbers(output, name), numbers(whole, name)) << name;
  if (!how.file.empty()) return;
  for (const char* name : {"multipliers", "observe/speed", "observe/height/mean/value", "observe/height/autocorrelation/value"})
    EXPECT_EQ(numbers(output, name), numbers(whole, name)) << name;
}

}  // namespace

TEST(Checkpoint, of_a_run_killed_at_random_goes_on_to_the_same_csv_and_certificate) {
  expect_the_run_that_was_not_killed({"out.csv", "every=500", {ACTIO_TEST_SHORT ? "run.steps=20000" : "run.steps=200000"}}, 1);
}

TEST(Checkpoint, of_a_run_killed_at_random_goes_on_to_the_same_hdf5) {
  const char* const steps = ACTIO_TEST_SHORT ? "run.steps=15000" : "run.steps=150000";
  expect_the_run_that_was_not_killed({"out.h5", "seconds=0.02", {"method.name=midpoint", "run.every=137", steps}}, 2);
}

TEST(Checkpoint, of_a_killed_run_with_noise_goes_on_to_the_same_path) {
  const char* const steps = ACTIO_TEST_SHORT ? "run.steps=20000" : "run.steps=200000";
  expect_the_run_that_was_not_killed(
      {"out.csv", "every=300", {"system.thermostat={rate=1,temperature=1,seed=3,scheme=\"gla\"}", steps}}, 4);
}

// A solid in balance that is let go of sideways; its probes, and its frames.
TEST(Checkpoint, of_a_killed_solid_goes_on_to_the_same_probes_and_frames) {
  const std::vector<std::string> overrides{"initial.static=true", "initial.solid.velocity=[\"0*X\", \"X\", 0]", "run.end=0.2",
                                           "run.every=3", "certificate.level=quick"};
  for (const char* output : {"beam.csv", "beam.h5", "beam.pvd"}) {
    if (ACTIO_TEST_SHORT && std::string(output) == "beam.h5") continue;  // as the pendulum's
    expect_the_run_that_was_not_killed({output, "every=2", overrides, "examples/cantilever.toml", "sparse"}, 3);
  }
}

TEST(Checkpoint, is_written_at_an_interrupt_which_says_how_to_go_on) {
  const Folder here;
  std::string text = problem;
  if (ACTIO_TEST_SHORT) text.replace(text.find("200000"), 6, "40000");
  const std::string file = here.write("problem.toml", text), saved = (here / "problem.checkpoint").string();
  const auto expected = here.run("run " + file + " --kernels interpret --space dense --json");
  int code = 0;
  std::vector<std::string> words{"run",   file,     "--kernels",    "interpret",   "--space",
                                 "dense", "--json", "--checkpoint", "seconds=1000"};
  for (int time = 60; !std::filesystem::exists(saved); time += 20) {  // until it falls into the run
    code = run_for(here, words, time, SIGINT);
    if (code == 0) GTEST_SKIP() << "the run ends before it can be interrupted";
  }
  EXPECT_EQ(code, 1);
  EXPECT_NE(test::read(here / "killed.err").find("actio resume " + saved), std::string::npos) << test::read(here / "killed.err");
  const auto rest = here.run("resume " + saved + " --json");
  EXPECT_EQ(rest.code, expected.code) << rest.err;
  EXPECT_EQ(timeless(rest.out), timeless(expected.out));
}

TEST(Checkpoint, is_not_overwritten_by_another_run) {
  const Folder here;
  const std::string file = here.write("problem.toml", problem);
  here.write("a.checkpoint", "something");
  const auto r = here.run("run " + file + " --checkpoint every=10,file=" + (here / "a.checkpoint").string());
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("there is a checkpoint"), std::string::npos) << r.err;
  EXPECT_EQ(test::read(here / "a.checkpoint"), "something");
}

// A run whose first checkpoint is there, and that was stopped.
std::string stopped(const Folder& here, const std::string& file) {
  const std::string saved = (here / "stopped").string();
  for (int time = 60; !std::filesystem::exists(saved); time += 20)
    if (run_for(here, {"run", file, "--kernels", "interpret", "--space", "dense", "--checkpoint", "every=100,file=" + saved},
                time) == 0)
      return "";
  return saved;
}

TEST(Checkpoint, is_refused_where_a_file_of_the_problem_has_changed) {
  const Folder here;
  std::string text = problem;
  text.replace(text.find("mass = 1.0"), 10, "mass = \"mass.mtx\"");
  if (ACTIO_TEST_SHORT) text.replace(text.find("200000"), 6, "20000");
  const std::string mass = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1.0\n2 2 1.0\n";
  here.write("mass.mtx", mass);
  const std::string saved = stopped(here, here.write("problem.toml", text));
  if (saved.empty()) GTEST_SKIP();
  here.write("mass.mtx", mass.substr(0, mass.size() - 4) + "2.0\n");
  const auto r = here.run("resume " + saved);
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("has changed since the run began"), std::string::npos) << r.err;
  here.write("mass.mtx", mass);
  here.write("problem.toml", "nothing of it");  // the problem itself is in the checkpoint
  EXPECT_EQ(here.run("resume " + saved + " -q").code, 0);
}

TEST(Checkpoint, that_is_none_is_refused) {
  const Folder here;
  EXPECT_EQ(here.run("resume " + (here / "none").string()).code, 2);
  EXPECT_EQ(here.run("resume " + here.write("text", "text")).code, 2);
  const std::string file = here.write("problem.toml", problem);
  for (const char* words : {"every=0", "every=1.5", "every=-3", "seconds=0", "seconds=nan", "file=x", "often", "every"})
    EXPECT_EQ(here.run("run " + file + " --checkpoint " + words).code, 2) << words;
  EXPECT_EQ(here.run("run examples/kepler.toml method.name=cvode-adams --checkpoint seconds=1").code, 2);
}
