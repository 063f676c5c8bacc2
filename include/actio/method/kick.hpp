#pragma once
#include <actio/system/lagrangian.hpp>

namespace actio::method {

template <system::Forced S, class Vector>
[[gnu::noinline]] void add_applied(S& system, double t, const Vector& q, Vector& scratch, Vector& f) {
  system.applied(t, q, q, scratch);
  f += 1.0 * scratch;
}

// f += F, where no force F depends on the velocity. `scratch` is overwritten where one acts.
template <system::Separable S, class Vector>
[[gnu::always_inline]] inline void add_external(S& system, double t, const Vector& q, Vector& scratch, Vector& f) {
  using Space = typename S::Space;
  if constexpr (system::Forced<S>) {
    if (system.forced()) [[unlikely]] {
      algebra::Scratch<Space, Vector> sum = f;
      add_applied(system, t, algebra::detached<Space>(q), scratch, sum);
      algebra::take_back<Space>(f, sum);
    }
  }
}

// f = -grad V + F of an explicit method.
template <system::Separable S, class Vector>
[[gnu::always_inline]] inline void kick(S& system, double t, const Vector& q, Vector& scratch, Vector& f) {
  system.force(t, q, f);
  add_external(system, t, q, scratch, f);
}

}  // namespace actio::method
