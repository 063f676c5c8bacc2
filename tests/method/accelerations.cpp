#include <gtest/gtest.h>

#include <actio/method/newmark.hpp>
#include <actio/method/variational.hpp>
#include <actio/system/implicit.hpp>
#include <cmath>
#include <method/count_allocations.hpp>
#include <method/driven_chain.hpp>

// The family of methods whose unknown is an acceleration, on systems with forces.
namespace actio::method {
namespace {

using algebra::DenseSpace;
using algebra::SparseSpace;
using Dynamic = DenseSpace<Eigen::Dynamic>;

struct Member {
  std::string name;
  AccelerationCoefficients coefficients;
  int order;
};
std::vector<Member> members() {
  std::vector<Member> all;
  for (const auto& [beta, gamma] : std::vector<std::pair<double, double>>{{0, 0.5}, {0.25, 0.5}, {1.0 / 12, 0.5}, {0.4, 0.5}})
    all.push_back({"newmark " + std::to_string(beta), Newmark{beta, gamma}.coefficients(), 2});
  for (const auto& [beta, gamma] : std::vector<std::pair<double, double>>{{0.3025, 0.6}, {0, 0.7}, {0.3, 0.4}})
    all.push_back({"newmark " + std::to_string(beta) + " " + std::to_string(gamma), Newmark{beta, gamma}.coefficients(), 1});
  for (const double rho : {0.0, 0.5, 0.8, 1.0})
    all.push_back({"generalized-alpha " + std::to_string(rho), GeneralizedAlpha{rho}.coefficients(), 2});
  for (const double rho : {0.5, 0.8, 1.0}) all.push_back({"hht " + std::to_string(rho), Hht{rho}.coefficients(), 2});
  for (const double rho : {0.0, 0.5, 1.0}) all.push_back({"wbz " + std::to_string(rho), Wbz{rho}.coefficients(), 2});
  for (const double theta : {1.0, 1.4}) all.push_back({"wilson " + std::to_string(theta), Wilson{theta}.coefficients(), 2});
  all.push_back({"central-difference", CentralDifference{}.coefficients(), 2});
  return all;
}

// Both cases of the stepper, chosen as make_integrator does.
template <class S, class Run>
auto with_stepper(S system, const AccelerationCoefficients& k, Run&& run) {
  if (k.at_end()) return run(AccelerationStepper<S, true>(std::move(system), k));
  return run(AccelerationStepper<S, false>(std::move(system), k));
}

// With `ratio`, every other step is that many times as long as the ones between.
template <class Space>
double error_at_one(const Member& member, long n, long steps, double ratio = 1) {
  using algebra::dot;
  return with_stepper(tests::driven_chain<Space>(n), member.coefficients, [&](auto stepper) {
    typename Space::Vector q = stepper.system().space().vector(), v = q, p = q;
    for (long i = 0; i < n; ++i) q[i] = tests::exact_position(0, i), v[i] = tests::exact_velocity(0, i);
    stepper.system().momentum(v, p);
    auto x = stepper.start(0, q, p);
    const double h = 2 / (1 + ratio) / static_cast<double>(steps);
    for (long k = 0; k < steps; ++k) EXPECT_TRUE(stepper.step(x, k % 2 ? h * ratio : h).converged);
    for (long i = 0; i < n; ++i) q[i] = x.q[i] - tests::exact_position(1, i), v[i] = x.v[i] - tests::exact_velocity(1, i);
    return std::sqrt(dot(q, q) + dot(v, v));
  });
}

template <class Space>
void expect_orders(long n) {
  for (const Member& member : members()) {
    const double coarse = error_at_one<Space>(member, n, 128), fine = error_at_one<Space>(member, n, 256);
    EXPECT_NEAR(std::log2(coarse / fine), member.order, 0.1) << member.name << ", " << n << " coordinates, error " << fine;
  }
}

TEST(AccelerationFamily, has_its_order_on_a_manufactured_solution_with_forces_of_q_v_and_t) {
  expect_orders<DenseSpace<1>>(1);
  expect_orders<DenseSpace<3>>(3);
  expect_orders<Dynamic>(7);
  expect_orders<SparseSpace>(40);
}

// The acceleration that generalised-alpha keeps belongs to a time that depends on the step it was found in.
TEST(AccelerationFamily, has_its_order_with_steps_of_two_sizes_in_turn) {
  for (const Member& member : members())
    for (const double ratio : {0.4, 2.0}) {
      const double coarse = error_at_one<DenseSpace<3>>(member, 3, 256, ratio),
                   fine = error_at_one<DenseSpace<3>>(member, 3, 512, ratio);
      EXPECT_NEAR(std::log2(coarse / fine), member.order, 0.1) << member.name << ", ratio " << ratio << ", error " << fine;
    }
}

TEST(AccelerationFamily, walks_the_same_path_on_every_space) {
  for (const Member& member : members()) {
    Eigen::VectorXd reference;
    const auto compare = [&]<class Space>(std::type_identity<Space>) {
      with_stepper(tests::rod<Space>(3), member.coefficients, [&](auto stepper) {
        typename Space::Vector q = stepper.system().space().vector();
        q[0] = 0.3, q[2] = -0.2;
        auto x = stepper.start(0, q, q);
        for (int k = 0; k < 60; ++k) EXPECT_TRUE(stepper.step(x, k % 2 ? 0.2 : 0.3).converged);
        const Eigen::VectorXd end = algebra::eigen(x.q);
        if (reference.size() == 0) reference = end;
        EXPECT_LT((end - reference).norm(), 1e-12 * reference.norm()) << member.name;
      });
    };
    compare(std::type_identity<DenseSpace<3>>{});
    compare(std::type_identity<Dynamic>{});
    compare(std::type_identity<SparseSpace>{});
  }
}

// Linear equations solved at once and iterated give one path.
TEST(AccelerationFamily, does_not_depend_on_how_linear_equations_are_solved) {
  for (const Member& member : members()) {
    const auto run = [&](bool linear) {
      return with_stepper(tests::rod<SparseSpace>(30, linear), member.coefficients, [&](auto stepper) {
        Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(30, -0.3, 0.4);
        auto x = stepper.start(0, q, 0.1 * q);
        for (int k = 0; k < 60; ++k) EXPECT_TRUE(stepper.step(x, 0.3).converged);
        return Eigen::VectorXd(x.q);
      });
    };
    EXPECT_LT((run(true) - run(false)).norm(), 1e-11 * run(true).norm()) << member.name;
  }
}

TEST(AccelerationFamily, allocates_nothing_in_a_step) {
  const auto expect_none = [](auto system, long n, const Member& member) {
    with_stepper(std::move(system), member.coefficients, [&](auto stepper) {
      auto q = stepper.system().space().vector();
      for (long i = 0; i < n; ++i) q[i] = 0.1 * static_cast<double>(i % 3);
      auto x = stepper.start(0, q, q);
      auto before = x;
      const auto advance = [&](double h) {
        before = x;
        const bool converged = stepper.step(x, h).converged;
        return converged && std::isfinite(stepper.work(before, x, h).external);
      };
      for (int k = 0; k < 4; ++k) EXPECT_TRUE(advance(k % 2 ? 0.05 : 0.1));
      const long made = ::tests::allocations();
      bool good = true;
      for (int k = 0; k < 20; ++k) good = advance(k % 2 ? 0.05 : 0.1) && good;
      EXPECT_EQ(::tests::allocations() - made, 0) << member.name << ", " << n;
      EXPECT_TRUE(good);
    });
  };
  for (const Member& member : members()) {
    expect_none(tests::rod<DenseSpace<2>>(2), 2, member);
    expect_none(tests::rod<Dynamic>(9), 9, member);
    expect_none(tests::rod<SparseSpace>(100), 100, member);
    expect_none(tests::rod<SparseSpace>(100, false), 100, member);
  }
}

TEST(AccelerationFamily, factors_once_for_every_step_size) {
  const auto count = [](const AccelerationCoefficients& k, std::vector<double> steps, int times, bool linear = true) {
    return with_stepper(tests::rod<SparseSpace>(50, linear), k, [&](auto stepper) {
      auto x = stepper.start(0, Eigen::VectorXd::Ones(50), Eigen::VectorXd::Ones(50));
      for (int i = 0; i < times; ++i)
        for (const double h : steps) EXPECT_TRUE(stepper.step(x, h).converged);
      auto copy = stepper;  // which needs none of its own
      EXPECT_TRUE(copy.step(x, steps.back()).converged);
      EXPECT_EQ(copy.factorisations(), stepper.factorisations());
      return stepper.factorisations();
    });
  };
  for (const Member& member : members()) {
    EXPECT_EQ(count(member.coefficients, {0.1}, 40), 1) << member.name;
    EXPECT_EQ(count(member.coefficients, {0.1, 0.05}, 40), 2) << member.name;
    EXPECT_EQ(count(member.coefficients, {0.1, 0.05, 0.1, -0.02}, 10), 3) << member.name;
  }
  std::vector<double> many;
  for (int i = 1; i <= 16; ++i) many.push_back(0.01 * i);
  EXPECT_EQ(count(Newmark{}.coefficients(), many, 5), 16);
  many.push_back(0.17);  // one more than are kept: gone through in turn, each is gone when it is wanted again
  EXPECT_EQ(count(Newmark{}.coefficients(), many, 5), 17 * 5);
}

// Unforced: at rho = 1 all of them are what they say they are.
TEST(AccelerationFamily, loses_nothing_at_spectral_radius_one) {
  using System = system::Mechanical<tests::ChainPotential<Dynamic>>;
  const System system(tests::ChainPotential<Dynamic>{4}, {}, Dynamic{4});
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(4, -0.5, 0.9), p = Eigen::VectorXd::LinSpaced(4, 0.6, -0.1);
  const auto path = [&](auto stepper) {
    auto x = stepper.start(0, q, p);
    for (int k = 0; k < 100; ++k) EXPECT_TRUE(stepper.step(x, 0.2).converged);
    Eigen::VectorXd q1, p1, z(8);
    stepper.phase(x, q1, p1);
    z << q1, p1;
    return z;
  };
  const Eigen::VectorXd midpoint = path(VariationalStepper(discrete::Quadrature(system, discrete::Nodes::one(0.5))));
  const Eigen::VectorXd newmark = path(NewmarkStepper(system, Newmark{0.25, 0.5}));
  EXPECT_LT((path(AccelerationStepper<System, false>(system, GeneralizedAlpha{1}.coefficients())) - midpoint).norm(), 1e-11);
  EXPECT_LT((path(AccelerationStepper<System, true>(system, Hht{1}.coefficients())) - newmark).norm(), 1e-11);
  EXPECT_LT((path(AccelerationStepper<System, true>(system, Wbz{1}.coefficients())) - newmark).norm(), 1e-11);
  EXPECT_LT((path(AccelerationStepper<System, true>(system, Wilson{1}.coefficients())) -
             path(NewmarkStepper(system, Newmark{1.0 / 6, 0.5})))
                .norm(),
            1e-11);
  EXPECT_GT((midpoint - newmark).norm(), 1e-3);  // they differ where forces are not affine
}

// M (q2 - 2 q1 + q0)/h^2 + D (q2 - q0)/(2h) + S q1 = p(t1), as central differences are written in the books.
TEST(CentralDifference, is_newmark_without_beta_also_with_damping) {
  auto structure = tests::rod<Dynamic>(5);
  AccelerationStepper<decltype(structure), true> stepper(tests::rod<Dynamic>(5), CentralDifference{}.coefficients());
  const double h = 0.3;
  auto x = stepper.start(0, Eigen::VectorXd::LinSpaced(5, 0, 1), Eigen::VectorXd::LinSpaced(5, 0.3, 0));
  Eigen::VectorXd q0 = x.q, q1, p(5);
  ASSERT_TRUE(stepper.step(x, h).converged);
  q1 = x.q;
  for (int k = 1; k < 50; ++k) {
    structure.external(x.t, q1, q1, p);
    ASSERT_TRUE(stepper.step(x, h).converged);
    const Eigen::VectorXd r =
        structure.M * (x.q - 2 * q1 + q0) / (h * h) + structure.D * (x.q - q0) / (2 * h) + structure.S * q1 - p;
    ASSERT_LT(r.norm(), 1e-12) << "step " << k;
    q0 = q1;
    q1 = x.q;
  }
}

// a + 0.3 a^3 + 0.2 v |v| a^2 + sin q = s(t), with q = sin t.
struct Implicitly {
  using Space = DenseSpace<1>;
  using Vector = Space::Vector;
  using Matrix = Space::Matrix;
  static double left(double q, double v, double a) { return a + 0.3 * a * a * a + 0.2 * v * a * a + std::sin(q); }
  void value(double t, const Vector& q, const Vector& v, const Vector& a, Vector& r) const {
    r[0] = left(q[0], v[0], a[0]) - left(std::sin(t), std::cos(t), -std::sin(t));
  }
  void tangent(double, const Vector& q, const Vector& v, const Vector& a, double wq, double wv, double wa, Matrix& K) const {
    K(0, 0) = wq * std::cos(q[0]) + wv * 0.2 * a[0] * a[0] + wa * (1 + 0.9 * a[0] * a[0] + 0.4 * v[0] * a[0]);
  }
};
TEST(ImplicitEquations, are_solved_with_the_order_of_the_method) {
  for (const Member& member : members()) {
    const auto error = [&](long steps) {
      return with_stepper(system::Equations{Implicitly{}}, member.coefficients, [&](auto stepper) {
        Implicitly::Vector q(0.0), p(1.0);
        auto x = stepper.start(0, q, p);
        for (long k = 0; k < steps; ++k) EXPECT_TRUE(stepper.step(x, 1 / static_cast<double>(steps)).converged);
        return std::hypot(x.q[0] - std::sin(1), x.v[0] - std::cos(1));
      });
    };
    EXPECT_NEAR(std::log2(error(256) / error(512)), member.order, 0.1) << member.name;
  }
}

// t a + v = 0: at t = 0 nothing says what a is.
struct Singular {
  using Space = DenseSpace<2>;
  using Vector = Space::Vector;
  using Matrix = Space::Matrix;
  void value(double t, const Vector&, const Vector& v, const Vector& a, Vector& r) const { r = {t * a[0] + v[0] - 1, a[1]}; }
  void tangent(double t, const Vector&, const Vector&, const Vector&, double, double wv, double wa, Matrix& K) const {
    K = {wa * t + wv, 0, 0, wa};
  }
};
TEST(ImplicitEquations, refuse_a_start_that_has_no_acceleration) {
  NewmarkStepper stepper(system::Equations{Singular{}}, Newmark{});
  const Singular::Vector zero;
  try {
    (void)stepper.start(0, zero, zero);
    FAIL() << "started";
  } catch (const core::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("df/da is singular"), std::string::npos) << e.what();
  }
  EXPECT_NEAR(stepper.start(0.5, zero, zero).a[0], 2, 1e-14);
}

}  // namespace
}  // namespace actio::method
