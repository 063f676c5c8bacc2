#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <ostream>

#include "bodies.hpp"
#include "steps.hpp"
#include "systems.hpp"

// What every method must do on every system it fits.
namespace actio::laws {
using Eigen::MatrixXd;
using Eigen::VectorXd;
using method::Integrator;
using method::Keeps;

namespace {

class Law : public testing::TestWithParam<Case> {
 protected:
  const io::Problem& problem() const { return GetParam().system->problem; }
  const method::Spec& spec() const { return GetParam().spec; }
  long n() const { return problem().model.size(); }
  std::unique_ptr<Integrator> make() const {
    auto integrator = method::make_integrator(problem().model, spec());
    integrator->start(0, problem().q0, problem().v0);
    return integrator;
  }
  void check_order() const;
};

VectorXd exact(const System& system, double end) {
  const method::AnyMethod base = system.separable ? method::AnyMethod(method::Verlet{}) : method::AnyMethod(method::Midpoint{});
  auto integrator = method::make_integrator(system.problem.model, {base, true, {8, "kahan-li"}});
  integrator->start(0, system.problem.q0, system.problem.v0);
  EXPECT_TRUE(integrator->advance(256, end / 256).ok);
  return state(*integrator);
}

// Global error at t = 1 under halving of h, from the first step size at which it is below 0.1 down to the plateau of rounding,
// which is dropped. The last observed order must be the stated one, not less and not more.
// aba leaves its asymptotic range on planets below rounding too, and is measured on oscillators. Order 8 leaves its asymptotic
// range only below rounding: it is measured with 50 digits in tests/method/composition.cpp.
void Law::check_order() const {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of the other laws";
  const VectorXd truth = exact(*GetParam().system, 1.0);
  const auto integrator = make();
  const VectorXd start = state(*integrator);
  std::vector<double> orders;
  double last = 0;
  const int finest = spec().order() == 1 ? 12 : 9;
  for (int k = 0; k <= finest; ++k) {
    const long steps = 1L << k;
    const double error = (flow(*integrator, start, 1.0 / static_cast<double>(steps), steps) - truth).norm();
    if (error < 2e-12) break;
    if (last > 0 && last < 0.1) orders.push_back(std::log2(last / error));
    last = error;
  }
  ASSERT_GE(orders.size(), 1U);
  EXPECT_NEAR(orders.back(), spec().order(), 0.2) << "orders: " << testing::PrintToString(orders);
}

bool measurable_order(const Case& c) {
  const bool above_rounding = !std::holds_alternative<method::Aba>(c.spec.choice) || c.system != &split_planets();
  return c.spec.order() < 8 && above_rounding;
}

class OrderLaw : public Law {};
TEST_P(OrderLaw, has_the_stated_order) { check_order(); }
INSTANTIATE_TEST_SUITE_P(every, OrderLaw, testing::ValuesIn(only(cases(systems()), measurable_order)),
                         [](const auto& which) { return case_name(which.param); });

class DrivenLaw : public Law {};
TEST_P(DrivenLaw, has_the_stated_order) { check_order(); }
INSTANTIATE_TEST_SUITE_P(every, DrivenLaw,
                         testing::ValuesIn(only(cases({&driven(), &driven_pendulum(), &split_driven()}), measurable_order)),
                         [](const auto& which) { return case_name(which.param); });

// The Jacobian of a step in the coordinates the method claims.
MatrixXd jacobian(Integrator& integrator, const VectorXd& z, double h, bool own) {
  const long n = integrator.size();
  const auto own_of = [&](const VectorXd& at) {
    if (!own) return at;
    integrator.start_momentum(0, at.head(n), at.tail(n));
    VectorXd x, p, both(2 * n);
    integrator.conjugate_coordinates(h, x, p);
    both << x, p;
    return both;
  };
  const auto step = [&](const VectorXd& at) {
    integrator.start_momentum(0, at.head(n), at.tail(n));
    EXPECT_TRUE(integrator.advance(1, h).ok);
    VectorXd x, p, both(2 * n);
    if (own) {
      integrator.conjugate_coordinates(h, x, p);
    } else {
      method::Snapshot s;
      integrator.snapshot(s);
      x = s.q;
      p = s.p;
    }
    both << x, p;
    return both;
  };
  const MatrixXd after = differences(step, z);
  if (!own) return after;
  return after * differences(own_of, z).inverse();  // d(x1, p1)/d(x0, p0)
}

MatrixXd symplectic_form(long n) {
  MatrixXd J = MatrixXd::Zero(2 * n, 2 * n);
  J.topRightCorner(n, n).setIdentity();
  J.bottomLeftCorner(n, n) = -MatrixXd::Identity(n, n);
  return J;
}

TEST_P(Law, is_symplectic_exactly_when_it_says_so) {
  const auto integrator = make();
  const VectorXd z = state(*integrator);
  const MatrixXd omega = symplectic_form(n());
  const double h = 0.2;
  const auto defect = [&](bool own) {
    const MatrixXd J = jacobian(*integrator, z, h, own);
    return (J.transpose() * omega * J - omega).norm();
  };
  const double canonical = defect(false);
  switch (spec().keeps()) {
    case Keeps::canonical:
      EXPECT_LT(canonical, 1e-9);
      break;
    case Keeps::conjugate_form:
      EXPECT_LT(defect(true), 1e-9);
      EXPECT_GT(canonical, 1e-6);
      break;
    case Keeps::energy:
      EXPECT_GT(canonical, 1e-7);
      break;
    case Keeps::nothing:
      // A central force stays central, so its Jacobian is symmetric (TO Theorem 2.1).
      if (std::holds_alternative<method::ZhangSkeelSimplified>(spec().choice) && GetParam().system == &oscillator()) {
        EXPECT_LT(canonical, 1e-9);
      } else {
        EXPECT_GT(canonical, 1e-7);
      }
      break;
  }
}

TEST_P(Law, runs_backwards_when_symmetric) {
  const bool symmetric = spec().symmetric();
  const auto integrator = make();
  const VectorXd z = state(*integrator);
  const double back = (flow(*integrator, flow(*integrator, z, 0.2), -0.2) - z).norm();
  if (symmetric) {
    EXPECT_LT(back, 1e-13 * (1 + z.norm()));
  } else {
    EXPECT_GT(back, spec().traits().needs_split ? 1e-10 : 1e-6);  // of a corrector, of the square of what is not solved exactly
  }
}

bool gains_energy(const method::Spec& spec) {
  const auto* newmark = std::get_if<method::Newmark>(&spec.choice);
  return newmark && newmark->gamma < 0.5;
}

// J = p . xi(q) for the systems' affine generators, over 2000 steps.
class MomentumLaw : public Law {};
TEST_P(MomentumLaw, keeps_momentum_when_it_says_so) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of the other laws";
  const bool rotation = n() == 2;
  const auto momentum = [&](const VectorXd& x, const VectorXd& p) { return rotation ? x[0] * p[1] - x[1] * p[0] : p.sum(); };
  const auto integrator = make();
  const double h = 0.1;
  VectorXd x, p;
  method::Snapshot s;
  integrator->snapshot(s);
  const double before = momentum(s.q, s.p);
  integrator->conjugate_coordinates(h, x, p);
  const double own_before = momentum(x, p);
  double worst = 0, own_worst = 0;
  for (int k = 0; k < 2000; ++k) {
    ASSERT_TRUE(integrator->advance(1, h).ok);
    integrator->snapshot(s);
    worst = std::max(worst, std::abs(momentum(s.q, s.p) - before));
    integrator->conjugate_coordinates(h, x, p);
    own_worst = std::max(own_worst, std::abs(momentum(x, p) - own_before));
  }
  if (spec().keeps() == Keeps::canonical) { EXPECT_LT(worst, 2e-12); }
  if (spec().keeps() == Keeps::conjugate_form) { EXPECT_LT(own_worst, 2e-12); }
  if (spec().keeps() == Keeps::conjugate_form && rotation) {  // KMOW Theorem 3.6: not the true one, but bounded
    EXPECT_GT(worst, 1e-6);
  }
  if (const auto* m = std::get_if<method::EnergyMomentum>(&spec().choice)) {
    if (m->equivariant)
      EXPECT_LT(worst, 2e-12);
    else
      EXPECT_GT(worst, 1e-6);
  }
  if (std::holds_alternative<method::RungeKutta4>(spec().choice) && rotation) { EXPECT_GT(worst, 1e-6); }
}

// Symplectic methods: the error of the energy in the last fifth of a long run is not larger than in the first. Runge-Kutta: it
// is. Energy-momentum: there is none but rounding, 64 eps of each of 4e4 steps, which add up as a square root.
class EnergyLaw : public Law {};
TEST_P(EnergyLaw, keeps_energy_bounded_when_it_says_so) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of the other laws";
  const auto integrator = make();
  const double before = integrator->energy();
  const double h = 0.05;
  double first = 0, last = 0;
  constexpr int fifth = 8000;
  for (int k = 0; k < 5 * fifth; ++k) {
    ASSERT_TRUE(integrator->advance(1, h).ok);
    const double error = std::abs(integrator->energy() - before);
    if (k < fifth) first = std::max(first, error);
    if (k >= 4 * fifth) last = std::max(last, error);
  }
  if (spec().keeps() != Keeps::nothing) {
    EXPECT_LT(last, 1.5 * first + 1e-11);
    if (spec().keeps() == Keeps::energy) { EXPECT_LT(std::max(first, last), 3e-12 * (1 + std::abs(before))); }
  } else if (std::holds_alternative<method::RungeKutta4>(spec().choice)) {
    EXPECT_GT(last, 2 * first);
  }
}

TEST_P(Law, walks_the_same_path_on_every_space) {
  using Space = method::BuildOptions::Space;
  VectorXd reference;
  for (const Space space : {Space::fixed, Space::dense, Space::sparse})
    for (const char* compiler : {"", "none"}) {
      const auto integrator = method::make_integrator(problem().model, spec(), {{compiler, ""}, space});
      integrator->start(0, problem().q0, problem().v0);
      ASSERT_TRUE(integrator->advance(100, 0.05).ok);
      const VectorXd z = state(*integrator);
      if (reference.size() == 0) reference = z;
      EXPECT_LT((z - reference).norm(), 1e-12 * (1 + reference.norm())) << static_cast<int>(space) << compiler;
    }
}

// Newmark with gamma < 1/2 blows up: tests/method/newmark.cpp.
INSTANTIATE_TEST_SUITE_P(every, MomentumLaw,
                         testing::ValuesIn(only(cases(systems()),
                                                [](const Case& c) {
                                                  return !c.system->problem.model.symmetries.empty() && !gains_energy(c.spec);
                                                })),
                         [](const auto& which) { return case_name(which.param); });
// Compositions' errors are at the level of rounding.
INSTANTIATE_TEST_SUITE_P(every, EnergyLaw,
                         testing::ValuesIn(only(cases(systems()),
                                                [](const Case& c) { return !c.spec.composed && !gains_energy(c.spec); })),
                         [](const auto& which) { return case_name(which.param); });
INSTANTIATE_TEST_SUITE_P(every, Law, testing::ValuesIn(cases(systems())),
                         [](const auto& which) { return case_name(which.param); });

// Every field changes the trajectory.
TEST(Fields, each_matters) {
  const auto run = [&](const method::Spec& spec) {
    const bool rubs = std::holds_alternative<method::MinimisingNewmark>(spec.choice);  // sigma is where friction is taken
    const bool turns = std::holds_alternative<method::EnergyMomentum>(spec.choice);    // its field is about symmetries
    const bool splits = spec.traits().needs_split;
    const BodySystem top = asymmetric_top();
    const auto& problem = std::holds_alternative<method::LieGroup>(spec.choice) ? top.problem
                          : rubs                                                ? full_mass_with_friction().problem
                          : splits                                              ? split_oscillator().problem
                          : turns                                               ? oscillator().problem
                                                                                : full_mass().problem;
    system::Model model = problem.model;
    model.terms[0].stiff = true;
    const auto integrator = method::make_integrator(model, spec);
    integrator->start(0, problem.q0, problem.v0);
    EXPECT_TRUE(integrator->advance(20, splits ? 0.8 : 0.1).ok);  // coefficients of high orders matter where steps are long
    method::Snapshot s;
    integrator->snapshot(s);
    return s.q;
  };
  method::for_each_method([&]<class M>(std::type_identity<M>) {
    core::for_each_field<M>([&](const auto& field) {
      M changed{};
      if constexpr (requires { changed.symmetric_sum; }) changed.alpha = 0.3;  // at 1/2 both sums are the same
      const M base = changed;
      auto& value = changed.*field.member;
      using T = std::remove_reference_t<decltype(value)>;
      if constexpr (std::is_same_v<T, double>) value = value == 0.5 ? 0.7 : value * (M::traits.chooses_steps ? 1e4 : 0.5);
      if constexpr (std::is_same_v<T, int>) value = value == field.least ? value + 1 : field.most;
      if constexpr (std::is_same_v<T, bool>) value = !value;
      if constexpr (std::is_same_v<T, std::string>) value = std::string(field.choices[value == field.choices[1] ? 0 : 1]);
      EXPECT_GT((run({changed, false, {}}) - run({base, false, {}})).norm(), 1e-11) << M::description.name << " " << field.name;
    });
  });
}

}  // namespace
}  // namespace actio::laws
