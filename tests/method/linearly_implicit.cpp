#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/method/linearly_implicit.hpp>
#include <actio/method/newmark.hpp>
#include <actio/system/forced.hpp>
#include <actio/system/mechanical.hpp>
#include <cmath>
#include <numbers>

#include "laws/systems.hpp"

// TO's integrators: what their theorems say beyond the laws, and what they do where a step has no solution.
namespace actio::method {
namespace {

using Eigen::Matrix4d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// V = x^2 y + x^4/4 + cos(x - y) with a full mass: no coordinates separate it.
struct Skew {
  using Space = algebra::DenseSpace<2>;
  using Vector = Space::Vector;
  using Matrix = Space::Matrix;
  double value(const Vector& q) const { return q[0] * q[0] * q[1] + std::pow(q[0], 4) / 4 + std::cos(q[0] - q[1]); }
  void gradient(const Vector& q, Vector& g) const {
    const double s = std::sin(q[0] - q[1]);
    g = {2 * q[0] * q[1] + std::pow(q[0], 3) - s, q[0] * q[0] + s};
  }
  void hessian(const Vector& q, Matrix& H) const {
    const double c = std::cos(q[0] - q[1]);
    H = {2 * q[1] + 3 * q[0] * q[0] - c, 2 * q[0] + c, 2 * q[0] + c, -c};
  }
  void third(const Vector& q, const Vector& a, Vector& out) const {
    const double d = a[0] - a[1], s = std::sin(q[0] - q[1]) * d * d;
    out = {4 * a[0] * a[1] + 6 * q[0] * a[0] * a[0] + s, 2 * a[0] * a[0] - s};
  }
};
using SkewSystem = system::Mechanical<Skew, system::FullMass<2>>;
SkewSystem skew() { return SkewSystem(Skew{}, system::FullMass<2>((Eigen::Matrix2d() << 1.5, 0.4, 0.4, 0.8).finished())); }

// V = x^4/4 - cos x
struct Well {
  using Space = algebra::DenseSpace<1>;
  using Vector = Space::Vector;
  using Matrix = Space::Matrix;
  double value(const Vector& q) const { return std::pow(q[0], 4) / 4 - std::cos(q[0]); }
  void gradient(const Vector& q, Vector& g) const { g[0] = std::pow(q[0], 3) + std::sin(q[0]); }
  void hessian(const Vector& q, Matrix& H) const { H(0, 0) = 3 * q[0] * q[0] + std::cos(q[0]); }
};

// |Phi'^T J Phi' - J| of one step, by differences of eighth order.
template <class S>
double defect(S stepper, const VectorXd& z, double h) {
  const long n = z.size() / 2;
  const auto flow = [&](const VectorXd& at) {
    typename S::Vector q(VectorXd(at.head(n))), p(VectorXd(at.tail(n)));
    auto x = stepper.start(0, q, p);
    EXPECT_TRUE(stepper.step(x, h).converged);
    stepper.phase(x, q, p);
    VectorXd out(2 * n);
    out << VectorXd(algebra::eigen(q)), VectorXd(algebra::eigen(p));
    return out;
  };
  constexpr double width = 0.02, weights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  MatrixXd D = MatrixXd::Zero(2 * n, 2 * n), J = D;
  for (long i = 0; i < 2 * n; ++i)
    for (int k = 1; k <= 4; ++k) {
      VectorXd plus = z, minus = z;
      plus[i] += k * width;
      minus[i] -= k * width;
      D.col(i) += weights[k - 1] / width * (flow(plus) - flow(minus));
    }
  J.topRightCorner(n, n).setIdentity();
  J.bottomLeftCorner(n, n) = -MatrixXd::Identity(n, n);
  return (D.transpose() * J * D - J).norm();
}
const VectorXd start = (VectorXd(4) << 0.7, -0.4, 0.5, 0.9).finished();

TEST(ZhangSkeel, is_symplectic) {  // Theorem 2.5
  for (const double h : {0.05, 0.2, 0.4}) {
    EXPECT_LT(defect(ZhangSkeelStepper(skew(), ZhangSkeel{0.4}), start, h), 1e-10) << h;
    EXPECT_LT(defect(PushForwardNewmarkStepper(skew(), PushForwardNewmark{0.4}), start, h), 1e-10) << h;
  }
}

// What is left out is of h^5 a step (TO 2.2), and the skew part of its Jacobian is the defect.
TEST(ZhangSkeelSimplified, has_a_symplecticity_defect_of_fifth_order) {
  std::vector<double> slopes;
  double last = 0;
  for (const double h : {0.4, 0.2, 0.1}) {
    const double d = defect(ZhangSkeelSimplifiedStepper(skew(), ZhangSkeelSimplified{0.4}), start, h);
    if (last > 0) slopes.push_back(std::log2(last / d));
    last = d;
  }
  EXPECT_GT(last, 1e-8);  // far above what the differences leave
  EXPECT_NEAR(slopes.back(), 5, 0.2) << testing::PrintToString(slopes);
}

TEST(ZhangSkeelSimplified, is_symplectic_in_one_degree_of_freedom) {  // Theorem 2.1, Remark 2.2
  const system::Mechanical<Well> well{Well{}};
  EXPECT_LT(defect(ZhangSkeelSimplifiedStepper(well, ZhangSkeelSimplified{0.4}), (VectorXd(2) << 0.9, 0.3).finished(), 0.3),
            1e-10);
}

const AnyMethod with_beta(const AnyMethod& choice, double beta) {
  return std::visit(
      [beta](auto m) {
        if constexpr (requires { m.beta; }) m.beta = beta;
        return AnyMethod(m);
      },
      choice);
}
const AnyMethod methods[] = {ZhangSkeel{}, ZhangSkeelSimplified{}, ZhangSkeelStiff{}, PushForwardNewmark{}};

// Two masses and springs of frequencies 1 and W = 3.
io::Problem springs() {
  io::Problem problem = laws::problem(R"toml(
[system]
coordinates = ["x", "y"]
mass = [[2.0, 0.0], [0.0, 1.0]]
potential = "x^2 + 4.5*y^2"
[initial]
position = [1.0, 0.5]
)toml");
  problem.model.terms[0].stiff = true;
  return problem;
}

bool stable(const Spec& spec, double h) {
  const auto integrator = make_integrator(springs().model, spec);
  integrator->start(0, Eigen::Vector2d(1, 0.5), Eigen::Vector2d(0, 0));
  const MatrixXd A = integrator->amplification(h);
  for (int i = 0; i < 2; ++i)  // [q_i, p_i]: a map of determinant 1, stable where |trace| is at most 2
    if (!(std::abs(A(i, i) + A(i + 2, i + 2)) <= 2 * (1 + 1e-13))) return false;
  return true;
}

TEST(LinearlyImplicit, is_stable_for_every_step_from_beta_one_quarter_on) {  // Theorem 2.2
  for (const AnyMethod& choice : methods)
    for (const double beta : {0.25, 0.3, 0.4, 1.0})
      for (double h = 0.01; h < 1e5; h *= 1.7) {
        const Spec spec{with_beta(choice, beta), false, {}};
        EXPECT_TRUE(stable(spec, h)) << spec.name() << " " << beta << " " << h;
      }
}

TEST(LinearlyImplicit, is_stable_below_the_limit_for_smaller_beta) {  // h^2 W^2 (1 - 4 beta) = 4
  for (const AnyMethod& choice : methods)
    for (const double beta : {0.0, 0.1, 0.2, 0.24}) {
      const Spec spec{with_beta(choice, beta), false, {}};
      double low = 0.01, high = 100;
      ASSERT_TRUE(stable(spec, low) && !stable(spec, high));
      while (high - low > 1e-9 * low) (stable(spec, (low + high) / 2) ? low : high) = (low + high) / 2;
      EXPECT_NEAR(low * 3 * std::sqrt(1 - 4 * beta), 2, 1e-8) << spec.name() << " " << beta;
    }
}

// x = q + beta h^2 M^-1 grad V(q), TO (13)
TEST(PushForwardNewmark, is_newmark_in_its_own_coordinates) {
  const io::Problem& problem = laws::full_mass().problem;
  const double h = 0.3, beta = 0.35;
  const auto newmark = make_integrator(problem.model, {Newmark{beta, 0.5}, false, {}});
  const auto pushed = make_integrator(problem.model, {PushForwardNewmark{beta}, false, {}});
  VectorXd x, p;
  newmark->start(0, problem.q0, problem.v0);
  newmark->conjugate_coordinates(h, x, p);
  EXPECT_GT((x - problem.q0).norm(), 0.01);
  pushed->start_momentum(0, x, p);
  Snapshot s;
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(newmark->advance(10, h).ok);
    ASSERT_TRUE(pushed->advance(10, h).ok);
    newmark->conjugate_coordinates(h, x, p);
    pushed->snapshot(s);
    EXPECT_LT((s.q - x).norm() + (s.p - p).norm(), 1e-12 * (1 + x.norm())) << k;
  }
}

// Stiff springs in a soft potential: the matrix holds the springs alone and is factored once for each h.
io::Problem stiff_and_soft() {
  io::Problem problem = laws::problem(R"toml(
[system]
coordinates = ["x", "y"]
mass = [[1.0, 0.2], [0.2, 2.0]]
[[system.term]]
potential = "0.25*x^4 + x*y^2 - cos(x + y)"
[[system.term]]
potential = "200*(x - y)^2"
[initial]
position = [0.4, 0.41]
velocity = [0.3, 0.2]
)toml");
  problem.model.terms[1].stiff = true;
  return problem;
}

TEST(ZhangSkeelStiff, factors_a_constant_hessian_once_for_each_step_size) {
  const io::Problem problem = stiff_and_soft();
  for (const auto space : {BuildOptions::Space::fixed, BuildOptions::Space::dense, BuildOptions::Space::sparse}) {
    const auto integrator = make_integrator(problem.model, {ZhangSkeelStiff{}, false, {}}, {{}, space});
    integrator->start(0, problem.q0, problem.v0);
    long factorisations = 0;
    for (const double h : {0.1, 0.1, 0.05, 0.1}) {
      const BatchReport report = integrator->advance(20, h);
      ASSERT_TRUE(report.ok);
      factorisations += report.factorisations;
    }
    EXPECT_EQ(factorisations, 2);
  }
}

// Against the formula of TO (19), and of second order: the error at t = 1 under halving of h.
TEST(ZhangSkeelStiff, solves_with_the_hessian_of_the_stiff_terms) {
  const io::Problem problem = stiff_and_soft();
  const double h = 0.1, beta = 0.3;
  const auto integrator = make_integrator(problem.model, {ZhangSkeelStiff{beta}, false, {}});
  Eigen::Matrix2d M, V1;
  M << 1, 0.2, 0.2, 2;
  V1 << 400, -400, -400, 400;
  const auto F = [&](const Eigen::Vector2d& x) -> Eigen::Vector2d {
    const double s = std::sin(x[0] + x[1]);
    const Eigen::Vector2d gradient = Eigen::Vector2d(std::pow(x[0], 3) + x[1] * x[1] + s, 2 * x[0] * x[1] + s) + V1 * x;
    return -M * (M + beta * h * h * V1).inverse() * gradient;
  };
  Eigen::Vector2d x = problem.q0, p = M * problem.v0;
  for (int k = 0; k < 30; ++k) {
    p += h / 2 * F(x);
    x += h * M.inverse() * p;
    p += h / 2 * F(x);
  }
  integrator->start(0, problem.q0, problem.v0);
  ASSERT_TRUE(integrator->advance(30, h).ok);
  Snapshot s;
  integrator->snapshot(s);
  EXPECT_LT((s.q - x).norm() + (s.p - p).norm(), 1e-12);
}

TEST(ZhangSkeelStiff, is_of_second_order) {
  const io::Problem problem = stiff_and_soft();
  const auto end = [&](const Spec& spec, long steps) {
    const auto integrator = make_integrator(problem.model, spec);
    integrator->start(0, problem.q0, problem.v0);
    EXPECT_TRUE(integrator->advance(steps, 1.0 / static_cast<double>(steps)).ok);
    Snapshot s;
    integrator->snapshot(s);
    return s.q;
  };
  const VectorXd exact = end({Verlet{}, true, {8, "kahan-li"}}, 1000);
  const auto order = [&](const Spec& spec, long steps) {
    return std::log2((end(spec, steps) - exact).norm() / (end(spec, 2 * steps) - exact).norm());
  };
  EXPECT_NEAR(order({ZhangSkeelStiff{0.3}, false, {}}, 800), 2, 0.05);
  EXPECT_NEAR(order({ZhangSkeelStiff{0.3}, true, {4, "suzuki"}}, 100), 4, 0.2);
}

// One iteration of Newton's method from a1 = 0:  (M + beta h^2 V''(q*)) a1 = -grad V(q*),  q* = q0 + h v0 + h^2 (1/2 - beta) a0
TEST(NewmarkIterations, one_is_a_linear_solve_at_the_predicted_position) {
  const double h = 0.3, beta = 0.4;
  NewmarkStepper stepper(skew(), Newmark{beta, 0.5, 1});
  const Skew V;
  const Eigen::Matrix2d M = (Eigen::Matrix2d() << 1.5, 0.4, 0.4, 0.8).finished();
  Eigen::Vector2d q = start.head<2>(), v = M.inverse() * start.tail<2>();
  const auto gradient = [&](const Eigen::Vector2d& at) {
    Skew::Vector g;
    V.gradient(at, g);
    return Eigen::Vector2d(g);
  };
  Eigen::Vector2d a = -M.inverse() * gradient(q);
  auto x = stepper.start(0, Skew::Vector(q), Skew::Vector(start.tail<2>()));
  for (int k = 0; k < 10; ++k) {
    const auto report = stepper.step(x, h);
    ASSERT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, 1);
    const Eigen::Vector2d predicted = q + h * v + h * h * (0.5 - beta) * a;
    Skew::Matrix H;
    V.hessian(predicted, H);
    const Eigen::Vector2d a1 = (M + beta * h * h * Eigen::Matrix2d(H)).inverse() * -gradient(predicted);
    q = predicted + beta * h * h * a1;
    v += h / 2 * (a + a1);
    a = a1;
    EXPECT_LT((Eigen::Vector2d(x.q) - q).norm() + (Eigen::Vector2d(x.v) - v).norm(), 1e-13 * (k + 1)) << k;
  }
}

TEST(NewmarkIterations, many_are_the_method_itself) {
  const auto end = [](int iterations) {
    NewmarkStepper stepper(skew(), Newmark{0.4, 0.5, iterations});
    auto x = stepper.start(0, Skew::Vector(start.head<2>()), Skew::Vector(start.tail<2>()));
    for (int k = 0; k < 10; ++k) EXPECT_TRUE(stepper.step(x, 0.3).converged);
    return Eigen::Vector2d(x.q);
  };
  EXPECT_LT((end(8) - end(0)).norm(), 1e-12);
  EXPECT_GT((end(2) - end(0)).norm(), 1e-9);
  EXPECT_GT((end(1) - end(0)).norm(), 10 * (end(2) - end(0)).norm());
}

// V = 1/2 k (x^2 - y^2) turns the matrix indefinite, or singular where beta h^2 k = 1.
struct Saddle {
  using Space = algebra::DenseSpace<2>;
  using Vector = Space::Vector;
  using Matrix = Space::Matrix;
  double k = 1;
  double value(const Vector& q) const { return k / 2 * (q[0] * q[0] - q[1] * q[1]); }
  void gradient(const Vector& q, Vector& g) const { g = {k * q[0], -k * q[1]}; }
  void hessian(const Vector&, Matrix& H) const { H = {k, 0.0, 0.0, -k}; }
};

TEST(LinearlyImplicit, solves_with_an_indefinite_matrix_and_reports_a_singular_one) {
  const double h = 0.5, beta = 0.5;
  const auto stepper_of = [&](double k) {
    return ZhangSkeelSimplifiedStepper(system::Mechanical(Saddle{k}), ZhangSkeelSimplified{beta});
  };
  auto indefinite = stepper_of(16);  // M + beta h^2 V'' = diag(3, -1)
  auto x = indefinite.start(0, {1.0, 1.0}, {0.0, 0.0});
  ASSERT_TRUE(indefinite.step(x, h).converged);
  EXPECT_NEAR(x.q[0], 1 - h * h / 2 * 16 / 3, 1e-14);
  EXPECT_NEAR(x.q[1], 1 - h * h / 2 * 16, 1e-14);
  auto singular = stepper_of(8);
  auto y = singular.start(0, {1.0, 1.0}, {0.0, 0.0});
  EXPECT_FALSE(singular.step(y, h).converged);
  EXPECT_EQ(y.q[0], 1);
  EXPECT_EQ(y.t, 0);
}

// A step that is too large for V = -x^6 throws the state away: the run says so, and no state is not finite.
TEST(LinearlyImplicit, reports_a_blow_up) {
  const io::Problem problem = laws::problem(R"toml(
[system]
coordinates = ["x", "y"]
mass = 1.0
potential = "-x^6 - y^4"
[initial]
position = [1.0, 0.5]
)toml");
  for (const bool composed : {false, true})
    for (const auto space : {BuildOptions::Space::fixed, BuildOptions::Space::dense, BuildOptions::Space::sparse}) {
      const auto integrator = make_integrator(problem.model, {ZhangSkeel{0.01}, composed, {}}, {{}, space});
      integrator->start(0, problem.q0, problem.v0);
      const BatchReport report = integrator->advance(1000, 0.5);
      EXPECT_FALSE(report.ok);
      EXPECT_NE(report.what.find("not finite"), std::string::npos) << report.what;
      Snapshot s;
      integrator->snapshot(s);
      EXPECT_TRUE(s.q.allFinite() && s.p.allFinite());
    }
}

TEST(LinearlyImplicit, says_what_it_cannot_take) {
  const auto reason = [](const io::Problem& problem, const AnyMethod& choice) {
    return why_incompatible(problem.model, {choice, false, {}});
  };
  EXPECT_NE(reason(laws::oscillator().problem, ZhangSkeelStiff{}).find("stiff = true"), std::string::npos);
  EXPECT_EQ(reason(stiff_and_soft(), ZhangSkeelStiff{}), "");
  for (const AnyMethod& choice : methods) {
    EXPECT_NE(reason(laws::double_pendulum().problem, choice).find("1/2 v'Mv"), std::string::npos);
    EXPECT_NE(reason(laws::full_mass_with_friction().problem, choice).find("velocities"), std::string::npos);
  }
  io::Problem library = laws::oscillator().problem;
  library.model.library = "potential.so";
  EXPECT_NE(reason(library, ZhangSkeel{}).find("zhang-skeel-simplified"), std::string::npos);
  EXPECT_EQ(reason(library, ZhangSkeelSimplified{}), "");
  io::Problem constrained = laws::oscillator().problem;
  constrained.model.constraints.resize(1);
  EXPECT_NE(reason(constrained, ZhangSkeel{}).find("penalty"), std::string::npos);
}

}  // namespace
}  // namespace actio::method
