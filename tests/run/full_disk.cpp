#include <fcntl.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <actio/core/error.hpp>
#include <actio/run/trajectory.hpp>

#include "solids.hpp"

// What is left of an output where the disk is full: by a limit of the size of files, which any user may set, as a disk says it.
using namespace actio;
using namespace actio::run::test;

namespace {

// No file grows beyond it while this lives.
class Limit {
 public:
  explicit Limit(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit now{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  Limit(const Limit&) = delete;
  ~Limit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int) = nullptr;
};

run::TrajectoryHeader header(long n) {
  return {std::vector<std::string>(static_cast<std::size_t>(n), "x"), {"J"}, {},
          {{"title", "t"}, {"problem", std::string(3000, 'p')}},      1,     1};
}

// Until it fails: what it says, and how many rows it took.
struct Ended {
  long rows = 0;
  std::string why, remains;
};
Ended write_until_full(run::Trajectory& out, long n, long flush_every) {
  Ended ended;
  try {
    for (;; ++ended.rows) {
      const double t = static_cast<double>(ended.rows), J = -t;
      const method::Snapshot s{t, VectorXd::Constant(n, t), VectorXd::Constant(n, 2 * t), VectorXd::Constant(n, 1.0 / 3)};
      out.observe({ended.rows, s, t * t, {&J, 1}});
      if ((ended.rows + 1) % flush_every == 0) out.flush();
    }
  } catch (const core::RunError& e) { ended.why = e.what(); }
  try {
    out.finish("{\"verdict\":\"failed\"}");
  } catch (const core::RunError&) {}  // it was said
  ended.remains = out.remains();
  return ended;
}

std::vector<double> column(hid_t file, const char* name) {
  const hid_t d = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(d);
  std::vector<double> out(static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0)));
  if (!out.empty()) { EXPECT_GE(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), 0) << name; }
  H5Sclose(space);
  H5Dclose(d);
  return out;
}

void expect_rows(const std::string& path, long n, long rows) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0) << path;
  const auto count = static_cast<std::size_t>(rows);
  for (const char* name : {"t", "energy", "momentum/J"}) EXPECT_EQ(column(file, name).size(), count) << name;
  const auto v = column(file, "v"), energy = column(file, "energy");
  EXPECT_EQ(column(file, "q").size(), count * static_cast<std::size_t>(n));
  EXPECT_EQ(column(file, "p").size(), count * static_cast<std::size_t>(n));
  ASSERT_EQ(v.size(), count * static_cast<std::size_t>(n));
  if (rows > 0) {
    const double t = static_cast<double>(rows - 1);
    EXPECT_EQ(v.back(), 2 * t);
    EXPECT_EQ(energy.back(), t * t);
  }
  EXPECT_GT(H5Aexists(file, "certificate"), 0);
  H5Fclose(file);
}

}  // namespace

// Wherever in the file the room ends: in a chunk, in a column, in the tree that finds chunks, before the first row.
TEST(FullDisk, an_hdf5_file_has_all_rows_it_took_and_the_certificate) {
  const Folder folder;
  for (const long n : {1L, 3L, 200L, 20001L})
    for (const long flush_every : {7L, 1000000L})
      for (rlim_t kilobytes = 100; kilobytes < 6000;
           kilobytes = kilobytes * (ACTIO_TEST_SHORT ? 3 : 5) / (ACTIO_TEST_SHORT ? 1 : 4) + 13) {
        const std::string path = folder / "a.h5";
        Ended ended;
        {
          auto out = run::open_trajectory(path, header(n));
          const Limit limit(std::filesystem::file_size(path) + (kilobytes << 10U));
          ended = write_until_full(*out, n, flush_every);
          out.reset();
        }
        SCOPED_TRACE(fmt::format("{} coordinates, {} kB, {} rows", n, kilobytes, ended.rows));
        EXPECT_NE(ended.why.find("File too large"), std::string::npos) << ended.why;
        EXPECT_EQ(ended.remains, ended.rows == 0 ? fmt::format("no row is in \"{}\"", path)
                                                 : fmt::format("the rows until t = {} are in \"{}\"", ended.rows - 1, path));
        expect_rows(path, n, ended.rows);
        // At most two chunks of each column stay empty, nodes of their trees, and the room for the certificate.
        constexpr long lost = (2 * (3 * 64 + 3 * 32) + 6 * 5 * 4 + 64) << 10U;
        if (n == 3) { EXPECT_GT(ended.rows * (3 * n + 3) * 8 + lost, static_cast<long>(kilobytes << 10U)); }
        if (HasFailure()) return;
      }
}

TEST(FullDisk, a_finished_hdf5_file_is_no_longer_than_it_must_be) {
  const Folder folder;
  {
    auto out = run::open_trajectory(folder / "a.h5", header(1));
    const double J = 0;
    const method::Snapshot s{0, VectorXd::Zero(1), VectorXd::Zero(1), VectorXd::Zero(1)};
    out->observe({0, s, 0, {&J, 1}});
    out->finish("{}");
  }
  struct stat status {};
  ASSERT_EQ(stat((folder / "a.h5").c_str(), &status), 0);
  EXPECT_LT(status.st_size, 400000);  // six columns with a chunk of 32 KiB each
  EXPECT_LT(512 * status.st_blocks, 400000 + 4096);
}

TEST(FullDisk, before_an_hdf5_file_is_made_is_wrong_input) {
  const Folder folder;
  const Limit limit(20000);
  EXPECT_THROW((void)run::open_trajectory(folder / "a.h5", header(1)), core::InputError);
}

// A disk that breaks in the middle of a write, of which the library is not warned: behind its descriptor is a full device at
// once.
TEST(FullDisk, a_write_of_hdf5_that_fails_all_the_same_crashes_nothing) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const Folder folder;
  const std::string path = folder / "a.h5";
  const auto program = [&] {
    auto out = run::open_trajectory(path, header(3));
    const method::Snapshot s{1, VectorXd::Zero(3), VectorXd::Zero(3), VectorXd::Zero(3)};
    const double J = 0;
    for (long k = 0; k < 100; ++k) out->observe({k, s, 0, {&J, 1}});
    out->flush();
    struct stat file {
    }, other{};
    stat(path.c_str(), &file);
    for (int fd = 3; fd < 100; ++fd)
      if (fstat(fd, &other) == 0 && other.st_dev == file.st_dev && other.st_ino == file.st_ino &&
          (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR)
        dup2(open("/dev/full", O_RDWR), fd);
    const Ended ended = write_until_full(*out, 3, 100);
    std::fprintf(stderr, "%s\n%s\n", ended.why.c_str(), ended.remains.c_str());
    out.reset();
    std::filesystem::remove_all(folder.path);
    std::exit(7);  // the library's own end of the program
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(7), "cannot write .*No space left.*(\n.*)*the rows until t = 1 are in");
}

TEST(FullDisk, a_csv_file_ends_with_a_whole_row) {
  const Folder folder;
  for (const rlim_t bytes : {20UL, 100UL, 5000UL, 100000UL, 100001UL, 100007UL, 300000UL}) {
    const std::string path = folder / "a.csv";
    Ended ended;
    {
      auto out = run::open_trajectory(path, header(2));
      const Limit limit(bytes);
      ended = write_until_full(*out, 2, 1000000);
    }
    EXPECT_NE(ended.why.find("File too large"), std::string::npos) << ended.why;
    const std::string text = content(path);
    if (bytes < 60) {
      EXPECT_EQ(text, "");
      EXPECT_EQ(ended.remains, fmt::format("no row is in \"{}\"", path));
      continue;
    }
    ASSERT_TRUE(text.ends_with("\n")) << bytes;
    EXPECT_GT(text.size() + 80, bytes);
    const long rows = std::count(text.begin(), text.end(), '\n') - 1;
    const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
    if (rows == 0) continue;
    EXPECT_TRUE(last.starts_with(fmt::format("{},", rows - 1))) << last;
    EXPECT_EQ(std::count(last.begin(), last.end(), ','), 8);
    EXPECT_EQ(ended.remains, fmt::format("the rows until t = {:.6g} are in \"{}\"", static_cast<double>(rows - 1), path));
  }
}

TEST(FullDisk, the_rows_that_a_checkpoint_counts_are_whole) {
  const Folder folder;
  const std::string path = folder / "a.h5";
  auto out = run::open_resumable(path, header(2));
  Ended ended;
  {
    const Limit limit(100000);
    ended = write_until_full(*out, 2, 1000000);
  }
  EXPECT_NE(ended.why.find("a.h5.rows"), std::string::npos) << ended.why;
  constexpr std::size_t row = 10 * sizeof(double);
  const std::size_t size = content(path + ".rows").size();
  EXPECT_EQ(size % row, 0U);
  EXPECT_EQ(ended.remains, fmt::format("the rows until t = {} are in \"{}.rows\"", size / row - 1, path));
}

TEST(FullDisk, a_list_of_frames_names_those_that_are_whole) {
  const Folder folder;
  const Solids solids;
  auto out = run::open_trajectory(folder / "a.pvd", solids.header());
  solids.observe(*out, 0, 0);
  solids.observe(*out, 1, 0.5);
  {
    const Limit limit(1000);
    EXPECT_THROW(solids.observe(*out, 2, 1), core::RunError);
    out->finish("{}");
  }
  EXPECT_EQ(out->remains(), fmt::format("the frames until t = 0.5 are in \"{}\"", folder / "a.pvd"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a/a_000002.vtu"));
  const std::string list = content(folder / "a.pvd");
  EXPECT_NE(list.find("a_000001.vtu"), std::string::npos) << list;
  EXPECT_EQ(list.find("a_000002.vtu"), std::string::npos) << list;
}
