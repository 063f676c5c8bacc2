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
// 8 rows of 8 numbers become 8 columns
[[gnu::always_inline]] inline void transpose(Lanes (&x)[lanes]) {
  Lanes y[lanes];
  for (int k = 0; k < lanes; k += 2) {
    y[k] = __builtin_shufflevector(x[k], x[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    y[k + 1] = __builtin_shufflevector(x[k], x[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int k : {0, 1, 4, 5}) {
    x[k] = __builtin_shufflevector(y[k], y[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    x[k + 2] = __builtin_shufflevector(y[k], y[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int k = 0; k < 4; ++k) {
    y[k] = __builtin_shufflevector(x[k], x[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    y[k + 4] = __builtin_shufflevector(x[k], x[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
  for (int k = 0; k < lanes; ++k) x[k] = y[k];
}
// sound where d is positive and finite
[[gnu::always_inline]] inline void check(const Lanes& d, LaneMask& sound) { sound &= (d > 0) & (d <= __DBL_MAX__); }
[[gnu::always_inline]] inline bool all(const LaneMask& mask) {
  std::int64_t both = -1;
  for (int k = 0; k < lanes; ++k) both &= mask[k];
  return both != 0;
}
