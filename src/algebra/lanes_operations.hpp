// Included by each_machine.hpp, once a machine. Lanes go by reference: their calling convention depends on the machine.

[[gnu::always_inline]] inline void gather(const double* from, const LaneSlots& slots, Lanes& to) {
  const std::int32_t* at = slots.at;
  to = Lanes{from[at[0]], from[at[1]], from[at[2]], from[at[3]], from[at[4]], from[at[5]], from[at[6]], from[at[7]]};
}
[[gnu::always_inline]] inline void scatter(const Lanes& from, const LaneSlots& slots, double* to) {
  for (int k = 0; k < lanes; ++k) to[slots.at[k]] = from[k];
}
// to_k = from_{k - s}, round the ring of lanes
template <int s>
[[gnu::always_inline]] inline void rotate(const Lanes& from, Lanes& to) {
  to = __builtin_shufflevector(from, from, (8 - s) % 8, (9 - s) % 8, (10 - s) % 8, (11 - s) % 8, (12 - s) % 8, (13 - s) % 8,
                               (14 - s) % 8, (15 - s) % 8);
}
// sound where d is positive and finite
[[gnu::always_inline]] inline void check(const Lanes& d, LaneMask& sound) { sound &= (d > 0) & (d <= __DBL_MAX__); }
[[gnu::always_inline]] inline bool all(const LaneMask& mask) {
  std::int64_t both = -1;
  for (int k = 0; k < lanes; ++k) both &= mask[k];
  return both != 0;
}
