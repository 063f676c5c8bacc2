#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/discrete/acceleration.hpp>
#include <actio/discrete/representations.hpp>
#include <actio/method/variational.hpp>
#include <actio/system/assembled.hpp>

#include "laws/systems.hpp"

namespace actio::discrete {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Space = algebra::DenseSpace<Eigen::Dynamic>;
using System = system::Assembled<Space>;
using Ld = Quadrature<System>;

struct Case {
  const laws::System* system;
  Nodes nodes;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const laws::System* system : laws::systems())
    for (const Nodes nodes :
         {Nodes::one(0), Nodes::one(0.3), Nodes::one(0.5), Nodes::one(1), Nodes::symmetric(0), Nodes::symmetric(0.2)})
      all.push_back({system, nodes});
  return all;
}

class DiscreteLagrangian : public testing::TestWithParam<Case> {
 protected:
  DiscreteLagrangian()
      : compiled_(system::compile(GetParam().system->problem.model)),
        ld_(System(compiled_, system::layout<Space>(*compiled_, true)), GetParam().nodes),
        maps_(ld_),
        q0_(GetParam().system->problem.q0),
        v0_(GetParam().system->problem.v0),
        q1_(q0_ + h_ * v0_ + 0.01 * VectorXd::LinSpaced(q0_.size(), -1, 2)) {}
  double value(const VectorXd& q0, const VectorXd& q1, double h) { return ld_.value(t_, h, q0, (q1 - q0) / h); }
  // Fourth-order difference of f along each axis
  template <class F>
  static VectorXd gradient(F&& f, const VectorXd& x, double width = 1e-2) {
    VectorXd g(x.size());
    for (long i = 0; i < x.size(); ++i) {
      const VectorXd e = VectorXd::Unit(x.size(), i) * width;
      g[i] = (8 * (f(x + e) - f(x - e)) - (f(x + 2 * e) - f(x - 2 * e))) / (12 * width);
    }
    return g;
  }

  const double t_ = 0.7, h_ = 0.2;
  std::shared_ptr<const system::CompiledModel> compiled_;
  Ld ld_;
  Representations<Ld> maps_;
  VectorXd q0_, v0_, q1_;
};

TEST_P(DiscreteLagrangian, slot_derivatives_are_its_derivatives) {
  VectorXd p0(q0_), p1(q0_);
  maps_.momentum_before(t_, h_, q0_, q1_, p0);
  maps_.momentum_after(t_, h_, q0_, q1_, p1);
  EXPECT_LT((p0 + gradient([&](const VectorXd& x) { return value(x, q1_, h_); }, q0_)).norm(), 2e-5);
  EXPECT_LT((p1 - gradient([&](const VectorXd& x) { return value(q0_, x, h_); }, q1_)).norm(), 2e-5);
}

TEST_P(DiscreteLagrangian, symplectic_form_is_its_mixed_derivative) {
  MatrixXd K = MatrixXd::Zero(q0_.size(), q0_.size());
  maps_.symplectic_form(t_, h_, q0_, q1_, K);
  VectorXd p0(q0_);
  for (long i = 0; i < q0_.size(); ++i) {
    const VectorXd row = gradient(
        [&](const VectorXd& x) {
          maps_.momentum_before(t_, h_, q0_, x, p0);
          return -p0[i];
        },
        q1_);
    EXPECT_LT((row - K.row(i).transpose()).norm(), 1e-5 * K.norm());
  }
}

TEST_P(DiscreteLagrangian, energy_is_minus_its_derivative_by_the_step) {
  const double width = 1e-3;
  const double difference = (8 * (value(q0_, q1_, h_ + width) - value(q0_, q1_, h_ - width)) -
                             (value(q0_, q1_, h_ + 2 * width) - value(q0_, q1_, h_ - 2 * width))) /
                            (12 * width);
  EXPECT_NEAR(maps_.energy(t_, h_, q0_, q1_), -difference, 1e-6);
}

TEST_P(DiscreteLagrangian, pairs_momenta_and_velocities_walk_the_same_path) {
  method::VariationalStepper<Ld> stepper(ld_);
  discrete::Acceleration<System> legendre(System(compiled_, system::layout<Space>(*compiled_, true)));
  VectorXd p0(q0_), v(q0_), p(q0_);
  legendre.momentum(0, q0_, v0_, p0);
  legendre.velocity(0, q0_, p0, v);
  EXPECT_LT((v - v0_).norm(), 1e-13);  // TQ -> T*Q -> TQ

  auto state = stepper.start(0, q0_, p0);
  VectorXd before = q0_, now = q0_ + h_ * v0_, next(q0_);
  maps_.position_after(0, h_, q0_, p0, now);
  maps_.momentum_before(0, h_, q0_, now, p);
  EXPECT_LT((p - p0).norm(), 1e-13);  // T*Q -> Q x Q -> T*Q
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(stepper.step(state, h_).converged);
    maps_.momentum_after(k * h_, h_, before, now, p);
    ASSERT_LT((state.q - now).norm() + (state.p - p).norm(), 1e-11) << k;
    maps_.next(k * h_, h_, before, now, next);
    before = now;
    now = next;
  }
}

// Phi* Omega = Omega, with Phi's Jacobian by differences of fourth order
TEST_P(DiscreteLagrangian, flow_of_pairs_keeps_the_discrete_symplectic_form) {
  const long n = q0_.size();
  const auto form = [&](const VectorXd& a, const VectorXd& b, double t) {
    MatrixXd K = MatrixXd::Zero(n, n), omega = MatrixXd::Zero(2 * n, 2 * n);
    maps_.symplectic_form(t, h_, a, b, K);
    omega.topRightCorner(n, n) = K;
    omega.bottomLeftCorner(n, n) = -K.transpose();
    return omega;
  };
  const auto phi = [&](const VectorXd& z) {
    VectorXd q2(n), out(2 * n);
    maps_.next(t_, h_, z.head(n), z.tail(n), q2);
    out << z.tail(n), q2;
    return out;
  };
  VectorXd z(2 * n);
  z << q0_, q1_;
  MatrixXd J(2 * n, 2 * n);
  for (long i = 0; i < 2 * n; ++i) J.row(i) = gradient([&](const VectorXd& x) { return phi(x)[i]; }, z, 1e-3).transpose();
  const VectorXd after = phi(z);
  const MatrixXd omega = form(q0_, q1_, t_), pulled = J.transpose() * form(after.head(n), after.tail(n), t_ + h_) * J;
  EXPECT_LT((pulled - omega).norm(), 1e-7 * omega.norm());
}

class DiscreteNoether : public DiscreteLagrangian {};
TEST_P(DiscreteNoether, momentum_map_is_constant_along_the_flow_of_pairs) {
  const auto xi = [&](const VectorXd& q) -> VectorXd {
    if (q.size() > 2) return VectorXd::Ones(q.size());
    VectorXd x(2);
    x << -q[1], q[0];
    return x;
  };
  VectorXd before = q0_, now = q1_, next(q0_);
  const double J = maps_.momentum_map(0, h_, before, now, xi(now));
  for (int k = 0; k < 200; ++k) {
    maps_.next(0, h_, before, now, next);
    before = now;
    now = next;
    ASSERT_NEAR(maps_.momentum_map(0, h_, before, now, xi(now)), J, 1e-12);
  }
}

std::string name(const Case& c) {
  return c.system->name + (c.nodes.count == 1 ? "_one_" : "_symmetric_") + std::to_string(static_cast<int>(10 * c.nodes.c[0]));
}
std::vector<Case> symmetric_cases() {
  std::vector<Case> all = cases();
  std::erase_if(all, [](const Case& c) { return c.system->problem.model.symmetries.empty(); });
  return all;
}
INSTANTIATE_TEST_SUITE_P(every, DiscreteNoether, testing::ValuesIn(symmetric_cases()),
                         [](const auto& which) { return name(which.param); });
INSTANTIATE_TEST_SUITE_P(every, DiscreteLagrangian, testing::ValuesIn(cases()),
                         [](const auto& which) { return name(which.param); });

}  // namespace
}  // namespace actio::discrete
