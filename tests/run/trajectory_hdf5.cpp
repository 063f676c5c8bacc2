#include <actio/run/trajectory.hpp>

#include <array>
#include <cmath>
#include <filesystem>
#include <memory>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <actio/core/error.hpp>
#include <actio/system/materials.hpp>
#include <actio/system/solid.hpp>

using namespace actio;
using Eigen::VectorXd;
namespace fs = std::filesystem;

namespace {

// The file as another program sees it.
struct File {
  hid_t id;
  explicit File(const std::string& path) : id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {}
  ~File() { H5Fclose(id); }
  std::vector<double> numbers(const char* name, std::vector<hsize_t>& shape) const {
    const hid_t d = H5Dopen2(id, name, H5P_DEFAULT), space = H5Dget_space(d);
    shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    std::vector<double> out(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), 0);
    H5Sclose(space);
    H5Dclose(d);
    return out;
  }
  std::string attribute(const char* name) const {
    const hid_t a = H5Aopen(id, name, H5P_DEFAULT), type = H5Aget_type(a);
    char* text = nullptr;
    EXPECT_GE(H5Aread(a, type, &text), 0);
    std::string out = text == nullptr ? "" : text;
    H5free_memory(text);
    H5Tclose(type);
    H5Aclose(a);
    return out;
  }
};

std::string place(const std::string& name) {
  return (fs::temp_directory_path() / ("actio-" + std::to_string(getpid()) + "-" + name)).string();
}

void write(run::Trajectory& out, long rows, long n) {
  for (long k = 0; k < rows; ++k) {
    const double t = static_cast<double>(k);
    const double J[2] = {t, -t};
    const method::Snapshot s{t, VectorXd::Constant(n, t), VectorXd::Constant(n, 2 * t), VectorXd::LinSpaced(n, 0, 1)};
    out.observe({k, s, t * t, J});
  }
}

}  // namespace

TEST(Hdf5, has_growing_datasets_names_and_attributes_of_any_length) {
  const std::string path = place("a.h5"), problem(300000, 'x');
  constexpr long n = 3, rows = 10000;  // more than a chunk
  {
    auto out =
        run::open_trajectory(path, {{"x", "y", "z[0]"}, {"a/b", "c"}, {}, {{"problem", problem}, {"title", ""}}, 0.25, 0.25});
    write(*out, rows, n);
    out->finish("{\"verdict\":\"kept\"}");
  }
  {
    const File f(path);
    ASSERT_GE(f.id, 0);
    std::vector<hsize_t> shape;
    EXPECT_EQ(f.numbers("t", shape).back(), rows - 1);
    EXPECT_EQ(shape, (std::vector<hsize_t>{rows}));
    const auto v = f.numbers("v", shape);
    EXPECT_EQ(shape, (std::vector<hsize_t>{rows, n}));
    EXPECT_EQ(v[n * 4321], 2 * 4321.0);
    EXPECT_EQ(f.numbers("p", shape)[n * 9999 + 1], 0.5);
    EXPECT_EQ(f.numbers("energy", shape)[7], 49);
    EXPECT_EQ(f.numbers("momentum/a_b", shape)[7], 7);
    EXPECT_EQ(f.numbers("momentum/c", shape)[7], -7);
    EXPECT_EQ(f.attribute("problem"), problem);
    EXPECT_EQ(f.attribute("title"), "");
    EXPECT_EQ(f.attribute("certificate"), "{\"verdict\":\"kept\"}");
  }
  fs::remove(path);
}

// A spring-like tetrahedron that two groups hold, read from a file of rows too, as a run that may be killed leaves it.
TEST(Hdf5, has_reactions_and_stresses_by_their_names) {
  auto mesh = std::make_shared<system::Mesh>();
  mesh->points.setIdentity(3, 4);
  mesh->blocks = {{system::Cell::tetrahedron4, {3, 0, 1, 2}}};
  system::Model model;
  system::SolidPart part{"rubber", {{0, 0}}, {}, -1, 6};
  part.energy = system::neo_hookean(part.graph, system::deformation(part.graph), {2, 3});
  system::add_solid(model, "x", mesh, std::array{part}, system::MassOfSolid::lumped);
  model.fixed_dofs = {0, 3, 6, 9};
  run::TrajectoryHeader header{{"x"}, {}, {}, {}, 1, 1};
  header.coordinates.assign(12, "x");
  header.model = &model;
  header.compile.compiler = "none";
  header.supports = {{"a/b", {{{{0, 3}, 0, 0}, {}, {}}}}, {"c", {{{{6, 9}, 0, 0}, {}, {}}}}};
  header.stresses = {{"all", {{0, 0, 0}}}};
  VectorXd q = (Eigen::DiagonalMatrix<double, 3>(1.2, 1, 1) * mesh->points).reshaped();
  const double P = 3 * (1.2 - 1 / 1.2) + 2 * std::log(1.2) / 1.2;  // per area at rest; dN_0/dX = 1, dN_1/dX = 0 ...
  for (const bool resumable : {false, true}) {
    const std::string path = place("m.h5");
    {
      auto out = resumable ? run::open_resumable(path, header) : run::open_trajectory(path, header);
      const method::Snapshot s{0, q, VectorXd::Zero(12), q};
      out->observe({0, s, 0, {}});
      out->finish("{}");
      out->forget();
    }
    const File f(path);
    ASSERT_GE(f.id, 0);
    std::vector<hsize_t> shape;
    EXPECT_NEAR(f.numbers("reaction/a_b.x", shape).back(), P / 6, 1e-14);
    EXPECT_NEAR(f.numbers("reaction/c.x", shape).back(), -P / 6, 1e-14);
    EXPECT_NEAR(f.numbers("stress/all.xx", shape).back(), P, 1e-14);
    EXPECT_NEAR(f.numbers("stress/all.yy", shape).back(), 2 * std::log(1.2) / 1.2, 1e-14);
    EXPECT_EQ(shape, (std::vector<hsize_t>{1}));
    fs::remove(path);
  }
}

TEST(Hdf5, what_was_flushed_is_there_though_the_run_never_finished) {
  const std::string path = place("b.h5");
  auto out = run::open_trajectory(path, {{"x"}, {"c", "d"}, {}, {}, 1, 1});
  write(*out, 10, 1);
  out->flush();
  fs::copy_file(path, place("copy.h5"));  // as a kill would leave it
  {
    const File f(place("copy.h5"));
    std::vector<hsize_t> shape;
    EXPECT_EQ(f.numbers("q", shape).back(), 9);
  }
  out.reset();
  fs::remove(path);
  fs::remove(place("copy.h5"));
}

TEST(Hdf5, wide_rows_are_one_chunk_each) {
  const std::string path = place("c.h5");
  constexpr long n = 20001;
  {
    std::vector<std::string> names(n, "x");
    auto out = run::open_trajectory(path, {names, {"c", "d"}, {}, {}, 1});
    write(*out, 3, n);
    out->finish("{}");
  }
  {
    const File f(path);
    std::vector<hsize_t> shape;
    EXPECT_EQ(f.numbers("q", shape).back(), 2);
    EXPECT_EQ(shape, (std::vector<hsize_t>{3, n}));
  }
  fs::remove(path);
}
