// Included by each_machine.hpp. See tridiagonal.hpp.

// y = b, row by row; and x = y. Where coordinates run 1 by 1 eight rows at a time.
[[gnu::always_inline]] inline void read(const TridiagonalRows& a, const double* b, StoredLanes* y) {
  for (long i = 0; i <= a.last; ++i) {
    if (a.runs && i > 0) {
      const long first = i + lanes <= a.last + 1 ? i : a.last + 1 - lanes;  // the last eight overlap with those before
      Lanes x[lanes];
      for (int k = 0; k < lanes; ++k) __builtin_memcpy(&x[k], b + a.start[k] + first, sizeof x[k]);
      transpose(x);
      for (int k = 0; k < lanes; ++k) y[first + k].value = x[k];
      i = first + lanes - 1;
    } else {
      gather(b, a.coordinates[i], y[i].value);
    }
  }
  if (!a.even) y[0].value = a.full ? y[0].value : Lanes{};
}
[[gnu::always_inline]] inline void write(const TridiagonalRows& a, const StoredLanes* y, double* x) {
  for (int k = 0; k < lanes; ++k)
    if (a.even || a.full[k] != 0) x[a.coordinates[0].at[k]] = y[0].value[k];
  for (long i = 1; i <= a.last; ++i) {
    if (a.runs) {
      const long first = i + lanes <= a.last + 1 ? i : a.last + 1 - lanes;
      Lanes z[lanes];
      for (int k = 0; k < lanes; ++k) z[k] = y[first + k].value;
      transpose(z);
      for (int k = 0; k < lanes; ++k) __builtin_memcpy(x + a.start[k] + first, &z[k], sizeof z[k]);
      i = first + lanes - 1;
    } else {
      scatter(y[i].value, a.coordinates[i], x);
    }
  }
}

// L y = b, row by row in the order in which the rows are eliminated.
struct Forward {
  StoredLanes* y;
  Lanes top, bottom, end, before, behind, left{}, own{}, of_bottom{};

  [[gnu::always_inline]] Forward(const TridiagonalRows& a, const double* right, StoredLanes* to) : y(to) {
    read(a, right, y);
    top = y[0].value;
    bottom = y[a.last - 1].value;
    end = y[a.last].value;
  }
  [[gnu::always_inline]] void above(long i, const TridiagonalFactor::Row& row) {
    y[i].value = top * row.inverse;
    left += row.separator * top;
    const Lanes of_top = row.next * top;
    top = y[i + 1].value - of_top;
  }
  [[gnu::always_inline]] void below(long j, const TridiagonalFactor::Row& row) {
    y[j].value = bottom * row.inverse;
    own += row.separator * bottom;
    of_bottom = row.next * bottom;
    bottom = y[j - 1].value - of_bottom;
  }
  [[gnu::always_inline]] void middle(const TridiagonalFactor::Row& row, const Lanes& to_own_end) {
    top -= of_bottom;
    left += row.separator * top;
    own += to_own_end * top;
    rotate<7>(left, behind);
    end -= own + behind;
  }
  template <int s>
  [[gnu::always_inline]] void halve(const TridiagonalFactor::Halving& half) {
    rotate<s>(end, before);
    rotate<8 - s>(end, behind);
    end -= half.before * before + half.behind * behind;
  }
  [[gnu::always_inline]] void last(const TridiagonalFactor& of) {
    rotate<4>(end, before);
    end -= of.halvings[2].before * before;
    end *= of.last_inverse;
  }
};
struct NoRight {
  [[gnu::always_inline]] void above(long, const TridiagonalFactor::Row&) {}
  [[gnu::always_inline]] void below(long, const TridiagonalFactor::Row&) {}
  [[gnu::always_inline]] void middle(const TridiagonalFactor::Row&, const Lanes&) {}
  template <int>
  [[gnu::always_inline]] void halve(const TridiagonalFactor::Halving&) {}
  [[gnu::always_inline]] void last(const TridiagonalFactor&) {}
};

// `right_side` goes along, in the shadow of the divisions.
template <class Right>
[[gnu::always_inline]] inline bool factor_with(const TridiagonalRows& a, const double* K, TridiagonalFactor& to,
                                               Right& right_side) {
  const long last = a.last, middle = a.middle;
  TridiagonalFactor::Row* const row = to.rows;
  const Lanes zero{};
  LaneMask sound = LaneMask{} - 1;
  // The row above: pivot d, coupling c to the next and f to the end of the piece before.
  Lanes d, c, f, f1 = zero;
  gather(K, a.diagonal[0], d);
  gather(K, a.coupling[0], f);
  gather(K, a.coupling[1], c);
  f = a.left ? f : zero;
  if (!a.even) {
    d = a.full ? d : zero + 1;
    f = a.full ? f : zero;
    f1 = (a.left & ~a.full) ? c : zero;
    c = a.full ? c : zero;
  }
  // The row below: pivot e, coupling g to the end of its own piece.
  Lanes e, g, b, left = zero, right = zero, up = zero;
  gather(K, a.diagonal[last - 1], e);
  gather(K, a.coupling[last], g);
  for (long i = 0, j = last - 1; i < middle || j > middle;) {
    if (i < middle) {
      TridiagonalFactor::Row& r = row[i];
      check(d, sound);
      r.inverse = 1 / d;
      r.next = c * r.inverse;
      r.separator = f * r.inverse;
      left += f * r.separator;
      f = f1 - r.next * f;
      f1 = zero;
      right_side.above(i, r);
      ++i;
      gather(K, a.diagonal[i], d);
      d -= c * r.next;
      gather(K, a.coupling[i + 1], c);
    }
    if (j > middle) {
      TridiagonalFactor::Row& r = row[j];
      check(e, sound);
      gather(K, a.coupling[j], b);
      r.inverse = 1 / e;
      r.next = b * r.inverse;
      r.separator = g * r.inverse;
      right += g * r.separator;
      g = -r.next * g;
      up = b * r.next;
      right_side.below(j, r);
      --j;
      gather(K, a.diagonal[j], e);
      e -= up;
    }
  }
  // The middle: what both sides leave of it, coupled to both ends.
  TridiagonalFactor::Row& m = row[middle];
  d -= up;
  check(d, sound);
  m.inverse = 1 / d;
  m.separator = f * m.inverse;
  to.middle_right = g * m.inverse;
  left += f * m.separator;
  right += g * to.middle_right;
  right_side.middle(m, to.middle_right);
  // The ring of ends: diagonal b, coupling c to the one before.
  Lanes behind;
  rotate<7>(left, behind);
  gather(K, a.diagonal[last], b);
  b -= right + behind;
  c = -f * to.middle_right;
  const auto halve = [&]<int s>(TridiagonalFactor::Halving & half) __attribute__((always_inline)) {
    check(b, sound);
    const Lanes inverse = 1 / b;
    Lanes inverse_before, inverse_behind, c_before, c_behind;
    rotate<s>(inverse, inverse_before);
    rotate<8 - s>(inverse, inverse_behind);
    rotate<s>(c, c_before);
    rotate<8 - s>(c, c_behind);
    half.pivot = b;
    half.before = c * inverse_before;
    half.behind = c_behind * inverse_behind;
    b -= c * half.before + c_behind * half.behind;
    c = -half.before * c_before;
    right_side.template halve<s>(half);
  };
  halve.template operator()<1>(to.halvings[0]);
  halve.template operator()<2>(to.halvings[1]);
  // Opposite ones meet on both sides.
  Lanes opposite;
  rotate<4>(c, opposite);
  c += opposite;
  check(b, sound);
  const Lanes inverse = 1 / b;
  rotate<4>(inverse, opposite);
  to.halvings[2].pivot = b;
  to.halvings[2].before = c * opposite;
  b -= c * to.halvings[2].before;
  check(b, sound);
  to.last_inverse = 1 / b;
  right_side.last(to);
  return all(sound);
}

inline bool factor(const TridiagonalRows& a, const double* K, TridiagonalFactor& to) {
  NoRight none;
  return factor_with(a, K, to, none);
}

// L' x = D^-1 y
[[gnu::always_inline]] inline void solve_back(const TridiagonalRows& a, const TridiagonalFactor& of, const Forward& forward,
                                              double* x) {
  const long last = a.last, middle = a.middle;
  const TridiagonalFactor::Row* const row = of.rows;
  StoredLanes* const y = forward.y;
  const Lanes end = forward.end;
  Lanes before, top, bottom;
  rotate<1>(end, before);
  top = forward.top * row[middle].inverse - row[middle].separator * before - of.middle_right * end;
  bottom = top;
  y[last].value = end;
  y[middle].value = top;
  for (long i = middle - 1, j = middle + 1; i >= 0 || j < last;) {
    if (i >= 0) {
      const Lanes z = y[i].value - row[i].separator * before;
      top = z - row[i].next * top;
      y[i].value = top;
      --i;
    }
    if (j < last) {
      const Lanes z = y[j].value - row[j].separator * end;
      bottom = z - row[j].next * bottom;
      y[j].value = bottom;
      ++j;
    }
  }
  write(a, y, x);
}

inline void solve(const TridiagonalRows& a, const TridiagonalFactor& of, const double* right, double* x, StoredLanes* y) {
  Forward forward(a, right, y);
  for (long i = 0, j = a.last - 1; i < a.middle || j > a.middle;) {
    if (i < a.middle) forward.above(i, of.rows[i]), ++i;
    if (j > a.middle) forward.below(j, of.rows[j]), --j;
  }
  forward.middle(of.rows[a.middle], of.middle_right);
  forward.halve<1>(of.halvings[0]);
  forward.halve<2>(of.halvings[1]);
  forward.last(of);
  solve_back(a, of, forward, x);
}

// Both in one pass; x is written where the factor is sound.
inline bool factor_and_solve(const TridiagonalRows& a, const double* K, TridiagonalFactor& to, const double* right, double* x,
                             StoredLanes* y) {
  Forward forward(a, right, y);
  if (!factor_with(a, K, to, forward)) return false;
  solve_back(a, to, forward, x);
  return true;
}
