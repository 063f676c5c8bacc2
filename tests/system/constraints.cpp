#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/system/constraints_alone.hpp>
#include <cmath>
#include <common.hpp>

// Constraints of a compiled model and their derivatives, on every space, as one kernel and in batches, against what they are by
// hand and against differences; and the penalty that may stand for them.
namespace actio::system {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using expr::Graph;
using expr::Id;

constexpr long n = 4, m = 4;
using actio::test::eps;

// Links (x_k+1 - x_k)^2 + p sin(t) x_k - d_k for k = 0, 1, 2, and x_0 x_3 exp(x_3).
Model model() {
  Model out;
  out.families = {{"x", n, 0, true}};
  out.parameter_names = {"p"};
  out.parameters = {0.7};
  out.mass.kind = MassMatrix::Kind::diagonal;
  out.mass.diagonal = VectorXd::Ones(n);
  {
    Constraint link;
    link.name = "link";
    Graph& g = link.graph;
    const Id xi = g.column(0), xj = g.column(1), d = g.column(2), t = g.uniform(0), p = g.uniform(1);
    const Id length = g.sub(xj, xi);
    link.value = g.sub(g.add(g.mul(length, length), g.mul(p, g.mul(g.unary(expr::Op::sin, t), xi))), d);
    link.locals = 2;
    link.elements = 3;
    link.dofs = {0, 1, 2, 1, 2, 3};
    link.data = {{1, 1.5, 2}};
    out.constraints.push_back(link);
  }
  {
    Constraint ends;
    ends.name = "ends";
    Graph& g = ends.graph;
    ends.value = g.mul(g.column(0), g.mul(g.column(1), g.unary(expr::Op::exp, g.column(1))));
    ends.locals = 2;
    ends.dofs = {0, 3};
    out.constraints.push_back(ends);
  }
  return out;
}

struct Values {
  VectorXd g, g_t;
  MatrixXd G;
};
const VectorXd somewhere{{0.3, -0.8, 1.1, 0.4}};

VectorXd by_hand(double t, const VectorXd& x) {
  const auto link = [&](long k, double d) { return std::pow(x[k + 1] - x[k], 2) + 0.7 * std::sin(t) * x[k] - d; };
  return VectorXd{{link(0, 1), link(1, 1.5), link(2, 2), x[0] * x[3] * std::exp(x[3])}};
}

template <class Space>
Values evaluate(const Model& model, bool fuse, double t = 0.6, const VectorXd& x = somewhere, const char* compiler = "") {
  const auto compiled = compile(model, {compiler, ""}, fuse);
  EXPECT_EQ(compiled->constraints.fused.available, fuse);
  Assembled<Space> system(compiled, layout<Space>(*compiled, true));
  EXPECT_EQ(system.constraints(), m);
  const auto kkt = system.kkt_solver();
  auto g = kkt.multipliers(), again = g, g_t = g;
  auto G = kkt.jacobian();
  const typename Space::Vector q(x);
  system.constraint_tangent(t + 1, q, g, g_t, G);  // leaves nothing behind
  system.constraint_tangent(t, q, g, g_t, G);
  system.constraint(t, q, again);
  Values out{VectorXd(m), VectorXd(m), MatrixXd(m, n)};
  for (long k = 0; k < m; ++k) {
    out.g[k] = g[k];
    out.g_t[k] = g_t[k];
    EXPECT_NEAR(again[k], g[k], 4 * eps * std::abs(g[k]));
  }
  for (long i = 0; i < n; ++i) {  // columns of G by its transpose, as a stepper takes them
    auto row = kkt.multipliers();
    typename Space::Vector e = algebra::like(q);
    e[i] = 1;
    system.kkt_solver().multiply(G, e, row);
    for (long k = 0; k < m; ++k) out.G(k, i) = row[k];
  }
  return out;
}

// Every way to evaluate the constraints of a model.
std::vector<Values> everywhere(const Model& model, double t = 0.6, const VectorXd& x = somewhere) {
  using namespace algebra;
  return {evaluate<DenseSpace<n>>(model, true, t, x),
          evaluate<DenseSpace<n>>(model, false, t, x),
          evaluate<DenseSpace<Eigen::Dynamic>>(model, true, t, x),
          evaluate<DenseSpace<Eigen::Dynamic>>(model, false, t, x),
          evaluate<SparseSpace>(model, false, t, x),
          evaluate<DenseSpace<n>>(model, true, t, x, "none"),
          evaluate<SparseSpace>(model, false, t, x, "none")};
}

TEST(Constraints, are_what_they_are_by_hand_on_every_space) {
  for (const Values& values : everywhere(model()))
    for (long k = 0; k < m; ++k) EXPECT_NEAR(values.g[k], by_hand(0.6, somewhere)[k], 16 * eps);
}

// Central differences of step s: s^2 of third derivatives below 10, and round-off over s.
TEST(Constraints, have_the_slopes_of_their_values_on_every_space) {
  constexpr double s = 1e-5, tolerance = 10 * s * s + 16 * eps / s;
  MatrixXd G(m, n);
  for (long i = 0; i < n; ++i) {
    const VectorXd step = s * VectorXd::Unit(n, i);
    G.col(i) = (by_hand(0.6, somewhere + step) - by_hand(0.6, somewhere - step)) / (2 * s);
  }
  const VectorXd g_t = (by_hand(0.6 + s, somewhere) - by_hand(0.6 - s, somewhere)) / (2 * s);
  for (const Values& values : everywhere(model())) {
    EXPECT_LT((values.G - G).cwiseAbs().maxCoeff(), tolerance) << values.G;
    EXPECT_LT((values.g_t - g_t).cwiseAbs().maxCoeff(), tolerance) << values.g_t;
  }
}

TEST(Constraints, that_do_not_move_have_no_rate) {
  Model still = model();
  still.parameters = {0};
  still.constraints.erase(still.constraints.begin());
  still.constraints.resize(m, still.constraints.front());
  for (const Values& values : everywhere(still)) EXPECT_EQ(values.g_t, VectorXd::Zero(m));
  EXPECT_FALSE(compile(still)->constraints.moving);
  EXPECT_TRUE(compile(model())->constraints.moving);
}

TEST(Constraints, do_not_pull_at_coordinates_that_never_move) {
  Model held = model();
  held.fixed_dofs = {1};
  const std::vector<Values> free = everywhere(model()), pinned = everywhere(held);
  for (std::size_t way = 0; way < pinned.size(); ++way) {
    MatrixXd expected = free[way].G;
    EXPECT_NE(expected.col(1), VectorXd::Zero(m));
    expected.col(1).setZero();
    EXPECT_EQ(pinned[way].G, expected);
    EXPECT_EQ(pinned[way].g, free[way].g);
  }
}

// Two coordinates of one link that are the same: their slopes add up.
TEST(Constraints, may_name_a_coordinate_twice) {
  Model ring = model();
  ring.constraints[0].dofs = {0, 1, 2, 1, 1, 3};
  for (const Values& values : everywhere(ring)) {
    EXPECT_NEAR(values.G(1, 1), 0.7 * std::sin(0.6), 4 * eps);
    EXPECT_EQ(values.G(1, 2), 0);
  }
}

TEST(Constraints, are_named_one_by_one) {
  EXPECT_EQ(model().constraint_count(), 4);
  EXPECT_EQ(model().constraint_name(1), "link[1]");
  EXPECT_EQ(model().constraint_name(3), "ends");
  Model soft = model();
  penalise(soft, 2);
  EXPECT_EQ(soft.constraint_count(), 0);
  EXPECT_EQ(soft.constraint_name(3), "ends");
}

// TO (7): V = 1/2 omega^2 g'g, f = -omega^2 G'g; and the constraints can still be asked for.
TEST(Penalty, is_half_the_square_of_the_constraints) {
  constexpr double omega = 20, t = 0.6;
  Model soft = model();
  penalise(soft, omega);
  EXPECT_EQ(soft.omega, omega);
  for (const Term& term : soft.terms) EXPECT_TRUE(term.stiff) << term.name;
  const VectorXd g = by_hand(t, somewhere), f = -omega * omega * evaluate<algebra::SparseSpace>(model(), false).G.transpose() * g;
  for (const bool fuse : {true, false}) {
    const auto compiled = compile(soft, {}, fuse);
    using Space = algebra::DenseSpace<Eigen::Dynamic>;
    Assembled<Space> system(compiled, layout<Space>(*compiled, true));
    EXPECT_EQ(system.constraints(), 0);
    VectorXd force(n);
    system.force(t, somewhere, force);
    EXPECT_NEAR(system.potential(t, somewhere), 0.5 * omega * omega * g.squaredNorm(),
                64 * eps * omega * omega * g.squaredNorm());
    EXPECT_LT((force - f).norm(), 64 * eps * f.norm());
  }
  auto alone = constraints_alone(soft);
  auto g_alone = alone.kkt_solver().multipliers();
  alone.constraint(t, somewhere, g_alone);
  EXPECT_LT((g_alone - g).norm(), 16 * eps);
}

}  // namespace
}  // namespace actio::system
