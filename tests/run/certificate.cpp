#include <actio/invariant/certificate.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <run/json.hpp>

using namespace actio;
using invariant::Certificate;

namespace {

Certificate sample() {
  Certificate c;
  c.title = "a \"quoted\"\ttitle\n";
  c.method = "verlet";
  c.order = 2;
  c.claims = {method::Keeps::canonical, true, true};
  c.coordinates = 2;
  c.step = c.smallest_step = 0.1;
  c.steps = c.planned = 1000;
  c.last = {100, Eigen::VectorXd{{0.1, 1.0 / 3}}, Eigen::VectorXd{{-2e-300, 5}}, Eigen::VectorXd{{0, 0}}};
  c.energy = {-1.25, 1e-3, 7.5, 1e-12, 2e-12, 1e-7, true};
  c.momentum.push_back({"angular momentum", 0.24, 1e-15, invariant::unmeasured, 1e-12, true, true, true, 1e-11});
  c.symplecticity.canonical = {1e-12, 1e-11};
  c.energy.motion = c.energy.early_motion = 1;
  c.energy.late_looks = 16;
  c.energy.swings = 100;
  c.energy.late_error = c.energy.early_error = 1e-3;
  c.reversibility = 1e-16;
  c.measuring.states = c.measuring.of_states = 5;
  c.solver = {1e-14, 2000};
  return c;
}

}  // namespace

TEST(Certificate, json_has_every_number_to_the_last_bit) {
  auto c = sample();
  judge(c);
  const auto j = test::Json::parse(json(c));
  EXPECT_EQ(j["title"].text(), c.title);
  EXPECT_EQ(j["final"]["t"].number(), 100);
  EXPECT_EQ(j["final"]["q"][1].number(), 1.0 / 3);
  EXPECT_EQ(j["final"]["v"][0].number(), -2e-300);
  EXPECT_EQ(j["steps"].number(), 1000);
  EXPECT_EQ(j["energy"]["initial"].number(), -1.25);
  EXPECT_EQ(j["energy"]["max_error"].number(), 1e-3);
  EXPECT_EQ(j["energy"]["drift_per_step"].number(), 1e-12);
  EXPECT_EQ(j["energy"]["drift_confidence"].number(), 2e-12);
  EXPECT_EQ(j["energy"]["lost"].number(), 1e-7);
  EXPECT_EQ(j["momentum"]["angular momentum"]["max_error"].number(), 1e-15);
  EXPECT_EQ(j["symplecticity"]["defect"].number(), 1e-12);
  EXPECT_EQ(j["reversibility"]["defect"].number(), 1e-16);
  EXPECT_EQ(j["solver"]["worst_residual"].number(), 1e-14);
  EXPECT_EQ(j["solver"]["iterations"].number(), 2000);
  EXPECT_EQ(j["verdict"].text(), "kept");
  EXPECT_TRUE(j.has("wall_seconds"));
}

TEST(Certificate, json_says_null_where_nothing_was_measured) {
  auto c = sample();
  c.symplecticity.canonical.value = std::nan("");
  c.last.q[0] = INFINITY;
  const auto j = test::Json::parse(json(c));
  EXPECT_TRUE(j["symplecticity"]["defect"].is_null());
  EXPECT_TRUE(j["final"]["q"][0].is_null());
  EXPECT_TRUE(j["momentum"]["angular momentum"]["own_max_error"].is_null());
  EXPECT_FALSE(test::Json::parse(json(c, false))["final"].has("q"));
}

TEST(Certificate, verdict_compares_claims_with_measurements) {
  using V = Certificate::Verdict;
  auto c = sample();
  judge(c);
  EXPECT_EQ(c.verdict, V::kept);

  auto lost = c;
  lost.symplecticity.canonical.value = 8e-6;
  judge(lost);
  EXPECT_EQ(lost.verdict, V::failed);
  EXPECT_NE(text(lost).find("LOST"), std::string::npos);

  auto unresolved = lost;  // a defect the differences cannot tell from none
  unresolved.symplecticity.canonical.floor = 0.9e-6;
  judge(unresolved);
  EXPECT_EQ(unresolved.verdict, V::kept);

  unresolved.symplecticity.canonical = {0.5, 2e-3};  // whatever it is, it says nothing
  judge(unresolved);
  EXPECT_EQ(unresolved.verdict, V::unresolved);
  EXPECT_EQ(test::Json::parse(json(unresolved))["unresolved"].size(), 1u);
  EXPECT_NE(text(unresolved).find("could not be measured"), std::string::npos);

  auto blind = c;
  blind.symplecticity.canonical.value = std::nan("");
  judge(blind);
  EXPECT_EQ(blind.verdict, V::unresolved);
  blind = c;
  blind.reversibility = std::nan("");
  judge(blind);
  EXPECT_EQ(blind.verdict, V::unresolved);
  blind.claims = {method::Keeps::nothing, true, false};
  judge(blind);
  EXPECT_EQ(blind.verdict, V::no_claims);

  auto discrete = c;  // of symplectic-energy-momentum
  discrete.claims.discrete_energy = true;
  judge(discrete);
  EXPECT_EQ(discrete.verdict, V::unresolved);
  discrete.energy.discrete_error = 1e-12;
  discrete.energy.discrete_allowed = 1.1e-12;
  judge(discrete);
  EXPECT_EQ(discrete.verdict, V::kept);
  EXPECT_EQ(std::ranges::count(discrete.kept, "the discrete energy"), 1);
  discrete.energy.discrete_error = 1.2e-12;
  judge(discrete);
  EXPECT_EQ(discrete.verdict, V::failed);

  auto following = c;  // for a moment, where steps are to be short
  following.follows = true;
  following.energy.max_error = 0.49 * c.energy.motion;
  judge(following);
  EXPECT_EQ(following.verdict, V::kept);
  following.energy.max_error = 0.51 * c.energy.motion;
  judge(following);
  EXPECT_EQ(following.verdict, V::unresolved);
  following.follows = false;
  judge(following);
  EXPECT_EQ(following.verdict, V::kept);

  auto unsolved = c;  // the laws of a step hold for the solution of its equations
  unsolved.solver.worst_residual = 0.99e-6;
  judge(unsolved);
  EXPECT_EQ(unsolved.verdict, V::kept);
  unsolved.solver.worst_residual = 1.01e-6;
  judge(unsolved);
  EXPECT_EQ(unsolved.verdict, V::unresolved);
  unsolved.solver.worst_residual = 1.01e-2;
  judge(unsolved);
  EXPECT_EQ(unsolved.verdict, V::failed);
  unsolved.solver.worst_residual = std::nan("");
  judge(unsolved);
  EXPECT_EQ(unsolved.verdict, V::failed);

  auto momentum = c;
  momentum.momentum[0].max_error = 1e-11;
  judge(momentum);
  EXPECT_EQ(momentum.verdict, V::failed);
  momentum.momentum[0].claimed = false;
  judge(momentum);
  EXPECT_EQ(momentum.verdict, V::kept);

  auto gone = c;  // energy that stays away by more than half of what moves
  gone.energy.max_error = gone.energy.late_error = 0.7;
  gone.energy.lost = gone.energy.last_error = -0.51;
  judge(gone);
  EXPECT_EQ(gone.verdict, V::failed);
  gone.energy.lost = -0.49;  // by less: nobody knows
  judge(gone);
  EXPECT_EQ(gone.verdict, V::unresolved);
  gone.energy.lost = -0.19;
  judge(gone);
  EXPECT_EQ(gone.verdict, V::kept);
  gone.energy.lost = -0.51;
  gone.energy.late_looks = 3;  // too few to see it return
  judge(gone);
  EXPECT_EQ(gone.verdict, V::unresolved);
  gone.energy.late_looks = 16;
  gone.energy.conserved = false;
  judge(gone);
  EXPECT_EQ(gone.verdict, V::kept);

  auto away = c;  // it returns, and is far away on the way
  away.energy.max_error = 3;
  away.energy.typical_error = 1.01;
  judge(away);
  EXPECT_EQ(away.verdict, V::failed);
  away.energy.typical_error = 0.31;
  judge(away);
  EXPECT_EQ(away.verdict, V::unresolved);
  away.energy.typical_error = 0.29;
  judge(away);
  EXPECT_EQ(away.verdict, V::kept);

  auto grows = c;
  grows.energy.late_error = grows.energy.max_error = 10.1;
  grows.energy.early_error = 1;
  judge(grows);
  EXPECT_EQ(grows.verdict, V::failed);
  grows.energy.early_error = 1.1;
  judge(grows);
  EXPECT_EQ(grows.verdict, V::kept);

  auto hidden = c;  // below its round-off nothing is said of the energy
  hidden.energy.resolution = 0.11;
  judge(hidden);
  EXPECT_EQ(hidden.verdict, V::unresolved);
  hidden.energy.resolution = 0.09;
  judge(hidden);
  EXPECT_EQ(hidden.verdict, V::kept);

  auto gained = c;  // whatever the method claims
  gained.claims = {method::Keeps::nothing, true, false};
  gained.energy.last_error = gained.energy.lost = gained.energy.late_error = gained.energy.max_error = 10.1;
  gained.energy.motion = 20;
  judge(gained);
  EXPECT_EQ(gained.verdict, V::failed);
  gained.energy.last_error = 9.9;
  judge(gained);
  EXPECT_EQ(gained.verdict, V::no_claims);

  auto other = c;  // steps of another system, or of a lower order
  other.accuracy.inconsistency = 1.2e-6;
  other.accuracy.floor = 1e-8;
  other.accuracy.states_off = 1;
  judge(other);
  EXPECT_EQ(other.verdict, V::failed);
  other.accuracy = {};
  other.accuracy.order = 1.4;
  judge(other);
  EXPECT_EQ(other.verdict, V::failed);
  other.accuracy.order = 1.6;
  judge(other);
  EXPECT_EQ(other.verdict, V::kept);
  other.accuracy.together = other.accuracy.together_finer = 1.4;
  judge(other);
  EXPECT_EQ(other.verdict, V::unresolved);
  other.accuracy = {};
  other.accuracy.slips = 1;
  judge(other);
  EXPECT_EQ(other.verdict, V::unresolved);
  other.accuracy = {};
  other.accuracy.ringing = 1;
  judge(other);
  EXPECT_EQ(other.verdict, V::unresolved);

  auto code = c;
  code.code = invariant::Agreement{};
  code.code->energy = 0.9e-5;
  judge(code);
  EXPECT_EQ(code.verdict, V::kept);
  code.code->tangent = 1.1e-5;
  judge(code);
  EXPECT_EQ(code.verdict, V::failed);

  auto crank = c;  // nothing is free to move
  crank.symplecticity.canonical.value = std::nan("");
  crank.symplecticity.no_freedom = true;
  judge(crank);
  EXPECT_EQ(crank.verdict, V::kept);

  auto declared = c;
  declared.momentum[0].claimed = declared.momentum[0].symmetry = false;
  judge(declared);
  EXPECT_EQ(declared.verdict, V::unresolved);

  auto oneway = c;
  oneway.reversibility = 1e-3;
  judge(oneway);
  EXPECT_EQ(oneway.verdict, V::failed);

  auto nothing = lost;
  nothing.claims = {method::Keeps::nothing, true, false};
  judge(nothing);
  EXPECT_EQ(nothing.verdict, V::no_claims);

  auto own = lost;
  own.claims.keeps = method::Keeps::conjugate_form;
  own.symplecticity.own = {1e-13, 1e-12};
  own.momentum[0].max_error = 1e-3;
  own.momentum[0].own_max_error = 1e-14;
  judge(own);
  EXPECT_EQ(own.verdict, V::kept);

  auto stopped = c;
  stopped.interrupted = true;
  judge(stopped);
  EXPECT_EQ(stopped.verdict, V::stopped);

  auto failed = c;
  failed.failure = {17, 1.7, "step 17: not solved"};
  judge(failed);
  EXPECT_EQ(failed.verdict, V::failed);
  EXPECT_EQ(test::Json::parse(json(failed))["error"]["step"].number(), 17);
}

TEST(Certificate, text_names_what_was_kept_and_what_was_lost) {
  auto c = sample();
  c.energy.drift_per_step = 1e-9;
  judge(c);
  const std::string t = text(c);
  for (const char* part :
       {"verlet", "order 2", "1000 of 1000 steps", "largest error 1.00e-03 at t = 7.5", "drifts", "angular momentum: 0.24",
        "kept", "verdict         kept: the symplectic form, angular momentum, the energy near its start, reversibility"})
    EXPECT_NE(t.find(part), std::string::npos) << part << "\n" << t;
}

TEST(Certificate, allowance_of_a_momentum_grows_with_steps_and_is_far_below_a_method_error) {
  EXPECT_GE(invariant::momentum_allowance(1, 0, 0), 2e-16);
  EXPECT_LT(invariant::momentum_allowance(1, 1, 0), 1e-13);
  EXPECT_LT(invariant::momentum_allowance(1, 1000000, 0), 1e-9);
  EXPECT_GT(invariant::momentum_allowance(1, 1000, 1e-12), 5e-9);
}
