#include <hdf5.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "points.hpp"

// H5MD files, as a program with the C library sees them.
namespace actio::run::test {
namespace {

using Shape = std::vector<hsize_t>;

class H5md {
 public:
  explicit H5md(const std::string& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    EXPECT_GE(file_, 0) << path;
  }
  H5md(const H5md&) = delete;
  ~H5md() { H5Fclose(file_); }

  bool has(const std::string& path) const {
    for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
      if (H5Lexists(file_, path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
      if (end == std::string::npos) return true;
    }
  }
  template <class T = double>
  std::vector<T> numbers(const std::string& path, const Shape& shape, bool integers = false) const {
    const hid_t d = H5Dopen2(file_, path.c_str(), H5P_DEFAULT), space = H5Dget_space(d), type = H5Dget_type(d);
    Shape is(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space), 0)));
    H5Sget_simple_extent_dims(space, is.data(), nullptr);
    EXPECT_EQ(is, shape) << path;
    EXPECT_EQ(H5Tget_class(type), integers ? H5T_INTEGER : H5T_FLOAT) << path;
    std::vector<T> out(static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0)));
    EXPECT_GE(
        H5Dread(d, sizeof(T) == sizeof(double) ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()),
        0)
        << path;
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(d);
    return out;
  }
  std::vector<std::string> words(const std::string& path, const char* attribute = nullptr) const {
    const hid_t object = H5Oopen(file_, path.c_str(), H5P_DEFAULT);
    const hid_t a = attribute != nullptr ? H5Aopen(object, attribute, H5P_DEFAULT) : -1;
    const hid_t space = a >= 0 ? H5Aget_space(a) : H5Dget_space(object), type = a >= 0 ? H5Aget_type(a) : H5Dget_type(object);
    EXPECT_GT(H5Tis_variable_str(type), 0) << path;
    std::vector<char*> text(static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0)));
    EXPECT_GE(a >= 0 ? H5Aread(a, type, text.data()) : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), 0)
        << path;
    std::vector<std::string> out(text.begin(), text.end());
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, text.data());
    H5Tclose(type);
    H5Sclose(space);
    if (a >= 0) H5Aclose(a);
    H5Oclose(object);
    return out;
  }
  std::string word(const std::string& path, const char* attribute) const {
    const auto all = words(path, attribute);
    return all.size() == 1 ? all[0] : fmt::format("{} words", all.size());
  }
  bool has_attribute(const std::string& path, const char* name) const {
    return H5Aexists_by_name(file_, path.c_str(), name, H5P_DEFAULT) > 0;
  }
  std::vector<int> integers(const std::string& path, const char* attribute) const {
    const hid_t a = H5Aopen_by_name(file_, path.c_str(), attribute, H5P_DEFAULT, H5P_DEFAULT), space = H5Aget_space(a);
    std::vector<int> out(static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0)));
    EXPECT_GE(H5Aread(a, H5T_NATIVE_INT, out.data()), 0);
    H5Sclose(space);
    H5Aclose(a);
    return out;
  }
  // Names of the dataset.
  unsigned links(const std::string& path) const {
    const hid_t d = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    H5O_info_t info{};
#if H5_VERSION_GE(1, 12, 0)
    EXPECT_GE(H5Oget_info3(d, &info, H5O_INFO_BASIC), 0);
#else
    EXPECT_GE(H5Oget_info(d, &info), 0);
#endif
    H5Dclose(d);
    return info.rc;
  }

 private:
  hid_t file_;
};

void write(Trajectory& out, long frames) {
  for (long k = 0; k < frames; ++k) observe_points(out, k);
  out.finish("{\"verdict\":\"kept\"}");
}

// The frames of points.hpp; lengths and times in multiples of theirs.
void expect_frames(const H5md& file, hsize_t frames, double length, double time, double energy) {
  const std::string position = "particles/points/position/", velocity = "particles/points/velocity/";
  const auto x = file.numbers(position + "value", {frames, 3, 3}), v = file.numbers(velocity + "value", {frames, 3, 3});
  const auto t = file.numbers(position + "time", {frames}), E = file.numbers("observables/energy/value", {frames});
  const auto J = file.numbers("observables/momentum/J/value", {frames});
  const auto step = file.numbers<int>(position + "step", {frames}, true);
  for (const std::string& element : {velocity, std::string("observables/energy/"), std::string("observables/momentum/J/")}) {
    EXPECT_EQ(file.numbers(element + "time", {frames}), t);
    EXPECT_EQ(file.numbers<int>(element + "step", {frames}, true), step);
  }
  for (std::size_t k = 0; k < frames; ++k) {
    const auto row = static_cast<long>(k);
    EXPECT_EQ(t[k], time * static_cast<double>(row));
    EXPECT_EQ(step[k], 2 * row);
    EXPECT_EQ(E[k], energy * 0.125 * static_cast<double>(row));
    EXPECT_EQ(J[k], 3 * static_cast<double>(row));
    const VectorXd q = places(row);
    std::size_t at = 9 * k;
    for (const int i : {1, 3, 5, 2, 4, 6, 7, 8, -1}) {
      EXPECT_DOUBLE_EQ(x[at], i < 0 ? 0 : length * q[i]);
      EXPECT_DOUBLE_EQ(v[at++], i < 0 ? 0 : -2 * length / time * q[i]);
    }
  }
}

TEST(H5mdFile, has_elements_of_step_time_and_value) {
  const PointsFolder folder;
  write(*open_trajectory(folder / "a.h5md", points_header()), 5000);  // more than a chunk
  const H5md file(folder / "a.h5md");
  EXPECT_EQ(file.integers("h5md", "version"), (std::vector<int>{1, 1}));
  EXPECT_EQ(file.word("h5md/author", "name"), "unknown");
  EXPECT_EQ(file.word("h5md/creator", "name"), "Actio");
  EXPECT_EQ(file.word("h5md/creator", "version"), "1.2");
  EXPECT_FALSE(file.has("h5md/modules"));
  expect_frames(file, 5000, 1, 1, 1);
  EXPECT_EQ(file.links("particles/points/position/time"), 4U);  // position, velocity, energy, J
  EXPECT_EQ(file.links("particles/points/position/step"), 4U);
  EXPECT_FALSE(file.has_attribute("particles/points/position/value", "unit"));
  EXPECT_EQ(file.integers("particles/points/box", "dimension"), std::vector<int>{3});
  EXPECT_EQ(file.words("particles/points/box", "boundary"), std::vector<std::string>(3, "none"));
  EXPECT_FALSE(file.has("particles/points/box/edges"));
  EXPECT_EQ(file.numbers<int>("particles/points/species", {3}, true), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(file.words("particles/points/label"), (std::vector<std::string>{"O", "H", "O"}));
  EXPECT_EQ(file.word("parameters", "title"), "Three points");
  EXPECT_EQ(file.word("parameters", "certificate"), "{\"verdict\":\"kept\"}");
}

// Of the problem: 0.25 angstrom, 0.5 ps, 8 kJ/mol.
TEST(H5mdFile, is_in_nanometres_picoseconds_and_kilojoules_where_the_problem_has_units) {
  const PointsFolder folder;
  TrajectoryHeader header = points_header();
  name_units(header);
  write(*open_trajectory(folder / "a.h5md", header), 4);
  const H5md file(folder / "a.h5md");
  expect_frames(file, 4, 0.025, 0.5, 8);
  EXPECT_EQ(file.integers("h5md/modules/units", "version"), (std::vector<int>{1, 0}));
  EXPECT_EQ(file.word("h5md/modules/units", "system"), "SI");
  EXPECT_EQ(file.word("particles/points/position/value", "unit"), "nm");
  EXPECT_EQ(file.word("particles/points/velocity/value", "unit"), "nm ps-1");
  EXPECT_EQ(file.word("particles/points/velocity/time", "unit"), "ps");
  EXPECT_EQ(file.word("observables/energy/value", "unit"), "kJ mol-1");
  EXPECT_FALSE(file.has_attribute("observables/momentum/J/value", "unit"));
}

TEST(H5mdFile, has_the_edges_of_a_box) {
  const PointsFolder folder;
  TrajectoryHeader header = points_header();
  name_units(header);
  header.atoms.box = {40, 44, 0};
  write(*open_trajectory(folder / "a.h5md", header), 2);
  const H5md file(folder / "a.h5md");
  expect_frames(file, 2, 0.025, 0.5, 8);
  EXPECT_EQ(file.words("particles/points/box", "boundary"), (std::vector<std::string>{"periodic", "periodic", "none"}));
  const auto edges = file.numbers("particles/points/box/edges/value", {2, 3});
  for (std::size_t k = 0; k < 6; ++k) EXPECT_DOUBLE_EQ(edges[k], (std::vector<double>{1, 1.1, 0})[k % 3]);
  EXPECT_EQ(file.word("particles/points/box/edges/value", "unit"), "nm");
  EXPECT_EQ(file.links("particles/points/position/time"), 5U);
}

// The ledger in the units of the energy; observables as they are.
TEST(H5mdFile, has_the_ledger_and_observables) {
  const PointsFolder folder;
  TrajectoryHeader header = points_header();
  name_units(header);
  header.ledger = true;
  header.momentum = {};
  header.observed = {{"bond/length", "angstrom", "r(i)", 2}, {"roof", "", "max", 1}};
  for (const bool resumable : {false, true}) {
    const std::string path = folder / "a.h5md";
    auto out = resumable ? open_resumable(path, header) : open_trajectory(path, header);
    LedgerEntry ledger;
    ledger.heat = 2;
    ledger.solver = -1;
    const std::vector<double> observed{5, 6, 7};
    const method::Snapshot s{0, places(0), places(1), places(2)};
    out->observe({0, s, 1, {}, &ledger, {}, {}, observed});
    const Observed mean{"roof", "", "max", 1, 1, 0, 0, {{"mean", "7", {{"value", {7.0}}}}}};
    out->finish("{}", {&mean, 1});
    const H5md file(path);
    EXPECT_EQ(file.numbers("observables/ledger/heat/value", {1}), std::vector<double>{16});
    EXPECT_EQ(file.numbers("observables/ledger/solver/value", {1}), std::vector<double>{-8});
    EXPECT_EQ(file.word("observables/ledger/heat/value", "unit"), "kJ mol-1");
    EXPECT_EQ(file.numbers("observables/observe/bond_length/value", {1, 2}), (std::vector<double>{5, 6}));
    EXPECT_EQ(file.word("observables/observe/bond_length/value", "unit_as_given"), "angstrom");
    EXPECT_EQ(file.numbers("observables/observe/roof/value", {1}), std::vector<double>{7});
    EXPECT_EQ(file.numbers("parameters/observe/roof/mean/value", {}), std::vector<double>{7});
    EXPECT_FALSE(file.has("observables/momentum"));
  }
}

TEST(H5mdFile, of_a_resumed_run_has_the_steps_and_rows_of_an_uninterrupted_one) {
  const PointsFolder folder;
  const std::string path = folder / "a.h5md", rows = path + ".rows";
  TrajectoryHeader header = points_header();
  name_units(header);
  std::int64_t bytes = 0;
  {
    auto out = open_resumable(path, header);
    for (long k = 0; k < 3; ++k) observe_points(*out, k);
    bytes = out->sync();
    observe_points(*out, 3);
  }
  EXPECT_EQ(clash(path, std::vector<std::string>{rows}).written, rows);
  auto out = open_resumable(path, header, bytes);
  for (long k = 3; k < 6; ++k) observe_points(*out, k);
  out->finish("{\"verdict\":\"kept\"}");
  out->forget();
  EXPECT_FALSE(std::filesystem::exists(rows));
  expect_frames(H5md(path), 6, 0.025, 0.5, 8);
}

TEST(H5mdFile, has_what_was_flushed_though_the_run_never_finished) {
  const PointsFolder folder;
  auto out = open_trajectory(folder / "a.h5md", points_header());
  for (long k = 0; k < 10; ++k) observe_points(*out, k);
  out->flush();
  std::filesystem::copy_file(folder / "a.h5md", folder / "copy.h5md");
  expect_frames(H5md(folder / "copy.h5md"), 10, 1, 1, 1);
}

// Wherever the room ends, by a limit of the size of files.
TEST(H5mdFile, of_a_full_disk_has_all_rows_it_took_and_the_certificate) {
  const PointsFolder folder;
  const std::string path = folder / "a.h5md";
  void (*const handler)(int) = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  for (rlim_t kilobytes = 100; kilobytes < 4000; kilobytes = kilobytes * 5 / 4 + 13) {
    auto out = open_trajectory(path, points_header());
    const rlimit now{std::filesystem::file_size(path) + (kilobytes << 10U), old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
    hsize_t rows = 0;
    std::string why;
    try {
      for (;; ++rows) observe_points(*out, static_cast<long>(rows));
    } catch (const core::RunError& e) { why = e.what(); }
    EXPECT_NO_THROW(out->finish("{\"verdict\":\"failed\"}"));
    const std::string remains = out->remains();
    out.reset();
    setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_NE(why.find("File too large"), std::string::npos) << why;
    EXPECT_EQ(remains, rows == 0 ? fmt::format("no row is in \"{}\"", path)
                                 : fmt::format("the rows until t = {} are in \"{}\"", rows - 1, path));
    const H5md file(path);
    expect_frames(file, rows, 1, 1, 1);
    EXPECT_EQ(file.word("parameters", "certificate"), "{\"verdict\":\"failed\"}");
    if (HasFailure()) break;
  }
  std::signal(SIGXFSZ, handler);
}

TEST(H5mdFile, that_has_no_room_at_all_is_wrong_input) {
  const PointsFolder folder;
  void (*const handler)(int) = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit now{20000, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &now);
  EXPECT_THROW((void)open_trajectory(folder / "a.h5md", points_header()), core::InputError);
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
}

}  // namespace
}  // namespace actio::run::test
