#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/discrete/acceleration.hpp>
#include <actio/system/assembled.hpp>
#include <cmath>

// Friction, external forces, matrices, signals and fixed coordinates of a compiled model, on full and sparse spaces, term by term
// and as one kernel, against what they are by hand and against differences.
namespace actio::system {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using expr::Graph;
using expr::Id;

constexpr long n = 6;

// phi = c (1 + q_i^2) (v_i - v_j)^4 + 1/2 v_i^2 q_j, F_i = p q_j v_i + sin(t) v_j^3 + s(t) for pairs (i, j) = (k, k+1); S, D, M
// by matrices.
Model model() {
  Model m;
  m.families = {{"x", n, 0, true}};
  m.parameter_names = {"p"};
  m.parameters = {0.7};
  m.signals = {{"s", {0, 0.5, 2}, {1, 2, -1}}};
  MatrixXd M = MatrixXd::Identity(n, n), S = 2 * MatrixXd::Identity(n, n), D = 0.1 * MatrixXd::Identity(n, n);
  for (long i = 0; i + 1 < n; ++i) {
    M(i, i + 1) = M(i + 1, i) = 0.2;
    S(i, i + 1) = S(i + 1, i) = -0.9;
    D(i, i + 1) = D(i + 1, i) = -0.04;
  }
  m.mass.kind = MassMatrix::Kind::full;
  m.mass.full = M.sparseView();
  m.stiffness = S.sparseView();
  m.damping = D.sparseView();
  std::vector<std::int32_t> pairs;
  for (const long shift : {0L, 1L})
    for (long e = 0; e + 1 < n; ++e) pairs.push_back(static_cast<std::int32_t>(e + shift));
  {
    Term phi;
    Graph& g = phi.graph;
    const Id qi = g.column(0), qj = g.column(1), vi = g.column(2), vj = g.column(3), c = g.column(4);
    const Id slip = g.pow(g.sub(vi, vj), g.constant(4));
    phi.value = g.add(g.mul(c, g.mul(g.add(g.constant(1), g.mul(qi, qi)), slip)),
                      g.mul(g.mul(g.constant(0.5), g.mul(vi, vi)), g.mul(qj, qj)));
    phi.velocities = true;
    phi.locals = 2;
    phi.elements = n - 1;
    phi.dofs = pairs;
    phi.data = {{0.1, 0.2, 0.3, 0.4, 0.5}};
    m.dissipation.push_back(phi);
  }
  {
    Force force;
    Graph& g = force.graph;
    const Id qj = g.column(1), vi = g.column(2), vj = g.column(3);
    force.value = g.add(g.mul(g.uniform(1), g.mul(qj, vi)),
                        g.add(g.mul(g.unary(expr::Op::sin, g.uniform(0)), g.pow(vj, g.constant(3))), g.uniform(2)));
    force.locals = 2;
    force.elements = n - 1;
    force.dofs = pairs;
    for (std::int32_t e = 0; e + 1 < n; ++e) force.rows.push_back(e);
    m.forces.push_back(force);
  }
  return m;
}

struct Point {
  double t = 0.8;
  VectorXd q{{0.3, -0.4, 0.2, 0.5, -0.1, 0.6}}, v{{-0.2, 0.7, 0.4, -0.6, 0.3, 0.1}};
};

template <class Space>
Assembled<Space> assembled(const Model& m, bool fuse) {
  const auto compiled = compile(m, {}, fuse);
  return Assembled<Space>(compiled, layout<Space>(*compiled, true));
}

template <class Space>
void values(bool fuse) {
  const Model m = model();
  auto system = assembled<Space>(m, fuse);
  const Point at;
  EXPECT_TRUE(system.forced() && system.dissipative() && system.force_needs_velocity() && system.separable());
  EXPECT_FALSE(system.linear());
  VectorXd F(n), phi_v = m.damping * at.v, external = VectorXd::Zero(n), applied(n);
  double phi = 0.5 * at.v.dot(phi_v);
  const double s = 2 + (-1.0 - 2.0) * (0.8 - 0.5) / 1.5;
  for (long i = 0; i + 1 < n; ++i) {
    const double c = 0.1 * static_cast<double>(i + 1), qi = at.q[i], qj = at.q[i + 1], vi = at.v[i], vj = at.v[i + 1];
    phi += c * (1 + qi * qi) * std::pow(vi - vj, 4) + 0.5 * vi * vi * qj * qj;
    phi_v[i] += 4 * c * (1 + qi * qi) * std::pow(vi - vj, 3) + vi * qj * qj;
    phi_v[i + 1] -= 4 * c * (1 + qi * qi) * std::pow(vi - vj, 3);
    external[i] = 0.7 * qj * vi + std::sin(0.8) * vj * vj * vj + s;
  }
  EXPECT_NEAR(system.dissipation(at.t, at.q, at.v), phi, 1e-14);
  system.external(at.t, at.q, at.v, F);
  EXPECT_LT((F - external).norm(), 1e-14);
  system.applied(at.t, at.q, at.v, applied);
  EXPECT_LT((applied - (external - phi_v)).norm(), 1e-14);
  system.force(at.t, at.q, F);
  EXPECT_LT((F + m.stiffness * at.q).norm(), 1e-14);
  EXPECT_NEAR(system.potential(at.t, at.q), 0.5 * at.q.dot(m.stiffness * at.q), 1e-14);
}
TEST(AssembledForces, are_what_the_model_says) {
  values<algebra::DenseSpace<Eigen::Dynamic>>(true);
  values<algebra::DenseSpace<Eigen::Dynamic>>(false);
  values<algebra::SparseSpace>(false);
}

// d/dx of g along every axis, differences of fourth order: error 1e-11 at this width
template <class G>
MatrixXd slope(VectorXd& x, G&& g) {
  constexpr double width = 1e-3;
  MatrixXd J(g().size(), x.size());
  for (long i = 0; i < x.size(); ++i) {
    const double x0 = x[i];
    const auto at = [&](double d) -> VectorXd {
      x[i] = x0 + d * width;
      return g();
    };
    J.col(i) = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * width);
    x[i] = x0;
  }
  return J;
}

template <class Space>
void tangents(bool fuse) {
  auto system = assembled<Space>(model(), fuse);
  Point at;
  VectorXd F(n), phi_q(n), phi_v(n);
  const auto applied = [&]() -> VectorXd {
    system.applied(at.t, at.q, at.v, F);
    return F;
  };
  const auto external = [&]() -> VectorXd {
    system.external(at.t, at.q, at.v, F);
    return F;
  };
  auto K = system.space().matrix();
  system.applied_tangent(at.t, at.q, at.v, 0.3, -1.7, F, K);
  EXPECT_LT((MatrixXd(K) - 0.3 * slope(at.q, applied) + 1.7 * slope(at.v, applied)).norm(), 1e-10);
  EXPECT_LT((F - applied()).norm(), 1e-14);
  Space::clear(K);
  system.external_tangent(at.t, at.q, at.v, 0.3, -1.7, F, K);
  EXPECT_LT((MatrixXd(K) - 0.3 * slope(at.q, external) + 1.7 * slope(at.v, external)).norm(), 1e-10);

  const auto phi = [&] { return VectorXd::Constant(1, system.dissipation(at.t, at.q, at.v)); };
  const auto gradient = [&](VectorXd& x) -> VectorXd { return slope(x, phi).transpose(); };
  Space::clear(K);
  const Weights w{.qq = 0.3, .qv = 0.7, .vq = -0.4, .vv = 1.1};
  system.dissipation_tangent(at.t, at.q, at.v, w, phi_q, phi_v, K);
  EXPECT_LT((phi_q - gradient(at.q)).norm(), 1e-10);
  EXPECT_LT((phi_v - gradient(at.v)).norm(), 1e-10);
  auto unused = system.space().matrix();
  const auto by = [&](bool of_q) {
    return [&, of_q]() -> VectorXd {
      VectorXd a(n), b(n);
      system.dissipation_tangent(at.t, at.q, at.v, {}, a, b, unused);
      return of_q ? a : b;
    };
  };
  const MatrixXd expected =
      w.qq * slope(at.q, by(true)) + w.qv * slope(at.v, by(true)) + w.vq * slope(at.q, by(false)) + w.vv * slope(at.v, by(false));
  EXPECT_LT((MatrixXd(K) - expected).norm(), 1e-10);
}
TEST(AssembledForces, have_the_tangents_of_differences) {
  tangents<algebra::DenseSpace<Eigen::Dynamic>>(true);
  tangents<algebra::DenseSpace<Eigen::Dynamic>>(false);
  tangents<algebra::SparseSpace>(false);
}

TEST(AssembledForces, signals_are_lines_between_samples_and_zero_outside) {
  auto system = assembled<algebra::SparseSpace>(model(), false);
  const VectorXd zero = VectorXd::Zero(n);
  VectorXd F(n);
  for (const auto& [t, s] : std::vector<std::pair<double, double>>{
           {-0.1, 0}, {0, 1}, {0.25, 1.5}, {2, -1}, {2.001, 0}, {0.5, 2}, {1.25, 0.5}, {0.1, 1.2}, {1.9, -0.8}}) {
    system.external(t, zero, zero, F);
    EXPECT_NEAR(F[0], s, 1e-15) << t;
  }
}

TEST(AssembledForces, a_quadratic_model_is_linear_and_symmetric) {
  Model m = model();
  m.dissipation.clear();
  Force& load = m.forces[0];  // F_i = pattern_i sin(t) s(t)
  load = {};
  load.value = load.graph.mul(load.graph.column(0),
                              load.graph.mul(load.graph.unary(expr::Op::sin, load.graph.uniform(0)), load.graph.uniform(2)));
  load.elements = n;
  load.data = {{1, 2, 3, 4, 5, 6}};
  for (std::int32_t i = 0; i < n; ++i) load.rows.push_back(i);
  auto system = assembled<algebra::SparseSpace>(m, false);
  EXPECT_TRUE(system.linear());
  EXPECT_TRUE(system.space().symmetric);
  VectorXd F(n);
  const VectorXd zero = VectorXd::Zero(n);
  system.external(0.5, zero, zero, F);
  for (long i = 0; i < n; ++i) EXPECT_NEAR(F[i], static_cast<double>(i + 1) * std::sin(0.5) * 2, 1e-15);
  m.forces[0].value = m.forces[0].graph.mul(m.forces[0].value, m.forces[0].graph.uniform(1));
  EXPECT_TRUE(assembled<algebra::SparseSpace>(m, false).linear());
}

// The accelerations of the free coordinates are those of the system without the fixed ones' rows and columns.
template <class Space>
void fixed(bool fuse) {
  Model m = model();
  m.fixed_dofs = {1, 4};
  auto compiled = compile(m, {}, fuse);
  Assembled<Space> system(compiled, layout<Space>(*compiled, true));
  Point at;
  at.v[1] = at.v[4] = 0;
  VectorXd F(n), f(n), a(n);
  Assembled<Space> all = assembled<Space>(model(), fuse);
  all.applied(at.t, at.q, at.v, F);
  all.force(at.t, at.q, f);
  F += f;
  const std::vector<long> free{0, 2, 3, 5};
  const MatrixXd M = MatrixXd(m.mass.full)(free, free);
  const VectorXd expected = M.ldlt().solve(F(free));
  discrete::Acceleration<Assembled<Space>> acceleration(system);
  ASSERT_TRUE(acceleration(at.t, at.q, at.v, a));
  EXPECT_LT((a(free) - expected).norm(), 1e-13);
  EXPECT_EQ(a[1], 0);
  EXPECT_EQ(a[4], 0);
  auto K = system.space().matrix();
  system.stiffness(at.t, at.q, 1.0, 0.5, f, K);
  system.applied_tangent(at.t, at.q, at.v, -0.1, -0.2, F, K);
  const MatrixXd full(K);
  for (const long i : {1L, 4L}) {
    EXPECT_EQ((full.row(i).array() != 0).count(), 1);
    EXPECT_EQ((full.col(i).array() != 0).count(), 1);
    EXPECT_GT(full(i, i), 0);
  }
}
TEST(AssembledForces, fixed_coordinates_stay_and_the_others_do_not_notice_more) {
  fixed<algebra::DenseSpace<Eigen::Dynamic>>(true);
  fixed<algebra::DenseSpace<Eigen::Dynamic>>(false);
  fixed<algebra::SparseSpace>(false);
}

// m x'' + c x' |x'| + k x - sin(t) = 0 for a chain, each coupled to the next.
template <class Space>
void equations(bool fuse) {
  Model m;
  m.families = {{"x", n, 0, true}};
  Equation equation;
  Graph& g = equation.graph;
  const Id q = g.column(0), v = g.column(2), a = g.column(4), next = g.column(5);
  equation.value =
      g.add(g.add(g.mul(g.constant(2), a), g.mul(g.constant(0.3), next)),
            g.sub(g.add(g.mul(v, g.unary(expr::Op::abs, v)), g.pow(q, g.constant(3))), g.unary(expr::Op::sin, g.uniform(0))));
  equation.locals = 2;
  equation.elements = n;
  for (std::int32_t i = 0; i < n; ++i) equation.rows.push_back(i);
  for (const int shift : {0, 1})
    for (std::int32_t i = 0; i < n; ++i) equation.dofs.push_back((i + shift) % static_cast<std::int32_t>(n));
  m.equations.push_back(equation);
  auto system = assembled<Space>(m, fuse);
  ASSERT_TRUE(system.implicit());
  const Point at;
  VectorXd acceleration(n), r(n), again(n);
  acceleration.setLinSpaced(n, -1, 1);
  auto K = system.space().matrix();
  system.balance_tangent(at.t, at.q, at.v, acceleration, 0.5, 2, 3, r, K);
  MatrixXd expected = MatrixXd::Zero(n, n);
  for (long i = 0; i < n; ++i) {
    EXPECT_NEAR(r[i],
                2 * acceleration[i] + 0.3 * acceleration[(i + 1) % n] + at.v[i] * std::abs(at.v[i]) + std::pow(at.q[i], 3) -
                    std::sin(at.t),
                1e-14);
    expected(i, i) += 0.5 * 3 * at.q[i] * at.q[i] + 2 * 2 * std::abs(at.v[i]) + 3 * 2;
    expected(i, (i + 1) % n) += 3 * 0.3;
  }
  EXPECT_LT((MatrixXd(K) - expected).norm(), 1e-13);
  system.balance(at.t, at.q, at.v, acceleration, again);
  EXPECT_EQ(again, r);
  discrete::Acceleration<Assembled<Space>> solved(system);
  ASSERT_TRUE(solved(at.t, at.q, at.v, acceleration));
  system.balance(at.t, at.q, at.v, acceleration, r);
  EXPECT_LT(r.norm(), 1e-13);
}
TEST(AssembledEquations, are_solved_for_accelerations) {
  equations<algebra::DenseSpace<Eigen::Dynamic>>(true);
  equations<algebra::DenseSpace<Eigen::Dynamic>>(false);
  equations<algebra::SparseSpace>(false);
}

}  // namespace
}  // namespace actio::system
