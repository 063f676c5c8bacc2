#pragma once
#include <Eigen/Core>
#include <actio/expr/kernel.hpp>
#include <actio/method/spec.hpp>
#include <actio/system/model.hpp>
#include <limits>
#include <string>

namespace actio::method {

// The frequencies w of small motions u about a state q at rest, M u'' + V''(q) u = 0: V'' x = w^2 M x over the coordinates that
// are not fixed. Friction and forces without a potential are left out; an unknown value is NaN.
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

// At time t and positions q (n), for a system with a mass and a potential, without constraints and bodies; for others why_not
// gives the reason.
Frequencies frequencies(const system::Model& model, double t, const Eigen::VectorXd& q, const expr::CompileOptions& options = {});

// The highest frequency alone, from below and without factoring V'': by `decomposed` of small systems, to 1e-2 or so by 40
// products of others. NaN if it is unknown, or if it would cost more than a tenth of a run of so many steps: V'' is interpreted,
// not compiled.
double highest_frequency(const system::Model& model, double t, const Eigen::VectorXd& q, long steps);

}  // namespace actio::method
