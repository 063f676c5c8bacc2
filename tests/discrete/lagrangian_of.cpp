#include <gtest/gtest.h>

#include <actio/discrete/lagrangian_of.hpp>
#include <actio/discrete/quadrature.hpp>
#include <actio/method/composition.hpp>
#include <actio/method/integrator_of.hpp>
#include <actio/method/variational.hpp>
#include <actio/run/integrate.hpp>
#include <actio/system/symmetry.hpp>

// Systems and discrete Lagrangians that are written as formulas: their steps are those of derivatives by hand, and the
// certificate judges them as it does the methods of the catalogue.
namespace actio {
namespace {

template <class T>
using Vector = Eigen::Matrix<T, 2, 1>;
using Verdict = invariant::Certificate::Verdict;

template <class T>
T potential(const Vector<T>& q) {
  const T s = q.squaredNorm();
  return s * (s - 1) * (s - 1);
}
template <class T>
Vector<T> gradient(const Vector<T>& q) {
  const T s = q.squaredNorm();
  return 2 * (s - 1) * (3 * s - 1) * q;
}
struct Well {
  template <class T>
  T operator()(double, const Vector<T>& q, const Vector<T>& v) const {
    return 0.5 * v.squaredNorm() - potential(q);
  }
};
struct Relativistic {  // no M and V, and a momentum that is not linear in v
  template <class T>
  T operator()(double t, const Vector<T>& q, const Vector<T>& v) const {
    return -sqrt(1 - 0.1 * v.squaredNorm()) - (1 + 0.1 * t) * q.squaredNorm() + q[0] * v[1] * 0.2;
  }
};
template <class L>
struct Midpoint {
  template <class T>
  T operator()(double t, double h, const Vector<T>& from, const Vector<T>& w) const {
    const Vector<T> middle = from + (h / 2) * w;
    return h * L()(t + h / 2, middle, w);
  }
};
struct FourthOrder {
  double c = 1.0 / 24;
  template <class T>
  T operator()(double, double h, const Vector<T>& from, const Vector<T>& w) const {
    const Vector<T> middle = from + (h / 2) * w, q1 = from + h * w;
    return h * (0.5 * w.squaredNorm() - (potential(from) + 4 * potential(middle) + potential(q1)) / 6 -
                c * h * h * gradient(middle).squaredNorm());
  }
};
const Eigen::Vector2d q0{1.2, 0}, v0{0, 0.2};

std::unique_ptr<method::Integrator> fourth_order(double c = 1.0 / 24) {
  return method::make_integrator(
      method::VariationalStepper(discrete::LagrangianOf{system::LagrangianOf<2, Well>{}, FourthOrder{c}}));
}
invariant::Certificate certified(method::Integrator& integrator, int order, invariant::Level level = invariant::Level::standard) {
  invariant::MomentumMap momentum({system::affine_symmetry("rotation", Eigen::Matrix2d{{0, -1}, {1, 0}})}, {"none", {}});
  run::Options options;
  options.clock = [] { return 0.0; };
  options.level = level;
  return run::integrate(integrator, momentum,
                        {.method = {"mine", {.order = order}}, .q0 = q0, .v0 = v0, .schedule = {.step = 0.05, .steps = 400}},
                        options);
}

template <class L>
void compare_with_quadrature(double tolerance) {
  using System = system::LagrangianOf<2, L>;
  method::VariationalStepper mine(discrete::LagrangianOf{System{}, Midpoint<L>{}});
  method::VariationalStepper theirs(discrete::Quadrature<System>(System{}, discrete::Nodes::one(0.5)));
  auto a = mine.start(0.2, q0, v0);
  auto b = theirs.start(0.2, q0, v0);
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(mine.step(a, 0.05).converged);
    ASSERT_TRUE(theirs.step(b, 0.05).converged);
  }
  EXPECT_LT((a.q - b.q).norm(), tolerance);
  EXPECT_LT((a.p - b.p).norm(), tolerance);
}

TEST(LagrangianOfAFormula, steps_as_derivatives_of_the_quadrature_do) {
  compare_with_quadrature<Well>(1e-12);
  compare_with_quadrature<Relativistic>(1e-12);
}

TEST(LagrangianOfAFormula, has_the_value_whose_derivatives_it_gives) {
  discrete::LagrangianOf Ld{system::LagrangianOf<2, Well>{}, FourthOrder{}};
  const double h = 0.3, d = 1e-6;
  const algebra::SmallVector<2> a{1.2, 0.1}, w{0.3, -0.4};
  algebra::SmallVector<2> p0, p1;
  Ld.momentum_before(0, h, a, w, p0);
  Ld.momentum_after(0, h, a, w, p1);
  for (int i = 0; i < 2; ++i) {
    algebra::SmallVector<2> e;
    e[i] = d;
    // q0 alone, q1 alone
    EXPECT_NEAR(p0[i], -(Ld.value(0, h, a + e, w - e / h) - Ld.value(0, h, a - e, w + e / h)) / (2 * d), 1e-8);
    EXPECT_NEAR(p1[i], (Ld.value(0, h, a, w + e / h) - Ld.value(0, h, a, w - e / h)) / (2 * d), 1e-8);
  }
}

TEST(OwnStepper, is_certified) {
  const auto integrator = fourth_order();
  const auto c = certified(*integrator, 4);
  EXPECT_EQ(c.verdict, Verdict::kept) << invariant::text(c);
  EXPECT_EQ(c.method, "mine");
  EXPECT_NEAR(c.accuracy.order, 4, 0.3);
  ASSERT_EQ(c.momentum.size(), 1U);
  EXPECT_TRUE(c.momentum[0].claimed);
  EXPECT_LT(c.momentum[0].max_error, 1e-13);
}

TEST(OwnStepper, fails_where_it_has_not_the_order_that_it_states) {
  const auto wrong = fourth_order(1.0 / 12);
  const auto c = certified(*wrong, 4);
  EXPECT_EQ(c.verdict, Verdict::failed) << invariant::text(c);
  EXPECT_NEAR(c.accuracy.order, 2, 0.3);
  EXPECT_EQ(certified(*wrong, 2).verdict, Verdict::kept);
}

// Its momentum is that of another discrete Lagrangian at the end of a step: the map is no longer symplectic.
struct TwoLagrangians : discrete::LagrangianOf<system::LagrangianOf<2, Well>, FourthOrder> {
  using Base = discrete::LagrangianOf<system::LagrangianOf<2, Well>, FourthOrder>;
  TwoLagrangians() : Base({}, {}), other({}, {.c = 1.0 / 20}) {}
  void momentum_after(double t, double h, const Vector& q, const Vector& w, Vector& p1) { other.momentum_after(t, h, q, w, p1); }
  Base other;
};
TEST(OwnStepper, fails_where_its_two_momenta_are_not_of_one_discrete_lagrangian) {
  const auto integrator = method::make_integrator(method::VariationalStepper(TwoLagrangians()));
  const auto c = certified(*integrator, 2);
  EXPECT_EQ(c.verdict, Verdict::failed) << invariant::text(c);
  EXPECT_GT(c.symplecticity.canonical.value, 1e-6);
}

TEST(OwnStepper, has_an_unresolved_order_where_it_was_not_measured) {
  const auto integrator = fourth_order();
  const auto c = certified(*integrator, 4, invariant::Level::quick);
  EXPECT_EQ(c.verdict, Verdict::unresolved);
  ASSERT_EQ(c.unresolved.size(), 1U);
  EXPECT_EQ(c.unresolved[0], "mine is stated to have order 4, which was not measured; --certificate full measures it");
}

TEST(OwnStepper, takes_a_lagrangian_that_depends_on_the_time) {
  const auto integrator = method::make_integrator(
      method::VariationalStepper(discrete::LagrangianOf{system::LagrangianOf<2, Relativistic>{}, Midpoint<Relativistic>{}}));
  run::Task task{.method = {"mine", {}}, .q0 = q0, .v0 = v0, .schedule = {.step = 0.02, .steps = 400}, .autonomous = false};
  invariant::MomentumMap none;
  run::Options options;
  options.clock = [] { return 0.0; };
  const auto c = run::integrate(*integrator, none, task, options);
  EXPECT_EQ(c.verdict, Verdict::kept) << invariant::text(c);
  task.autonomous = true;
  EXPECT_EQ(run::integrate(*integrator, none, task, options).verdict, Verdict::failed);
}

TEST(OwnStepper, refuses_states_and_symmetries_of_another_size) {
  const auto integrator = fourth_order();
  invariant::MomentumMap none, three({system::affine_symmetry("turn", Eigen::Matrix3d{{0, 0, -1}, {0, 0, 0}, {1, 0, 0}})});
  const run::Schedule schedule{.step = 0.05, .steps = 4};
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
  const auto run = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& v, invariant::MomentumMap& momentum) {
    return run::integrate(*integrator, momentum, {.method = {"mine", {.order = 4}}, .q0 = q, .v0 = v, .schedule = schedule});
  };
  EXPECT_THROW((void)run(one, v0, none), core::InputError);
  EXPECT_THROW((void)run(q0, one, none), core::InputError);
  EXPECT_THROW((void)run(q0, v0, three), core::InputError);
  EXPECT_THROW((void)system::affine_symmetry("a", Eigen::MatrixXd::Ones(2, 3)), core::InputError);
  EXPECT_THROW((void)system::affine_symmetry("a", Eigen::MatrixXd::Zero(2, 2)), core::InputError);
  EXPECT_THROW((void)system::affine_symmetry("a", Eigen::MatrixXd::Ones(2, 2), Eigen::Vector3d::Ones()), core::InputError);
}

// A chain of N bodies between walls, by springs that harden.
template <int N>
struct Chain {
  template <class T>
  T operator()(double, const Eigen::Matrix<T, N, 1>& q, const Eigen::Matrix<T, N, 1>& v) const {
    T V = 0.5 * q[0] * q[0];
    for (int i = 0; i + 1 < N; ++i) {
      const T d = q[i + 1] - q[i];
      V += 0.5 * d * d + 0.25 * d * d * d * d;
    }
    return T(0.5 * v.squaredNorm()) - V;
  }
};
template <int N>
struct ChainMidpoint {
  template <class T>
  T operator()(double t, double h, const Eigen::Matrix<T, N, 1>& from, const Eigen::Matrix<T, N, 1>& w) const {
    const Eigen::Matrix<T, N, 1> middle = from + (h / 2) * w;
    return h * Chain<N>()(t, middle, w);
  }
};
template <int N>
void certify_chain() {
  const auto integrator = method::make_integrator(
      method::VariationalStepper(discrete::LagrangianOf{system::LagrangianOf<N, Chain<N>>{}, ChainMidpoint<N>{}}));
  invariant::MomentumMap none;
  run::Options options;
  options.clock = [] { return 0.0; };
  const auto c = run::integrate(*integrator, none,
                                {.method = {"mine", {}},
                                 .q0 = Eigen::VectorXd::LinSpaced(N, 0.3, 0.8),
                                 .v0 = Eigen::VectorXd::Zero(N),
                                 .schedule = {.step = 0.1, .steps = 1000}},
                                options);
  EXPECT_EQ(c.verdict, Verdict::kept) << invariant::text(c);
}
TEST(OwnStepper, has_one_coordinate_or_more_than_four) {
  certify_chain<1>();
  certify_chain<5>();
}

TEST(OwnStepper, is_composed_to_a_higher_order) {
  const auto gammas = method::gammas({method::Midpoint{}, true, {6, "kahan-li"}});
  const auto integrator = method::make_integrator(
      method::VariationalStepper(discrete::LagrangianOf{system::LagrangianOf<2, Well>{}, Midpoint<Well>{}}), gammas);
  const auto c = certified(*integrator, 6);
  EXPECT_EQ(c.verdict, Verdict::kept) << invariant::text(c);
  EXPECT_NEAR(c.accuracy.order, 6, 0.4);
}

}  // namespace
}  // namespace actio
