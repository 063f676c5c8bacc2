#pragma once
#include <Eigen/Core>
#include <actio/system/lagrangian.hpp>

// Prescribed coordinates d, q_d = x(t): a Lagrangian of the other coordinates f remains, and it depends on the time,
//
//   M_ff a_f = f_f + F_f - M_fd x''(t)   at q_d = x(t), v_d = x'(t)
//
// Forces of such a system are those of all coordinates, momentum(v) is M v of all; velocity(p) is that of M without what couples
// f and d, and so are the rows and columns d of every matrix K, which say M_ii dx_i = r_i. A system without these members has
// none.
namespace actio::system {

template <class S>
concept Prescribed = Lagrangian<S> && requires(S& s, double t, double b, typename S::Space::Vector& x, Eigen::VectorXd& lambda) {
  { s.prescribed() } -> std::convertible_to<long>;  // how many they are
  { s.prescribed_moves() } -> std::convertible_to<bool>;
  // For d: a = x'', q = x - bq a, v = x' - bv a at t, from t, bq, bv, q, v, a. The other entries stay.
  s.impose_motion(t, b, b, x, x, x);
  s.zero_prescribed(x);      // x_d = 0
  s.multipliers(x, lambda);  // lambda (m) of the constraints that say q_d = x(t), from M a - f - F
};

// Spaces of a few coordinates are made for speed, and take none.
template <class S>
inline constexpr bool can_prescribe = false;
template <Prescribed S>
inline constexpr bool can_prescribe<S> = !S::Space::static_size;

template <class S>
bool has_prescribed(const S& system) {
  if constexpr (can_prescribe<S>) return system.prescribed() > 0;
  return false;
}

}  // namespace actio::system
