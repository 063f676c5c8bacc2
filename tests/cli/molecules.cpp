#include <algorithm>

#include <gtest/gtest.h>

#include <cli/program.hpp>

// The example of water: units, a temperature, an XYZ file.
using test::contains;

TEST(Molecules, a_check_says_units_freedom_and_what_is_in_pieces) {
  const test::Folder here;
  const auto r = here.run("check examples/water.toml");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "length angstrom, mass amu, time 48.8882 fs, energy kcal/mol")) << r.out;
  EXPECT_TRUE(contains(r.out, "k_B T = 0.019872: 63 coordinates, 21 constraints, 1 momentum removed, 41 degrees of freedom"))
      << r.out;
  EXPECT_FALSE(contains(r.out, "in pieces")) << r.out;
  const auto floor = here.run("check examples/water.toml system.term.1.potential=\"floor(r(3*a+1, 3*b+1))\"");
  EXPECT_TRUE(contains(floor.out, "Lennard-Jones: a potential of 6 coordinates at 21 places, in pieces"))
      << floor.out << floor.err;
}

TEST(Molecules, a_run_writes_frames_of_its_points_with_their_units) {
  const test::Folder here;
  const auto r =
      here.run("run examples/water.toml run.end=0.4 observe.0.after=0 observe.1.after=0 -o " + (here / "w.xyz").string());
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "units: length angstrom")) << r.err;
  const std::string text = test::read(here / "w.xyz");
  EXPECT_TRUE(text.starts_with("21\nt=0 energy=")) << text.substr(0, 200);
  EXPECT_TRUE(contains(text, "length_unit=angstrom time_unit=\"48.8882 fs\" energy_unit=\"kcal/mol\"\nH "))
      << text.substr(0, 200);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3 * 23);  // t = 0, 0.2 and 0.4
  const auto none = here.run("run examples/pendulum.toml -o " + (here / "p.xyz").string());
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(contains(none.err, "shows points, and the problem has none")) << none.err;
}

TEST(Molecules, a_liquid_ends_in_a_radial_distribution) {
  const test::Folder here;
  const std::string argon = "run examples/argon.toml system.parameters.M=4 system.parameters.L=23.2 run.end=60 -o ";
  const auto r = here.run(argon + (here / "a.xyz").string());
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(
      contains(r.out, "verdict         kept: the symplectic form, momentum along x, the energy near its start, reversibility"))
      << r.out;
  EXPECT_TRUE(contains(r.out, "radial-distribution")) << r.out;
  EXPECT_TRUE(contains(test::read(here / "a.xyz"), "Lattice=\"23.2 0 0 0 23.2 0 0 0 23.2\"")) << r.out;
  const auto check = here.run("check examples/argon.toml");
  EXPECT_TRUE(contains(check.out,
                       "Lennard-Jones: a potential of pairs of 864 points that are closer than 8.5, nearest images; a "
                       "list of those within 9.5"))
      << check.out;
}

TEST(Molecules, a_bare_cutoff_is_not_claimed_to_keep_the_energy) {
  const test::Folder here;
  const std::string argon = "run examples/argon.toml system.parameters.M=4 system.parameters.L=23.2 run.end=60 ";
  const auto bare = here.run(argon + "system.term.0.potential=\"lj(r(i, j))\"");
  EXPECT_TRUE(contains(bare.out,
                       "it is not claimed to stay near its start: it jumps by up to 1.6e-02 where a pair crosses the cutoff of "
                       "Lennard-Jones"))
      << bare.out;
  EXPECT_FALSE(contains(bare.out, "the energy near its start")) << bare.out;
  const auto shifted = here.run(argon + "--certificate full system.term.0.potential=\"lj(r(i, j)) - lj(rc)\"");
  EXPECT_TRUE(contains(shifted.out, "forces that jump at the cutoff of Lennard-Jones limit the differences")) << shifted.out;
}

TEST(Molecules, two_in_one_place_are_named) {
  const test::Folder here;
  const auto r = here.run(
      "run examples/argon.toml run.end=60 initial.position.x=\"where(i == 7, 34.8, mod(i, 100))\" "
      "initial.position.y=\"floor(i/100)\" initial.position.z=0");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(contains(r.err, "the initial state has no finite energy\n  points 0 and 7 of [system.points] are in one place"))
      << r.err;
}
