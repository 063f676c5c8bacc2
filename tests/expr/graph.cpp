#include <actio/expr/graph.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support.hpp"

using namespace actio::expr;
using actio::expr::test::parsed;

TEST(Graph, equal_expressions_are_one_node) {
  Graph g;
  EXPECT_EQ(parsed(g, "x*y + sin(z)"), parsed(g, "sin(z) + y*x"));
  EXPECT_EQ(parsed(g, "x*x*x"), parsed(g, "x^3"));
  EXPECT_EQ(parsed(g, "min(x, y)"), parsed(g, "min(y, x)"));
  EXPECT_NE(parsed(g, "x - y"), parsed(g, "y - x"));
  EXPECT_NE(parsed(g, "atan2(x, y)"), parsed(g, "atan2(y, x)"));
}

TEST(Graph, neutral_elements_vanish) {
  Graph g;
  const Id x = g.column(0);
  for (const char* text : {"x + 0", "0 + x", "x - 0", "x*1", "1*x", "x/1", "--x", "x^1", "x + 0*y", "-(-x)", "x - y*0", "x^1^7",
                           "where(2 > 1, x, y)", "where(x < y, x, x)", "min(x, x)"})
    EXPECT_EQ(parsed(g, text), x) << text;
  for (const char* text : {"0*x", "x*0", "0/x", "x - x"}) EXPECT_TRUE(g.is_constant(parsed(g, text), 0)) << text;
  EXPECT_TRUE(g.is_constant(parsed(g, "x^0"), 1));
}

TEST(Graph, powers_become_products_and_roots) {
  Graph g;
  const Id square = parsed(g, "x^2"), root = parsed(g, "x^0.5"), other = parsed(g, "x^2.3");
  EXPECT_EQ(g[square].op, Op::powi);
  EXPECT_EQ(g[square].k, 2);
  EXPECT_EQ(g[root].op, Op::sqrt);
  EXPECT_EQ(g[other].op, Op::pow);
  EXPECT_EQ(parsed(g, "(-x)^2"), square);
  EXPECT_EQ(parsed(g, "(-x)^3"), parsed(g, "-(x^3)"));
  EXPECT_EQ(parsed(g, "abs(x)^2"), square);
  EXPECT_EQ(g[parsed(g, "x^1e6")].op, Op::pow);
  EXPECT_EQ(parsed(g, "sqrt(x^2 + y^2 + (x - z)^2)^6"), parsed(g, "(x^2 + y^2 + (x - z)^2)^3"));
  EXPECT_EQ(parsed(g, "sqrt(x^2 + y^2)^-2"), parsed(g, "1/(x^2 + y^2)"));
  EXPECT_NE(parsed(g, "sqrt(x)^2"), parsed(g, "x"));  // no number where x < 0
  EXPECT_NE(parsed(g, "sqrt(x^2 - y^2)^2"), parsed(g, "x^2 - y^2"));
}

TEST(Graph, keeps_a_nan_constant_and_shares_it) {
  Graph g;
  const Id nan = g.constant(std::nan(""));
  EXPECT_EQ(g.constant(-std::numeric_limits<double>::quiet_NaN()), nan);
  EXPECT_TRUE(std::isnan(g[nan].value));
  EXPECT_EQ(g.constant(-0.0), g.constant(0.0));
}

TEST(Graph, substitution_rebuilds_in_another_graph) {
  Graph from, into;
  const Id f = parsed(from, "c*x^2 + sin(y)*t");
  const Id expected = parsed(into, "3*(y + 1)^2");
  EXPECT_EQ(substitute(into, from, f, std::array{parsed(into, "y + 1"), into.constant(0)},
                       std::array{into.uniform(0), into.constant(3)}),
            expected);
}

TEST(Graph, substitution_in_itself) {
  Graph g;
  const Id f = parsed(g, "x^2 + y");
  EXPECT_EQ(substitute(g, g, f, std::array{g.column(1), g.column(0)}, {}), parsed(g, "y^2 + x"));
}

TEST(Graph, knows_what_an_expression_depends_on) {
  Graph g;
  const Id f = parsed(g, "z*x + c + 0*y");
  EXPECT_EQ(columns_of(g, f), (std::vector<int>{0, 2}));
  EXPECT_TRUE(depends_on_uniform(g, f, 1));
  EXPECT_FALSE(depends_on_uniform(g, f, 0));
}
