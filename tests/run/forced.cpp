#include <run/runs.hpp>

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <actio/io/problem.hpp>

// Certificates of structures and of systems where forces act.
using namespace runs;

namespace {

invariant::Certificate certify(const io::Problem& p, run::Observer* observer = nullptr) {
  const auto system = method::make_integrator(p.model, p.method);
  run::Task t{p.model.title, p.method, p.q0, p.v0, p.schedule, p.bounds, run::is_autonomous(p.model)};
  return runs::certify(*system, t, observer, p.model);
}
invariant::Certificate certify(const std::string& text, run::Observer* observer = nullptr) {
  return certify(io::load_text(text, "forced.toml"), observer);
}

// Cantilever of `elements` Euler-Bernoulli elements, unit length, in a smooth bend: u'Su cancels from entries 1e8 times as large.
io::Problem cantilever(int elements) {
  const double l = 1.0 / elements, EI = 1e3;
  const long n = 2 * elements;
  Eigen::MatrixXd S = Eigen::MatrixXd::Zero(n + 2, n + 2), M = S;
  Eigen::Matrix4d k, m;
  k << 12, 6 * l, -12, 6 * l, 6 * l, 4 * l * l, -6 * l, 2 * l * l, -12, -6 * l, 12, -6 * l, 6 * l, 2 * l * l, -6 * l, 4 * l * l;
  m << 156, 22 * l, 54, -13 * l, 22 * l, 4 * l * l, 13 * l, -3 * l * l, 54, 13 * l, 156, -22 * l, -13 * l, -3 * l * l, -22 * l,
      4 * l * l;
  for (int e = 0; e < elements; ++e) {
    S.block<4, 4>(2 * e, 2 * e) += EI / (l * l * l) * k;
    M.block<4, 4>(2 * e, 2 * e) += l / 420 * m;
  }
  io::Problem p;
  p.model.families = {{"u", n, 0, true}};
  p.model.stiffness = S.bottomRightCorner(n, n).sparseView();
  p.model.mass.kind = system::MassMatrix::Kind::full;
  p.model.mass.full = M.bottomRightCorner(n, n).sparseView();
  p.q0 = p.v0 = VectorXd::Zero(n);
  for (int e = 1; e <= elements; ++e) {
    const double x = e * l;
    p.q0[2 * (e - 1)] = 0.01 * x * x;
    p.q0[2 * e - 1] = 0.02 * x;
  }
  p.method = {method::Newmark{}, false, {}};
  p.schedule = {0, 1e-3, 1000, 1};
  return p;
}

}  // namespace

TEST(ForcedRun, a_slender_beam_loses_nothing_but_what_its_matrices_round) {
  for (const int elements : {10, 100}) {
    const auto c = certify(cantilever(elements));
    EXPECT_NE(c.verdict, Verdict::failed) << invariant::text(c);
    ASSERT_TRUE(c.ledger && c.claims.energy_balanced);
    EXPECT_LT(c.ledger->round_off, 1e-2 * c.energy.initial);
  }
  io::Problem lossy = cantilever(10);
  lossy.method = {method::Newmark{0.3025, 0.6}, false, {}};
  EXPECT_FALSE(certify(lossy).claims.energy_balanced);
}

const char* const anchored = R"toml(
[system]
coordinates = ["x[4]"]
mass = 1.0
fixed = "x[0]"
[[system.term]]
over = "i = 0..2"
potential = "0.5*(x[i+1] - x[i])^2 + 0.25*(x[i+1] - x[i])^4"
[[symmetry]]
name = "momentum"
generator = { x = "1" }
[initial]
position = { x = "0.1*i" }
velocity = { x = "0.2*sin(i)" }
[run]
step = 0.1
steps = 200
[method]
)toml";

TEST(ForcedRun, a_fixed_coordinate_is_no_part_of_the_phase_space_and_breaks_symmetries) {
  for (const char* name : {"verlet", "midpoint", "newmark"}) {
    const auto c = certify(std::string(anchored) + "name = \"" + name + "\"");
    EXPECT_EQ(c.verdict, Verdict::unresolved) << invariant::text(c);  // a symmetry is declared that is none
    ASSERT_EQ(c.momentum.size(), 1U);
    EXPECT_FALSE(c.momentum[0].symmetry);
    EXPECT_GT(c.momentum[0].max_error, 0.1);
  }
}

TEST(ForcedRun, what_has_pieces_is_not_linear) {
  const auto linear = [](const std::string& line) {
    const auto p =
        io::load_text("[system]\ncoordinates = [\"x\"]\nmass = 1.0\n" + line +
                          "\n[initial]\nposition = [0.1]\n[method]\nname = \"newmark\"\n[run]\nstep = 0.1\nsteps = 1\n",
                      "pieces.toml");
    return method::make_integrator(p.model, p.method)->properties().linear;
  };
  EXPECT_TRUE(linear("potential = \"0.5*x^2\""));
  EXPECT_TRUE(linear("potential = \"0.5*x^2\"\ndissipation = \"0.1*x'^2\"\nforce = { x = \"-x' + max(t, 1)\" }"));
  for (const char* line :
       {"potential = \"abs(x)\"", "potential = \"max(x, 2*x)\"", "potential = \"where(x > 0, x, 2*x)\"",
        "potential = \"0.5*x^2\"\ndissipation = \"0.5*abs(x')\"", "potential = \"0.5*x^2\"\nforce = { x = \"-sign(x')\" }",
        "potential = \"0.5*x^2\"\nforce = { x = \"-x*(x' > 0)\" }"})
    EXPECT_FALSE(linear(line)) << line;
}

TEST(ForcedRun, a_load_that_jumps_to_zero_at_the_end_of_its_record_is_solved_there) {
  for (const auto& [h, end] : std::vector<std::pair<double, double>>{{0.01, 20}, {0.1, 3}, {0.05, 10}, {0.02, 40}}) {
    const std::string text =
        "[system]\ncoordinates = [\"x\"]\nmass = 1.0\npotential = \"0.5*x^2\"\nsignals = { p = { time = [0, " +
        std::to_string(end) + "], value = [1, 5] } }\nforce = { x = \"p\" }\n[initial]\nposition = [0.1]\n" +
        "[method]\nname = \"newmark\"\n[run]\nstep = " + std::to_string(h) + "\nend = " + std::to_string(end);
    const auto c = certify(text);
    EXPECT_EQ(c.verdict, Verdict::kept) << invariant::text(c);
    EXPECT_LT(c.solver.worst_residual, 1e-12);
  }
}

TEST(ForcedRun, a_signal_of_one_sample_is_a_moment) {
  const auto c = certify(R"toml(
[system]
coordinates = ["x"]
mass = 1.0
potential = "0.5*x^2"
signals = { p = { time = [0], value = [5] } }
force = { x = "p" }
[initial]
position = [0.1]
[method]
name = "midpoint"
[run]
step = 0.1
steps = 10
)toml");
  EXPECT_EQ(c.verdict, Verdict::kept);
  EXPECT_EQ(c.ledger->external, 0);  // nothing acts in the middle of a step
}

TEST(ForcedRun, a_run_that_blows_up_has_the_ledger_of_its_last_state) {
  struct Last : run::Observer {
    run::LedgerEntry entry;
    double energy = 0;
    void observe(const run::Observation& now) override {
      entry = *now.ledger;
      energy = now.energy;
    }
  } last;
  const auto c = certify(R"toml(
[system]
coordinates = ["x"]
mass = 1.0
potential = "0.5*100*x^2"
force = { x = "0.1*cos(t)" }
[initial]
position = [0.1]
[method]
name = "verlet"
[run]
step = 0.25
steps = 100000
every = 100000
)toml",
                         &last);
  EXPECT_EQ(c.verdict, Verdict::failed);
  EXPECT_TRUE(std::isfinite(last.entry.external) && std::isfinite(last.entry.method));
  EXPECT_NEAR(last.entry.external - last.entry.method, last.energy - c.energy.initial, 1e-9 * std::abs(last.energy));
}

const char* const radial = R"toml(
[system]
coordinates = ["x", "y"]
mass = 1.0
potential = "(x^2 + y^2)*(x^2 + y^2 - 1)"
dissipation = "0.05*(x*x' + y*y')^2/(x^2 + y^2)"
[[symmetry]]
name = "angular momentum"
generator = ["-y", "x"]
[initial]
position = [1.2, 0.1]
velocity = [0.1, 0.4]
[run]
step = 0.05
steps = 200
[method]
)toml";

TEST(ForcedRun, minimum_principles_do_not_claim_the_momentum_that_their_friction_changes) {
  for (const char* method : {"name = \"two-step\"", "name = \"minimising-newmark\"\nbeta = 0.0", "name = \"midpoint\""}) {
    const auto c = certify(std::string(radial) + method);
    EXPECT_FALSE(c.failure) << invariant::text(c);
    ASSERT_EQ(c.momentum.size(), 1U);
    EXPECT_TRUE(c.momentum[0].symmetry);
    EXPECT_EQ(c.momentum[0].claimed, std::string_view(method).find("midpoint") != std::string_view::npos);
  }
}

const char* const frame = R"toml(
[system]
mass = [[2.0, 0.0], [0.0, 1.0]]
stiffness = [[600.0, -200.0], [-200.0, 200.0]]
damping = [[1.0, -0.2], [-0.2, 0.5]]
force = { "u[0]" = "10*sin(2*t)" }
[run]
)toml";

TEST(ForcedRun, a_step_that_is_too_large_is_no_success) {
  const auto run = [&](const char* rest) { return certify(std::string(frame) + rest); };
  const auto unstable = run("steps = 80\nstep = 0.2\n[method]\nname = \"newmark\"\nbeta = 0.0\n");  // w h = 4
  EXPECT_EQ(unstable.verdict, Verdict::failed);
  ASSERT_FALSE(unstable.broken.empty());
  EXPECT_NE(unstable.broken[0].find("without work of any force"), std::string::npos) << invariant::text(unstable);
  for (const char* method : {"name = \"newmark\"\nbeta = 0.0\n", "name = \"newmark\"\n", "name = \"midpoint\"\n"}) {
    const auto c = run((std::string("steps = 400\nstep = 0.02\n[method]\n") + method).c_str());
    EXPECT_EQ(c.verdict, Verdict::kept) << invariant::text(c);
  }
}

TEST(ForcedRun, at_rest_until_it_stops_it_claims_nothing_absurd) {
  const auto c =
      certify(std::string(frame) + "steps = 400\nstep = 0.02\n[method]\nname = \"newmark\"\n[certificate]\nenergy = 1e-6\n");
  EXPECT_TRUE(c.failure);
  EXPECT_TRUE(c.broken.empty()) << invariant::text(c);
  EXPECT_LT(c.reversibility, 1e-9);
}

TEST(ForcedRun, a_load_that_is_not_finite_is_not_the_solvers_fault) {
  const auto c = certify(R"toml(
[system]
coordinates = ["x"]
mass = 1.0
potential = "0.5*x^2 + 0.1*x^4"
force = { x = "log(-1 - t)" }
[initial]
position = [0.1]
[method]
name = "newmark"
[run]
step = 0.1
steps = 10
)toml");
  ASSERT_TRUE(c.failure);
  EXPECT_NE(c.failure->hint.find("not finite"), std::string::npos) << c.failure->text();
}

TEST(ForcedRun, friction_that_sticks_is_not_blamed_on_the_method) {
  const auto c = certify(R"toml(
[system]
coordinates = ["x"]
mass = 1.0
potential = "2*x^2 + 0.1*x^4"
dissipation = "0.3*sqrt(x'^2 + 1e-6)"
[initial]
position = [0.4]
[method]
name = "newmark"
[run]
step = 0.01
steps = 2000
)toml");
  EXPECT_FALSE(c.failure);
  EXPECT_TRUE(c.broken.empty()) << invariant::text(c);
}

// The same system by matrices and as equations f(u'', u', u, t) = 0: the same path, solved to round-off.
TEST(ForcedRun, linear_equations_walk_the_path_of_their_matrices) {
  const std::string equations = R"toml(
[system]
coordinates = ["u[2]"]
[system.equations]
"u[0]" = "2*u''[0] + u'[0] - 0.2*u'[1] + 600*u[0] - 200*u[1] - 10*sin(2*t)"
"u[1]" = "u''[1] - 0.2*u'[0] + 0.5*u'[1] - 200*u[0] + 200*u[1]"
[initial]
position = [0, 0]
[run]
)toml";
  const std::string rest = "steps = 100\nstep = 0.02\n[method]\nname = \"newmark\"\n";
  const auto matrices = certify(frame + rest), implicit = certify(equations + rest);
  EXPECT_LT(implicit.solver.worst_residual, 1e-12);
  EXPECT_EQ(implicit.solver.factorisations, 1);
  EXPECT_LT((matrices.last.q - implicit.last.q).norm(), 1e-13);
  EXPECT_LT((matrices.last.v - implicit.last.v).norm(), 1e-12);
}
