#include <actio/run/trajectory.hpp>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <actio/core/error.hpp>
#include <folder.hpp>

using namespace actio;
using Eigen::VectorXd;

namespace {

using Folder = actio::test::TemporaryFolder;

run::TrajectoryHeader chosen_header(std::vector<std::string> columns) {
  run::TrajectoryHeader out{{"x[0]", "x[1]", "y"}, {"spin"}, {"rod"}, {{"title", "t"}}, 0.1, 0.1};
  out.ledger = true;
  out.observed = {{"roof", "mm", "x[1] - x[0]", 1}, {"bond", "", "r", 2}};
  out.columns = std::move(columns);
  return out;
}

void write_chosen(run::Trajectory& out, long rows = 3) {
  for (long k = 0; k < rows; ++k) {
    const auto t = static_cast<double>(k);
    const double J = 10 + t, lambda = 20 + t, observed[] = {30 + t, 40 + t, 50 + t};
    const run::LedgerEntry ledger{1, 2, 3, 4, 60 + t, 6};
    const method::Snapshot s{t, VectorXd{{1, 2, 3}}, VectorXd{{4, 5, 6}}, VectorXd{{7, 8, 9}}};
    out.observe({k, s, 70 + t, {&J, 1}, &ledger, {&lambda, 1}, {}, observed});
  }
  out.finish("{}");
}

std::vector<double> column_of(const std::string& path, const char* name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), d = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(d);
  std::vector<double> out(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), 0) << name;
  H5Sclose(space);
  H5Dclose(d);
  H5Fclose(file);
  return out;
}

std::size_t entries_of(const std::string& path, const char* group) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), g = H5Gopen2(file, group, H5P_DEFAULT);
  H5G_info_t info{};
  EXPECT_GE(H5Gget_info(g, &info), 0) << group;
  H5Gclose(g);
  H5Fclose(file);
  return info.nlinks;
}

}  // namespace

TEST(ChosenColumns, stand_in_a_csv_in_their_order) {
  const Folder folder;
  const std::string path = folder / "a.csv";
  write_chosen(*run::open_trajectory(
      path, chosen_header({"bond", "x'", "energy", "p(y)", "ledger/method", "lambda(rod)", "spin", "x[0]'", "t", "roof"})));
  std::ifstream in(path);
  std::string names, first, second;
  std::getline(in, names);
  std::getline(in, first);
  std::getline(in, second);
  EXPECT_EQ(names, "t,bond[0],bond[1],x[0]',x[1]',energy,p(y),ledger/method,lambda(rod),spin,roof");  // x[0]' once
  EXPECT_EQ(second, "1,41,51,4,5,71,9,61,21,11,31");
}

TEST(ChosenColumns, are_datasets_of_their_own_in_hdf5) {
  for (const bool resumable : {false, true}) {
    const Folder folder;
    const std::string path = folder / "a.h5";
    const auto header = chosen_header({"y", "x'", "energy", "spin", "ledger/method", "bond", "roof", "lambda(rod)"});
    {
      const auto out = resumable ? run::open_resumable(path, header) : run::open_trajectory(path, header);
      write_chosen(*out, 5000);  // more than a chunk
      out->forget();
    }
    EXPECT_EQ(column_of(path, "columns/y"), std::vector<double>(5000, 3));
    EXPECT_EQ(column_of(path, "columns/x[1]'").back(), 5);
    EXPECT_EQ(column_of(path, "energy").back(), 70 + 4999);
    EXPECT_EQ(column_of(path, "momentum/spin")[1], 11);
    EXPECT_EQ(column_of(path, "ledger/method")[2], 62);
    EXPECT_EQ(column_of(path, "multipliers/rod")[2], 22);
    EXPECT_EQ(column_of(path, "observe/roof")[3], 33);
    EXPECT_EQ(column_of(path, "observe/bond")[3], 51);  // (N, 2): row 1, element 1
    EXPECT_EQ(entries_of(path, "/"), 7U);               // t, energy, columns, momentum, ledger, multipliers, observe: no q, v, p
    EXPECT_EQ(entries_of(path, "columns"), 3U);
    EXPECT_EQ(entries_of(path, "ledger"), 1U);
  }
}

TEST(ChosenColumns, of_the_time_alone_are_no_others) {
  const Folder folder;
  const std::string path = folder / "a.h5";
  write_chosen(*run::open_trajectory(path, chosen_header({"t"})));
  EXPECT_EQ(entries_of(path, "/"), 1U);
  EXPECT_EQ(column_of(path, "t").size(), 3U);
}

TEST(ChosenColumns, that_a_run_lacks_and_formats_without_columns_are_refused) {
  const Folder folder;
  const auto message = [&](const char* name, const run::TrajectoryHeader& header) {
    try {
      (void)run::open_trajectory(folder / name, header);
    } catch (const core::InputError& e) { return std::string(e.what()); }
    return std::string();
  };
  auto header = chosen_header({"ledger/method"});
  header.ledger = false;
  EXPECT_NE(message("a.csv", header).find("run.columns has \"ledger/method\", and this run has no such column"),
            std::string::npos);
  EXPECT_NE(message("a.pvd", chosen_header({"y"})).find("run.columns chooses columns of .csv and .h5 files"), std::string::npos);
}
