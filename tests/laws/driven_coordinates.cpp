#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/invariant/momentum.hpp>
#include <actio/run/consistent_start.hpp>
#include <actio/run/integrate.hpp>
#include <cmath>
#include <common.hpp>
#include <laws/systems.hpp>

// Coordinates given as functions of time, by Newmark and its kind: the Lagrangian of the others, which depends on the time,
// written out by hand beside them.
namespace actio::laws {
namespace {

using actio::test::interpreted;
using Eigen::VectorXd;
using Space = method::BuildOptions::Space;

io::Problem given(const std::string& system, const std::string& method = "newmark") {
  return io::load_text("[system]\n" + system + "\n[method]\nname = \"" + method + "\"\n[run]\nstep = 0.1\nsteps = 1\n",
                       "laws.toml");
}

// b is shaken; x and y hang on it by springs and dashpots, and their masses are coupled with its.
const std::string shaken = R"toml(coordinates = ["b", "x", "y"]
mass = [[1.5, 0.4, 0.1], [0.4, 1.2, 0.3], [0.1, 0.3, 2.0]]
potential = "0.5*(x - b)^2 + 0.7*(x - b)^4 + (y - x)^2 + 0.25*y^4"
dissipation = "0.05*(x' - b')^2 + 0.04*(1 + y^2)*y'^2"
force = { y = "0.2*cos(t)", b = "0.3 - 0.1*b'" }
constraints = ["2*b - 0.6*sin(1.3*t)"]
[initial]
position = [0, 0.3, -0.2]
velocity = [0.39, 0.1, 0.2])toml";

// The same without b: of 1/2 v'Mv what is left of b' is a force.
const std::string by_hand = R"toml(coordinates = ["x", "y"]
mass = [[1.2, 0.3], [0.3, 2.0]]
potential = "0.5*(x - 0.3*sin(1.3*t))^2 + 0.7*(x - 0.3*sin(1.3*t))^4 + (y - x)^2 + 0.25*y^4"
dissipation = "0.05*(x' - 0.39*cos(1.3*t))^2 + 0.04*(1 + y^2)*y'^2"
force = { x = "0.4*0.507*sin(1.3*t)", y = "0.1*0.507*sin(1.3*t) + 0.2*cos(t)" }
[initial]
position = [0.3, -0.2]
velocity = [0.1, 0.2])toml";

std::vector<method::Spec> specs() {
  using namespace method;
  std::vector<Spec> out;
  for (const AnyMethod& choice :
       std::initializer_list<AnyMethod>{Newmark{0.25, 0.5}, Newmark{0, 0.5}, Newmark{0.3025, 0.6}, Newmark{0.25, 0.5, 2},
                                        GeneralizedAlpha{0.5}, GeneralizedAlpha{1}, Hht{0.6}, Wbz{0.3}})
    out.push_back({choice, false, {}});
  out.push_back({Newmark{0.25, 0.5}, true, {4, "suzuki"}});
  return and_all_that([](const Traits& of) { return of.constraints == Constraints::imposed; }, std::move(out));
}

std::unique_ptr<method::Integrator> started(const io::Problem& problem, const method::Spec& spec,
                                            Space space = Space::automatic) {
  auto integrator = method::make_integrator(problem.model, spec, {interpreted, space});
  integrator->start(0, problem.q0, problem.v0);
  return integrator;
}
method::Snapshot now(const method::Integrator& integrator) {
  method::Snapshot s;
  integrator.snapshot(s);
  return s;
}

// Steps of two sizes.
method::Work walk(method::Integrator& integrator, long steps, double h) {
  method::Work sum;
  for (long k = 0; k < steps; ++k) {
    const auto report = integrator.advance(1, k % 5 == 3 ? h / 2 : h, {});
    EXPECT_TRUE(report.ok) << report.what;
    sum += report.work;
  }
  return sum;
}

TEST(DrivenCoordinate, leaves_the_equations_of_the_others) {
  const io::Problem driven = given(shaken), other = given(by_hand);
  for (const method::Spec& spec : specs())
    for (const Space space : {Space::automatic, Space::fixed, Space::dense, Space::sparse}) {
      SCOPED_TRACE(label(spec));
      const auto a = started(driven, spec, space), b = started(other, spec);
      for (int k = 0; k < 4; ++k) {
        walk(*a, 10, 0.1);
        walk(*b, 10, 0.1);
        const method::Snapshot x = now(*a), y = now(*b);
        EXPECT_NEAR(x.q[0], 0.3 * std::sin(1.3 * x.t), 1e-15);
        EXPECT_NEAR(x.v[0], 0.39 * std::cos(1.3 * x.t), 1e-15);
        EXPECT_LT((x.q.tail(2) - y.q).norm(), 1e-12);
        EXPECT_LT((x.v.tail(2) - y.v).norm(), 1e-12);
        EXPECT_LT((x.p - driven.model.mass.full * x.v).norm(), 1e-14);
      }
    }
}

// 1 and 2/3 of a step in turn, beside the midpoint rule, which keeps b by multipliers: to the same solution, in second order.
TEST(DrivenCoordinate, is_followed_with_the_stated_order_to_what_midpoint_converges_to) {
  const io::Problem driven = given(shaken), other = given(by_hand);
  const auto exact = started(other, {method::RungeKutta4{}, false, {}});
  ASSERT_TRUE(exact->advance(4096, 1.0 / 4096).ok);
  const method::Snapshot truth = now(*exact);
  std::vector<method::Spec> all = specs();
  all.push_back({method::Midpoint{}, false, {}});
  for (const method::Spec& spec : all) {
    if (!spec.solved()) continue;
    double last = 0, order = 0;
    for (long m = 8; m <= 64; m *= 2) {
      const auto integrator = started(driven, spec);
      for (long k = 0; k < 2 * m; ++k) ASSERT_TRUE(integrator->advance(1, (k % 2 == 0 ? 0.6 : 0.4) / static_cast<double>(m)).ok);
      const method::Snapshot s = now(*integrator);
      const double error = (s.q.tail(2) - truth.q).norm() + (s.v.tail(2) - truth.v).norm();
      if (error < 2e-12) break;
      if (last > 0) order = std::log2(last / error);
      last = error;
    }
    EXPECT_NEAR(order, spec.order(true), 0.2) << label(spec);
  }
}

// Positions between the ends are those of the parabola, which generalised-alpha and HHT do not take: they take a mean.
bool on_the_parabola(const method::Spec& spec) {
  return !std::holds_alternative<method::GeneralizedAlpha>(spec.choice) && !std::holds_alternative<method::Hht>(spec.choice);
}

// Newmark's step of q(t) = u(t) + (1, 1) (c t^2 + d t) is that of u, for it takes parabolas as they are: a table that is pushed
// evenly is a load -M (1, 1, 1) 2c on what stands on it.
TEST(DrivenCoordinate, that_is_pushed_evenly_is_a_load_in_its_own_frame) {
  const io::Problem driven = given(R"toml(coordinates = ["b", "x", "y"]
mass = [[1.5, 0.4, 0.1], [0.4, 1.2, 0.3], [0.1, 0.3, 2.0]]
potential = "0.5*(x - b)^2 + 0.7*(x - b)^4 + (y - x)^2"
dissipation = "0.05*(x' - b')^2"
constraints = ["b - 0.3*t^2 + 0.2*t"]
[initial]
position = [0, 0.3, -0.2]
velocity = [-0.2, 0.1, 0.2])toml"),
                    other = given(R"toml(coordinates = ["x", "y"]
mass = [[1.2, 0.3], [0.3, 2.0]]
potential = "0.5*x^2 + 0.7*x^4 + (y - x)^2 + 0.6*(1.9*x + 2.4*y)"
dissipation = "0.05*x'^2"
[initial]
position = [0.3, -0.2]
velocity = [0.3, 0.4])toml");
  for (const method::Spec& spec : specs()) {
    if (!on_the_parabola(spec)) continue;
    SCOPED_TRACE(label(spec));
    const auto a = started(driven, spec), b = started(other, spec);
    walk(*a, 20, 0.1);
    walk(*b, 20, 0.1);
    const method::Snapshot x = now(*a), y = now(*b);
    EXPECT_LT((x.q.tail(2).array() - x.q[0] - y.q.array()).matrix().norm(), 1e-12);
    EXPECT_LT((x.v.tail(2).array() - x.v[0] - y.v.array()).matrix().norm(), 1e-12);
  }
}

// lambda = (M a + grad V - F)_b / 2 of "2 b - ...", with the accelerations that the others have.
TEST(DrivenCoordinate, tells_the_force_that_drives_it) {
  const io::Problem driven = given(shaken), other = given(by_hand);
  const auto exact = started(other, {method::RungeKutta4{}, false, {}});
  ASSERT_TRUE(exact->advance(2048, 1.0 / 2048).ok);
  const VectorXd q = now(*exact).q, v = now(*exact).v;
  const double b = 0.3 * std::sin(1.3), b1 = 0.39 * std::cos(1.3), b2 = -0.507 * std::sin(1.3), d = q[0] - b;
  const Eigen::Vector2d f(
      -d - 2.8 * d * d * d + 2 * (q[1] - q[0]) - 0.1 * (v[0] - b1) - 0.4 * b2,
      -2 * (q[1] - q[0]) - q[1] * q[1] * q[1] - 0.08 * (1 + q[1] * q[1]) * v[1] + 0.2 * std::cos(1.0) - 0.1 * b2);
  const Eigen::Vector2d a = Eigen::Matrix2d{{1.2, 0.3}, {0.3, 2.0}}.inverse() * f;
  const double force = 1.5 * b2 + 0.4 * a[0] + 0.1 * a[1] - d - 2.8 * d * d * d + 0.1 * (b1 - v[0]) - (0.3 - 0.1 * b1);
  for (const method::Spec& spec : specs()) {
    double error[2];
    for (const int fine : {0, 1}) {
      const auto integrator = started(driven, spec);
      ASSERT_TRUE(integrator->advance(fine ? 64 : 32, fine ? 1.0 / 64 : 1.0 / 32).ok);
      VectorXd lambda;
      integrator->multipliers(0.1, lambda);
      ASSERT_EQ(lambda.size(), 1);
      error[fine] = std::abs(2 * lambda[0] - force);
    }
    EXPECT_LT(error[1], spec.order(true) == 1 ? 0.05 : 2e-3) << label(spec);
    EXPECT_LT(error[1], 0.6 * error[0]) << label(spec);
  }
}

struct Ledgers : run::Observer {
  std::vector<double> worked;
  void observe(const run::Observation& o) override { worked.push_back(o.ledger->constraints); }
};

invariant::Certificate certify(const io::Problem& problem, const method::Spec& spec, double h, long steps, bool project = false,
                               Ledgers* ledgers = nullptr) {
  const auto integrator = method::make_integrator(problem.model, spec, {interpreted, Space::automatic});
  invariant::MomentumMap momentum(problem.model, interpreted);
  run::Task task{"", spec, problem.q0, problem.v0, {0, h, steps, 1}, {}, run::is_autonomous(problem.model)};
  task.constraints = invariant::ConstraintMap(problem.model, interpreted);
  task.correction = run::make_consistent(problem.model, task.constraints, *integrator, 0, project, task.q0, task.v0);
  run::Options options;
  options.multipliers = true;
  if (ledgers) options.observers.push_back(ledgers);
  return run::integrate(*integrator, momentum, task, options);
}

// Karow's balance (13) with what drives b among the forces: closed to round-off on linear systems at 1/4, 1/2, whatever the
// motion and however long the steps.
TEST(DrivenCoordinate, is_paid_for_to_round_off_on_a_linear_structure) {
  const io::Problem linear = given(R"toml(coordinates = ["b", "x", "y"]
mass = [[1.5, 0.4, 0.1], [0.4, 1.2, 0.3], [0.1, 0.3, 2.0]]
potential = "0.5*(x - b)^2 + (y - x)^2"
dissipation = "0.05*(x' - b')^2"
force = { y = "0.2*cos(t)", b = 0.1 }
constraints = ["b - 0.3*exp(-t)*sin(1.3*t)"]
[initial]
position = [0, 0.3, -0.2]
velocity = [0.39, 0.1, 0.2])toml");
  for (const method::AnyMethod& choice :
       std::initializer_list<method::AnyMethod>{method::Newmark{}, method::Hht{1}, method::Wbz{1}, method::Newmark{0.3025, 0.6},
                                                method::GeneralizedAlpha{1}, method::GeneralizedAlpha{0.5}, method::Midpoint{}}) {
    const method::Spec spec{choice, false, {}};
    SCOPED_TRACE(label(spec));
    const invariant::Certificate c = certify(linear, spec, 0.4, 60);
    ASSERT_TRUE(c.ledger);
    EXPECT_TRUE(c.broken.empty() && !c.failure);
    EXPECT_GT(std::abs(c.ledger->constraints), 0.01);
    const bool exact = spec.balances_linear() && spec.name() != "generalized-alpha" && spec.name() != "midpoint";
    EXPECT_EQ(c.claims.energy_balanced, exact);
    if (exact)
      EXPECT_LT(c.ledger->worst_method, c.ledger->round_off);
    else
      EXPECT_GT(c.ledger->worst_method, 1e3 * c.ledger->round_off);
  }
}

// A support that steps up: its velocity is 0 before and after.
TEST(DrivenCoordinate, that_jumps_is_paid_for) {
  const io::Problem linear = given(R"toml(coordinates = ["b", "x"]
mass = [1, 1]
potential = "0.5*(x - b)^2"
constraints = ["b - where(t < 1.05, 0, 0.1)"]
[initial]
position = [0, 0]
velocity = [0, 0])toml");
  const invariant::Certificate c = certify(linear, {method::Newmark{}, false, {}}, 0.1, 40);
  ASSERT_TRUE(c.ledger);
  EXPECT_TRUE(c.broken.empty() && !c.failure);
  EXPECT_GT(c.ledger->constraints, 0.001);  // 1/2 0.1^2 J of the spring at once, some of which comes back
  EXPECT_LT(c.ledger->worst_method, c.ledger->round_off);
}

// Of others the work is that of midpoint, to the order of both; on a nonlinear system too.
TEST(DrivenCoordinate, works_as_much_by_any_method) {
  const io::Problem driven = given(shaken);
  Ledgers exact;
  (void)certify(driven, {method::Midpoint{}, false, {}}, 1.0 / 2048, 2048, false, &exact);
  for (const method::Spec& spec : specs()) {
    double error[2];
    for (const int fine : {0, 1}) {
      Ledgers here;
      (void)certify(driven, spec, fine ? 1.0 / 64 : 1.0 / 32, fine ? 64 : 32, false, &here);
      error[fine] = std::abs(here.worked.back() - exact.worked.back());
    }
    if (error[0] < 1e-7) continue;  // as good as what it is measured by
    EXPECT_GT(std::log2(error[0] / error[1]), (spec.order(true) == 1 ? 1 : 2) - 0.3) << label(spec) << ' ' << error[0];
  }
}

// Newmark at gamma = 1/2 is symplectic in x = q - beta h^2 a of the others, and keeps a momentum that the motion leaves alone.
TEST(DrivenCoordinate, leaves_the_form_and_the_momentum_across_it) {
  const io::Problem plane = given(R"toml(coordinates = ["bx", "by", "x", "y"]
mass = [[1.5, 0, 0.4, 0], [0, 1.3, 0, 0.4], [0.4, 0, 1.2, 0], [0, 0.4, 0, 1.2]]
potential = "0.5*((x - bx)^2 + (y - by)^2 - 1)^2"
constraints = ["bx - 0.3*sin(1.3*t)"]
[[symmetry]]
name = "along y"
generator = [0, 1, 0, 1]
[[symmetry]]
name = "along x"
generator = [1, 0, 1, 0]
[initial]
position = [0, 0, 1.1, 0.2]
velocity = [0.39, 0.1, 0, 0.2])toml");
  for (const method::AnyMethod& choice : std::initializer_list<method::AnyMethod>{
           method::Newmark{}, method::Newmark{0, 0.5}, method::CentralDifference{}, method::GeneralizedAlpha{1}}) {
    const method::Spec spec{choice, false, {}};
    SCOPED_TRACE(label(spec));
    const invariant::Certificate c = certify(plane, spec, 0.05, 200);
    EXPECT_TRUE(c.broken.empty() && !c.failure);
    EXPECT_EQ(c.claims.keeps, spec.keeps());
    EXPECT_LT(spec.keeps() == method::Keeps::conjugate_form ? c.symplecticity.own.value : c.symplecticity.canonical.value, 1e-9);
    EXPECT_LT(c.reversibility, 1e-11);
    ASSERT_EQ(c.momentum.size(), 2u);
    EXPECT_TRUE(c.momentum[0].symmetry);
    EXPECT_LT(c.momentum[0].max_error, 1e-12);
    EXPECT_FALSE(c.momentum[1].symmetry);
    ASSERT_TRUE(c.constraints);
    EXPECT_LT(c.constraints->distance, 1e-14);
    EXPECT_LT(c.constraints->speed, 1e-14);
  }
}

TEST(DrivenCoordinate, is_put_on_its_motion_where_the_start_may_be_moved) {
  io::Problem driven = given(shaken);
  driven.q0[0] = 0.1;
  driven.v0[0] = 0;
  const method::Spec spec{method::Newmark{}, false, {}};
  EXPECT_THROW((void)certify(driven, spec, 0.1, 1), core::InputError);
  const invariant::Certificate c = certify(driven, spec, 0.1, 10, true);
  ASSERT_TRUE(c.constraints);
  EXPECT_NEAR(c.constraints->corrected_q, 0.1, 1e-15);
  EXPECT_NEAR(c.constraints->corrected_v, 0.39, 1e-15);
}

TEST(DrivenCoordinate, alone_is_taken_by_newmark_and_its_kind) {
  const auto why = [](const std::string& constraints, const method::AnyMethod& choice) {
    const io::Problem p = given(R"toml(coordinates = ["b", "x"]
mass = 1.0
potential = "(x - b)^2"
constraints = [)toml" + constraints +
                                    "]\n[initial]\nposition = [0, 0]",
                                "midpoint");
    return method::why_incompatible(p.model, {choice, false, {}});
  };
  for (const char* fits : {"\"b - sin(t)\"", "\"3*b + t^2\"", "\"b\", \"x - 1\""}) {
    EXPECT_EQ(why(fits, method::Newmark{}), "") << fits;
    EXPECT_EQ(why(fits, method::Wilson{}), "") << fits;
    EXPECT_NE(why(fits, method::Verlet{}), "") << fits;
    EXPECT_NE(why(fits, method::MinimisingNewmark{}).find("newmark, hht and their relatives do"), std::string::npos) << fits;
  }
  for (const auto& [not_driven, reason] :
       {std::pair{"\"b - x - sin(t)\"", "joins coordinates"}, std::pair{"\"b^2 - 2 - sin(t)\"", "is not c times a coordinate"},
        std::pair{"\"b*(2 + sin(t)) - 1\"", "is not c times a coordinate"},
        std::pair{"\"b - sin(t)\", \"b - sin(t)\"", "which is fixed or prescribed already"}}) {
    EXPECT_NE(why(not_driven, method::Newmark{}).find(reason), std::string::npos) << why(not_driven, method::Newmark{});
    EXPECT_EQ(why(not_driven, method::Midpoint{}), "") << not_driven;
  }
}

}  // namespace
}  // namespace actio::laws
