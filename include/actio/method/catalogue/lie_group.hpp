#pragma once
#include <actio/method/method.hpp>

// Rigid bodies (lie_group.hpp).
namespace actio::method {

struct LieGroup {
  std::string retraction = "exponential", rule = "endpoint";
  double alpha = 0.5;
  static constexpr Description description{
      "lie-group", "rigid bodies on R^n x SO(3)^N, variational; rotation matrices stay orthogonal; joints by multipliers",
      "R1 = R0 tau(h W), x1 = x0 + h x';  mu0 = dtau(-h W)^-T I W - h (1-alpha) T0,  mu1 = dtau(h W)^-T I W + h alpha T1;  "
      "midpoint: torques at half the rotation",
      "symplectic form, momentum; energy bounded; R'R = 1",
      "Moser and Veselov (1991); Bou-Rabee and Marsden (2009); TO (34): cayley, endpoint, alpha = 0"};
  static constexpr Traits traits{.separable = true, .on_groups = true, .constraints = Constraints::kept};
  static constexpr auto fields() {
    return std::tuple{
        Field{
            "retraction", &LieGroup::retraction, {"exponential", "cayley", "", ""}, "tau, from angular velocities to rotations"},
        Field{"rule",
              &LieGroup::rule,
              {"endpoint", "midpoint", "", ""},
              "where forces are evaluated; midpoint is implicit in the forces"},
        Field{"alpha", &LieGroup::alpha, 0.0, 1.0,
              "endpoint: weight of the forces at the end of the step; other than 1/2 is first order"}};
  }
  Properties properties() const {
    const bool symmetric = rule == "midpoint" || alpha == 0.5;
    const bool contradictory = rule == "midpoint" && alpha != 0.5;
    return {
        .order = symmetric ? 2 : 1,
        .symmetric = symmetric,
        .contradiction = contradictory ? "with rule = \"midpoint\" takes no alpha: alpha belongs to rule = \"endpoint\"" : ""};
  }
};

}  // namespace actio::method
