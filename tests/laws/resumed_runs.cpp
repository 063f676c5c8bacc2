#include <gtest/gtest.h>

#include <fmt/format.h>

#include <actio/invariant/momentum.hpp>
#include <actio/run/consistent_start.hpp>
#include <actio/run/integrate.hpp>
#include <algorithm>
#include <atomic>
#include <common.hpp>
#include <cstring>
#include <laws/constrained.hpp>
#include <laws/systems.hpp>
#include <regex>

// A run that is stopped, written down and resumed observes the rows, and ends in the certificate, of the run that was not
// stopped.
namespace actio::laws {
namespace {

using actio::test::interpreted;

struct Rows : run::Observer {
  std::vector<std::vector<double>> rows;
  void observe(const run::Observation& now) override {
    std::vector<double> row{static_cast<double>(now.step), now.state.t, now.energy};
    for (const auto* x : {&now.state.q, &now.state.v, &now.state.p}) row.insert(row.end(), x->begin(), x->end());
    row.insert(row.end(), now.momentum.begin(), now.momentum.end());
    row.insert(row.end(), now.multipliers.begin(), now.multipliers.end());
    if (now.ledger)
      for (const double w : {now.ledger->external, now.ledger->constraints, now.ledger->heat, now.ledger->dissipated,
                             now.ledger->method, now.ledger->solver})
        row.push_back(w);
    rows.push_back(row);
  }
};

struct Outcome {
  Rows seen;
  std::string certificate, state;
  long steps = 0;  // of the state
};

// stop_at: the first checkpoint, at which the run stops; 0: none. With `every` there are others that it goes on from.
Outcome run_it(const io::Problem& problem, long stop_at, long every = 0, const std::string& from = {}) {
  Outcome out;
  const auto integrator =
      method::make_integrator(problem.model, problem.method, {interpreted, method::BuildOptions::Space::dense});
  invariant::MomentumMap momentum(problem.model, interpreted);
  run::Task task{"", problem.method, problem.q0, problem.v0, problem.schedule, problem.bounds, run::is_autonomous(problem.model)};
  task.constraints = invariant::ConstraintMap(problem.model, interpreted);
  if (problem.model.omega > 0) task.penalty.emplace(problem.model, problem.schedule.window, interpreted);
  task.correction = run::make_consistent(problem.model, task.constraints, *integrator, 0, problem.project, task.q0, task.v0);
  std::atomic<bool> stop = false;
  run::Options options;
  options.observers = {&out.seen};
  options.multipliers = true;
  options.stop = &stop;
  options.resume = from;
  options.clock = [] { return 0.0; };  // what the certificate measures hangs on the time that steps take
  if (stop_at > 0 || every > 0)
    options.checkpoints = {every > 0 ? every : stop_at, 0, [&](long step, double, std::string_view state) {
                             if (stop_at == 0 || stop) return;
                             out.state = state;
                             out.steps = step;
                             stop = true;
                           }};
  auto certificate = run::integrate(*integrator, momentum, task, options);
  certificate.wall_seconds = certificate.measuring.seconds = 0;
  out.certificate = invariant::json(certificate);
  return out;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void expect_to_resume(const io::Problem& problem) {
  SCOPED_TRACE(problem.method.name());
  const bool restarts =
      method::make_integrator(problem.model, problem.method, {interpreted, method::BuildOptions::Space::dense})->restarts();
  for (const long step : {1L, 7L, 40L, 95L}) {
    if (ACTIO_TEST_SHORT && step != 40) continue;
    const Outcome whole = run_it(problem, 0, restarts ? step : 0), part = run_it(problem, step),
                  rest = run_it(problem, 0, restarts ? step : 0, part.state);
    ASSERT_EQ(part.steps, step);
    EXPECT_EQ(rest.certificate, whole.certificate);
    const auto& all = whole.seen.rows;
    const auto first = std::find_if(all.begin(), all.end(), [&](const auto& row) { return row[0] > static_cast<double>(step); });
    ASSERT_EQ(rest.seen.rows.size(), static_cast<std::size_t>(all.end() - first));
    for (std::size_t k = 0; k < rest.seen.rows.size(); ++k)
      EXPECT_TRUE(same(rest.seen.rows[k], *(first + static_cast<long>(k)))) << k;
  }
}

io::Problem of(const std::string& system, const std::string& method, const std::string& run) {
  return io::load_text(system + "\n[method]\n" + method + "\n[run]\nsteps = 100\n" + run + "\n", "resumed.toml");
}

const std::string driven_oscillator = R"toml([system]
coordinates = ["x", "y"]
mass = [1.0, 2.0]
potential = "0.5*x^2 + (x - y)^2"
dissipation = "0.05*(x'^2 + y'^2)"
force = { y = "0.7*cos(0.9*t)" }
[initial]
position = [1, 0]
velocity = [0, 0.3])toml";

const std::string rods = R"toml([system]
coordinates = ["x1", "y1", "x2", "y2"]
mass = 1.0
potential = "y1 + y2"
constraints = ["x1^2 + y1^2 - 1", "(x2 - x1)^2 + (y2 - y1)^2 - 2"]
PENALTY
[initial]
position = [0, -1, 1, -2]
velocity = [0.3, 0, 0.4, 0.1])toml";

// Atoms that leave their places: the list of near pairs of a resumed run begins with others.
const std::string liquid = R"toml([system]
coordinates = ["x[N]", "y[N]", "z[N]"]
parameters = { M = 6, N = "M^3", L = "1.1*M" }
mass = 1
box = ["L", "L", "L"]
points = { atom = ["x", "y", "z"] }
[[system.term]]
over = "a, b = pairs(atom, cutoff = 1.8, skin = 0.2)"
potential = "switch(distance(atom[a], atom[b]), 1.4, 1.8)*4*(1/distance(atom[a], atom[b])^12 - 1/distance(atom[a], atom[b])^6)"
[initial]
seed = 1
temperature = 4
[initial.position]
x = "1.1*mod(i, M)"
y = "1.1*mod(floor(i/M), M)"
z = "1.1*floor(i/M^2)")toml";

}  // namespace

TEST(ResumedRun, is_the_whole_run_with_symmetries) {
  io::Problem problem = oscillator().problem;
  problem.schedule.steps = 100;
  for (const method::Spec& spec : method::all_methods()) {
    problem.method = spec;
    if (spec.traits().transforms_time || !method::why_incompatible(problem.model, spec).empty()) continue;
    problem.schedule.every = 3;
    expect_to_resume(problem);
  }
}

TEST(ResumedRun, is_the_whole_run_of_steps_that_follow_the_motion) {
  const std::string orbit = R"toml([system]
coordinates = ["x", "y"]
mass = 1
potential = "-1/sqrt(x^2 + y^2)"
[initial]
position = [0.5, 0.1]
velocity = [0.2, 1.6]
[[symmetry]]
name = "angular momentum"
generator = { x = "-y", y = "x" }
)toml";
  for (const auto& [method, step] : {std::pair{"verlet", "{ reversible = \"(x^2 + y^2)^0.75\", first = 0.02 }"},
                                     {"newmark", "{ reversible = \"energy\", first = 0.02 }"},
                                     {"gauss", "{ poincare = \"(x^2 + y^2)^0.5\", first = 0.05 }"},
                                     {"lobatto", "{ reversible = \"force\", first = 0.02 }"},
                                     {"log-hamiltonian", "0.02"},
                                     {"symplectic-energy-momentum", "0.01"}})
    for (const char* end : {"end = 8\nevery = 3", "steps = 100\nevery = 7"})
      expect_to_resume(io::load_text(fmt::format("{}\n[method]\nname = \"{}\"\n[run]\nstep = {}\n{}\n", orbit, method, step, end),
                                     "following.toml"));
}

TEST(ResumedRun, is_the_whole_run_of_what_is_kept_between_steps_of_one_size) {
  for (const System* system : {&split_oscillator(), &split_planets()}) {
    io::Problem problem = system->problem;
    problem.schedule.steps = 100;
    problem.schedule.every = 3;
    for (const method::Spec& spec : method::all_methods()) {
      problem.method = spec;
      if (spec.traits().needs_split) expect_to_resume(problem);
    }
  }
}

TEST(ResumedRun, is_the_whole_run_with_forces_and_a_ledger) {
  for (const char* name : {"newmark", "generalized-alpha", "midpoint", "two-step", "energy-momentum", "minimising-newmark"})
    for (const char* step : {"step = 0.1\nevery = 1", "step = [0.1, 0.2, 0.1]\nevery = 9"})
      expect_to_resume(of(driven_oscillator, std::string("name = \"") + name + "\"", step));
}

TEST(ResumedRun, is_the_whole_run_on_constraints_and_multipliers) {
  const std::string kept = std::regex_replace(rods, std::regex("PENALTY"), "");
  for (const char* name : {"rattle", "shake", "midpoint", "energy-momentum"})
    expect_to_resume(of(kept, std::string("name = \"") + name + "\"", "step = 0.05\nevery = 4"));
}

TEST(ResumedRun, is_the_whole_run_of_what_is_driven) {
  const std::string shaken = R"toml([system]
coordinates = ["b", "x", "y"]
mass = [[1.5, 0.4, 0.1], [0.4, 1.2, 0.3], [0.1, 0.3, 2.0]]
potential = "0.5*(x - b)^2 + 0.7*(x - b)^4 + (y - x)^2"
dissipation = "0.05*(x' - b')^2"
constraints = ["b - 0.3*sin(t)"]
[initial]
position = [0, 0.3, -0.2]
velocity = [0.3, 0.1, 0.2])toml";
  for (const char* name : {"newmark", "generalized-alpha", "central-difference"})
    for (const char* step : {"step = 0.1\nevery = 1", "step = [0.1, 0.2, 0.1]\nevery = 9"})
      expect_to_resume(of(shaken, std::string("name = \"") + name + "\"", step));
}

TEST(ResumedRun, is_the_whole_run_with_means_of_a_penalty) {
  const std::string stiff = std::regex_replace(rods, std::regex("PENALTY"), "constraint_method = \"penalty\"\nomega = 50");
  expect_to_resume(of(stiff, "name = \"verlet\"", "step = 0.005\nevery = 6\nwindow = 0.06"));
}

// Noise is counted by the step: nothing of it is written down.
TEST(ResumedRun, is_the_whole_run_with_a_thermostat) {
  const auto bath = [](const std::string& scheme) {
    return "\n[system.thermostat]\nrate = 1\ntemperature = 0.5\nseed = 4\nscheme = \"" + scheme + "\"\n[initial]";
  };
  const auto with = [](const std::string& system, const std::string& lines) {
    return std::regex_replace(system, std::regex("\n\\[initial\\]"), lines);
  };
  const std::string kept = std::regex_replace(rods, std::regex("PENALTY"), "");
  for (const char* scheme : {"gla", "baoab", "obabo"}) {
    expect_to_resume(of(with(kept, bath(scheme)), "name = \"rattle\"", "step = 0.05\nevery = 4"));
    const std::string free = std::regex_replace(kept, std::regex("constraints = .*"), "");
    expect_to_resume(of(with(free, bath(scheme)), "name = \"verlet\"", "step = [0.1, 0.2, 0.1]\nevery = 9"));
  }
  for (const char* name : {"midpoint", "variational"})
    expect_to_resume(of(with(driven_oscillator, bath("obabo")), std::string("name = \"") + name + "\"", "step = 0.1\nevery = 1"));
}

TEST(ResumedRun, refuses_a_state_of_another_run) {
  const io::Problem a = of(driven_oscillator, "name = \"newmark\"", "step = 0.1"),
                    b = of(driven_oscillator, "name = \"midpoint\"", "step = 0.1");
  const Outcome part = run_it(a, 10);
  EXPECT_THROW(run_it(b, 0, 0, part.state), core::InputError);
  for (std::size_t size = 1; size < part.state.size(); size += 13)
    EXPECT_THROW(run_it(a, 0, 0, part.state.substr(0, size)), core::InputError) << size;
  EXPECT_THROW(run_it(a, 0, 0, part.state + "x"), core::InputError);
}

TEST(ResumedRun, have_the_same_pairs_whatever_their_lists_hold) {
  expect_to_resume(of(liquid, "name = \"verlet\"", "step = 0.005"));
}

}  // namespace actio::laws
