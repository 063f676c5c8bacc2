#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cli/program.hpp>
#include <run/json.hpp>

// Steps that differ, through the program: its text, its JSON and both files.
using test::Json;

namespace {

const std::string three_steps = "examples/oscillator.toml method.name=midpoint run.step=[0.1,0.25,0.1] run.end=3 run.every=2";

double attribute(hid_t file, const char* name) {
  const hid_t a = H5Aopen(file, name, H5P_DEFAULT);
  double value = NAN;
  EXPECT_GE(H5Aread(a, H5T_NATIVE_DOUBLE, &value), 0);
  H5Aclose(a);
  return value;
}

}  // namespace

TEST(UnequalSteps, are_a_range_in_text_and_json) {
  const test::Folder here;
  const auto text = here.run("run " + three_steps);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("20 of 20 steps of 0.1 to 0.25, 3 different"), std::string::npos) << text.out;
  const auto j = Json::parse(here.run("run " + three_steps + " --json").out);
  EXPECT_EQ(j["verdict"].text(), "kept");
  EXPECT_TRUE(j["step"].is_null());
  EXPECT_EQ(j["smallest_step"].number(), 0.1);
  EXPECT_EQ(j["largest_step"].number(), 0.25);
  EXPECT_EQ(j["different_steps"].number(), 3);  // with the last, which meets the end
  EXPECT_NEAR(j["final"]["t"].number(), 3, 1e-14);
  const auto check = Json::parse(here.run("check " + three_steps + " --json").out);
  EXPECT_TRUE(check["step"].is_null());
  EXPECT_EQ(check["steps"].number(), 20);
  EXPECT_NE(here.run("check " + three_steps).out.find("20 of 0.1 to 0.25, 3 different, observed every 2: t = 0 to 3"),
            std::string::npos);
}

TEST(UnequalSteps, put_the_times_they_lead_to_into_both_files) {
  const test::Folder here;
  ASSERT_EQ(here.run("run " + three_steps + " -o " + (here / "a.csv").string()).code, 0);
  std::istringstream lines(test::read(here / "a.csv"));
  std::vector<double> times;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) times.push_back(std::stod(line));
  ASSERT_EQ(times.size(), 11u);
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double within[] = {0, 0.1, 0.35};
    EXPECT_NEAR(times[k], std::min(3.0, 0.45 * static_cast<double>(2 * k / 3) + within[2 * k % 3]), 1e-14) << k;
  }

  ASSERT_EQ(here.run("run " + three_steps + " -o " + (here / "a.h5").string()).code, 0);
  const hid_t file = H5Fopen((here / "a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_EQ(H5Aexists(file, "step"), 0);
  EXPECT_EQ(attribute(file, "smallest_step"), 0.1);
  EXPECT_EQ(attribute(file, "largest_step"), 0.25);
  std::vector<double> stored(11);
  const hid_t t = H5Dopen2(file, "t", H5P_DEFAULT);
  EXPECT_GE(H5Dread(t, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored.data()), 0);
  H5Dclose(t);
  H5Fclose(file);
  EXPECT_EQ(stored, times);

  ASSERT_EQ(here.run("run examples/oscillator.toml -o " + (here / "b.h5").string()).code, 0);
  const hid_t equal = H5Fopen((here / "b.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_EQ(attribute(equal, "step"), 0.2);
  H5Fclose(equal);
}

TEST(UnequalSteps, that_are_no_steps_are_wrong_input) {
  const test::Folder here;
  const auto r = here.run("run examples/oscillator.toml 'run.step=0.5 - t'");
  EXPECT_EQ(r.code, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_NE(r.err.find("run.step is 0 at t = 0.5; it must be positive"), std::string::npos) << r.err;
}
