#include <gtest/gtest.h>

#include <unistd.h>
#include <actio/io/csv.hpp>
#include <actio/io/matrix_market.hpp>
#include <cstdlib>
#include <filesystem>
#include <models/brick.hpp>
#include <models/write.hpp>

namespace models {
namespace {

struct Folder {
  Folder() : path(std::filesystem::temp_directory_path() / ("actio-models-" + std::to_string(::getpid()))) {}
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
  std::filesystem::path path;
};

TEST(Generate, matrices_are_read_back_bit_by_bit) {
  const Folder folder;
  const Structure s = make(Brick{.elements = {2, 3, 2}, .nu = 1.0 / 3, .supports = Supports::listed});
  write(s, folder.path.string());
  EXPECT_EQ(Eigen::MatrixXd(actio::io::read_matrix_market(folder / "M.mtx", s.size())), Eigen::MatrixXd(s.mass));
  EXPECT_EQ(Eigen::MatrixXd(actio::io::read_matrix_market(folder / "S.mtx", s.size())), Eigen::MatrixXd(s.stiffness));
  const auto y = actio::io::read_csv_column(folder / "ground.csv", "y");
  ASSERT_EQ(static_cast<long>(y.size()), s.size());
  EXPECT_EQ(Eigen::Map<const Eigen::VectorXd>(y.data(), s.size()), s.rigid({0, 1, 0}, {0, 0, 0}));
  const auto fixed = actio::io::read_csv_column(folder / "ground.csv", "fixed");
  for (std::size_t i = 0; i < fixed.size(); ++i)
    EXPECT_EQ(fixed[i] == 1, std::binary_search(s.fixed.begin(), s.fixed.end(), static_cast<std::int32_t>(i)));
}

TEST(Generate, program_writes_a_frame_and_refuses_nonsense) {
  const Folder folder;
  const std::string program = ACTIO_TEST_GENERATE, quiet = " > /dev/null 2>&1";
  ASSERT_EQ(std::system((program + " frame --bays 2x1 --storeys 3 --out " + folder / "frame" + quiet).c_str()), 0);
  EXPECT_EQ(actio::io::read_matrix_market(folder / "frame/M.mtx").rows(), 6 * 3 * 2 * 3);
  EXPECT_EQ(actio::io::read_csv_column(folder / "frame/ground.csv", "x").size(), 108u);
  EXPECT_EQ(WEXITSTATUS(std::system((program + " frame --bays 0x1 --out " + folder / "frame" + quiet).c_str())), 2);
  EXPECT_NE(std::system((program + " frame --bays x --out " + folder / "frame" + quiet).c_str()), 0);
}

}  // namespace
}  // namespace models
