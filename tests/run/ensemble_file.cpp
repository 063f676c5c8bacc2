#include <gtest/gtest.h>
#include <hdf5.h>

#include <fstream>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/io/ensemble_task.hpp>
#include <actio/run/ensemble_file.hpp>
#include <folder.hpp>

namespace actio::run {
namespace {

Ensemble small() {
  const io::Problem p = io::load_text(R"toml([system]
coordinates = ["x", "y"]
parameters = { k = 1 }
mass = [1, 2]
potential = "0.5*k*(x^2 + y^2)"
[initial]
position = [1, 0]
velocity = [0, "k"]
[ensemble]
quantiles = [0.5]
[ensemble.parameters]
k = [1, 2, 3]
[[observe]]
name = "quantiles"
value = "x + y"
[[observe]]
name = "r2"
value = "x^2 + y^2"
reduce = "histogram"
from = 0
to = 1
bins = 2
[method]
name = "verlet"
[run]
step = 0.1
steps = 5
every = 2
)toml",
                                      "small.toml");
  return Ensemble(io::task_of(p));
}

Ensemble written(const std::string& path, const EnsembleHeader& header) {
  Ensemble e = small();
  const auto file = open_ensemble_file(path, header, e);
  while (e.advance()) file->observe(e);
  file->finish(e, "{\"verdict\":\"ended\"}");
  return e;
}

// As another program reads it.
struct File {
  hid_t id;
  explicit File(const std::string& path) : id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {}
  ~File() { H5Fclose(id); }
  std::vector<double> numbers(const char* name, std::vector<hsize_t> expected) const {
    const hid_t d = H5Dopen2(id, name, H5P_DEFAULT);
    EXPECT_GE(d, 0) << name;
    if (d < 0) return {};
    const hid_t space = H5Dget_space(d);
    std::vector<hsize_t> shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    EXPECT_EQ(shape, expected) << name;
    std::vector<double> out(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), 0);
    H5Sclose(space);
    H5Dclose(d);
    return out;
  }
};

TEST(EnsembleFile, has_a_member_axis_in_hdf5) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "a.h5";
  const Ensemble e = written(path, {{{"title", "small"}}, true, false});
  const File file(path);
  const std::vector<double> t = file.numbers("t", {4});  // steps 0, 2, 4, 5
  EXPECT_NEAR(t[1], 0.2, 1e-15);
  EXPECT_NEAR(t[3], 0.5, 1e-15);
  EXPECT_EQ(file.numbers("member", {3}), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(file.numbers("parameter/k", {3}), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(file.numbers("start/v", {3, 2}), (std::vector<double>{0, 1, 0, 2, 0, 3}));
  const auto q = file.numbers("end/q", {3, 2}), v = file.numbers("end/v", {3, 2});
  for (long m = 0; m < 3; ++m)
    for (long i = 0; i < 2; ++i) {
      EXPECT_EQ(q[static_cast<std::size_t>(2 * m + i)], e.q(m, i));
      EXPECT_EQ(v[static_cast<std::size_t>(2 * m + i)], e.p(m, i) / (1.0 + static_cast<double>(i)));
    }
  const auto kept = file.numbers("trajectory/r2", {4, 3});
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(kept[9 + m], e.values(2)[m]);
  EXPECT_EQ(file.numbers("output/r2/mean", {4})[3], e.reduced(2).mean);
  EXPECT_EQ(file.numbers("output/r2/standard_deviation", {4})[3], e.reduced(2).standard_deviation);
  EXPECT_EQ(file.numbers("output/r2/min", {4})[3], e.reduced(2).min);
  EXPECT_EQ(file.numbers("output/r2/max", {4})[3], e.reduced(2).max);
  EXPECT_EQ(file.numbers("output/r2/quantile", {4, 1})[3], e.reduced(2).quantiles[0]);
  EXPECT_EQ(file.numbers("output/energy/quantile", {4, 1})[3], e.reduced(0).quantiles[0]);
  EXPECT_EQ(file.numbers("output/quantiles/mean", {4})[3], e.reduced(1).mean);
  EXPECT_EQ(file.numbers("quantiles", {1}), (std::vector<double>{0.5}));
  EXPECT_EQ(file.numbers("output/r2/bin_edges", {3}), (std::vector<double>{0, 0.5, 1}));
  const auto bins = file.numbers("output/r2/histogram", {4, 4});
  EXPECT_EQ(bins[12] + bins[13] + bins[14] + bins[15], 3);
  EXPECT_EQ(file.numbers("energy_error", {3})[2], e.energy_errors()[2]);
  EXPECT_EQ(file.numbers("failed_step", {3}), (std::vector<double>{-1, -1, -1}));
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST(EnsembleFile, has_a_line_an_observation_or_a_member_in_csv) {
  const test::TemporaryFolder folder;
  const std::string times = folder / "t.csv", members = folder / "m.csv";
  const Ensemble e = written(times, {});
  const auto by_time = lines_of(times);
  ASSERT_EQ(by_time.size(), 5U);
  EXPECT_EQ(by_time[0].find(
                "t,energy.mean,energy.standard_deviation,energy.min,energy.max,energy.count,energy.quantile(0.5),quantiles.mean"),
            0U)
      << by_time[0];
  EXPECT_NE(by_time[0].find("r2.quantile(0.5),r2.below,r2.bin[0],r2.bin[1],r2.above"), std::string::npos) << by_time[0];
  (void)written(members, {{}, false, true});
  const auto by_member = lines_of(members);
  ASSERT_EQ(by_member.size(), 4U);
  EXPECT_EQ(by_member[0], "member,k,energy,quantiles,r2,energy_error,failed");
  EXPECT_EQ(by_member[3], fmt::format("2,3,{},{},{},{},", e.values(0)[2], e.values(1)[2], e.values(2)[2], e.energy_errors()[2]));
}

TEST(EnsembleFile, of_an_unknown_format_is_refused) {
  const Ensemble e = small();
  EXPECT_THROW((void)open_ensemble_file("a.pvd", {}, e), core::InputError);
  EXPECT_THROW((void)open_ensemble_file("/nowhere/a.h5", {}, e), core::InputError);
  EXPECT_THROW((void)open_ensemble_file("/nowhere/a.csv", {}, e), core::InputError);
}

}  // namespace
}  // namespace actio::run
