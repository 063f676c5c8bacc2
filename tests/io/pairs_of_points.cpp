#include <actio/run/observable.hpp>
#include <actio/system/pairs.hpp>

#include "evaluate.hpp"
#include "wrong.hpp"

// "a, b = pairs(atom, cutoff = 9)", exclude and box.
namespace actio::io::test {
namespace {

const std::string liquid = R"toml([system]
coordinates = ["x[N]", "y[N]", "z[N]"]
parameters = { N = 27, L = 6, rc = 2.5 }
mass = 1
box = ["L", "L", 7]
[system.points]
atom = ["x", "y", "z"]
[[system.term]]
over = "a, b = pairs(atom, cutoff = rc, skin = 0.5)"
potential = "switch(distance(atom[a], atom[b]), 2, rc)/distance(atom[a], atom[b])^6"
exclude = "a + 1 == b"
[[observe]]
name = "g"
over = "a, b = pairs(atom)"
value = "distance(atom[a], atom[b])"
reduce = "radial-distribution"
from = 0
to = 3
bins = 30
[initial.position]
x = "2*mod(i, 3)"
y = "2*mod(floor(i/3), 3)"
z = "2*floor(i/9)"
[method]
name = "verlet"
[run]
step = 0.1
steps = 1
)toml";

TEST(PairsOfPoints, say_what_they_are_of) {
  const Problem p = load_text(liquid, "p.toml");
  const auto& near = p.model.terms[0].pairs->near;
  ASSERT_TRUE(near);
  EXPECT_EQ(near->points, 27);
  EXPECT_EQ(near->cutoff, 2.5);
  EXPECT_EQ(near->skin, 0.5);
  ASSERT_EQ(near->axes.size(), 3U);
  EXPECT_EQ(near->axes[0].period, 6);
  EXPECT_EQ(near->axes[2].period, 7);
  EXPECT_EQ(near->axes[1].offset, 27);
  EXPECT_EQ(p.model.terms[0].elements, 27 * 26 / 2);
  EXPECT_EQ(p.observables[0].elements(), 27 * 26 / 2);
  EXPECT_EQ(p.observables[0].box, (std::vector<double>{6, 6, 7}));
}

TEST(PairsOfPoints, take_short_ranges_within_them) {
  std::string molecules = liquid;
  const std::string over = "a, b = pairs(atom, cutoff = rc, skin = 0.5)\"\npotential = \"";
  molecules.replace(molecules.find("[system.points]\n"), 16,
                    "[system.points]\nmiddle = [\"x[1..26 step 3]\", \"y[1..26 step 3]\", \"z[1..26 step 3]\"]\n");
  molecules.replace(molecules.find(over), over.size(),
                    "(a, b) = pairs(middle, cutoff = rc), i = 0..2, j = 0..2\"\npotential = \"0.01*i*j + ");
  molecules.replace(molecules.find("switch("),
                    std::string("switch(distance(atom[a], atom[b]), 2, rc)/distance(atom[a], atom[b])^6").size(),
                    "1/distance(atom[3*a+i], atom[3*b+j])");
  const Problem p = load_text(molecules, "p.toml");
  const system::Term& term = p.model.terms[0];
  ASSERT_TRUE(term.pairs && term.pairs->near);
  EXPECT_EQ(term.elements, 9 * 8 / 2);
  EXPECT_EQ(term.locals, 18);
  EXPECT_EQ(term.pairs->near->points, 9);
  EXPECT_EQ(term.pairs->near->axes[0].offset, 1);
  EXPECT_EQ(term.pairs->near->axes[0].stride, 3);
}

TEST(PairsOfPoints, say_where_they_are_wrong) {
  expect_errors(
      liquid,
      {{"cutoff = rc,", "cutof = rc,", "", "pairs knows no \"cutof\"", "", "did you mean \"cutoff\"?"},
       {"cutoff = rc,", "cutoff = rcx,", "", "unknown name \"rcx\"", "rcx", "did you mean \"rc\"?"},
       {"cutoff = rc,", "cutoff = rc, cutoff = 1,", "", "cutoff is given twice", ""},
       {"cutoff = rc,", "cutoff = -1,", "", "cutoff = -1 is not positive", "-1"},
       {"skin = 0.5", "skin = -0.5", "", "skin = -0.5 is not 0 or more", "-0.5"},
       {"cutoff = rc,", "", "", "a skin belongs to a cutoff", ""},
       {"cutoff = rc,", "cutoff = 3.01,", "", "cutoff = 3.01 is more than half of the box, which is 6 along axis 1", ""},
       {"pairs(atom, cutoff", "pairs(atm, cutoff", "", "there are no points \"atm\"", "", "did you mean \"atom\"?"},
       {"a, b = pairs(atom, cutoff", "a = pairs(atom, cutoff", "", "pairs of points are the first range, and have two indices",
        ""},
       {"skin = 0.5)\"", "skin = 0.5\"", "", "pairs is not closed", ""},
       {"skin = 0.5)\"", "skin = 0.5), i = 0..a\"", "", "needs more than their two points", ""},
       {"cutoff = rc, skin = 0.5", "2", "", "pairs takes cutoff = and skin = behind its points", ""},
       {"cutoff = rc,", "cut = rc,", "", "pairs knows no \"cut\"", "", "it takes cutoff and skin"},
       {"a + 1 == b", "mol[a] == mol[b]", "", "unknown name \"mol\"", ""},
       {"exclude = \"a + 1 == b\"", "exclude = [[0, 1]]", "", "must be a condition of the two indices", ""},
       {"a + 1 == b", "x[a] > 1", "", "what is excluded depends on the indices alone", "x[a]"},
       {"a + 1 == b", "c == b", "", "unknown name \"c\"", "c"},
       {"over = \"a, b = pairs(atom, cutoff = rc, skin = 0.5)\"", "over = \"a = 0..N-2, b = a+1..N-1\"", "",
        "exclude is of pairs with a cutoff", "exclude"},
       {"potential = \"switch", "lagrangian = \"switch", "", "which only a potential may have", ""},
       {"over = \"a, b = pairs(atom)\"", "over = \"a, b = pairs(atom, cutoff = 2)\"", "", "an observable is of all pairs", ""},
       {"to = 3\n", "to = 3.5\n", "", "a radial-distribution is of distances from 0 to half of the box, 3", "to"},
       {"box = [\"L\", \"L\", 7]\n", "", "", "is a radial-distribution, which is that of points in a box", "reduce"},
       {"\"L\", 7]", "\"L\"]", "", "system.box has 2 lengths, and atom has 3 coordinates", ""},
       {"\"L\", 7]", "\"L\", 0]", "", "system.box[2] is 0; a length is positive", "0"},
       {"\"L\", 7]", "\"L\", nan]", "", "system.box[2]", "nan"},
       {"box = [\"L\", \"L\", 7]\n", "box = 6\n", "", "system.box must be a list of two or three lengths", "6"},
       {"[system.points]\natom = [\"x\", \"y\", \"z\"]\n", "", "", "there are no", ""}});
}

TEST(PairsOfPoints, take_tables_with_an_entry_for_each_point) {
  std::string tables = liquid;
  const std::string condition = "a + 1 == b", mass = "mass = 1\n";
  tables.replace(tables.find(condition), condition.size(), "mol[a] == mol[b]");
  tables.replace(tables.find(mass), mass.size(), "mass = 1\ntables = { mol = [1, 2, 3, 4] }\n");
  expect_errors(tables, {{"box = ", "box = ", "",
                          "mol[a] reaches mol[25] in system.term[0].exclude, but mol has 4 entries, mol[0] to mol[3]", "mol[a]"},
                         {"mol[a] == mol[b]", "mol[a%2] == mol[b%2]", "",
                          "the index of mol[a%2] is not a sum of multiples of theirs", "mol[a%2]"}});
}

// A distance in a box is that to the nearest image; so are angles; coordinates themselves are as they are.
TEST(Box, gives_distances_of_nearest_images) {
  const auto value = [](const std::string& potential, const std::string& box, double x) {
    const Problem p = load_text(
        "[system]\ncoordinates = [\"x[3]\", \"y[3]\", \"z[3]\"]\nmass = 1\n" + box +
            "points = { atom = [\"x\", \"y\", \"z\"] }\npotential = \"" + potential +
            "\"\n[initial]\nposition = { x = 0, y = 0, z = 0 }\n[method]\nname = \"verlet\"\n[run]\nstep = 0.1\nsteps = 1\n",
        "p.toml");
    Eigen::VectorXd q = Eigen::VectorXd::Zero(9);
    q[0] = 0.5, q[1] = x, q[5] = 1;
    return energy(p.model, q, Eigen::VectorXd::Zero(9));
  };
  const std::string box = "box = [8, 5, inf]\n";
  EXPECT_DOUBLE_EQ(value("distance(atom[0], atom[1])", "", 7.5), 7);
  EXPECT_DOUBLE_EQ(value("distance(atom[0], atom[1])", box, 7.5), 1);
  EXPECT_DOUBLE_EQ(value("distance(atom[0], atom[1])", box, 7.5 + 800), 1);
  EXPECT_DOUBLE_EQ(value("distance(atom[0], atom[1])", box, 3.5), 3);
  EXPECT_DOUBLE_EQ(value("angle(atom[0], atom[1], atom[2])", box, -7.5), value("angle(atom[0], atom[1], atom[2])", box, 0.5));
  EXPECT_DOUBLE_EQ(value("x[1]", box, 7.5), 7.5);
}

TEST(Switch, goes_from_one_to_zero_with_two_derivatives) {
  const auto S = [](double r) {
    const Problem p = load_text(
        "[system]\ncoordinates = [\"x\"]\nmass = 1\npotential = \"switch(x, 2, 3)\"\n[initial]\nposition = [0]\n"
        "[method]\nname = \"verlet\"\n[run]\nstep = 0.1\nsteps = 1\n",
        "p.toml");
    return energy(p.model, Eigen::VectorXd::Constant(1, r), Eigen::VectorXd::Zero(1));
  };
  EXPECT_EQ(S(1), 1);
  EXPECT_EQ(S(2), 1);
  EXPECT_EQ(S(3), 0);
  EXPECT_EQ(S(4), 0);
  EXPECT_DOUBLE_EQ(S(2.5), 0.5);
  const double x = 0.3;
  EXPECT_NEAR(S(2.3), 1 - 10 * x * x * x + 15 * x * x * x * x - 6 * x * x * x * x * x, 1e-15);
  for (const double end : {2.0, 3.0}) {
    const double h = 1e-4;  // third order there: 10 h^3
    EXPECT_LE(std::abs(S(end + h) - S(end)), 11 * h * h * h);
    EXPECT_LE(std::abs(S(end - h) - S(end)), 11 * h * h * h);
  }
}

}  // namespace
}  // namespace actio::io::test
