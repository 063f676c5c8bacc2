#include <sys/resource.h>

#include <bit>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "points.hpp"

// DCD files, byte by byte.
namespace actio::run::test {
namespace {

// A reader after the records of the format: every one between two counts of its bytes.
struct Dcd {
  std::string bytes;
  std::size_t at = 0;
  std::vector<std::int32_t> control = std::vector<std::int32_t>(20);  // ICNTRL
  float delta = 0;
  std::vector<std::string> titles;
  std::int32_t points = 0;
  std::vector<std::vector<float>> frames;  // x of all points, y, z
  std::vector<std::vector<double>> cells;

  explicit Dcd(const std::string& path) : bytes(bytes_of(path)) {
    const std::string head = record();
    EXPECT_EQ(head.size(), 84U);
    EXPECT_EQ(head.substr(0, 4), "CORD");
    for (std::size_t k = 0; k < 20; ++k) control[k] = number<std::int32_t>(head, 4 + 4 * k);
    delta = number<float>(head, 4 + 4 * 9);
    const std::string text = record();
    for (std::int32_t k = 0; k < number<std::int32_t>(text, 0); ++k)
      titles.push_back(text.substr(4 + 80 * static_cast<std::size_t>(k), 80));
    EXPECT_EQ(text.size(), 4 + 80 * titles.size());
    points = number<std::int32_t>(record(), 0);
    while (at < bytes.size()) {
      if (control[10] == 1) {
        const std::string cell = record();
        EXPECT_EQ(cell.size(), 48U);
        cells.push_back(numbers<double>(cell));
      }
      frames.emplace_back();
      for (int axis = 0; axis < 3; ++axis) {
        const auto x = numbers<float>(record());
        EXPECT_EQ(x.size(), static_cast<std::size_t>(points));
        frames.back().insert(frames.back().end(), x.begin(), x.end());
      }
      if (testing::Test::HasFailure()) return;
    }
  }
  std::string record() {
    const auto size = number<std::int32_t>(bytes, at);
    const std::string out = bytes.substr(at + 4, static_cast<std::size_t>(size));
    EXPECT_EQ(number<std::int32_t>(bytes, at + 4 + out.size()), size) << "at byte " << at;
    at += out.size() + 8;
    return out;
  }
  template <class T>
  static T number(const std::string& from, std::size_t at) {
    T out{};
    if (at + sizeof(T) <= from.size())
      std::memcpy(&out, from.data() + at, sizeof(T));
    else
      ADD_FAILURE() << "the file ends in a record";
    return out;
  }
  template <class T>
  static std::vector<T> numbers(const std::string& from) {
    std::vector<T> out;
    for (std::size_t k = 0; k + sizeof(T) <= from.size(); k += sizeof(T)) out.push_back(number<T>(from, k));
    return out;
  }
};

void write(const std::string& path, const TrajectoryHeader& header, long frames) {
  auto out = open_trajectory(path, header);
  for (long k = 0; k < frames; ++k) observe_points(*out, k);
  out->finish("{}");
}
std::vector<float> expected(long k, double scale) {
  const VectorXd q = scale * places(k);
  std::vector<float> out;
  for (const int i : {1, 2, 7, 3, 4, 8, 5, 6}) out.push_back(static_cast<float>(q[i]));
  out.push_back(0);
  return out;
}

TEST(Dcd, has_frames_of_single_precision_behind_a_head) {
  const PointsFolder folder;
  write(folder / "a.dcd", points_header(), 3);
  const Dcd file(folder / "a.dcd");
  EXPECT_EQ(file.bytes.size(), 276U + 3 * 3 * (4 * 3 + 8));
  EXPECT_EQ(file.control, (std::vector<std::int32_t>{3, 0, 2, 4, 0, 0, 0, 0, 0, std::bit_cast<std::int32_t>(0.5F),
                                                     0, 0, 0, 0, 0, 0, 0, 0, 0, 24}));
  EXPECT_EQ(file.points, 3);
  ASSERT_EQ(file.titles.size(), 2U);
  EXPECT_TRUE(file.titles[0].starts_with("Created by Actio 1.2   "));
  EXPECT_TRUE(file.titles[1].starts_with("Three points   "));
  ASSERT_EQ(file.frames.size(), 3U);
  for (long k = 0; k < 3; ++k) EXPECT_EQ(file.frames[static_cast<std::size_t>(k)], expected(k, 1)) << k;
  EXPECT_TRUE(file.cells.empty());
}

// angstrom, and sqrt(amu angstrom^2/(kcal/mol)) = 48.88821 fs (CODATA 2018).
TEST(Dcd, is_in_angstroms_and_akma_units_where_the_problem_has_units) {
  const PointsFolder folder;
  TrajectoryHeader header = points_header();
  name_units(header);
  write(folder / "a.dcd", header, 2);
  const Dcd file(folder / "a.dcd");
  EXPECT_EQ(file.frames.at(1), expected(1, 0.25));
  const double akma = std::sqrt(1.66053906660e-27 * 1e-20 / (4184 / 6.02214076e23)) * 1e12;  // ps
  EXPECT_NEAR(file.delta, 0.5 * 0.5 / akma, 1e-7 * 0.25 / akma);
}

TEST(Dcd, has_the_box_in_each_frame) {
  const PointsFolder folder;
  TrajectoryHeader header = points_header();
  name_units(header);
  header.atoms.box = {40, 44, 48};
  write(folder / "a.dcd", header, 2);
  const Dcd file(folder / "a.dcd");
  EXPECT_EQ(file.control[10], 1);
  EXPECT_EQ(file.cells, std::vector<std::vector<double>>(2, {10, 0, 11, 0, 0, 12}));  // A, cos gamma, B, cos beta, cos alpha, C
  EXPECT_EQ(file.frames.at(1), expected(1, 0.25));
}

// The time of a frame is (ISTART + k NSAVC) DELTA for a reader.
TEST(Dcd, starts_at_the_step_of_its_first_frame_and_has_no_step_where_steps_differ) {
  const PointsFolder folder;
  TrajectoryHeader header = points_header();
  header.start = 100;
  write(folder / "a.dcd", header, 3);
  const Dcd later(folder / "a.dcd");
  EXPECT_EQ(later.control[1], 200);
  EXPECT_EQ(later.control[3], 204);
  header.largest_step = 0.75;
  write(folder / "b.dcd", header, 3);
  const Dcd unequal(folder / "b.dcd");
  EXPECT_EQ(unequal.delta, 0);
  EXPECT_EQ(unequal.control[1], 0);
}

TEST(Dcd, counts_larger_steps_where_32_bits_are_too_few) {
  const PointsFolder folder;
  TrajectoryHeader header = points_header();
  header.every = 1000000000;
  write(folder / "a.dcd", header, 2);
  EXPECT_EQ(Dcd(folder / "a.dcd").control[2], 1000000000);
  write(folder / "a.dcd", header, 3);
  const Dcd file(folder / "a.dcd");
  EXPECT_EQ(file.control[2], 1);
  EXPECT_EQ(file.control[3], 2);
  EXPECT_EQ(file.delta, 5e8F);
}

TEST(Dcd, has_titles_of_plain_characters) {
  const PointsFolder folder;
  TrajectoryHeader header = points_header();
  header.attributes[0].second = "Å\n" + std::string(200, 'x');
  write(folder / "a.dcd", header, 0);
  const Dcd file(folder / "a.dcd");
  EXPECT_EQ(file.titles.at(1).substr(0, 5), "??xxx");
  EXPECT_EQ(file.control[0], 0);
  EXPECT_EQ(file.bytes.size(), 276U);
}

// As a kill leaves it, after frames that were flushed and others that were not.
TEST(Dcd, counts_the_frames_that_were_flushed) {
  const PointsFolder folder;
  auto out = open_trajectory(folder / "a.dcd", points_header());
  for (long k = 0; k < 3; ++k) {
    observe_points(*out, 2 * k);
    out->flush();
    observe_points(*out, 2 * k + 1);
    const Dcd file(folder / "a.dcd");
    EXPECT_EQ(file.control[0], 2 * k + 1);
    EXPECT_EQ(file.frames.size(), static_cast<std::size_t>(2 * k + 1));
  }
  out.reset();  // by an exception
  EXPECT_EQ(Dcd(folder / "a.dcd").control[0], 6);
}

TEST(Dcd, of_a_resumed_run_is_the_same_to_the_byte) {
  const PointsFolder folder;
  const std::string path = folder / "a.dcd", all = folder / "all.dcd";
  TrajectoryHeader header = points_header();
  for (const bool boxed : {false, true}) {
    header.atoms.box = {boxed ? 2.0 : 0, boxed ? 3.0 : 0, boxed ? 4.0 : 0};
    write(all, header, 7);
    for (const long saved : {0L, 1L, 4L, 7L}) {
      std::int64_t bytes = 0;
      {
        auto out = open_resumable(path, header);
        for (long k = 0; k < saved; ++k) observe_points(*out, k);
        bytes = out->sync();
        EXPECT_EQ(bytes, static_cast<std::int64_t>(bytes_of(path).size()));
        for (long k = saved; k < 6; ++k) observe_points(*out, k);
      }
      std::ofstream(path, std::ios::app | std::ios::binary) << "part of a frame";  // of a power failure
      auto out = open_resumable(path, header, bytes);
      for (long k = saved; k < 7; ++k) observe_points(*out, k);
      out->finish("{}");
      EXPECT_EQ(bytes_of(path), bytes_of(all)) << saved;
    }
  }
}

TEST(Dcd, of_another_run_is_not_gone_on_with) {
  const PointsFolder folder;
  const std::string path = folder / "a.dcd";
  const TrajectoryHeader header = points_header();
  write(path, header, 3);
  const std::string before = bytes_of(path);
  const auto size = static_cast<std::int64_t>(before.size());
  EXPECT_NO_THROW((void)open_resumable(path, header, size));
  const auto refused = [&](const TrajectoryHeader& other, std::int64_t bytes) {
    EXPECT_THROW((void)open_resumable(path, other, bytes), core::InputError) << bytes;
    EXPECT_EQ(bytes_of(path), before);
  };
  TrajectoryHeader other = header;
  other.atoms.labels.pop_back();
  other.atoms.coordinates.pop_back();
  refused(other, 276 + 3 * 3 * 16);
  other = header;
  other.every = 3;
  refused(other, size);
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{100}, size - 1, size + 60}) refused(header, bytes);
}

// By a limit of the size of files, as a full disk says it: in the head, in a frame, behind one.
TEST(Dcd, of_a_full_disk_has_whole_frames_and_counts_them) {
  const PointsFolder folder;
  const std::string path = folder / "a.dcd";
  void (*const handler)(int) = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  for (const rlim_t most : {100UL, 276UL, 300UL, 276UL + 60 * 5, 276UL + 60 * 5 + 59, 200000UL}) {
    auto out = open_trajectory(path, points_header());
    const rlimit now{most, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
    std::string why;
    try {
      for (long k = 0; k < 5000; ++k) observe_points(*out, k);
      out->finish("{}");
    } catch (const core::RunError& e) { why = e.what(); }
    const std::string remains = out->remains();
    out.reset();
    setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_NE(why.find("File too large"), std::string::npos) << why;
    if (most < 276) {
      EXPECT_EQ(std::filesystem::file_size(path), 0U);
      continue;
    }
    const Dcd file(path);
    EXPECT_EQ(file.frames.size(), (most - 276) / 60) << most;
    EXPECT_EQ(file.control[0], static_cast<std::int32_t>(file.frames.size()));
    EXPECT_EQ(remains, file.frames.empty() ? fmt::format("no row is in \"{}\"", path)
                                           : fmt::format("the rows until t = {} are in \"{}\"", file.frames.size() - 1, path));
  }
  std::signal(SIGXFSZ, handler);
}

}  // namespace
}  // namespace actio::run::test
