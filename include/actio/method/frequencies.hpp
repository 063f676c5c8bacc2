#pragma once
#include <Eigen/Core>
#include <actio/expr/kernel.hpp>
#include <actio/method/spec.hpp>
#include <actio/system/model.hpp>
#include <limits>
#include <string>

namespace actio::method {

// Of the small motions u about a state q at rest, M u'' + V''(q) u = 0, coordinates that never move left out: w of
// V'' x = w^2 M x. Friction and forces without a potential are left out; what is not known is NaN.
struct Frequencies {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::string why_not;                         // "", or why nothing was measured
  double lowest = unknown, highest = unknown;  // [rad/s], of those that are not 0: to 1e-3, a decomposed system's to round-off
  double growth = unknown;                     // the largest rate of an unstable motion, exp(growth t) [1/s]; 0: there is none
  long rigid = 0;                              // motions that meet no stiffness: |w^2| <= 1e-13 highest^2
  long unstable = 0;                           // motions that grow
  bool at_least = false;                       // there may be more of both

  bool measured() const { return why_not.empty(); }
};

// Most coordinates that move, and most entries of V'', of a system whose frequencies are looked for: what takes some seconds.
inline constexpr long most_coordinates = 200'000, most_entries = 4'000'000;

// At time t and positions q (n). Of a system with a mass and a potential that has neither constraints nor bodies; of others
// why_not says what is the matter.
Frequencies frequencies(const system::Model& model, double t, const Eigen::VectorXd& q, const expr::CompileOptions& options = {});

// The highest frequency alone, from below and without factoring V'': by `decomposed` of small systems, to 1e-2 or so by 40
// products of others. NaN where it is unknown, or would cost more than a share of a run of so many steps: V'' is interpreted, not
// compiled.
double highest_frequency(const system::Model& model, double t, const Eigen::VectorXd& q, long steps);

}  // namespace actio::method
