#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/discrete/rotation.hpp>
#include <actio/method/integrator.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <laws/bodies.hpp>
#include <method/count_allocations.hpp>

// Lie-group methods against motions that are known, and against other ways to write a rotation.
namespace actio::method {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;
using laws::angular_momentum, laws::body_momentum, laws::body_problem;

Matrix3d hat(const Vector3d& x) {
  Matrix3d X;
  X << 0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0;
  return X;
}
void put(VectorXd& x, long at, const Matrix3d& A) {
  for (long i = 0; i < 3; ++i) x.segment<3>(at + 3 * i) = A.row(i);
}
Spec lie(const std::string& retraction, const std::string& rule, double alpha = 0.5) {
  return {LieGroup{retraction, rule, alpha}, false, {}};
}
std::unique_ptr<Integrator> started(const io::Problem& problem, const Spec& spec, const BuildOptions& options = {}) {
  auto integrator = make_integrator(problem.model, spec, options);
  integrator->start(0, problem.q0, problem.v0);
  return integrator;
}
Snapshot now(const Integrator& integrator) {
  Snapshot s;
  integrator.snapshot(s);
  return s;
}
Matrix3d rotation_after(const io::Problem& problem, const Spec& spec, double h, long steps) {
  const auto integrator = started(problem, spec);
  EXPECT_TRUE(integrator->advance(steps, h).ok);
  return system::rotation_of(problem.model.bodies[0], now(*integrator).q);
}

// Hairer, Lubich and Wanner VII.5: I = (2, 1, 2/3), which no distribution of mass has, y = I Omega from (cos 1.1, 0, sin 1.1).
TEST(LieGroup, turns_a_free_body_of_any_inertia_as_published) {
  const io::Problem problem = body_problem(R"toml([system]
bodies = [{ name = "body", inertia = [2, 1, "2/3"] }]
[initial.bodies.body]
angular_velocity = ["cos(1.1)/2", 0, "1.5*sin(1.1)"]
)toml");
  const Vector3d truth(0.407066136588041, 0.283007426812844, 0.868449167661562);
  const auto& body = problem.model.bodies[0];
  for (const char* tau : {"exponential", "cayley"}) {
    Spec composed = lie(tau, "endpoint");
    composed.composed = true;
    composed.composition = {8, "kahan-li"};
    auto integrator = started(problem, composed);
    ASSERT_TRUE(integrator->advance(400, 0.025).ok);
    Snapshot s = now(*integrator);
    EXPECT_LT((body_momentum(body, s.q, s.p) - truth).norm(), 1e-13);
    // energy 1/2 Omega . I Omega from v and p, although the entries of R have no positive mass
    EXPECT_NEAR(integrator->energy(), 0.25 * std::pow(std::cos(1.1), 2) + 0.75 * std::pow(std::sin(1.1), 2), 1e-13);

    double last = 0;
    for (const long steps : {100, 200, 400}) {
      integrator = started(problem, lie(tau, "endpoint"));
      const Vector3d before = angular_momentum(problem.model, problem.q0, now(*integrator).p);
      ASSERT_TRUE(integrator->advance(steps, 10.0 / static_cast<double>(steps)).ok);
      s = now(*integrator);
      EXPECT_LT((angular_momentum(problem.model, s.q, s.p) - before).norm(), 1e-14 * std::sqrt(static_cast<double>(steps)));
      const double error = (body_momentum(body, s.q, s.p) - truth).norm();
      if (last > 0) { EXPECT_NEAR(std::log2(last / error), 2, 0.1); }
      last = error;
    }
  }
  EXPECT_NE(why_incompatible(problem.model, {Rattle{}, false, {}}), "");
}

// An isotropic free body turns about an axis that stays: exp is exact whatever the step, and cay turns by 2 atan(h |W|/2) a step.
TEST(LieGroup, turns_a_free_sphere_exactly_by_exponentials) {
  const io::Problem problem = body_problem(R"toml([system]
bodies = [{ name = "ball", inertia = 0.4 }]
[initial.bodies.ball]
angular_velocity = [0.6, -1.2, 0.4]
)toml");
  const Vector3d omega(0.6, -1.2, 0.4);
  const double h = 0.7, speed = omega.norm();
  const auto turned = [&](double angle) { return Eigen::AngleAxisd(angle, omega / speed).toRotationMatrix(); };
  EXPECT_LT((rotation_after(problem, lie("exponential", "endpoint"), h, 10) - turned(10 * h * speed)).norm(), 1e-14);
  // (1 + h^2 W^2/4) W = W0 (34)
  double W = speed;
  for (int k = 0; k < 50; ++k) W -= (W + h * h * W * W * W / 4 - speed) / (1 + 0.75 * h * h * W * W);
  EXPECT_LT((rotation_after(problem, lie("cayley", "endpoint"), h, 10) - turned(20 * std::atan(h * W / 2))).norm(), 1e-14);
}

// TO 4.5: V = B mu R33, inertia 1.
io::Problem magnetised() {
  return body_problem(R"toml([system]
parameters = { Bmu = 0.8 }
bodies = [{ name = "magnet", inertia = 1 }]
potential = "Bmu*magnet.R33"
[initial.bodies.magnet]
angular_velocity = [1, 0.2, 0.1]
)toml");
}

// W1 + h^2/4 |W1|^2 W1 = W0 + h^2/4 |W0|^2 W0 + h B mu (R0' e3) x e3,  R1 = R0 cay(h W1): TO (34) and (35), with p = (1 + h^2/4
// |W|^2) W. By fixed-point iteration.
TEST(LieGroup, is_the_variational_euler_of_tao_and_owhadi) {
  const io::Problem problem = magnetised();
  const auto integrator = started(problem, lie("cayley", "endpoint", 0));
  const double h = 0.1;
  Matrix3d R = Matrix3d::Identity();
  Vector3d W(1, 0.2, 0.1), p = W;
  for (int k = 0; k < 300; ++k) {
    p += h * 0.8 * Vector3d(R.transpose() * Vector3d::UnitZ()).cross(Vector3d::UnitZ());
    for (int j = 0; j < 60; ++j) W = p / (1 + h * h / 4 * W.squaredNorm());
    R = R * (Matrix3d::Identity() - h / 2 * hat(W)).inverse() * (Matrix3d::Identity() + h / 2 * hat(W));
    ASSERT_TRUE(integrator->advance(1, h).ok);
  }
  const Snapshot s = now(*integrator);
  EXPECT_LT((system::rotation_of(problem.model.bodies[0], s.q) - R).norm(), 2e-12);
  EXPECT_LT((body_momentum(problem.model.bodies[0], s.q, s.p) - p).norm(), 2e-12);
}

// The path of alpha = 0 is that of 1/2 from a momentum half a kick away: the first order is of the momentum alone.
TEST(LieGroup, of_any_alpha_goes_one_path) {
  const io::Problem problem = magnetised();
  const auto first = started(problem, lie("cayley", "endpoint", 0)), second = started(problem, lie("cayley", "endpoint"));
  Snapshot s = now(*second);
  // kick at R = 1: the torque e3 x e3 = 0, so turn first
  ASSERT_TRUE(second->advance(3, 0.1).ok);
  s = now(*second);
  const Matrix3d R = system::rotation_of(problem.model.bodies[0], s.q);
  const Vector3d kick = 0.05 * 0.8 * Vector3d(R.transpose() * Vector3d::UnitZ()).cross(Vector3d::UnitZ());
  VectorXd p = s.p;  // R hat(W) J with J = 1/2
  put(p, 0, R * (0.5 * hat(body_momentum(problem.model.bodies[0], s.q, s.p) - kick)));
  first->start_momentum(s.t, s.q, p);
  ASSERT_TRUE(first->advance(100, 0.1).ok);
  ASSERT_TRUE(second->advance(100, 0.1).ok);
  EXPECT_LT((now(*first).q - now(*second).q).norm(), 1e-13);
}

// About a fixed point: energy, momentum about the vertical, spin about the axis of symmetry.
TEST(LieGroup, keeps_the_three_integrals_of_a_heavy_symmetric_top) {
  const io::Problem problem = body_problem(R"toml([system]
bodies = [{ name = "top", inertia = [1, 1, 0.4] }]
potential = "2*top.R33"
[initial.bodies.top]
orientation = { axis = [1, 2, 0], angle = 0.6 }
angular_velocity = [0.3, -0.1, 6]
)toml");
  const auto& body = problem.model.bodies[0];
  constexpr int steps = ACTIO_TEST_SHORT ? 2000 : 20000;
  for (const char* tau : {"exponential", "cayley"})
    for (const char* rule : {"endpoint", "midpoint"}) {
      const auto integrator = started(problem, lie(tau, rule));
      Snapshot s = now(*integrator);
      const double vertical = angular_momentum(problem.model, s.q, s.p)[2], spin = body_momentum(body, s.q, s.p)[2],
                   energy = integrator->energy();
      double off_vertical = 0, off_spin = 0, early = 0, late = 0;
      for (int k = 0; k < steps; ++k) {
        ASSERT_TRUE(integrator->advance(1, 0.05).ok);
        s = now(*integrator);
        off_vertical = std::max(off_vertical, std::abs(angular_momentum(problem.model, s.q, s.p)[2] - vertical));
        off_spin = std::max(off_spin, std::abs(body_momentum(body, s.q, s.p)[2] - spin));
        double& most = k < steps / 2 ? early : late;
        most = std::max(most, std::abs(integrator->energy() - energy));
      }
      EXPECT_LT(off_vertical, 5e-13) << tau << " " << rule;
      EXPECT_LT(off_spin, 5e-13) << tau << " " << rule;
      EXPECT_LT(late, 1.05 * early) << tau << " " << rule;  // a regular motion
      EXPECT_LT(early, 0.03 * energy);
    }
}

// Nutation and precession of a top three ways: |Q| = 1 in unit quaternions (L = W'IW/2 + 2 (Q.Q')^2, W = 2 vec(conj(Q) Q'),
// the last term regular mass where it vanishes), R'R = 1 in matrices (Moser and Veselov's body is RATTLE's), on the group.
TEST(LieGroup, agrees_with_quaternions_and_matrices_at_second_order) {
  const io::Problem matrices = laws::asymmetric_top().problem;
  const std::string W1 = "(2*(a*b' - b*a' - c*d' + d*c'))", W2 = "(2*(a*c' - c*a' - d*b' + b*d'))",
                    W3 = "(2*(a*d' - d*a' - b*c' + c*b'))";
  const std::string R31 = "(2*(b*d - a*c))", R32 = "(2*(c*d + a*b))", R33 = "(a^2 - b^2 - c^2 + d^2)";
  const io::Problem quaternions = io::load_text(
      "[system]\ncoordinates = [\"a\", \"b\", \"c\", \"d\"]\nconstraints = [\"a^2 + b^2 + c^2 + d^2 - 1\"]\nlagrangian = "
      "\"0.5*(" +
          W1 + "^2 + 1.6*" + W2 + "^2 + 2.1*" + W3 + "^2) + 0.1*" + W1 + "*" + W2 + " - 0.05*" + W1 + "*" + W3 + " + 0.2*" + W2 +
          "*" + W3 + " + 2*(a*a' + b*b' + c*c' + d*d')^2 - 1.5*(0.3*" + R31 + " - 0.2*" + R32 + " + " + R33 + ") - 0.4*" + R33 +
          "^2\"\n[initial]\nposition = [1, 0, 0, 0]\n[method]\nname = \"midpoint\"\n[run]\nstep = 1\nsteps = 1\n",
      "quaternions.toml");
  const Eigen::Quaterniond Q(Eigen::AngleAxisd(0.7, Vector3d(2, -4, 1).normalized()));
  const Vector3d W(0.9, -0.4, 1.1);
  VectorXd q(4), v(4);
  q << Q.w(), Q.vec();
  v << -0.5 * Q.vec().dot(W), 0.5 * (Q.w() * W + Q.vec().cross(W));  // Q' = Q W/2

  const auto of_quaternions = [&](const Spec& spec, double h, long steps) {
    auto integrator = make_integrator(quaternions.model, spec);
    integrator->start(0, q, v);
    EXPECT_TRUE(integrator->advance(steps, h).ok);
    const VectorXd x = now(*integrator).q;
    return Matrix3d(Eigen::Quaterniond(x[0], x[1], x[2], x[3]).toRotationMatrix());
  };
  const Spec fine{Midpoint{}, true, {8, "kahan-li"}};
  const Matrix3d truth = of_quaternions(fine, 1.0 / 128, 256);
  EXPECT_LT((rotation_after(matrices, fine, 1.0 / 128, 256) - truth).norm(), 1e-12);
  Spec group = lie("exponential", "midpoint");
  group.composed = true;
  group.composition = {8, "kahan-li"};
  EXPECT_LT((rotation_after(matrices, group, 1.0 / 128, 256) - truth).norm(), 1e-12);

  std::vector<double> last;
  for (const long steps : {64, 128}) {
    const double h = 2.0 / static_cast<double>(steps);
    std::vector<double> errors;
    for (const AnyMethod& choice : std::initializer_list<AnyMethod>{Midpoint{}, Rattle{}})
      errors.push_back((of_quaternions({choice, false, {}}, h, steps) - truth).norm());
    for (const AnyMethod& choice :
         std::initializer_list<AnyMethod>{Rattle{}, Midpoint{}, LieGroup{}, LieGroup{"cayley", "endpoint", 0.5},
                                          LieGroup{"exponential", "midpoint", 0.5}, LieGroup{"cayley", "midpoint", 0.5}})
      errors.push_back((rotation_after(matrices, {choice, false, {}}, h, steps) - truth).norm());
    for (std::size_t k = 0; k < last.size(); ++k) EXPECT_NEAR(std::log2(last[k] / errors[k]), 2, 0.1) << k;
    last = errors;
  }
}

// Moser and Veselov's free body: M = (F J - J F')/h with F = R0'R1 and spatial momentum R M R' kept; each step of RATTLE on the
// entries of R is one.
TEST(LieGroup, of_moser_and_veselov_is_rattle_on_the_entries_of_rotations) {
  const io::Problem problem = body_problem(R"toml([system]
bodies = [{ name = "body", inertia = [1, 1.5, 2.2] }]
[initial.bodies.body]
angular_velocity = [0.9, -0.7, 1.3]
)toml");
  const auto& body = problem.model.bodies[0];
  const double h = 0.2;
  const Vector3d I(1, 1.5, 2.2);
  const Matrix3d J = Vector3d(0.5 * I.sum() - I.array()).asDiagonal();
  const auto integrator = started(problem, {Rattle{}, false, {}});
  const Matrix3d m = hat(I.cwiseProduct(Vector3d(0.9, -0.7, 1.3)));
  for (int k = 0; k < 50; ++k) {
    const Matrix3d R0 = system::rotation_of(body, now(*integrator).q);
    ASSERT_TRUE(integrator->advance(1, h).ok);
    const Matrix3d R1 = system::rotation_of(body, now(*integrator).q), F = R0.transpose() * R1;
    EXPECT_LT(((F * J - J * F.transpose()) / h - R0.transpose() * m * R0).norm(), 1e-13);
    EXPECT_LT((hat(body_momentum(body, now(*integrator).q, now(*integrator).p)) - R1.transpose() * m * R1).norm(), 1e-13);
  }
}

// R0 + R0 (tau - 1) leaves R'R - 1 to rounding, some 1e-16 a step at random. The first-order correction takes it out of every
// step. Without it, below, the same product of rotations walks away no faster than rounding does: the correction hides no drift.
TEST(LieGroup, keeps_rotations_at_round_off_for_a_million_steps) {
  const io::Problem problem = laws::asymmetric_top().problem;
  const auto& body = problem.model.bodies[0];
  const auto off = [](const Matrix3d& R) { return (R.transpose() * R - Matrix3d::Identity()).cwiseAbs().maxCoeff(); };
  const auto integrator = started(problem, lie("exponential", "endpoint"));
  Matrix3d free = system::rotation_of(body, problem.q0);
  double worst = 0;
  for (int k = 0; k < (ACTIO_TEST_SHORT ? 20 : 1000); ++k) {
    Matrix3d R0 = system::rotation_of(body, now(*integrator).q);
    ASSERT_TRUE(integrator->advance(1, 0.05).ok);
    Matrix3d R1 = system::rotation_of(body, now(*integrator).q);
    const Eigen::AngleAxisd turned(Matrix3d(R0.transpose() * R1));  // by one step of these 1000, made 1000 times over: 1e6 steps
    const Matrix3d turn =
        discrete::rotation_increment(discrete::Retraction::exponential, Vector3d(turned.angle() * turned.axis()));
    for (int j = 0; j < 1000; ++j) free += free * turn;
    ASSERT_TRUE(integrator->advance(999, 0.05).ok);
    worst = std::max(worst, off(system::rotation_of(body, now(*integrator).q)));
  }
  EXPECT_LT(worst, 2e-15);
  EXPECT_LT(std::abs(system::rotation_of(body, now(*integrator).q).determinant() - 1), 2e-15);
  EXPECT_GT(off(free), 1e-15);
  EXPECT_LT(off(free), 1e-10);
}

// links on spherical joints, hanging, pulled at the end
io::Problem chain(long links) {
  return body_problem(fmt::format(R"toml([system]
parameters = {{ N = {0} }}
bodies = [{{ name = "link[N]", mass = 1, inertia = [0.1, 0.12, 0.03] }}]
[[system.term]]
over = "k = 0..N-1"
potential = "link[k].z + 0.01*link[k].R11"
[[system.joint]]
type = "spherical"
between = ["link[0].point(0, 0, 0.5)", "ground.point(0, 0, 0)"]
[[system.joint]]
type = "spherical"
over = "k = 1..N-1"
between = ["link[k].point(0, 0, 0.5)", "link[k-1].point(0, 0, -0.5)"]
[initial.bodies."link[0..N-1]"]
position = [0, 0, "-0.5 - i"]
angular_velocity = ["0.3*cos(i)", 0.2, 0.1]
velocity = [0, 0, 0]
)toml",
                                  links));
}

// Newton's iterations do not grow with the links; that its matrices grow with them alone is tested in discrete/pulled_back.cpp.
TEST(LieGroup, chains_of_links_keep_their_joints) {
  for (const char* rule : {"endpoint", "midpoint"})
    for (const long links : {25, 50, 100}) {
      const io::Problem problem = chain(links);
      const auto integrator = started(problem, lie("cayley", rule));
      ASSERT_TRUE(integrator->project().found);  // velocities onto the joints
      const double energy = integrator->energy();
      const auto report = integrator->advance(50, 0.01);
      ASSERT_TRUE(report.ok) << report.what;
      EXPECT_LE(report.iterations, 4 * 50);
      EXPECT_NEAR(integrator->energy(), energy, 1e-3 * static_cast<double>(links));
      const Snapshot s = now(*integrator);
      double gap = 0;
      for (long k = 1; k < links; ++k) {
        const auto &a = problem.model.bodies[static_cast<std::size_t>(k - 1)],
                   &b = problem.model.bodies[static_cast<std::size_t>(k)];
        const Vector3d down = Vector3d(s.q.segment<3>(a.position)) - 0.5 * system::rotation_of(a, s.q).col(2),
                       up = Vector3d(s.q.segment<3>(b.position)) + 0.5 * system::rotation_of(b, s.q).col(2);
        gap = std::max(gap, (down - up).norm());
      }
      EXPECT_LT(gap, 1e-15 * static_cast<double>(links));  // rounding of positions as far as the chain is long
    }
}

TEST(LieGroup, allocates_nothing_in_a_step) {
  using Space = BuildOptions::Space;
  for (const auto& system : laws::body_systems())
    for (const Spec& spec : laws::lie_group_methods())
      for (const Space space : {Space::dense, Space::sparse})
        for (const char* compiler : {"", "none"}) {
          const auto integrator = started(system.problem, spec, {{compiler, {}}, space});
          ASSERT_TRUE(integrator->advance(5, 0.02).ok);
          const long before = tests::allocations();
          const bool ok = integrator->advance(20, 0.02).ok;
          const long made = tests::allocations() - before;
          EXPECT_TRUE(ok);
          EXPECT_EQ(made, 0) << system.name << " " << spec.name() << " " << static_cast<int>(space) << compiler;
        }
}

// Joints' multipliers are forces: a link that hangs still has its weight on them, and R'R = 1 needs none.
TEST(LieGroup, says_the_forces_of_joints) {
  const io::Problem problem = body_problem(R"toml([system]
bodies = [{ name = "link", mass = 2, inertia = [0.3, 0.25, 0.1] }]
potential = "2*9.81*link.z"
[[system.joint]]
type = "spherical"
between = ["link.point(0, 0, 0.5)", "ground.point(0, 0, 0)"]
[initial.bodies.link]
position = [0, 0, -0.5]
)toml");
  for (const char* rule : {"endpoint", "midpoint"}) {
    const auto integrator = started(problem, lie("exponential", rule));
    ASSERT_TRUE(integrator->advance(3, 0.01).ok);
    VectorXd lambda;
    integrator->multipliers(0.01, lambda);
    ASSERT_EQ(lambda.size(), 9);
    long joints = 0;
    for (const double x : lambda) {
      if (std::isnan(x)) continue;
      ++joints;
      EXPECT_NEAR(x, joints == 3 ? 2 * 9.81 : 0, 1e-10);
    }
    EXPECT_EQ(joints, 3);
    EXPECT_LT((now(*integrator).q - problem.q0).norm(), 1e-14);
  }
}

// Two hinges of one door: one of ten rows says nothing new.
TEST(LieGroup, takes_redundant_joints_that_are_asked_for) {
  const auto door = [](const std::string& more, const std::string& joints) {
    return body_problem("[system]\nbodies = [{ name = \"door\", mass = 2, inertia = [0.3, 0.25, 0.1] }]\n" + more +
                        "potential = \"door.y\"\n" + joints +
                        "[initial.bodies.door]\nposition = [1, 0, 0]\nvelocity = [0, 0.5, 0]\nangular_velocity = [0, 0, 0.5]\n");
  };
  const auto hinge = [](const std::string& z) {
    return "[[system.joint]]\ntype = \"spherical\"\nbetween = [\"door.point(-1, 0, " + z + ")\", \"ground.point(0, 0, " + z +
           ")\"]\n";
  };
  const std::string one =
      "[[system.joint]]\ntype = \"revolute\"\nbetween = [\"door.point(-1, 0, 0)\", \"ground.point(0, 0, 0)\"]\n"
      "axes = [\"door.axis(0, 0, 1)\", \"ground.axis(0, 0, 1)\"]\n";
  const io::Problem two = door("redundant = \"least-squares\"\n", hinge("1") + hinge("-1"));
  for (const char* rule : {"endpoint", "midpoint"}) {
    const auto by_one = started(door("", one), lie("exponential", rule)), by_two = started(two, lie("exponential", rule));
    ASSERT_TRUE(by_one->advance(200, 0.02).ok);
    const auto report = by_two->advance(200, 0.02);
    ASSERT_TRUE(report.ok) << report.what;
    EXPECT_LT((now(*by_one).q - now(*by_two).q).norm(), 1e-10);
  }
}

TEST(LieGroup, says_what_it_does_not_take) {
  const io::Problem ball = body_problem("[system]\nbodies = [{ name = \"ball\", inertia = 1 }]\n");
  const auto why = [&](const std::function<void(system::Model&)>& change, const LieGroup& m = {}) {
    system::Model model = ball.model;
    change(model);
    return why_incompatible(model, {m, false, {}});
  };
  EXPECT_EQ(why([](auto&) {}), "");
  EXPECT_NE(why([](auto& m) { m.bodies.clear(); }).find("the system has none"), std::string::npos);
  EXPECT_NE(why([](auto& m) { m.fixed_dofs = {4}; }).find("ball.R22 is fixed"), std::string::npos);
  EXPECT_NE(why([](auto& m) { m.bodies[0].inertia(2, 2) = 0; }).find("no inertia"), std::string::npos);
  EXPECT_NE(why([](auto& m) { m.mass.diagonal[3] *= 2; }).find("does not follow from the inertia"), std::string::npos);
  EXPECT_NE(why([](auto& m) { system::penalise(m, 10); }).find("a penalty lets them deform"), std::string::npos);
  EXPECT_NE(why([](auto&) {}, {"cayley", "midpoint", 0.3}).find("no alpha"), std::string::npos);
  EXPECT_NE(why_incompatible(ball.model, {LieGroup{"cayley", "endpoint", 0.3}, true, {}}), "");
  // more than a turn in a step
  VectorXd v = ball.v0;
  put(v, 0, hat({0, 0, 7}));
  auto integrator = make_integrator(ball.model, lie("exponential", "endpoint"));
  integrator->start(0, ball.q0, v);
  EXPECT_FALSE(integrator->advance(1, 1).ok);
}

}  // namespace
}  // namespace actio::method
