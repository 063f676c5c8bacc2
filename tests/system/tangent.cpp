#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/system/assembled.hpp>
#include <random>

#include "laws/systems.hpp"

// First and second derivatives of assembled systems against differences, term by term and as one kernel, full and sparse.
namespace actio::system {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

io::Problem lattice() {  // terms over ranges, some with velocities, data columns, coordinates met twice, a wrapped index
  return laws::problem(R"toml(
[system]
coordinates = ["u[9]", "s"]
tables = { k = [1, 2, 3, 1, 2, 3, 1, 2, 3] }
mass = 1.5
potential = "0.2*s^4 + u[0]*s^2"
[[system.term]]
over = "i = 0..8"
periodic = true
potential = "k[i]*(1 - cos(u[i+1] - u[i])) + 0.1*u[i]^4"
[[system.term]]
over = "i = 0..8, j = i..8"
lagrangian = "0.05*sin(u[i])*u'[j]^2 + 0.1*u[j]*s'*u'[i]"
[initial]
position = { u = "0.3*sin(2*i)", s = 0.4 }
velocity = { u = "0.2*cos(i)", s = -0.3 }
)toml");
}

// More elements than a kernel takes at a time, coordinates in runs that end inside of one, terms with constant and with changing
// second derivatives, a stiffness matrix.
io::Problem long_ring() {
  io::Problem problem = laws::problem(R"toml(
[system]
coordinates = ["s", "u[150]"]
mass = 1.5
potential = "0.2*s^4 + 0.5*u[0]*s"
[[system.term]]
over = "i = 0..149"
periodic = true
potential = "0.5*(u[i+1] - u[i])^2 + 0.1*(u[i+40] - u[i])^2"
[[system.term]]
over = "i = 0..149"
periodic = true
potential = "1 - cos(u[i+60] + u[i])*exp(0.1*sin(u[i]))"
[initial]
position = { u = "0.3*sin(2*i)", s = 0.4 }
velocity = { u = "0.2*cos(i)", s = -0.3 }
)toml");
  Eigen::SparseMatrix<double> S(151, 151);
  S.insert(0, 0) = 2, S.insert(3, 3) = 1, S.insert(3, 7) = S.insert(7, 3) = 0.5, S.insert(7, 7) = 1;
  S.makeCompressed();
  problem.model.stiffness = S;
  return problem;
}

template <class Space>
void check(const io::Problem& problem, bool fuse) {
  const auto compiled = compile(problem.model, {}, fuse);
  Assembled<Space> system(compiled, layout<Space>(*compiled, true));
  const long n = compiled->n;
  VectorXd q = problem.q0, v = problem.v0;
  const double t = 0.3, width = 1e-3;
  VectorXd f(n), p(n), f2(n), p2(n);
  system.derivatives(t, q, v, f, p);
  // d/dx of g along every axis, differences of fourth order
  const auto slope = [&](VectorXd& x, auto&& g) {
    MatrixXd J(g().size(), n);
    for (long i = 0; i < n; ++i) {
      const double x0 = x[i];
      const auto at = [&](double d) -> VectorXd {
        x[i] = x0 + d * width;
        return g();
      };
      J.col(i) = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * width);
      x[i] = x0;
    }
    return J;
  };
  const auto L = [&] { return VectorXd::Constant(1, system.lagrangian(t, q, v)); };
  const auto force = [&] {
    system.derivatives(t, q, v, f2, p2);
    return VectorXd(f2);
  };
  const auto momentum = [&] {
    system.derivatives(t, q, v, f2, p2);
    return VectorXd(p2);
  };
  const double scale = 1 + f.norm() + p.norm();
  EXPECT_LT((slope(q, L).transpose() - f).norm(), 1e-8 * scale);
  EXPECT_LT((slope(v, L).transpose() - p).norm(), 1e-8 * scale);
  const MatrixXd Lqq = slope(q, force), Lqv = slope(v, force), Lvq = slope(q, momentum), Lvv = slope(v, momentum);
  for (const Weights w :
       {Weights{1, 0, 0, 0}, Weights{0, 1, 0, 0}, Weights{0, 0, 1, 0}, Weights{0, 0, 0, 1}, Weights{-0.3, 0.7, 1.1, 2}}) {
    auto K = system.space().matrix();
    Space::clear(K);
    system.tangent(t, q, v, w, f2, p2, K);
    const MatrixXd expected = w.qq * Lqq + w.qv * Lqv + w.vq * Lvq + w.vv * Lvv;
    EXPECT_LT((MatrixXd(K) - expected).norm(), 1e-7 * (scale + expected.norm()));
    EXPECT_LT((f2 - f).norm() + (p2 - p).norm(), 1e-14 * scale);
  }
  if (!system.separable()) return;
  auto K = system.space().matrix();
  for (const auto& [wM, wV] : {std::pair(0.3, 1.1), std::pair(2.0, 0.7)}) {  // what does not change is kept
    system.stiffness(t, q, wM, wV, f2, K);
    EXPECT_LT((MatrixXd(K) - (wM * Lvv - wV * Lqq)).norm(), 1e-7 * (scale + Lqq.norm()));
    EXPECT_LT((f2 - f).norm(), 1e-14 * scale);
  }
  system.force(t, q, f2);
  EXPECT_LT((f2 - f).norm(), 1e-14 * scale);
  system.velocity(p, p2);
  EXPECT_LT((p2 - v).norm(), 1e-13 * scale);
}

TEST(Tangent, is_the_derivative_of_forces_and_momenta) {
  std::vector<io::Problem> problems{lattice(), io::load("examples/pleiades.toml"), io::load("examples/fpu.toml")};
  for (const laws::System* system : laws::systems()) problems.push_back(system->problem);
  problems.push_back(long_ring());
  problems.push_back(laws::driven().problem);
  problems.push_back(laws::driven_pendulum().problem);
  for (const io::Problem& problem : problems) {
    SCOPED_TRACE(problem.model.title + " " + problem.model.coordinate_name(0));
    check<algebra::DenseSpace<Eigen::Dynamic>>(problem, true);
    check<algebra::DenseSpace<Eigen::Dynamic>>(problem, false);
    check<algebra::SparseSpace>(problem, false);
  }
}

TEST(Layout, pattern_holds_what_terms_and_mass_need_and_no_more) {
  const io::Problem problem = io::load("examples/chain.toml", {{"system.parameters.N=50"}, ""});
  const auto compiled = compile(problem.model, {}, false);
  const auto where = layout<algebra::SparseSpace>(*compiled, true);
  EXPECT_EQ(where.space.pattern->nonZeros(), 3 * 50);  // a ring: itself and two neighbours
  EXPECT_TRUE(where.space.symmetric);
}

}  // namespace
}  // namespace actio::system
