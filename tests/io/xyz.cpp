#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include <actio/run/trajectory.hpp>

#include "support.hpp"

// XYZ files: where points start, and a trajectory of them.
namespace actio::io::test {
namespace {

std::string water(const std::string& units = "", const std::string& initial = "xyz = \"w.xyz\"") {
  return fmt::format(R"toml([system]
coordinates = ["x[3]", "y[3]", "z[3]", "u"]
{}
points = {{ atom = ["x", "y", "z"] }}
tables = {{ m = [1.008, 15.9994, 1.008] }}
mass = {{ x = "m[i]", y = "m[i]", z = "m[i]", u = 1 }}
potential = "distance(atom[0], atom[1])^2 + u^2"
[initial]
{}
[method]
name = "verlet"
[run]
step = 0.1
steps = 2
)toml",
                     units, initial);
}
const std::string with_u = "xyz = \"w.xyz\"\nposition = { u = 0.5 }";
const std::string akma = "units = { length = \"angstrom\", mass = \"amu\", energy = \"kcal/mol\" }";
constexpr const char* frame =
    "3\na comment, t=5\nHw 0.75 0.1 -1e-3\nOw  0 0.3333333333333333\t0\r\n1 -0.75 0 2 0.5 more\n3\nnext\nX 9 9 9\n";

Problem loaded(const Folder& folder, const std::string& text) { return load_text(text, folder / "p.toml"); }

std::string error_in(const Folder& folder, const std::string& text) {
  try {
    (void)loaded(folder, text);
  } catch (const core::InputError& error) { return error.what(); }
  ADD_FAILURE() << "no error for " << text;
  return "";
}

std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Xyz, places_the_points) {
  const Folder folder;
  folder.write("w.xyz", frame);
  const Problem problem = loaded(folder, water("", with_u));
  EXPECT_EQ(problem.q0.head(3), Eigen::Vector3d(0.75, 0, -0.75));
  EXPECT_EQ(problem.q0.segment(3, 3), Eigen::Vector3d(0.1, 0.3333333333333333, 0));
  EXPECT_EQ(problem.q0.segment(6, 3), Eigen::Vector3d(-1e-3, 0, 2));
  EXPECT_EQ(problem.q0[9], 0.5);
  EXPECT_EQ(problem.atoms.labels, (std::vector<std::string>{"Hw", "Ow", "1"}));
  ASSERT_EQ(problem.files.size(), 1U);
}

TEST(Xyz, is_in_angstroms_where_the_problem_has_units) {
  const Folder folder;
  folder.write("w.xyz", frame);
  const Problem bohr = loaded(folder, water("units = { length = \"bohr\", mass = \"amu\", energy = \"hartree\" }", with_u));
  EXPECT_NEAR(bohr.q0[0], 0.75 / 0.529177210903, 1e-15);
  EXPECT_NEAR(bohr.atoms.scale * bohr.q0[0], 0.75, 1e-15);  // as they are written
  EXPECT_EQ(loaded(folder, water(akma, with_u)).q0[0], 0.75);
}

// What files of points need of units: sqrt(amu angstrom^2 mol/kcal) = 48.88821 fs.
TEST(Xyz, has_units_of_time_and_energy_for_trajectories) {
  const Folder folder;
  folder.write("w.xyz", frame);
  const run::Atoms none = loaded(folder, water("", with_u)).atoms, named = loaded(folder, water(akma, with_u)).atoms;
  EXPECT_FALSE(none.named_units());
  EXPECT_TRUE(named.named_units());
  EXPECT_NEAR(named.time, 0.04888821, 1e-8);
  EXPECT_NEAR(named.energy, 4.184, 1e-14);
}

TEST(Xyz, has_elements_by_their_masses_for_labels) {
  const Folder folder;
  const std::string position = "position = { x = [0, 1, 2], y = 0, z = 0, u = 0 }";
  EXPECT_EQ(loaded(folder, water(akma, position)).atoms.labels, (std::vector<std::string>{"H", "O", "H"}));
  EXPECT_EQ(loaded(folder, water("", position)).atoms.labels, (std::vector<std::string>{"atom", "atom", "atom"}));
}

// What a run writes another starts from, to the bit.
TEST(Xyz, is_read_as_it_was_written) {
  const Folder folder;
  const std::string path = folder / "w.xyz";
  Problem problem =
      loaded(folder, water(akma, "position = { x = \"sin(i + 1)\", y = \"exp(3*i)/7\", z = \"-1e-7/(i + 3)\", u = 0.5 }"));
  run::TrajectoryHeader header;
  header.atoms = problem.atoms;
  {
    auto out = run::open_trajectory(path, header);
    out->observe({0, {0.1, problem.q0, problem.v0, problem.v0}, -3.5, {}});
    out->observe({1, {0.2, 2 * problem.q0, problem.v0, problem.v0}, -3.5, {}});
    out->finish("{}");
  }
  EXPECT_TRUE(text_of(path).starts_with(
      "3\nt=0.1 energy=-3.5 length_unit=angstrom time_unit=\"48.8882 fs\" energy_unit=\"kcal/mol\"\nH 0.8414709848078965 "))
      << text_of(path);
  EXPECT_EQ(loaded(folder, water(akma, with_u)).q0, problem.q0);
}

// As extended XYZ has it, in the units of the places.
TEST(Xyz, has_the_box_in_its_comment) {
  const Folder folder;
  const Problem problem = loaded(
      folder, water("units = { length = \"nm\", mass = \"amu\", time = \"ps\" }", "position = { x = 1, y = 2, z = 3, u = 0 }"));
  EXPECT_EQ(problem.atoms.box, (std::array<double, 3>{}));
  run::TrajectoryHeader header;
  header.atoms = problem.atoms;
  header.atoms.box = {1, 1.5, 2};
  auto out = run::open_trajectory(folder / "w.xyz", header);
  out->observe({0, {0.1, problem.q0, problem.v0, problem.v0}, -3.5, {}});
  out->finish("{}");
  const std::string text = text_of(folder / "w.xyz");
  EXPECT_TRUE(text.starts_with("3\nt=0.1 energy=-3.5 Lattice=\"10 0 0 0 15 0 0 0 20\" length_unit=angstrom time_unit=\"ps\""))
      << text;
}

TEST(Xyz, goes_on_behind_the_frames_that_were_safe) {
  const Folder folder;
  const std::string path = folder / "a.xyz";
  const Problem problem = loaded(folder, water("", "position = { x = 1, y = 2, z = 3, u = 0 }"));
  run::TrajectoryHeader header;
  header.atoms = problem.atoms;
  const auto observe = [&](run::Trajectory& out, long k) {
    out.observe({k, {0.1 * static_cast<double>(k), problem.q0, problem.v0, problem.v0}, 0, {}});
  };
  std::int64_t bytes = 0;
  {
    auto out = run::open_resumable(path, header);
    observe(*out, 0);
    observe(*out, 1);
    bytes = out->sync();
    observe(*out, 2);
  }
  {
    auto out = run::open_resumable(path, header, bytes);
    observe(*out, 2);
    out->finish("{}");
  }
  {
    auto out = run::open_trajectory(folder / "b.xyz", header);
    for (long k = 0; k < 3; ++k) observe(*out, k);
    out->finish("{}");
  }
  EXPECT_EQ(text_of(path), text_of(folder / "b.xyz"));
  header.atoms.labels.pop_back();
  EXPECT_THROW((void)run::open_resumable(path, header, bytes), core::InputError);
}

TEST(Xyz, needs_points) {
  const Folder folder;
  EXPECT_THROW((void)run::open_trajectory(folder / "a.xyz", run::TrajectoryHeader{}), core::InputError);
}

TEST(Xyz, that_is_wrong_is_an_error_where_it_is) {
  const Folder folder;
  const std::string text = water("", with_u);
  const auto said = [&](const std::string& content, const std::string& message) {
    folder.write("w.xyz", content);
    const std::string error = error_in(folder, text);
    EXPECT_NE(error.find(message), std::string::npos) << error;
  };
  said("", "w.xyz: error: the file is empty");
  said("H 1 2 3\n", "w.xyz:1:1: error: an XYZ file begins with a line that has the number of atoms alone");
  said("-3\n", "w.xyz:1:1: error: an XYZ file begins");
  said("99999999999\n", "w.xyz:1:1: error: an XYZ file begins");
  said("3\n", "the file ends before its comment line");
  said("3\nc\nH 1 2 3\nO 1 2\nH 1 2 3\n", "w.xyz:4:1: error: atom 1 needs a label and three coordinates");
  said("3\nc\nH 1 2 3\nO 1 2 x3\nH 1 2 3\n", "w.xyz:4:7: error: \"x3\" is not a number");
  said("3\nc\nH 1 2 3\nO 1 2 inf\nH 1 2 3\n", "w.xyz:4:7: error: inf is not finite");
  said("3\nc\nH 1 2 3\n", "the file ends after 1 of 3 atoms");
  said("9000000\nc\nH 1 2 3\n", "the file ends after 1 of 9000000 atoms");
  said("2\nc\nH 1 2 3\nH 1 2 3\n", "p.toml:9:7: error: initial.xyz: \"w.xyz\" has 2 atoms, and atom has 3");
  folder.write("w.xyz", frame);
  const auto refused = [&](const std::string& initial, const std::string& message) {
    const std::string error = error_in(folder, water("", initial));
    EXPECT_NE(error.find(message), std::string::npos) << error;
  };
  refused("xyz = \"w.xyz\"", "initial.xyz places no u");
  refused("xyz = \"none.xyz\"\nposition = { u = 0 }", "initial.xyz: there is no file");
  refused("xyz = { atoms = \"w.xyz\" }\nposition = { u = 0 }", "did you mean \"atom\"?");
  refused("xyz = \"w.xyz\"\nposition = { u = 0, x = 1 }", "x is placed by initial.xyz too");
  refused("xyz = \"w.xyz\"\nposition = [1]", "initial.position");
  refused("xyz = 3\nposition = { u = 0 }", "initial.xyz must be the name of a file, or a table of points");
}

}  // namespace
}  // namespace actio::io::test
