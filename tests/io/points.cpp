#include <array>
#include <cmath>
#include <numbers>

#include "evaluate.hpp"
#include "wrong.hpp"

// [system.points], and distances and angles of them.
namespace actio::io::test {
namespace {

using std::numbers::pi;

// N points in space, and a potential of them.
std::string points(const std::string& potential, int n = 4) {
  return "[system]\ncoordinates = [\"x[N]\", \"y[N]\", \"z[N]\"]\nparameters = { N = " + std::to_string(n) +
         " }\nmass = 1\npotential = \"" + potential +
         "\"\n[system.points]\natom = [\"x\", \"y\", \"z\"]\n"
         "[initial]\nposition = { x = \"i\", y = \"i^2\", z = 0 }\n[method]\nname = \"verlet\"\n[run]\nstep = 0.1\nsteps = 1\n";
}

using Point = std::array<double, 3>;
Eigen::VectorXd state(const std::vector<Point>& points) {
  const auto n = static_cast<long>(points.size());
  Eigen::VectorXd q(3 * n);
  for (long k = 0; k < n; ++k)
    for (long axis = 0; axis < 3; ++axis) q[axis * n + k] = points[static_cast<std::size_t>(k)][static_cast<std::size_t>(axis)];
  return q;
}

double value(const Problem& problem, const Eigen::VectorXd& q) {
  return energy(problem.model, q, Eigen::VectorXd::Zero(q.size()));
}
double value(const std::string& potential, const std::vector<Point>& at) {
  return value(load_text(points(potential, static_cast<int>(at.size())), "p.toml"), state(at));
}

Eigen::VectorXd gradient(const Problem& problem, const Eigen::VectorXd& q) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(q.size());
  system::Term term = problem.model.terms[0];
  std::vector<expr::Id> x;
  for (long l = 0; l < term.locals; ++l) x.push_back(term.graph.column(static_cast<int>(l)));
  const std::vector<expr::Id> slopes = expr::gradient(term.graph, term.value, x);
  for (long l = 0; l < term.locals; ++l) {
    term.value = slopes[static_cast<std::size_t>(l)];
    out[term.dof(l, 0)] += at_element(term, {&q}, 0, uniforms_of(problem.model, 0));
  }
  return out;
}

// a at 1 along x, b at the origin, c along z, and d turned by phi about z from a.
std::vector<Point> twisted(double phi) { return {{1, 0, 0}, {0, 0, 0}, {0, 0, 1.5}, {2 * std::cos(phi), 2 * std::sin(phi), 1}}; }
constexpr const char* torsion = "dihedral(atom[0], atom[1], atom[2], atom[3])";

TEST(Points, have_distances_and_angles) {
  EXPECT_DOUBLE_EQ(value("distance(atom[0], atom[1])", {{1, 2, 3}, {3, 5, 9}}), 7);
  EXPECT_DOUBLE_EQ(value("dot(atom[0], atom[1])", {{1, 2, 3}, {3, 5, 9}}), 40);
  EXPECT_DOUBLE_EQ(value("angle(atom[0], atom[1], atom[2])", {{1, 0, 0}, {0, 0, 0}, {0, 0, 2}}), pi / 2);
  EXPECT_DOUBLE_EQ(value("angle(atom[0], atom[1], atom[2])", {{2, 1, 1}, {1, 1, 1}, {2, 2, 1}}), pi / 4);
  EXPECT_EQ(value("angle(atom[0], atom[1], atom[2])", {{1, 0, 0}, {0, 0, 0}, {-3, 0, 0}}), pi);
}

// acos of a cosine would have no digit of these.
TEST(Points, angles_near_0_and_pi_have_all_their_digits) {
  for (const double small : {1e-3, 1e-7, 1e-12}) {
    const Point b{0, 0, 0}, near{std::cos(small), std::sin(small), 0}, opposite{-std::cos(small), std::sin(small), 0};
    EXPECT_NEAR(value("angle(atom[0], atom[1], atom[2])", {{1, 0, 0}, b, near}) / small, 1, 1e-15);
    EXPECT_NEAR((pi - value("angle(atom[0], atom[1], atom[2])", {{1, 0, 0}, b, opposite})) / small, 1, 1e-15 + 4e-16 / small);
  }
}

// IUPAC: 0 where they eclipse, and positive where, along b to c, d is clockwise of a. Along z, x to y is clockwise.
TEST(Points, dihedral_angles_have_the_sign_of_iupac) {
  for (const double phi : {0.0, 0.3, pi / 3, 2.0, 3.0, -1e-9, -0.3, -pi / 2, -3.1})
    EXPECT_NEAR(value(torsion, twisted(phi)), phi, 4e-16 * (1 + std::abs(phi))) << phi;
  EXPECT_DOUBLE_EQ(std::abs(value(torsion, twisted(pi))), pi);
  // From the other end it is the same angle; in a mirror it is the opposite.
  EXPECT_NEAR(value("dihedral(atom[3], atom[2], atom[1], atom[0])", twisted(0.7)), 0.7, 1e-15);
  std::vector<Point> mirrored = twisted(0.7);
  for (Point& p : mirrored) p[1] = -p[1];
  EXPECT_NEAR(value(torsion, mirrored), -0.7, 1e-15);
}

TEST(Points, derivatives_agree_with_differences) {
  const std::vector<Point> at{{1.1, -0.2, 0.3}, {0.1, 0.4, -0.2}, {-0.3, 0.2, 1.4}, {0.6, 1.3, 1.9}};
  for (const char* text : {"distance(atom[0], atom[3])", "angle(atom[0], atom[1], atom[2])", torsion, "dot(atom[1], atom[3])",
                           "cos(3*dihedral(atom[0], atom[1], atom[2], atom[3]))/distance(atom[0], atom[2])^3"}) {
    const Problem problem = load_text(points(text), "p.toml");
    Eigen::VectorXd q = state(at);
    const Eigen::VectorXd exact = gradient(problem, q);
    constexpr double h = 1e-5;  // h^2 and eps/h balance at 1e-10
    for (long i = 0; i < q.size(); ++i) {
      const double x = q[i];
      q[i] = x + h;
      const double forward = value(problem, q);
      q[i] = x - h;
      const double difference = (forward - value(problem, q)) / (2 * h);
      q[i] = x;
      EXPECT_NEAR(exact[i], difference, 1e-8) << text << " " << i;
    }
  }
}

// |d angle/d a| = 1/|a - b|, and |d phi/d a| = 1/(its distance from the axis), at every angle: at 0 and pi too where phi is
// smooth.
TEST(Points, derivatives_are_as_large_as_their_levers) {
  for (const double phi : {0.0, 1e-8, 0.5, pi / 2, 3.0, pi - 1e-8, pi, -1.0}) {
    const Eigen::VectorXd g = gradient(load_text(points(torsion), "p.toml"), state(twisted(phi)));
    EXPECT_NEAR(Eigen::Vector3d(g[0], g[4], g[8]).norm(), 1.0, 1e-14) << phi;
    EXPECT_NEAR(Eigen::Vector3d(g[3], g[7], g[11]).norm(), 0.5, 1e-14) << phi;
  }
  for (const double theta : {1e-8, 0.5, pi / 2, 3.0, pi - 1e-7}) {
    const Problem problem = load_text(points("angle(atom[0], atom[1], atom[2])", 3), "p.toml");
    const Eigen::VectorXd g = gradient(problem, state({{2, 0, 0}, {0, 0, 0}, {4 * std::cos(theta), 4 * std::sin(theta), 0}}));
    EXPECT_NEAR(Eigen::Vector3d(g[0], g[3], g[6]).norm(), 0.5, 1e-9) << theta;
    EXPECT_NEAR(Eigen::Vector3d(g[2], g[5], g[8]).norm(), 0.25, 1e-9) << theta;
  }
}

TEST(Points, are_written_as_their_coordinates_would_be) {
  const Problem words = load_text(points("1/distance(atom[0], atom[1])^6"), "p.toml"),
                plain = load_text(points("1/((x[0] - x[1])^2 + (y[0] - y[1])^2 + (z[0] - z[1])^2)^3"), "p.toml");
  EXPECT_EQ(words.model.terms[0].graph.size(), plain.model.terms[0].graph.size());
  const Eigen::VectorXd q = state({{1, 2, 3}, {2, 4, 3.5}, {0, 0, 0}, {1, 1, 1}});
  EXPECT_EQ(value(words, q), value(plain, q));
  EXPECT_EQ(gradient(words, q), gradient(plain, q));
}

TEST(Points, may_lie_in_the_plane_between_one_another_or_alone) {
  const std::string text =
      with(with(points("distance(tip, foot) + angle(tip, foot, p[2]) + distance(p[1], p[2])"), "\"x[N]\", \"y[N]\", \"z[N]\"",
                "\"u\", \"v\", \"w[4]\", \"q[6]\""),
           "atom = [\"x\", \"y\", \"z\"]",
           "tip = [\"u\", \"v\"]\nfoot = [\"w[1]\", \"w[2]\"]\np = [\"q[0..5 step 2]\", \"q[1..5 step 2]\"]");
  const Problem problem =
      load_text(with(text, "{ x = \"i\", y = \"i^2\", z = 0 }", "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"), "p.toml");
  Eigen::VectorXd q(12);
  q << 4, 0, /*w*/ 9, 1, 4, 9, /*q*/ 8, 8, 2, 3, 1, 5;  // tip (4, 0), foot (1, 4), p[1] = (2, 3), p[2] = (1, 5)
  const double angle = std::acos((3 * 0 + -4 * 1) / 5.0);
  EXPECT_NEAR(value(problem, q), 5 + angle + std::sqrt(5.0), 1e-14);
}

TEST(Points, move_with_velocities) {
  const std::string text =
      with(points("0"), "potential = \"0\"", "lagrangian = \"0.5*dot(atom[0]', atom[0]') + x'[1]^2 + y'[1]^2 + z'[1]^2\"");
  const Problem problem = load_text(with(with(text, "N = 4", "N = 2"), "mass = 1\n", ""), "p.toml");
  EXPECT_EQ(problem.model.mass.diagonal[0], 1);
  EXPECT_EQ(problem.model.mass.diagonal[1], 2);
}

TEST(Points, stand_in_definitions_by_their_indices) {
  const std::string text = with(points("bond(0, 1) + bond(2, 3)"), "[initial]",
                                "[system.define]\n\"bond(a, b)\" = \"(distance(atom[a], atom[b]) - 1)^2\"\n[initial]");
  const Eigen::VectorXd q = state({{1, 2, 3}, {2, 4, 3.5}, {0, 0, 0}, {1, 1, 1}});
  EXPECT_EQ(value(load_text(text, "p.toml"), q),
            value(load_text(points("(distance(atom[0], atom[1]) - 1)^2 + (distance(atom[2], atom[3]) - 1)^2"), "p.toml"), q));
}

// An atom that is one of the oxygens too is moved once.
TEST(Points, of_two_families_move_once_along_a_symmetry) {
  const std::string text = with(points("distance(atom[0], atom[1])"), "[initial]",
                                "oxygen = [\"x[0..2 step 2]\", \"y[0..2 step 2]\", \"z[0..2 step 2]\"]\n"
                                "[[symmetry]]\nname = \"py\"\ntranslation = [0, 1, 0]\n[initial]");
  const Problem problem = load_text(text, "p.toml");
  Eigen::VectorXd shift = Eigen::VectorXd::Zero(12);
  shift.segment(4, 4).setOnes();
  EXPECT_EQ(generator(problem.model, problem.model.symmetries[0], problem.q0), shift);
}

TEST(Points, that_are_wrong_are_errors) {
  const std::string text = points("distance(atom[0], atom[1])");
  const std::string call = "distance(atom[0], atom[1])";
  expect_errors(
      text,
      {{call, "distance(atom[0], atm[1])", "5:32", "atm is not a point in system.potential", "atm[1]", "did you mean \"atom\"?"},
       {call, "distance(x[0], y[0])", "5:23", "x is not a point", "x[0]",
        "[system.points] groups coordinates to points: atom = [\"x\", \"y\", \"z\"]"},
       {call, "distance(atom[0])", "5:14", "distance takes 2 points, not 1", "distance", "write distance(a, b)"},
       {call, "angle(atom[0], atom[1])", "5:14", "angle takes 3 points, not 2", "angle"},
       {"potential = \"distance(atom[0], atom[1])\"", "lagrangian = \"distance(atom[0]', atom[1])\"", "5:15",
        "a distance is between points, not velocities", "distance"},
       {call, "distance(atom[0]', atom[1])", "5:23", "atom' is a velocity, not allowed in system.potential", "atom[0]'"},
       {call, "distance(atom, atom[1])", "5:23", "atom is a family of 4 and takes one index", "atom", "write atom[i]"},
       {call, "distance(atom[0], atom[4])", "5:32", "atom[4] is out of range in system.potential, but x has 4 entries",
        "atom[4]"},
       {call, "atom[0]^2", "5:14", "atom is a point", "atom[0]"},
       {call, "atom[0].x", "5:22", "atom is a point and has no \"x\"", "x"},
       {call, "distance(atom[0].x, atom[1])", "5:31", "atom is a point and has no \"x\"", "x"},
       {"[\"x\", \"y\", \"z\"]\n[", "[\"x\", \"y\", \"w\"]\n[", "7:19", "system.points.atom[2]: \"w\" is not a coordinate",
        "\"w\""},
       {"[\"x\", \"y\", \"z\"]\n[", "[\"x\"]\n[", "7:8",
        "system.points.atom must be two or three coordinates, along the axes of space, not 1", ""},
       {"[\"x\", \"y\", \"z\"]\n[", "\"x\"\n[", "7:8",
        "system.points.atom must be two or three coordinates, along the axes of space, not a string", ""},
       {"[\"x\", \"y\", \"z\"]\n[", "[\"x[0..2]\", \"y\", \"z\"]\n[", "7:9", "system.points.atom[0]: \"x[0..2]\" is a part of x",
        ""},
       {"[\"x\", \"y\", \"z\"]\n[", "[\"x\", \"y[0]\", \"z\"]\n[", "7:14", "x has 4 entries, and y[0] has 1", ""},
       {"atom = [", "x = [", "7:1", "\"x\" cannot be a point: it is already a coordinate", "x"}});
  const std::string flat =
      with(with(with(text, "\"z[N]\"]", "\"z[N]\", \"u\", \"v\"]"), "[initial]", "flat = [\"u\", \"v\"]\n[initial]"), "z = 0",
           "z = 0, u = 0, v = 0");
  expect_errors(flat, {{call, "distance(atom[0], flat)", "5:32", "flat has 2 coordinates, and atom has 3", "flat"},
                       {call, "dihedral(flat, flat, flat, flat)", "5:23", "a dihedral angle is one of points in space", "flat"}});
}

}  // namespace
}  // namespace actio::io::test
