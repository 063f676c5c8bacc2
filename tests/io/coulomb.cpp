#include <actio/system/callbacks.hpp>
#include <actio/system/pairs.hpp>
#include <cmath>

#include "wrong.hpp"

// [system.coulomb]: what it becomes, and what is wrong in it.
namespace actio::io::test {
namespace {

const std::string salt = R"toml([system]
coordinates = ["x[N]", "y[N]", "z[N]", "u", "w"]
parameters = { N = 216, n = 6, L = 12, j = 3 }
mass = 1
box = ["L", "L", 13]
[system.points]
ion = ["x", "y", "z"]
alone = ["u", "w", "u"]
[system.coulomb]
points = "ion"
charge = "1 - 2*mod(i, 2)"
constant = "2*L"
cutoff = 5
skin = 0.5
[initial.position]
x = "2*mod(i, n)"
y = "2*mod(floor(i/n), n)"
z = "2*floor(i/n^2)"
u = 0
w = 0
[method]
name = "verlet"
[run]
step = 0.1
steps = 1
)toml";

TEST(Coulomb, becomes_a_term_over_a_list_and_waves) {
  const Problem p = load_text(salt, "p.toml");
  ASSERT_EQ(p.model.terms.size(), 1U);
  const auto& near = p.model.terms[0].pairs->near;
  ASSERT_TRUE(near);
  EXPECT_EQ(near->points, 216);
  EXPECT_EQ(near->cutoff, 5);
  EXPECT_EQ(near->skin, 0.5);
  EXPECT_LT(near->share, 1e-9);
  ASSERT_TRUE(p.model.callbacks);
  EXPECT_TRUE(p.model.callbacks->built_in());
  EXPECT_FALSE(p.model.callbacks->tangent);
  EXPECT_EQ(p.model.callbacks->description.size(), 1U);
}

TEST(Coulomb, may_be_of_several_kinds_of_points) {
  std::string two = with(salt, "[system.coulomb]", "[[system.coulomb]]");
  two = with(
      two, "[initial.position]",
      "[[system.coulomb]]\nname = \"others\"\npoints = \"ion\"\ncharge = \"mod(i, 2) - 0.5\"\ncutoff = 4\n[initial.position]");
  const Problem p = load_text(two, "p.toml");
  ASSERT_EQ(p.model.terms.size(), 2U);
  EXPECT_EQ(p.model.terms[0].name, "Coulomb 0");
  EXPECT_EQ(p.model.terms[1].name, "others");
  ASSERT_EQ(p.model.callbacks->description.size(), 2U);
  // The waves of both: K q^2 is 24, and 0.25 with other alpha.
  const auto V = [](const Problem& of) {
    return of.model.callbacks->energy(0, {of.q0.data(), static_cast<std::size_t>(of.q0.size())});
  };
  const double first = V(load_text(salt, "p.toml"));
  const double other = V(load_text(
      with(with(with(salt, "1 - 2*mod(i, 2)", "mod(i, 2) - 0.5"), "\"2*L\"", "1"), "cutoff = 5", "cutoff = 4"), "p.toml"));
  EXPECT_NEAR(V(p), first + other, 1e-12 * std::abs(first));
}

TEST(Coulomb, says_where_it_is_wrong) {
  expect_errors(
      salt,
      {
          {"points = \"ion\"", "points = \"iron\"", "10:10", "system.coulomb.points: there are no points \"iron\"", "\"iron\"",
           "did you mean \"ion\"?"},
          {"points = \"ion\"", "points = \"alone\"", "10:10", "system.coulomb.points: alone is a single point", "\"alone\""},
          {"points = \"ion\"", "", "9:1", "system.coulomb.points is missing", ""},
          {"mod(i, 2)\"", "mod(i, 2) + 0.01\"", "11:10",
           "system.coulomb.charge adds up to 2.16; with all images that has no finite energy", "",
           "the charges in a box must add up to 0"},
          {"\"1 - 2*mod(i, 2)\"", "[1, -1]", "11:10", "system.coulomb.charge has 2 entries, ion has 216 points", ""},
          {"\"1 - 2*mod(i, 2)\"", "0", "11:10", "system.coulomb.charge is 0 for all points", "0"},
          {"\"1 - 2*mod(i, 2)\"", "\"x[i]\"", "11:11", "this is evaluated once", "x[i]"},
          {"cutoff = 5", "cutoff = 6.01", "13:10",
           "system.coulomb.cutoff is 6.01, more than half of the box, which is 12 along axis 1", "6.01"},
          {"cutoff = 5", "cutoff = 0", "13:10", "system.coulomb.cutoff is 0; it must be positive", "0"},
          {"skin = 0.5", "skin = -0.5", "14:8", "system.coulomb.skin is -0.5, not 0 or more", "-0.5"},
          {"\"2*L\"", "-1", "12:12", "system.coulomb.constant is -1; it must be positive", "-1"},
          {"cutoff = 5", "cutoff = 5\nmodes = 0", "14:9", "system.coulomb.modes", "0"},
          {"cutoff = 5", "cutoff = 5\nmodes = 2.5", "14:9", "system.coulomb.modes is 2.5; it must be an integer", "2.5"},
          {"cutoff = 5", "cutoff = 5\naccuracy = 0.5", "14:12", "system.coulomb.accuracy is 0.5; it is a relative error", "0.5"},
          {"cutoff = 5", "cutoff = 0.01", "9:1", "system.coulomb needs more than 1000 modes", ""},
          {"cutoff = 5", "cutof = 5", "13:1", "unknown key \"cutof\" in [system.coulomb]", "cutof", "did you mean \"cutoff\"?"},
          {"box = [\"L\", \"L\", 13]\n", "", "8:1", "which needs three periods, and there is no box", ""},
          {"13]", "inf]", "9:1", "which needs three periods, and the box goes on along an axis", ""},
          {"mass = 1", "mass = 1\nlibrary = \"own.so\"", "10:9", "system.coulomb cannot stand beside system.library", ""},
          {"cutoff = 5", "cutoff = 5\nexclude = \"floor(i/3) == floor(j/3)\"", "14:11",
           "\"j\" cannot be an index of system.coulomb.exclude: it is already a parameter", ""},
      });
  expect_errors(
      with(salt, "j = 3", "k = 3"),
      {
          {"cutoff = 5", "cutoff = 5\nexclude = \"x[i] == 0\"", "14:12", "what is excluded depends on the indices alone", "x[i]"},
          {"cutoff = 5", "cutoff = 5\nexclude = \"floor(i/3) == floor(jj/3)\"", "14:32", "unknown name \"jj\"", "jj"},
      });
}

TEST(Coulomb, in_a_plane_is_refused) {
  std::string plane = with(with(salt, "[\"L\", \"L\", 13]", "[\"L\", \"L\"]"), "[\"x\", \"y\", \"z\"]", "[\"x\", \"y\"]");
  plane = with(plane, "alone = [\"u\", \"w\", \"u\"]\n", "");
  const std::string message = error_of(plane);
  EXPECT_NE(
      message.find("system.coulomb is a sum over all images in a box, which needs three periods, and the box is of a plane"),
      std::string::npos)
      << message;
}

}  // namespace
}  // namespace actio::io::test
