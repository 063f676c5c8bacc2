#include <gtest/gtest.h>

#include <actio/algebra/sparse.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/composition.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/linearly_implicit.hpp>
#include <actio/method/minimising_newmark.hpp>
#include <actio/method/newmark.hpp>
#include <actio/method/runge_kutta.hpp>
#include <actio/method/splitting.hpp>
#include <actio/method/two_step.hpp>
#include <actio/method/variational.hpp>
#include <actio/method/verlet.hpp>
#include <actio/system/mechanical.hpp>
#include <method/count_allocations.hpp>
#include <vector>

// No allocation inside a step, once the first steps are made.
namespace actio::method {
namespace {

using tests::allocations;

// A ring of unit masses with springs of V = d^2/2 + d^4/4 between neighbours and to the ground; on any space.
template <class SpaceType>
struct Ring {
  using Space = SpaceType;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  double value(const Vector& q) const {
    double sum = 0;
    for (long i = 0; i < n; ++i) {
      const double d = q[(i + 1) % n] - q[i];
      sum += d * d / 2 + d * d * d * d / 4 + q[i] * q[i] / 2;
    }
    return sum;
  }
  void gradient(const Vector& q, Vector& g) const {
    for (long i = 0; i < n; ++i) g[i] = q[i];
    for (long i = 0; i < n; ++i) {
      const double d = q[(i + 1) % n] - q[i], f = d + d * d * d;
      g[i] -= f;
      g[(i + 1) % n] += f;
    }
  }
  void hessian(const Vector& q, Matrix& H) const {
    Space::clear(H);
    for (long i = 0; i < n; ++i) {
      const long j = (i + 1) % n;
      const double d = q[j] - q[i], k = 1 + 3 * d * d;
      H.coeffRef(i, i) += 1 + k;
      H.coeffRef(j, j) += k;
      H.coeffRef(i, j) -= k;
      H.coeffRef(j, i) -= k;
    }
  }
  void third(const Vector& q, const Vector& a, Vector& out) const {
    out.setZero();
    for (long i = 0; i < n; ++i) {
      const long j = (i + 1) % n;
      const double f = 6 * (q[j] - q[i]) * (a[j] - a[i]) * (a[j] - a[i]);
      out[i] -= f;
      out[j] += f;
    }
  }
  long n;
};

template <class Space>
Space space_of(long n) {
  if constexpr (std::is_same_v<Space, algebra::SparseSpace>) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; ++i)
      for (int j : {i, static_cast<int>((i + 1) % n), static_cast<int>((i + n - 1) % n)}) entries.emplace_back(i, j, 0.0);
    auto pattern = std::make_shared<algebra::SparseMatrix>(n, n);
    pattern->setFromTriplets(entries.begin(), entries.end());
    pattern->makeCompressed();
    Space space;
    space.n = n;
    space.pattern = std::move(pattern);
    return space;
  } else {
    return {n};
  }
}

template <class Space>
using RingSystem = system::Mechanical<Ring<Space>>;

template <class Space>
RingSystem<Space> ring(long n) {
  return RingSystem<Space>(Ring<Space>{n}, {}, space_of<Space>(n));
}

template <class S>
void expect_none(const char* name, S stepper, long n) {
  typename S::Vector q = stepper.system().space().vector(), p = q;
  for (long i = 0; i < n; ++i) q[i] = 0.3 * static_cast<double>(i % 3), p[i] = 0.2 * static_cast<double>(i % 2);
  auto state = stepper.start(0, q, p);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(stepper.step(state, 0.05).converged) << name;
  const long before = allocations();
  bool converged = true;
  for (int k = 0; k < 20; ++k) converged = stepper.step(state, 0.05).converged && converged;
  const long made = allocations() - before;
  EXPECT_TRUE(converged) << name;
  EXPECT_EQ(made, 0) << name << ", " << n << " coordinates";
}

template <class Space>
void expect_none_in_every_stepper(long n) {
  using System = RingSystem<Space>;
  using Ld = discrete::Quadrature<System>;
  using discrete::Nodes;
  expect_none("verlet", VerletStepper<System>(ring<Space>(n)), n);
  expect_none("symplectic-euler", SplittingStepper<System>(ring<Space>(n), symplectic_euler()), n);
  expect_none("mclachlan-atela", SplittingStepper<System>(ring<Space>(n), mclachlan_atela(4)), n);
  expect_none("rk4", RungeKutta4Stepper<System>(ring<Space>(n)), n);
  expect_none("newmark", NewmarkStepper<System>(ring<Space>(n), Newmark{}), n);
  expect_none("newmark, beta = 0", NewmarkStepper<System>(ring<Space>(n), Newmark{0, 0.5}), n);
  for (const double alpha : {0.25, 0.5, 0.75})
    expect_none("variational", VariationalStepper<Ld>(Ld(ring<Space>(n), Nodes::one(alpha))), n);
  expect_none("variational, symmetric", VariationalStepper<Ld>(Ld(ring<Space>(n), Nodes::symmetric(0.25))), n);
  expect_none("newmark, one iteration", NewmarkStepper<System>(ring<Space>(n), Newmark{0.25, 0.5, 1}), n);
  expect_none("zhang-skeel", ZhangSkeelStepper<System>(ring<Space>(n), ZhangSkeel{}), n);
  expect_none("zhang-skeel-simplified", ZhangSkeelSimplifiedStepper<System>(ring<Space>(n), ZhangSkeelSimplified{}), n);
  expect_none("push-forward-newmark", PushForwardNewmarkStepper<System>(ring<Space>(n), PushForwardNewmark{}), n);
  expect_none("zhang-skeel, order 4",
              ComposedStepper<ZhangSkeelStepper<System>>(ZhangSkeelStepper<System>(ring<Space>(n), ZhangSkeel{}),
                                                         composition_coefficients({4, "suzuki"})),
              n);
  expect_none("minimising-newmark", MinimisingNewmarkStepper<System>(ring<Space>(n), MinimisingNewmark{}), n);
  expect_none("two-step", TwoStepStepper<System>(ring<Space>(n), Nodes::symmetric(0.25)), n);
  using Midpoint = VariationalStepper<Ld>;
  expect_none("midpoint, order 4",
              ComposedStepper<Midpoint>(Midpoint(Ld(ring<Space>(n), Nodes::one(0.5))), composition_coefficients({4, "suzuki"})),
              n);
}

}  // namespace

TEST(Allocations, are_counted) {
  const long before = allocations();
  const Eigen::VectorXd x(100);
  const auto y = std::make_unique<double>(x.size());
  EXPECT_EQ(allocations() - before, 2);
}

TEST(Allocations, none_in_a_step_of_two_to_four_coordinates) {
  expect_none_in_every_stepper<algebra::DenseSpace<2>>(2);
  expect_none_in_every_stepper<algebra::DenseSpace<3>>(3);
  expect_none_in_every_stepper<algebra::DenseSpace<4>>(4);
}

TEST(Allocations, none_in_a_step_on_a_dense_space) {
  expect_none_in_every_stepper<algebra::DenseSpace<6>>(6);
  expect_none_in_every_stepper<algebra::DenseSpace<Eigen::Dynamic>>(3);
  expect_none_in_every_stepper<algebra::DenseSpace<Eigen::Dynamic>>(40);
}

TEST(Allocations, none_in_a_step_on_a_sparse_space) { expect_none_in_every_stepper<algebra::SparseSpace>(200); }

// Problem files: a separable system of 2, one of 6 with several terms, a Lagrangian.
TEST(Allocations, none_in_a_batch_of_steps_of_a_problem_file) {
  using Space = BuildOptions::Space;
  const Choice choices[] = {Newmark{},
                            Verlet{},
                            SymplecticEuler{},
                            Variational{0.25, true},
                            Variational{0.25, false},
                            Midpoint{},
                            RungeKutta4{},
                            McLachlanAtela{},
                            CvodeAdams{},
                            GeneralizedAlpha{},
                            Hht{},
                            Wbz{},
                            Wilson{},
                            CentralDifference{},
                            MinimisingNewmark{},
                            MinimisingNewmark{0, 0.5, 0.5},
                            TwoStep{},
                            Newmark{0.25, 0.5, 1},
                            ZhangSkeel{},
                            ZhangSkeelSimplified{},
                            ZhangSkeelStiff{},
                            PushForwardNewmark{}};
  for (const char* file :
       {"examples/oscillator.toml", "examples/damped-oscillator.toml", "examples/fpu.toml", "examples/pendulum.toml"}) {
    const io::Problem problem = io::load(file);
    for (const Choice& choice : choices) {
      const Spec spec{choice, false, {}};
      if (!misfit(problem.model, spec).empty()) continue;
      for (const Space space : {Space::fixed, Space::dense, Space::sparse}) {
        for (const char* compiler : {"", "none"}) {
          const auto integrator = make_integrator(problem.model, spec, {{compiler, {}}, space});
          integrator->start(0, problem.q0, problem.v0);
          ASSERT_TRUE(integrator->advance(5, problem.schedule.step[0]).ok);
          const long before = allocations();
          const bool ok = integrator->advance(20, problem.schedule.step[0]).ok;
          const long made = allocations() - before;
          EXPECT_TRUE(ok);
          EXPECT_EQ(made, 0) << file << ", " << spec.description().name << ", space " << static_cast<int>(space)
                             << (*compiler ? ", interpreted" : "");
        }
      }
    }
  }
}

}  // namespace actio::method
