#include <gtest/gtest.h>

#include <hdf5.h>

#include "program.hpp"

// actio modes: its table, its JSON, its files.
namespace {

using test::contains;

const std::string two_masses = R"toml(title = "Two masses"
[system]
coordinates = ["u[3]"]
mass = [1, 2, 4]
stiffness = [[3, -1, 0], [-1, 2, -1], [0, -1, 1]]
fixed = ["u[2]"]
[system.base]
name = "ground"
acceleration = "sin(t)"
direction = 1
[initial]
position = { u = 0 }
[method]
name = "newmark"
[run]
step = 0.1
steps = 1
)toml";

// K = [3 -1; -1 2], M = diag(1, 2): w^2 = 2 -+ sqrt(1.5).
TEST(ModesCommand, prints_a_row_a_mode) {
  const test::Folder here;
  const test::Result r = here.run("modes " + here.write("p.toml", two_masses));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "p.toml: the lowest 2 of 2 modes, linearised at the start without friction and forces\n")) << r.out;
  EXPECT_TRUE(contains(r.out, "   mode              w              f         period |    ground     sum\n")) << r.out;
  EXPECT_TRUE(contains(r.out, "\n      1     0.88048573")) << r.out;
  EXPECT_TRUE(contains(r.out, "\n      2      1.7957575")) << r.out;
  EXPECT_TRUE(contains(r.out, " 100.000\n")) << r.out;
  EXPECT_TRUE(contains(r.out, ": ground 3\n")) << r.out;
  EXPECT_EQ(here.run("modes p.toml -q", "cd " + here.path.string() + ";").out, "");
}

TEST(ModesCommand, prints_json) {
  const test::Folder here;
  const test::Result r = here.run("modes " + here.write("p.toml", two_masses) + " --json -n 1 system.mass=[1,2,0.5]");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "{\"title\":\"Two masses\",\"coordinates\":3,\"moving\":2,")) << r.out;
  EXPECT_TRUE(contains(r.out, "\"proved\":true")) << r.out;
  EXPECT_TRUE(contains(r.out, "\"modes\":[{\"number\":1,\"omega\":0.88048573")) << r.out;
  EXPECT_TRUE(contains(r.out, "\"directions\":{\"ground\":{\"mass\":3,\"participation\":[1.")) << r.out;
}

// What is written is what is read, to the bit: the same modes.
TEST(ModesCommand, writes_matrices_that_are_read_again) {
  const test::Folder here;
  const std::string file = here.write("p.toml", two_masses);
  const test::Result first = here.run("modes " + file + " --json --matrices " + (here / "two").string());
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(test::read(here / "two.K.mtx").substr(0, 59), "%%MatrixMarket matrix coordinate real symmetric\n% stiffness");
  EXPECT_TRUE(contains(test::read(here / "two.K.mtx"), "% rows 1 to 2: u[0] to u[1]\n2 2 3\n1 1 3\n2 1 -1\n2 2 2\n"));
  const test::Result second = here.run("modes --json " + here.write("again.toml", R"toml([system]
coordinates = ["u[2]"]
mass = "two.M.mtx"
stiffness = "two.K.mtx"
[initial]
position = { u = 0 }
[method]
name = "newmark"
[run]
step = 0.1
steps = 1
)toml"));
  EXPECT_EQ(second.code, 0) << second.err;
  const auto table = [](const std::string& text) {
    const std::size_t at = text.find("\"modes\"");
    return text.substr(at, text.find("\"directions\"") - at);
  };
  EXPECT_EQ(table(first.out), table(second.out));
}

TEST(ModesCommand, writes_csv_and_hdf5) {
  const test::Folder here;
  const std::string file = here.write("p.toml", two_masses);
  EXPECT_EQ(here.run("modes " + file + " -o " + (here / "m.csv").string()).code, 0);
  const std::string csv = test::read(here / "m.csv");
  EXPECT_TRUE(
      csv.starts_with("mode,omega,frequency,period,growth,residual,\"participation ground\",\"effective mass ground\",u[0],u[1],"
                      "u[2]\n1,0.88048573"))
      << csv;
  EXPECT_EQ(here.run("modes " + file + " -o " + (here / "m.h5").string()).code, 0);
  const hid_t h5 = H5Fopen((here / "m.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(h5, 0);
  double shape[2][3], mass[1], effective[2][1];
  const auto take = [&](const char* name, void* to) {
    const hid_t d = H5Dopen2(h5, name, H5P_DEFAULT);
    EXPECT_GE(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, to), 0) << name;
    H5Dclose(d);
  };
  take("shape", shape);
  take("mass", mass);
  take("effective_mass", effective);
  H5Fclose(h5);
  EXPECT_NEAR(shape[0][0] * shape[0][0] + 2 * shape[0][1] * shape[0][1], 1, 1e-14);
  EXPECT_EQ(shape[1][2], 0);
  EXPECT_NEAR(effective[0][0] + effective[1][0], mass[0], 1e-14);
}

TEST(ModesCommand, writes_a_frame_a_mode_of_a_solid) {
  const test::Folder here;
  const test::Result r = here.run("modes examples/cantilever.toml -n 4 -o " + (here / "m.pvd").string());
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(test::read(here / "m.pvd"), "timestep=\"4\" part=\"0\" file=\"m/m_000003.vtu\""));
  EXPECT_TRUE(std::filesystem::exists(here / "m/m_000000.vtu"));
  EXPECT_FALSE(std::filesystem::exists(here / "m/m_000004.vtu"));
}

TEST(ModesCommand, refuses_wrong_words) {
  const test::Folder here;
  const std::string file = here.write("p.toml", two_masses);
  const auto error = [&](const std::string& words) {
    const test::Result r = here.run("modes " + words);
    EXPECT_EQ(r.code, 2) << words;
    return r.err;
  };
  EXPECT_TRUE(contains(error(file + " -n 0"), "0 modes are asked for; at least 1 can be"));
  EXPECT_TRUE(contains(error(file + " -n 3"), "p.toml has 2, one for each coordinate that moves"));
  EXPECT_TRUE(contains(error(file + " -o m.vtk"), "end its name in .h5, .csv, or of solids .pvd"));
  EXPECT_TRUE(contains(error(file + " -o m.pvd"), "the problem has no solid"));
  const std::string spoiled = here.write("p.csv", two_masses);
  EXPECT_TRUE(contains(error(spoiled + " -o " + spoiled), "the run reads it"));
  EXPECT_TRUE(contains(error("examples/double-pendulum.toml"), "the system has constraints"));
  EXPECT_TRUE(contains(error("examples/henon-heiles-ensemble.toml"), "has an ensemble"));
  EXPECT_TRUE(contains(error("examples/heavy-top.toml"), "the system has rigid bodies"));
}

}  // namespace
