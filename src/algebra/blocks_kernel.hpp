// Included by each_machine.hpp. See blocks.hpp.

[[gnu::always_inline]] inline void load(const double* K, const LaneSlots& slots, bool full, Lanes& to) {
  if (full) return gather(K, slots, to);
  for (int k = 0; k < lanes; ++k) to[k] = slots.at[k] < 0 ? 0 : K[slots.at[k]];
}

inline bool factor(const Pack* pack, const Pack* end, const double* K) {
  LaneMask sound = LaneMask{} - 1;
  for (; pack != end; ++pack) {
    const int n = pack->size;
    StoredLanes* const L = pack->factor;
    Lanes d[16];
    for (int i = 0; i < n; ++i) {
      StoredLanes* const row = L + i * (i + 1) / 2;
      Lanes pivot;
      load(K, pack->slots[i * (i + 1) / 2 + i], pack->full, pivot);
      for (int j = 0; j < i; ++j) {
        const StoredLanes* const other = L + j * (j + 1) / 2;
        Lanes a;  // d_j L_ij
        load(K, pack->slots[i * (i + 1) / 2 + j], pack->full, a);
        for (int k = 0; k < j; ++k) a -= d[k] * other[k].value;
        d[j] = a;
      }
      for (int j = 0; j < i; ++j) {
        row[j].value = d[j] * L[j * (j + 1) / 2 + j].value;
        pivot -= d[j] * row[j].value;
      }
      check(pivot, sound);
      row[i].value = 1 / pivot;
    }
  }
  return all(sound);
}

inline void solve(const Pack* pack, const Pack* end, const double* b, double* x) {
  for (; pack != end; ++pack) {
    const int n = pack->size;
    const StoredLanes* const L = pack->factor;
    Lanes y[16];
    for (int i = 0; i < n; ++i) {
      const StoredLanes* const row = L + i * (i + 1) / 2;
      gather(b, pack->coordinates[i], y[i]);
      for (int j = 0; j < i; ++j) y[i] -= row[j].value * y[j];
    }
    for (int i = 0; i < n; ++i) y[i] *= L[i * (i + 1) / 2 + i].value;
    for (int i = n - 1; i >= 0; --i) {
      const StoredLanes* const row = L + i * (i + 1) / 2;
      for (int j = 0; j < i; ++j) y[j] -= row[j].value * y[i];
      scatter(y[i], pack->coordinates[i], x);
    }
  }
}
