#include "constrained.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "steps.hpp"

// What every method that keeps constraints must do on every system that has some.
namespace actio::laws {
using Eigen::MatrixXd;
using Eigen::VectorXd;
using method::Integrator;

namespace {

struct ConstrainedCase {
  const ConstrainedSystem* system;
  method::Spec spec;
  friend std::ostream& operator<<(std::ostream& out, const ConstrainedCase& c) {
    return out << c.spec.name() << " on " << c.system->name;
  }
};
std::vector<ConstrainedCase> constrained_cases() {
  std::vector<ConstrainedCase> all;
  for (const ConstrainedSystem* system : constrained_systems())
    for (const method::Spec& spec : constrained_methods())
      if (method::why_incompatible(system->problem.model, spec).empty()) all.push_back({system, spec});
  return all;
}
std::string constrained_name(const ConstrainedCase& c) {
  std::string name = c.system->name + "_" + c.spec.name();
  if (const auto* m = std::get_if<method::Variational>(&c.spec.choice))
    name += (m->symmetric_sum ? "_sum" : "_one") + std::to_string(static_cast<int>(10 * m->alpha));
  std::replace_if(
      name.begin(), name.end(), [](unsigned char x) { return !std::isalnum(x); }, '_');
  return name;
}

class Constrained : public testing::TestWithParam<ConstrainedCase> {
 protected:
  const ConstrainedSystem& system() const { return *GetParam().system; }
  const method::Spec& spec() const { return GetParam().spec; }
  bool symmetric() const { return spec().symmetric(); }
  std::unique_ptr<Integrator> make() const {
    auto integrator = method::make_integrator(system().problem.model, spec());
    integrator->start(0, system().problem.q0, system().problem.v0);
    return integrator;
  }
};

// Newton's last increment is below 1e-16 of w = (q1 - q0)/h, and rounding is some eps of the largest term of g.
TEST_P(Constrained, keeps_g_and_its_rate_at_round_off) {
  const auto integrator = make();
  method::Snapshot s;
  double worst_g = 0, worst_rate = 0, speed = 1;
  for (int k = 0; k < (ACTIO_TEST_SHORT ? 50 : 1000); ++k) {
    ASSERT_TRUE(integrator->advance(1, 0.02).ok);
    integrator->snapshot(s);
    worst_g = std::max(worst_g, system().g(s.t, s.q).norm());
    speed = std::max(speed, s.v.norm());
    worst_rate = std::max(worst_rate, (system().G(s.t, s.q) * s.v + system().g_t(s.t)).norm());
  }
  EXPECT_LT(worst_g, 1e-14 * (1 + s.q.squaredNorm()));
  if (spec().keeps() == method::Keeps::energy) {
    EXPECT_LT(worst_rate, 0.02 * 0.02 * 10 * speed * speed * speed);  // v1 = 2 w - v0 is tangent to h^2
  } else {
    EXPECT_LT(worst_rate, 1e-14 * (1 + s.q.norm()) * speed);
  }
}

TEST_P(Constrained, has_the_stated_order) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of the other laws";
  auto reference = method::make_integrator(system().problem.model, {method::Midpoint{}, true, {8, "kahan-li"}});
  reference->start(0, system().problem.q0, system().problem.v0);
  ASSERT_TRUE(reference->advance(256, 1.0 / 256).ok);
  const VectorXd truth = state(*reference), start = state(*make());
  const auto integrator = make();
  std::vector<double> orders;
  double last = 0;
  for (int k = 2; k <= (spec().order() == 1 ? 12 : 9); ++k) {
    const long steps = 1L << k;
    const double error = (flow(*integrator, start, 1.0 / static_cast<double>(steps), steps) - truth).norm();
    if (error < 2e-12) break;
    if (last > 0 && last < 0.1) orders.push_back(std::log2(last / error));
    last = error;
  }
  ASSERT_GE(orders.size(), 1U);
  EXPECT_NEAR(orders.back(), spec().order(), 0.2) << "orders: " << testing::PrintToString(orders);
}

// A step and its inverse. Round-off passes through as many steps as a composition has.
TEST_P(Constrained, runs_backwards_when_symmetric) {
  if (!system().conservative) return;
  const auto integrator = make();
  const VectorXd z = state(*integrator);
  const double back = (flow(*integrator, flow(*integrator, z, 0.1), -0.1) - z).norm();
  if (symmetric()) {
    EXPECT_LT(back, 2e-13 * (1 + z.norm()));
  } else {
    EXPECT_GT(back, 1e-6);
  }
}

// (q, v) -> the nearest state on the constraints, as (q, p)
VectorXd on_constraints(Integrator& integrator, const ConstrainedSystem& system, const VectorXd& z) {
  const long n = integrator.size();
  VectorXd q = z.head(n), v = z.tail(n);
  for (int k = 0; k < 30; ++k) {
    const MatrixXd G = system.G(0, q);
    q -= G.transpose() * (G * G.transpose()).ldlt().solve(system.g(0, q));
  }
  const MatrixXd G = system.G(0, q);
  for (int k = 0; k < 2; ++k) v -= G.transpose() * (G * G.transpose()).ldlt().solve(G * v + system.g_t(0));
  integrator.start(0, q, v);
  return state(integrator);
}

// With pi the projection and F the step: (D(F pi))' J D(F pi) = (D pi)' J D pi. Derivatives by differences of eighth order.
TEST_P(Constrained, is_symplectic_on_the_constraints_when_it_says_so) {
  if (std::string(system().name).ends_with("wind")) return;  // friction
  const auto integrator = make();
  const long n = integrator->size();
  VectorXd z(2 * n);
  z << system().problem.q0, system().problem.v0;
  MatrixXd J = MatrixXd::Zero(2 * n, 2 * n);
  J.topRightCorner(n, n).setIdentity();
  J.bottomLeftCorner(n, n) = -MatrixXd::Identity(n, n);
  const MatrixXd A = differences([&](const VectorXd& at) { return on_constraints(*integrator, system(), at); }, z);
  const MatrixXd B =
      differences([&](const VectorXd& at) { return flow(*integrator, on_constraints(*integrator, system(), at), 0.1); }, z);
  EXPECT_GT((A.transpose() * J * A).norm(), 0.5);
  EXPECT_GT((B - A).norm(), 1e-2);
  const double defect = (B.transpose() * J * B - A.transpose() * J * A).norm();
  if (spec().keeps() == method::Keeps::energy) {
    EXPECT_GT(defect, 1e-6);
  } else {
    EXPECT_LT(defect, 1e-9);
  }
}

TEST_P(Constrained, walks_the_same_path_on_every_space) {
  using Space = method::BuildOptions::Space;
  VectorXd first;
  for (const Space space : {Space::fixed, Space::dense, Space::sparse})
    for (const char* compiler : {"", "none"}) {
      const auto integrator = method::make_integrator(system().problem.model, spec(), {{compiler, ""}, space});
      integrator->start(0, system().problem.q0, system().problem.v0);
      ASSERT_TRUE(integrator->advance(100, 0.02).ok);
      const VectorXd z = state(*integrator);
      if (first.size() == 0) first = z;
      EXPECT_LT((z - first).norm(), 1e-12 * (1 + first.norm())) << static_cast<int>(space) << compiler;
    }
}

INSTANTIATE_TEST_SUITE_P(every, Constrained, testing::ValuesIn(constrained_cases()),
                         [](const auto& which) { return constrained_name(which.param); });

class SphericalPendulum : public testing::TestWithParam<method::Spec> {};
TEST_P(SphericalPendulum, keeps_angular_momentum_about_the_vertical) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its steps are those of the other laws";
  const ConstrainedSystem& system = spherical_pendulum();
  const auto integrator = method::make_integrator(system.problem.model, GetParam());
  integrator->start(0, system.problem.q0, system.problem.v0);
  method::Snapshot s;
  integrator->snapshot(s);
  const double before = s.q[0] * s.p[1] - s.q[1] * s.p[0];
  const double energy = integrator->energy();
  double worst = 0, first = 0, last = 0;
  for (int k = 0; k < 10000; ++k) {
    ASSERT_TRUE(integrator->advance(1, 0.05).ok);
    integrator->snapshot(s);
    worst = std::max(worst, std::abs(s.q[0] * s.p[1] - s.q[1] * s.p[0] - before));
    const double error = std::abs(integrator->energy() - energy);
    if (k < 2000) first = std::max(first, error);
    if (k >= 8000) last = std::max(last, error);
  }
  EXPECT_LT(worst, 2e-12);
  EXPECT_LT(last, 1.5 * first + 1e-11);  // energy is bounded
  if (GetParam().keeps() == method::Keeps::energy) { EXPECT_LT(std::max(first, last), 1e-11); }
}
INSTANTIATE_TEST_SUITE_P(every, SphericalPendulum, testing::ValuesIn(constrained_methods()));

}  // namespace
}  // namespace actio::laws
