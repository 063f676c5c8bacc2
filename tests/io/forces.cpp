#include <gtest/gtest.h>

#include <cmath>
#include <common.hpp>

#include "evaluate.hpp"
#include "support.hpp"

// Friction, external forces, loads and signals, from the file to the model.
namespace actio::io::test {
namespace {

using actio::test::eps;

const std::string springs = R"toml([system]
coordinates = ["theta[4]", "y"]
parameters = { c = 0.5, N = 4 }
tables = { d = [1, 2, 3, 4] }
mass = { theta = 2, y = 3 }
potential = "y^2"
[initial]
position = { theta = 0, y = 1 }
[method]
name = "newmark"
[run]
step = 0.1
steps = 7
)toml";

system::Model model_of(const std::string& lines) {
  return load_text(with(springs, "[initial]", lines + "\n[initial]"), "p.toml").model;
}

const Eigen::VectorXd q = vector({0.1, 0.2, 0.4, 0.8, 1.5}), v = vector({1, -2, 3, -4, 0.5});

void expect_near(const Eigen::VectorXd& is, const Eigen::VectorXd& expected) {
  ASSERT_EQ(is.size(), expected.size());
  EXPECT_LE((is - expected).cwiseAbs().maxCoeff(), 8 * eps * expected.cwiseAbs().maxCoeff()) << is.transpose();
}

TEST(Friction, is_a_potential_of_velocities) {
  const system::Model model = model_of("dissipation = \"0.5*c*y'^2*(1 + y^2)\"");
  ASSERT_EQ(model.dissipation.size(), 1U);
  EXPECT_TRUE(model.dissipation[0].velocities);
  EXPECT_FALSE(model.dissipation[0].lagrangian);
  EXPECT_NEAR(dissipation(model, q, v), 0.5 * 0.5 * 0.25 * 3.25, 4 * eps);
}

TEST(Friction, sums_over_neighbours) {
  const system::Model model =
      model_of("[[system.term]]\nover = \"k = 0..2\"\ndissipation = \"0.5*d[k]*(theta'[k+1] - theta'[k])^2\"");
  EXPECT_EQ(model.terms.size(), 1U);  // y^2
  EXPECT_NEAR(dissipation(model, q, v), 0.5 * (9 + 2 * 25 + 3 * 49), 400 * eps);
}

TEST(Force, of_each_coordinate_of_a_family_and_of_one) {
  const system::Model model =
      model_of("[system.force]\ntheta = \"-c*theta'[i] + d[i]*t\"\ny = \"-y^3 + theta[N-1]\"\n\"theta[2]\" = 10");
  expect_near(force(model, q, v, 2), vector({-0.5 + 2, 1 + 4, -1.5 + 6 + 10, 2 + 8, -3.375 + 0.8}));
}

TEST(Force, of_part_of_a_family_counts_its_own_indices) {
  const system::Model model = model_of("[system.force]\n\"theta[1..N-1 step 2]\" = \"theta[i-1]*i\"\n\"theta[0..1]\" = \"i\"");
  expect_near(force(model, q, v, 0), vector({0, 0.1 + 1, 0, 3 * 0.4, 0}));
}

TEST(Force, over_ranges_acts_on_a_named_coordinate) {
  const system::Model model =
      model_of("[[system.term]]\nover = \"k = 0..N-1\"\nperiodic = true\nforce = \"c*theta'[k]\"\non = \"theta[k+1]\"");
  expect_near(force(model, q, v, 0), vector({-2, 0.5, -1, 1.5, 0}));
}

TEST(Load, is_a_pattern_times_a_function_of_time) {
  const auto pattern = [&](const std::string& given) -> Eigen::VectorXd {
    return force(model_of("[[system.load]]\npattern = " + given + "\ntime = \"2*t\"\nscale = \"1/c\""), q, v, 3) / 12;
  };
  expect_near(pattern("[1, 0, 2, 0, 3]"), vector({1, 0, 2, 0, 3}));
  expect_near(pattern("{ theta = \"d[i]\", y = -1 }"), vector({1, 2, 3, 4, -1}));
  expect_near(pattern("{ \"theta[1..2]\" = [5, 6], \"theta[3]\" = \"30/i\" }"), vector({0, 5, 6, 10, 0}));
  expect_near(pattern("\"i^2\""), vector({0, 1, 4, 9, 16}));
  expect_near(pattern("7"), vector({7, 7, 7, 7, 7}));
}

TEST(Load, may_be_overridden) {
  const std::string text = with(springs, "[initial]",
                                "[system.signals]\nf = { time = [0, 1], value = [1, 1] }\n"
                                "[[system.load]]\npattern = 1\ntime = \"f\"\n[system.force]\ny = 2\n[initial]");
  LoadOptions options;
  options.overrides = {"system.signals.f.scale=3", "system.load.0.pattern=[0,0,0,1,1]", "system.force.y=-y", "system.fixed=[0]"};
  const system::Model model = load_text(text, "p.toml", options).model;
  expect_near(force(model, q, v, 0.5), vector({0, 0, 0, 3, 1.5}));
  EXPECT_EQ(model.fixed_dofs, (std::vector<std::int32_t>{0}));
}

TEST(Load, without_a_time_is_constant) {
  const system::Model model =
      model_of("[[system.load]]\npattern = { y = 2 }\n[[system.load]]\npattern = { y = 1, \"theta[0]\" = 4 }");
  ASSERT_EQ(model.forces.size(), 2U);
  EXPECT_EQ(model.forces[0].rows, (std::vector<std::int32_t>{4}));
  EXPECT_EQ(model.forces[0].locals, 0);
  expect_near(force(model, q, v, 9), vector({4, 0, 0, 0, 3}));
}

TEST(Load, patterns_come_from_files) {
  const Folder folder;
  folder.write("p.csv", "node,p\n1,1\n2,0\n3,0\n4,2\n5,3\n");
  folder.write("p.mtx", "%%MatrixMarket matrix array real general\n5 1\n1\n0\n0\n2\n3\n");
  for (const std::string given : {"{ csv = \"p.csv\", column = \"p\" }", "\"p.mtx\""}) {
    const std::string text = with(springs, "[initial]", "[[system.load]]\npattern = " + given + "\n[initial]");
    expect_near(force(load(folder.write("p.toml", text)).model, q, v, 0), vector({1, 0, 0, 2, 3}));
  }
}

TEST(Ground, motion_is_a_load_of_inertia) {
  const std::string base = "[system.base]\nacceleration = \"3*sin(t)\"\ndirection = { theta = 1 }";
  expect_near(force(model_of(base), q, v, 1), -3 * std::sin(1.0) * vector({2, 2, 2, 2, 0}));
  const std::string full =
      with(with(springs, "{ theta = 2, y = 3 }", "[[2,0,0,0,1],[0,2,0,0,0],[0,0,2,0,0],[0,0,0,2,0],[1,0,0,0,3]]"), "[initial]",
           base + "\n[initial]");
  expect_near(force(load_text(full, "p.toml").model, q, v, 1), -3 * std::sin(1.0) * vector({2, 2, 2, 2, 1}));
}

TEST(Signal, is_read_from_columns_and_scaled) {
  const Folder folder;
  folder.write("a.csv", "# record\nt, a, b\n0.5, 1, 7\n0.6,-2,8\n1.0,4,9\n");
  const std::string text = with(springs, "[initial]",
                                "[system.signals]\nag = { csv = \"a.csv\", time = \"t\", value = \"a\", scale = \"c\" }\n"
                                "even = { csv = \"a.csv\", step = 0.25, start = 1, value = \"b\" }\n"
                                "[system.force]\ny = \"-c*y + 2*ag + even*t\"\n[initial]");
  const system::Model model = load(folder.write("p.toml", text)).model;
  ASSERT_EQ(model.signals.size(), 2U);
  EXPECT_EQ(model.signals[0].t, (std::vector<double>{0.5, 0.6, 1.0}));
  EXPECT_EQ(model.signals[0].value, (std::vector<double>{0.5, -1, 2}));
  EXPECT_EQ(model.signals[1].t, (std::vector<double>{1, 1.25, 1.5}));
  const auto at = [&](double t) { return force(model, q, v, t)[4]; };
  EXPECT_EQ(at(0.25), -0.75);                          // before both
  EXPECT_NEAR(at(0.55), -0.75 + 2 * -0.25, 16 * eps);  // between samples of unequal distance
  EXPECT_NEAR(at(1.0), -0.75 + 2 * 2 + 7, 16 * eps);   // the last of one, the first of the other
  EXPECT_NEAR(at(1.375), -0.75 + 8.5 * 1.375, 32 * eps);
}

TEST(Signal, makes_what_uses_it_depend_on_time) {
  const std::string signals = "[system.signals]\nf = { time = [0, 1], value = [0, 1] }\n";
  const auto potential = [&](const std::string& text) {
    const system::Model model =
        load_text(with(with(springs, "\"y^2\"", '"' + text + '"'), "[initial]", signals + "[initial]"), "p.toml").model;
    return system::depends_on_time(model, model.terms.at(0).graph, model.terms.at(0).value);
  };
  EXPECT_FALSE(potential("c*y^2"));
  EXPECT_TRUE(potential("t*y^2"));
  EXPECT_TRUE(potential("y^2*f"));
}

}  // namespace
}  // namespace actio::io::test
