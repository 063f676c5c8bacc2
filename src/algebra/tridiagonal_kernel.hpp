// Included by each_machine.hpp. See tridiagonal.hpp.

inline bool factor(const TridiagonalRows& a, const double* K, TridiagonalFactor& to) {
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
  return all(sound);
}

inline void solve(const TridiagonalRows& a, const TridiagonalFactor& of, const double* right, double* x, StoredLanes* y) {
  const long last = a.last, middle = a.middle;
  const TridiagonalFactor::Row* const row = of.rows;
  const LaneSlots* const at = a.coordinates;
  // L y = b
  Lanes top, bottom, end, left{}, own{}, of_bottom{};
  gather(right, at[0], top);
  if (!a.even) top = a.full ? top : Lanes{};
  gather(right, at[last - 1], bottom);
  gather(right, at[last], end);
  for (long i = 0, j = last - 1; i < middle || j > middle;) {
    if (i < middle) {
      y[i].value = top * row[i].inverse;
      left += row[i].separator * top;
      const Lanes of_top = row[i].next * top;
      ++i;
      gather(right, at[i], top);
      top -= of_top;
    }
    if (j > middle) {
      y[j].value = bottom * row[j].inverse;
      own += row[j].separator * bottom;
      of_bottom = row[j].next * bottom;
      --j;
      gather(right, at[j], bottom);
      bottom -= of_bottom;
    }
  }
  top -= of_bottom;
  left += row[middle].separator * top;
  own += of.middle_right * top;
  // The ring of ends.
  Lanes before, behind;
  rotate<7>(left, behind);
  end -= own + behind;
  const auto halve = [&]<int s>(const TridiagonalFactor::Halving& half) __attribute__((always_inline)) {
    rotate<s>(end, before);
    rotate<8 - s>(end, behind);
    end -= half.before * before + half.behind * behind;
  };
  halve.template operator()<1>(of.halvings[0]);
  halve.template operator()<2>(of.halvings[1]);
  rotate<4>(end, before);
  end -= of.halvings[2].before * before;
  end *= of.last_inverse;
  // L' x = D^-1 y
  rotate<1>(end, before);
  top = top * row[middle].inverse - row[middle].separator * before - of.middle_right * end;
  bottom = top;
  scatter(end, at[last], x);
  scatter(top, at[middle], x);
  for (long i = middle - 1, j = middle + 1; i > 0 || j < last;) {
    if (i > 0) {
      const Lanes z = y[i].value - row[i].separator * before;
      top = z - row[i].next * top;
      scatter(top, at[i], x);
      --i;
    }
    if (j < last) {
      const Lanes z = y[j].value - row[j].separator * end;
      bottom = z - row[j].next * bottom;
      scatter(bottom, at[j], x);
      ++j;
    }
  }
  const Lanes z = y[0].value - row[0].separator * before;
  top = z - row[0].next * top;
  if (a.even)
    scatter(top, at[0], x);
  else
    for (int k = 0; k < lanes; ++k)
      if (a.full[k] != 0) x[at[0].at[k]] = top[k];
}
