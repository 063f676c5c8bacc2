#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cli/program.hpp>
#include <run/json.hpp>

// [[observe]] from the file to what a user reads.
namespace {

using test::Folder;
using test::Json;

const std::string problem = R"toml([system]
coordinates = ["x[N]"]
parameters = { N = 5000 }
mass = 1.0
[[system.term]]
over = "i = 0..N-2"
potential = "0.5*(x[i+1] - x[i])^2 + 0.1*(x[i+1] - x[i])^4"
[[observe]]
name = "length"
over = "i = 0..N-2"
value = "x[i+1] - x[i]"
reduce = ["mean", "histogram", "autocorrelation"]
from = -1
to = 1
bins = 4
unit = "mm"
every = 2
[[observe]]
name = "ends"
value = "x[N-1] - x[0]"
unit = "mm"
[[observe]]
name = "heat"
value = "temperature"
reduce = "largest"
[initial]
position = { x = "0.1*normal()" }
velocity = { x = "normal()" }
[method]
name = "verlet"
[run]
step = 0.1
end = 20
every = 10
)toml";

double number_in(const std::string& path, const char* name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), d = H5Dopen2(file, name, H5P_DEFAULT);
  double out = 0;
  EXPECT_GE(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &out), 0) << name;
  H5Dclose(d);
  H5Fclose(file);
  return out;
}

std::string observed_of(const std::string& json) { return json.substr(json.find("\"observed\"")); }

}  // namespace

TEST(Observe, is_printed_and_written_in_every_format) {
  const Folder here;
  const std::string path = here.write("p.toml", problem), h5 = here / "out.h5", csv = here / "out.csv";
  const auto text = here.run("run " + path + " -o " + h5);
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(test::contains(text.out, "  length          mean ")) << text.out;
  EXPECT_TRUE(test::contains(text.out, "\n                  histogram 504899 values\n")) << text.out;
  EXPECT_TRUE(test::contains(text.out, "  heat            largest ")) << text.out;
  const auto printed = here.run("run " + path + " --json -o " + csv);
  ASSERT_EQ(printed.code, 0) << printed.err;
  const Json json = Json::parse(printed.out);
  const Json& length = json["observed"]["length"];
  EXPECT_EQ(length["definition"].text(), "x[i+1] - x[i] over i = 0..N-2");
  EXPECT_EQ(length["unit"].text(), "mm");
  EXPECT_EQ(length["times"].number(), 101);
  EXPECT_EQ(number_in(h5, "observe/length/mean/value"), length["mean"]["value"].number());
  EXPECT_EQ(number_in(h5, "observe/heat/largest/t"), json["observed"]["heat"]["largest"]["t"].number());
  const std::string rows = test::read(csv), reductions = test::read(here / "out.observed.csv");
  EXPECT_TRUE(test::contains(rows.substr(0, rows.find('\n')), ",energy,ends")) << rows.substr(rows.find('\n') - 40, 40);
  EXPECT_TRUE(test::contains(reductions, "length,histogram,count,3,")) << reductions.substr(0, 300);
  EXPECT_TRUE(test::contains(reductions, "length,mean,value,,")) << reductions.substr(0, 300);
}

TEST(Observe, has_the_extremes_of_columns_in_every_format) {
  const Folder here;
  const std::string path = here.write("p.toml", problem), h5 = here / "out.h5";
  const auto text = here.run("run " + path + " -o " + h5);
  ASSERT_EQ(text.code, 0) << text.err;
  const auto printed = here.run("run " + path + " --json");
  const Json json = Json::parse(printed.out);
  const Json& ends = json["observables"]["ends"];
  EXPECT_EQ(ends["definition"].text(), "x[N-1] - x[0]");
  EXPECT_EQ(ends["unit"].text(), "mm");
  const auto rows = [&] {
    const hid_t file = H5Fopen(h5.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), d = H5Dopen2(file, "observe/ends", H5P_DEFAULT);
    std::vector<double> out(21);
    EXPECT_GE(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), 0);
    for (const char* name : {"largest", "largest_time", "smallest", "smallest_time", "rms", "last"}) {
      double value = 0;
      const hid_t a = H5Aopen(d, name, H5P_DEFAULT);
      EXPECT_GE(H5Aread(a, H5T_NATIVE_DOUBLE, &value), 0);
      EXPECT_EQ(value, ends[name].number()) << name;
      H5Aclose(a);
    }
    H5Dclose(d);
    H5Fclose(file);
    return out;
  }();
  EXPECT_EQ(ends["largest"].number(), *std::max_element(rows.begin(), rows.end()));
  EXPECT_EQ(ends["smallest"].number(), *std::min_element(rows.begin(), rows.end()));
  EXPECT_EQ(ends["last"].number(), rows.back());
  EXPECT_TRUE(test::contains(text.out, "\n  ends            ")) << text.out;
  EXPECT_TRUE(test::contains(text.out, " mm at t = ")) << text.out;
}

TEST(Observe, knows_the_supports_of_solids_as_trajectories_do) {
  const Folder here;
  const std::string csv = here / "out.csv";
  const auto r =
      here.run("run examples/cantilever.toml method.name=newmark run.end=0.1 'output.clamp=reaction(clamp.z)' -o " + csv);
  ASSERT_EQ(r.code, 0) << r.err;
  const std::string text = test::read(csv);
  const auto cells = [](const std::string& line) {
    std::vector<std::string> out{""};
    for (const char c : line)
      if (c == ',')
        out.emplace_back();
      else
        out.back() += c;
    return out;
  };
  std::size_t begin = text.find('\n') + 1;
  const auto names = cells(text.substr(0, begin - 1));
  const auto at = [&](const char* name) { return std::find(names.begin(), names.end(), name) - names.begin(); };
  const long one = at("reaction/clamp.z"), other = at("clamp");
  ASSERT_LT(std::max(one, other), static_cast<long>(names.size())) << text.substr(0, begin);
  for (int rows = 0; rows < 11; ++rows) {
    const std::size_t end = text.find('\n', begin);
    const auto row = cells(text.substr(begin, end - begin));
    const double a = std::stod(row[static_cast<std::size_t>(one)]), b = std::stod(row[static_cast<std::size_t>(other)]);
    EXPECT_NEAR(a, b, 1e-9 * (1 + std::abs(a))) << rows;
    begin = end + 1;
  }
  EXPECT_TRUE(
      test::contains(here.run("check examples/cantilever.toml 'output.c=reaction(tip.z)'").err, "tip.z is not a support"));
}

TEST(Observe, is_the_same_for_any_number_of_threads) {
  const Folder here;
  const std::string path = here.write("p.toml", problem);
  const auto one = here.run("run --json " + path, "ACTIO_THREADS=1"), two = here.run("run --json " + path, "ACTIO_THREADS=2");
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(observed_of(one.out), observed_of(two.out));
}

TEST(Observe, says_what_the_method_and_the_steps_do_not_have) {
  const Folder here;
  const std::string path = here.write("p.toml", problem);
  const auto wrong = [&](const std::string& overrides) { return here.run("run " + path + " " + overrides).err; };
  EXPECT_TRUE(
      test::contains(wrong("'observe.1.value=\"discrete_energy\"' method.name=newmark"), "ends asks for the discrete mechanics"))
      << wrong("'observe.1.value=\"discrete_energy\"' method.name=newmark");
  EXPECT_TRUE(test::contains(wrong("'run.step=[0.1, 0.2]'"), "autocorrelation of length needs steps of one size"));
  EXPECT_TRUE(test::contains(wrong("observe.2.after=21"), "heat has no value: the run ends at t = 20 before the first"));
  EXPECT_TRUE(test::contains(wrong("system.parameters.N=300000 run.end=1e5"), "would keep"));
  EXPECT_EQ(here.run("run " + path + " observe.2.after=21").code, 2);
}
