#include <gtest/gtest.h>

#include <cmath>
#include <common.hpp>

#include "constrained.hpp"
#include "evaluate.hpp"
#include "support.hpp"

// Constraints as a file writes them.
namespace actio::io::test {
namespace {

using actio::test::eps;

// g(t, q) (m), element after element
Eigen::VectorXd constraints(const system::Model& model, const std::vector<system::Constraint>& list, const Eigen::VectorXd& q,
                            double t) {
  std::vector<double> g;
  for (const system::Constraint& c : list)
    for (long e = 0; e < c.elements; ++e) g.push_back(at_element(c, {&q}, e, uniforms_of(model, t)));
  return Eigen::Map<Eigen::VectorXd>(g.data(), static_cast<long>(g.size()));
}
Eigen::VectorXd constraints(const system::Model& model, const Eigen::VectorXd& q, double t = 0) {
  return constraints(model, model.constraints, q, t);
}

const Eigen::VectorXd somewhere{{1.5, -0.5, 0.1, 0.9, 3.5, 5.5, 11}};

TEST(Constraint, is_kept_at_zero_where_the_motion_starts) {
  const Problem problem = load_text(constrained, "p.toml");
  ASSERT_EQ(problem.model.constraint_count(), 5);
  EXPECT_EQ(constraints(problem.model, problem.q0), Eigen::VectorXd::Zero(5));
  const Eigen::VectorXd g = constraints(problem.model, somewhere);
  EXPECT_NEAR(g[0], 2.25 + 0.25 - 4, 8 * eps);
  EXPECT_NEAR(g[2], 2.6 * 2.6 - 4, 16 * eps);
  EXPECT_EQ(problem.model.constraint_name(0), "constraint 0");
  EXPECT_EQ(problem.model.constraint_name(4), "link[3]");
  EXPECT_FALSE(problem.model.least_squares);
  EXPECT_TRUE(problem.model.penalised.empty());
}

TEST(Constraint, may_be_a_string_a_list_or_tables) {
  const std::string list = "constraints = [\"x^2 + y^2 - L^2\"]";
  const Eigen::VectorXd expected = constraints(load_text(constrained, "p.toml").model, somewhere);
  for (const char* same : {"constraints = \"x^2 + y^2 - L^2\"", "constraints = [{ expression = \"x^2 + y^2 - L^2\" }]",
                           "constraints = [{ name = \"rod\", expression = \"x^2 + y^2 - L^2\" }]"}) {
    const Problem problem = load_text(with(constrained, list, same), "p.toml");
    EXPECT_EQ(constraints(problem.model, somewhere), expected) << same;
  }
  const Problem named = load_text(with(constrained, list, "constraints = [{ name = \"rod\", expression = \"x\" }]"), "p.toml");
  EXPECT_EQ(named.model.constraint_name(0), "rod");
}

TEST(Constraint, may_wrap_around) {
  const Problem ring = load_text(
      with(with(constrained, "over = \"k = 0..N-1\"", "over = \"k = 0..N\"\nperiodic = true"), "d[k]", "d[k] - t"), "p.toml");
  EXPECT_EQ(ring.model.constraint_count(), 6);
  EXPECT_NEAR(constraints(ring.model, somewhere, 0.5)[5], std::pow(0.1 - 11, 2) - 1 - 0.5,
              128 * eps);  // q[5] is q[0], d[4] is d[0]
}

TEST(Constraint, may_be_as_many_as_the_coordinates_that_move) {
  const std::string all = "constraints = [\"x^2 + y^2 - L^2\", \"x - L\", \"q[0]\"]";
  EXPECT_EQ(load_text(with(constrained, "constraints = [\"x^2 + y^2 - L^2\"]", all), "p.toml").model.constraint_count(), 7);
}

TEST(Constraint, may_be_redundant_where_that_is_said) {
  const std::string twice = "redundant = \"least-squares\"\nconstraints = [\"x - 2\", \"x - 2\", \"y\", \"q[0]\"]";
  const Problem problem = load_text(with(constrained, "constraints = [\"x^2 + y^2 - L^2\"]", twice), "p.toml");
  EXPECT_TRUE(problem.model.least_squares);
  EXPECT_EQ(problem.model.constraint_count(), 8);
}

// TO (7): V = 1/2 omega^2 g'g
TEST(Penalty, takes_the_place_of_constraints_without_a_word_of_them_changed) {
  const std::string text = with(constrained, "mass = 1", "mass = 1\nconstraint_method = \"penalty\"\nomega = \"10*L\"");
  const Problem problem = load_text(text, "p.toml");
  EXPECT_EQ(problem.model.constraint_count(), 0);
  EXPECT_EQ(problem.model.omega, 20);
  for (const system::Term& term : problem.model.terms) EXPECT_TRUE(term.stiff);
  const Eigen::VectorXd g = constraints(problem.model, problem.model.penalised, somewhere, 0);
  EXPECT_EQ(g, constraints(load_text(constrained, "p.toml").model, somewhere));
  const double V = 0.5 * 400 * g.squaredNorm();
  EXPECT_NEAR(energy(problem.model, somewhere, Eigen::VectorXd::Zero(7)), V, 16 * eps * V);
  // and so may constraints that are too many
  EXPECT_EQ(load_text(with(text, "\"x^2 + y^2 - L^2\"", "\"x\", \"x\", \"x\", \"x\""), "p.toml").model.terms.size(), 5U);
}

TEST(Term, may_be_stiff) {
  const std::string term = "[[system.term]]\npotential = \"x^2\"\nstiff = true\n[[system.term]]\npotential = \"y^2\"\n[initial]";
  const Problem problem = load_text(with(constrained, "[initial]", term), "p.toml");
  EXPECT_TRUE(problem.model.terms.at(0).stiff);
  EXPECT_FALSE(problem.model.terms.at(1).stiff);
}

}  // namespace
}  // namespace actio::io::test
