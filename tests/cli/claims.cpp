#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <cli/program.hpp>
#include <run/json.hpp>

using test::Json;

namespace {

constexpr const char* methods = "newmark,verlet,symplectic-euler,variational,midpoint,rk4,cvode-adams,mclachlan-atela";

}  // namespace

// Every method on every small example: what it claims is measured and holds, and what does not fit is refused with the reason.
TEST(Claims, of_every_method_hold_on_every_example) {
  const test::Folder here;
  std::vector<const char*> examples{"oscillator", "pendulum"};
  if (!ACTIO_TEST_SHORT) examples.insert(examples.end(), {"pleiades", "kepler", "figure-eight", "henon-heiles", "fpu"});
  for (const char* example : examples) {
    const auto r = here.run(fmt::format("compare examples/{}.toml --methods {} --json certificate.energy=1e3", example, methods));
    ASSERT_EQ(r.code, 0) << example << r.err;
    const auto runs = Json::parse(r.out)["runs"];
    ASSERT_EQ(runs.size(), 8u);
    for (int k = 0; k < 8; ++k) {
      const auto& run = runs[k];
      const std::string name = fmt::format("{} on {}", run["method"]["name"].text(), example);
      if (!run.has("broken")) {  // the pendulum's Lagrangian is not of the form 1/2 v'Mv - V(q)
        EXPECT_NE(run["error"]["message"].text().find("needs a Lagrangian"), std::string::npos) << name;
        continue;
      }
      EXPECT_FALSE(run.has("error")) << name << r.err;
      EXPECT_EQ(run["broken"].size(), 0u) << name;
      const std::string keeps = run["method"]["keeps"].text();
      const bool claims = keeps != "nothing" || run["method"]["reversible"].boolean();
      EXPECT_EQ(run["verdict"].text(), claims ? "kept" : "no_claims") << name;
      if (keeps == "nothing") continue;
      EXPECT_LT(run["symplecticity"][keeps == "own" ? "own_defect" : "defect"].number(), 1e-9) << name;
    }
  }
}

// The measurement resolves what it is asked: 1e-9 or better on every example. For the chain the time that `standard` takes is too
// short if the program is not optimised.
TEST(Claims, are_measured_to_a_floor_of_1e_9) {
  const test::Folder here;
  std::vector<const char*> examples{"oscillator", "pleiades", "pendulum", "kepler", "figure-eight", "henon-heiles", "fpu"};
  if (!ACTIO_TEST_SHORT) examples.push_back("chain");
  for (const char* example : examples) {
    const auto r = here.run(fmt::format("run examples/{}.toml --json", example));
    ASSERT_EQ(r.code, 0) << example << r.err;
    EXPECT_LT(Json::parse(r.out)["symplecticity"]["floor"].number(), 1e-9) << example;
  }
}

// One look at the end of a long step, which the method divides as it likes: the friction between is known roughly.
TEST(Claims, of_energy_are_no_gain_where_friction_took_more_than_was_seen) {
  const test::Folder here;
  const auto file = here.write("rough.toml", R"toml([system]
coordinates = ["x", "y"]
mass = 1
potential = "(x^2 + y^2)*(x^2 + y^2 - 1)^2"
dissipation = "0.2*(1 + x^2)*(x'^2 + y'^2)"
[initial]
position = [1.2, 0]
velocity = [0, 0.2]
[method]
name = "cvode-adams"
rtol = 1e-12
atol = 1e-14
[run]
step = 4
end = 4
)toml");
  const auto r = here.run("run " + file + " --json");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(Json::parse(r.out)["verdict"].text(), "no_claims");
}

// RK4 far beyond its step: no velocity can be told of what comes. A run that failed, with its certificate, not wrong input.
TEST(Claims, of_a_run_whose_state_is_lost_come_with_the_step_where_it_was) {
  const test::Folder here;
  const auto file = here.write("blow.toml", R"([system]
coordinates = ["x"]
lagrangian = "0.5*x'^2 - 0.25*x^4"
[initial]
position = [3.0]
velocity = [0.0]
[method]
name = "rk4"
[run]
step = 2
end = 100
)");
  const auto ran = here.run(fmt::format("run {} --json", file));
  EXPECT_EQ(ran.code, 1) << ran.err;
  const auto j = Json::parse(ran.out);
  EXPECT_EQ(j["verdict"].text(), "failed");
  EXPECT_LT(j["error"]["step"].number(), 10);
  EXPECT_TRUE(j.has("energy"));
}

// A constant in V hides the energy: not kept, not lost, and no failure.
TEST(Claims, that_cannot_be_measured_are_unresolved_and_the_run_is_good) {
  const test::Folder here;
  const auto file = here.write("hidden.toml", R"([system]
coordinates = ["x"]
mass = 1
potential = "0.5*x^2 + 1e14"
[initial]
position = [1.0]
velocity = [0.0]
[method]
name = "verlet"
[run]
step = 0.1
end = 100
)");
  const auto r = here.run(fmt::format("run {} --json", file));
  EXPECT_EQ(r.code, 0) << r.err;
  const auto j = Json::parse(r.out);
  EXPECT_EQ(j["verdict"].text(), "unresolved");
  EXPECT_EQ(j["unresolved"].size(), 1u);
  EXPECT_GT(j["energy"]["resolution"].number(), 0.1 * j["energy"]["motion"].number());
}

// A generator whose value is not a number keeps nothing.
TEST(Claims, of_a_momentum_that_is_not_finite_fail) {
  const test::Folder here;
  const auto r = here.run("run examples/oscillator.toml 'symmetry.0.generator=[\"-y/0\",\"x\"]' --json");
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(Json::parse(r.out)["verdict"].text(), "failed");
  EXPECT_NE(r.err.find("is not finite"), std::string::npos) << r.err;
}

// Stiff and soft side by side: a condition of 1e14, and an energy that average acceleration keeps.
TEST(Claims, hold_for_a_stiff_spring_between_free_masses) {
  const test::Folder here;
  const auto r = here.run(
      "run examples/oscillator.toml 'system.potential=\"0.5e13*(x-y-1)^2 + 0*c\"' 'symmetry.0.generator=[\"1\",\"1\"]' "
      "initial.position=[0.6,-0.4] initial.velocity=[0.1,0] run.step=10 run.end=10000 --json");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_LT(Json::parse(r.out)["energy"]["max_error"].number(), 1e-9);
}
