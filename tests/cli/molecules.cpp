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
