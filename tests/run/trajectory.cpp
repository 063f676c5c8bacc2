#include <actio/run/trajectory.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <actio/core/error.hpp>
#include <folder.hpp>

using namespace actio;
using Eigen::VectorXd;
namespace fs = std::filesystem;

namespace {

using Folder = actio::test::TemporaryFolder;

run::TrajectoryHeader header() { return {{"x", "theta[1]"}, {"angular, \"J\""}, {}, {{"title", "t"}}, 0.1, 0.1}; }

void write(run::Trajectory& out, long rows) {
  for (long k = 0; k < rows; ++k) {
    const double t = 0.1 * static_cast<double>(k), J = 1.0 / 3;
    const method::Snapshot s{t, VectorXd{{t, 1e-300}}, VectorXd{{-t, 2}}, VectorXd{{3, 4}}};
    out.observe({k, s, 0.5, {&J, 1}});
  }
}

std::vector<std::string> lines(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

}  // namespace

// Means of positions and velocities, sums of momenta, in place of the coordinates.
TEST(Csv, has_probes_in_place_of_the_coordinates) {
  Folder folder;
  run::TrajectoryHeader probed = header();
  probed.multipliers = {"rod"};
  probed.probes = {{"tip.z", {0, 1}}, {"end.z", {1}}};
  auto out = run::open_trajectory(folder / "a.csv", probed);
  const double J = 7;
  const method::Snapshot s{0.5, VectorXd{{1, 3}}, VectorXd{{-2, 8}}, VectorXd{{10, 20}}};
  out->observe({0, s, 0.25, {&J, 1}, nullptr, {&J, 1}});
  out->finish("{}");
  const auto text = lines(folder / "a.csv");
  ASSERT_EQ(text.size(), 2U);
  EXPECT_EQ(text[0], "t,tip.z,end.z,tip.z',end.z',p(tip.z),p(end.z),energy,\"angular, \"\"J\"\"\"");
  EXPECT_EQ(text[1], "0.5,2,3,3,8,30,20,0.25,7");
}

TEST(Csv, has_a_named_column_a_quantity_and_a_row_an_observation) {
  Folder folder;
  auto out = run::open_trajectory(folder / "a.csv", header());
  write(*out, 3);
  out->finish("{}");
  const auto text = lines(folder / "a.csv");
  ASSERT_EQ(text.size(), 4u);
  EXPECT_EQ(text[0], "t,x,theta[1],x',theta[1]',p(x),p(theta[1]),energy,\"angular, \"\"J\"\"\"");
  EXPECT_EQ(text[1], "0,0,1e-300,-0,2,3,4,0.5,0.3333333333333333");
  EXPECT_EQ(text[3].substr(0, 4), "0.2,");
}

TEST(Csv, numbers_read_back_to_the_same_bits) {
  Folder folder;
  const double third = 1.0 / 3, huge = 1.7976931348623157e308, tiny = 5e-324;
  {
    auto out = run::open_trajectory(folder / "b.csv", {{"x"}, {}, {}, {}, 1, 1});
    const method::Snapshot s{third, VectorXd{{huge}}, VectorXd{{tiny}}, VectorXd{{-third}}};
    out->observe({0, s, 0.1, {}});
  }  // no finish: what was observed is there all the same
  std::istringstream row(lines(folder / "b.csv").at(1));
  std::vector<double> x;
  for (std::string cell; std::getline(row, cell, ',');) x.push_back(std::stod(cell.find("e-324") != cell.npos ? "0" : cell));
  EXPECT_EQ(x[0], third);
  EXPECT_EQ(x[1], huge);
  EXPECT_EQ(x[3], -third);
}

TEST(Csv, a_full_disk_ends_the_run_with_what_to_do) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  Folder folder;
  fs::create_symlink("/dev/full", folder / "full.csv");
  auto out = run::open_trajectory(folder / "full.csv", header());
  write(*out, 5);
  try {
    out->flush();
    FAIL() << "a full disk went unnoticed";
  } catch (const core::RunError& e) {
    EXPECT_EQ(e.step, 4);
    EXPECT_NE(std::string(e.what()).find("No space left"), std::string::npos) << e.what();
  }
}

TEST(Trajectory, an_unknown_extension_or_a_place_that_cannot_be_written_is_wrong_input) {
  Folder folder;
  const auto message = [&](const std::string& path) {
    try {
      (void)run::open_trajectory(path, header());
    } catch (const core::InputError& e) { return std::string(e.what()); }
    return std::string();
  };
  EXPECT_NE(message(folder / "a.xlsx").find(".h5, .hdf5 or .csv, for points in .xyz, .dcd or .h5md, or for ParaView in .pvd"),
            std::string::npos);
  for (const char* format : {"xyz", "dcd", "h5md"}) {
    EXPECT_NE(message(folder / fmt::format("a.{}", format)).find("shows points, and the problem has none"), std::string::npos);
    EXPECT_FALSE(fs::exists(folder / fmt::format("a.{}", format)));
  }
  EXPECT_NE(message(folder / "a").find("format"), std::string::npos);
  for (const char* format : {"csv", "h5"}) {
    EXPECT_NE(message(folder / fmt::format("none/a.{}", format)).find("there is no folder"), std::string::npos);
    fs::create_directory(folder / fmt::format("d.{}", format));
    EXPECT_NE(message(folder / fmt::format("d.{}", format)).find("it is a folder"), std::string::npos);
    EXPECT_NE(message(fmt::format("/proc/a.{}", format)).find("cannot write"), std::string::npos);
  }
}
