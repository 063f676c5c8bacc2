#include <actio/run/trajectory.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <actio/core/error.hpp>
#include <actio/io/mesh.hpp>

#include "solids.hpp"

using namespace actio;
using namespace actio::run::test;

TEST(Pvd, a_frame_is_the_mesh_at_rest_with_displacement_and_velocity) {
  const Folder folder;
  const Solids solids;
  auto out = run::open_trajectory(folder / "a.pvd", solids.header());
  solids.observe(*out, 0, 0.1);
  out->finish("{}");
  const std::string file = content(folder / "a/a_000000.vtu");
  const auto points = reals(file, "Points"), u = reals(file, "displacement"), v = reals(file, "velocity");
  const auto coordinates = static_cast<std::size_t>(solids.n - 1);
  ASSERT_EQ(points.size(), coordinates);
  ASSERT_EQ(u.size(), coordinates);
  ASSERT_EQ(v.size(), coordinates);
  for (std::size_t i = 0; i < coordinates; ++i) {
    const double largest = 10.0 * static_cast<double>(solids.n);
    EXPECT_NEAR(u[i], 10.0 * static_cast<double>(i + 1), 2e-16 * largest);  // (X + u) - X
    EXPECT_EQ(v[i], 20.0 * static_cast<double>(i + 1));
  }
  EXPECT_NE(file.find("Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.1<"), std::string::npos);
}

// Of a beam that is pulled along z and a tetrahedron that is pressed by a hundredth along x: on all their cells, faces too.
TEST(Pvd, a_frame_has_the_stress_of_its_cells) {
  const Folder folder;
  const Solids solids;
  const system::Model model = solids.model();
  run::TrajectoryHeader header = solids.header();
  header.model = &model;
  header.compile.compiler = "none";
  VectorXd q = VectorXd::Zero(solids.n);
  q.segment(1, solids.beam->points.size()) = (Eigen::DiagonalMatrix<double, 3>(1, 1, 1.1) * solids.beam->points).reshaped();
  q.tail(12) = (Eigen::DiagonalMatrix<double, 3>(0.99, 1, 1) * solids.single->points).reshaped();
  {
    auto out = run::open_trajectory(folder / "a.pvd", header);
    const method::Snapshot s{0, q, q, q};
    out->observe({0, s, 0, {}});
    out->finish("{}");
  }
  const std::string file = content(folder / "a/a_000000.vtu");
  const auto sigma = reals(file, "stress", 6), von_mises = reals(file, "von_mises", 1);
  EXPECT_EQ(reals(file, "velocity").back(), q.tail(1)[0]);
  std::size_t cells = 1;
  for (const auto& block : solids.beam->blocks) cells += static_cast<std::size_t>(block.size());
  ASSERT_EQ(sigma.size(), 6 * cells);
  ASSERT_EQ(von_mises.size(), cells);
  for (std::size_t c = 0; c < cells; ++c) {
    const bool beam = c + 1 < cells;
    const double expected[6] = {beam ? 0.2 : -0.08, beam ? 0.2 : -0.02, beam ? 0.8 : -0.02, 0, 0, 0};
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(sigma[6 * c + k], expected[k], 1e-13) << c;
    EXPECT_NEAR(von_mises[c], beam ? 0.6 : 0.06, 1e-13);
  }
  EXPECT_EQ(io::read_mesh(folder / "a/a_000000.vtu").points.cols(), solids.n / 3);
}

TEST(Pvd, a_frame_reads_back_as_the_mesh_with_its_groups) {
  const Folder folder;
  const Solids solids;
  {
    auto out = run::open_trajectory(folder / "a.pvd", solids.header());
    solids.observe(*out, 0, 0);
  }
  const system::Mesh mesh = io::read_mesh(folder / "a/a_000000.vtu");
  const long nodes = solids.beam->points.cols();
  ASSERT_EQ(mesh.points.cols(), nodes + 4);
  EXPECT_EQ(mesh.points.leftCols(nodes), solids.beam->points);
  EXPECT_EQ(mesh.points.rightCols(4), solids.single->points);
  ASSERT_EQ(mesh.blocks.size(), solids.beam->blocks.size() + 1);
  for (std::size_t b = 0; b + 1 < mesh.blocks.size(); ++b) {
    EXPECT_EQ(mesh.blocks[b].cell, solids.beam->blocks[b].cell);
    EXPECT_EQ(mesh.blocks[b].nodes, solids.beam->blocks[b].nodes);
  }
  const auto first = static_cast<std::int32_t>(nodes);
  EXPECT_EQ(mesh.blocks.back().nodes, (std::vector<std::int32_t>{first + 3, first, first + 1, first + 2}));
  const auto group = [&](const std::string& name) {
    std::vector<std::pair<std::int32_t, std::int32_t>> none;
    for (const auto& g : mesh.groups)
      if (g.name == name) return g.cells;
    return none;
  };
  const auto last = static_cast<std::int32_t>(mesh.blocks.size() - 1);
  for (auto expected : solids.beam->groups) {
    if (expected.name == "steel") expected.cells.emplace_back(last, 0);  // of both solids
    EXPECT_EQ(group(expected.name), expected.cells) << expected.name;
  }
  EXPECT_EQ(group("a <b> & \"c\"").size(), 1u);
  EXPECT_EQ(mesh.groups.size(), solids.beam->groups.size() + 1);
}

TEST(Pvd, the_list_names_every_frame_written_before_the_last_flush) {
  const Folder folder;
  const Solids solids;
  const std::string list = folder / "run & 1.pvd";
  fs::create_directories(folder.path / "run & 1");
  for (const char* old : {"run & 1_000000.vtu", "run & 1_000007.vtu", "mine.vtu", "run & 1_7.vtu"})
    std::ofstream(folder.path / "run & 1" / old) << "old";
  auto out = run::open_trajectory(list, solids.header());
  EXPECT_FALSE(fs::exists(folder.path / "run & 1" / "run & 1_000007.vtu"));  // of an earlier run
  EXPECT_TRUE(fs::exists(folder.path / "run & 1" / "mine.vtu"));
  EXPECT_TRUE(fs::exists(folder.path / "run & 1" / "run & 1_7.vtu"));
  const std::string head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  const std::string end = "</Collection>\n</VTKFile>\n";
  EXPECT_EQ(content(list), head + end);
  const auto frame = [](const char* t, int k) {
    return fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"run &#38; 1/run &#38; 1_{:06}.vtu\"/>\n", t, k);
  };
  solids.observe(*out, 0, 0);
  EXPECT_EQ(content(list), head + frame("0", 0) + end);
  solids.observe(*out, 5, 0.1);
  solids.observe(*out, 10, 1e-300);
  EXPECT_EQ(content(list), head + frame("0", 0) + end);
  out->flush();
  EXPECT_EQ(content(list), head + frame("0", 0) + frame("0.1", 1) + frame("1e-300", 2) + end);
  for (const auto& entry : fs::directory_iterator(folder.path)) EXPECT_NE(entry.path().extension(), ".new");
}

TEST(Pvd, a_run_that_goes_on_lists_what_one_in_a_piece_lists) {
  const Folder folder;
  const Solids solids;
  const std::string list = folder / "a.pvd";
  const auto observe = [&](run::Trajectory& out, long from, long to) {
    for (long k = from; k < to; ++k) solids.observe(out, k, 0.1 * static_cast<double>(k));
  };
  {
    auto out = run::open_resumable(list, solids.header());
    observe(*out, 0, 5);
    out->finish("{}");
  }
  const std::string whole = content(list), frame = content(folder / "a/a_000003.vtu");
  std::int64_t saved = 0;
  {
    auto out = run::open_resumable(list, solids.header());
    observe(*out, 0, 2);
    saved = out->sync();
    observe(*out, 2, 4);
    out->flush();
  }  // killed
  {
    auto out = run::open_resumable(list, solids.header(), saved);
    observe(*out, 2, 5);
    out->finish("{}");
  }
  EXPECT_EQ(content(list), whole);
  EXPECT_EQ(content(folder / "a/a_000003.vtu"), frame);
  EXPECT_THROW((void)run::open_resumable(list, solids.header(), 6), core::InputError);
}

TEST(Pvd, no_solid_and_a_place_that_cannot_be_written_are_wrong_input) {
  const Folder folder;
  const Solids solids;
  const auto message = [](const std::string& path, const run::TrajectoryHeader& header) {
    try {
      (void)run::open_trajectory(path, header);
    } catch (const core::InputError& e) { return std::string(e.what()); }
    return std::string();
  };
  EXPECT_NE(message(folder / "a.pvd", {}).find("the problem has no solid"), std::string::npos);
  EXPECT_NE(message(folder / "none/a.pvd", solids.header()).find("there is no folder"), std::string::npos);
  EXPECT_NE(message("/proc/a.pvd", solids.header()).find("cannot write \"/proc/a.pvd\""), std::string::npos);
  std::ofstream(folder / "file") << "x";
  EXPECT_NE(message(folder / "file.pvd", solids.header()).find("cannot write"), std::string::npos);
}

TEST(Pvd, a_full_disk_ends_the_run_with_what_to_do) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const Folder folder;
  const Solids solids;
  auto out = run::open_trajectory(folder / "a.pvd", solids.header());
  fs::create_symlink("/dev/full", folder / "a/a_000000.vtu");
  try {
    solids.observe(*out, 4, 0.5);
    FAIL() << "a full disk went unnoticed";
  } catch (const core::RunError& e) {
    EXPECT_EQ(e.step, 4);
    EXPECT_NE(std::string(e.what()).find("No space left"), std::string::npos) << e.what();
  }
}
