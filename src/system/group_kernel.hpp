// Included by each_machine.hpp, and without templates: those would be compiled for no machine. See ConstraintGroups and
// GroupBlock; `m` is the number of rows, a constant where it is small.

using GroupMatrix = Lanes[8][9];  // A, and the right-hand side

[[gnu::always_inline]] inline void absolute(const Lanes& x, Lanes& to) { to = (Lanes)((LaneMask)x & 0x7fffffffffffffff); }

// Column m of A becomes A^-1 of it. Rows are scaled by powers of two, which round nothing, to a largest entry of 1 to 2; not
// sound where the smallest pivot is too small beside the largest.
[[gnu::always_inline]] inline void solve_group(const int m, GroupMatrix& A, LaneMask& sound) {
  for (int k = 0; k < m; ++k) {
    Lanes largest, size;
    absolute(A[k][0], largest);
    for (int j = 1; j < m; ++j) {
      absolute(A[k][j], size);
      largest = size > largest ? size : largest;
    }
    const Lanes scale = (Lanes)(0x7fe0000000000000 - ((LaneMask)largest & 0x7ff0000000000000));
    for (int j = 0; j <= m; ++j) A[k][j] *= scale;
  }
  Lanes least = Lanes{} + __DBL_MAX__, most = Lanes{};
  for (int k = 0; k < m; ++k) {
    Lanes size, other;
    absolute(A[k][k], size);
    for (int i = k + 1; i < m; ++i) {
      absolute(A[i][k], other);
      const LaneMask larger = other > size;
      size = larger ? other : size;
      for (int j = k; j <= m; ++j) {
        const Lanes row = A[k][j];
        A[k][j] = larger ? A[i][j] : row;
        A[i][j] = larger ? row : A[i][j];
      }
    }
    least = size < least ? size : least;
    most = size > most ? size : most;
    sound &= size <= __DBL_MAX__;  // false for NaN
    const Lanes inverse = 1 / A[k][k];
    A[k][k] = inverse;
    for (int i = k + 1; i < m; ++i) {
      const Lanes factor = A[i][k] * inverse;
      for (int j = k + 1; j <= m; ++j) A[i][j] -= factor * A[k][j];
    }
  }
  sound &= least > system::singular_group * most;
  for (int k = m - 1; k >= 0; --k) {
    A[k][m] *= A[k][k];
    for (int i = 0; i < k; ++i) A[i][m] -= A[i][k] * A[k][m];
  }
}

// A = G M^-1 G0' of pack i
[[gnu::always_inline]] inline void group_matrix(const int m, const system::GroupBlock& b, const StoredLanes* G,
                                                const StoredLanes* G0, long i, GroupMatrix& A) {
  Lanes weighted[system::most_group_entries];
  for (int s = 0; s < b.entries; ++s) weighted[s] = b.inverse[b.coordinate[s] * b.packs + i].value * G0[s * b.packs + i].value;
  const std::int32_t* starts = b.product_starts;
  for (int k = 0; k < m; ++k)
    for (int l = 0; l < m; ++l, ++starts) {
      Lanes sum{};
      for (const system::GroupProduct *at = b.products + starts[0], *end = b.products + starts[1]; at != end; ++at)
        sum += G[at->of_G * b.packs + i].value * weighted[at->of_G0];
      A[k][l] = sum;
    }
}

[[gnu::always_inline]] inline void add_in_groups(const Lanes& x, long i, const system::GroupBlock& b, double& to) {
  for (long k = 0; k < lanes && lanes * i + k < b.here; ++k) to += x[k];
}

inline void take_groups(const system::GroupBlock& b, const double* from, StoredLanes* to) {
  for (long k = 0; k < b.coordinates * b.packs; ++k) gather(from, b.places[k], to[k].value);
}

inline void drift_groups(const system::GroupBlock& b, double h, const double* p0, double s, const double* f, const double* eta) {
  for (long i = 0; i < b.packs; ++i) {
    Lanes p[system::most_group_coordinates];
    for (int c = 0; c < b.coordinates; ++c) {
      gather(f, b.places[c * b.packs + i], p[c]);
      p[c] *= s;
    }
    for (int k = 0; k < b.rows; ++k) {
      Lanes& y = b.eta[k * b.packs + i].value;
      gather(eta, b.multipliers[k * b.packs + i], y);
      for (int e = b.row_starts[k]; e < b.row_starts[k + 1]; ++e) p[b.coordinate[e]] += b.G0[e * b.packs + i].value * y;
    }
    for (int c = 0; c < b.coordinates; ++c) {
      const long at = c * b.packs + i;
      Lanes before;
      gather(p0, b.places[at], before);
      p[c] += before;
      b.p[at].value = p[c];
      b.q[at].value = b.q0[at].value + h * (b.inverse[at].value * p[c]);
    }
  }
}

[[gnu::always_inline]] inline bool correct_groups_of(const int m, const system::GroupBlock& b, double h, double& increment,
                                                     double& size) {
  const double per_step = 1 / h;
  LaneMask sound = LaneMask{} - 1;
  Lanes d{}, all_of_w{};
  increment = size = 0;
  for (long i = 0; i < b.packs; ++i) {
    GroupMatrix A;
    group_matrix(m, b, b.G, b.G0, i, A);
    for (int k = 0; k < m; ++k) A[k][m] = per_step * b.g[k * b.packs + i].value;
    solve_group(m, A, sound);
    Lanes p[system::most_group_coordinates], dd{}, ww{};
    for (int c = 0; c < b.coordinates; ++c) p[c] = b.p[c * b.packs + i].value;
    for (int k = 0; k < m; ++k) {
      b.eta[k * b.packs + i].value -= A[k][m];
      for (int s = b.row_starts[k]; s < b.row_starts[k + 1]; ++s) p[b.coordinate[s]] -= b.G0[s * b.packs + i].value * A[k][m];
    }
    for (int c = 0; c < b.coordinates; ++c) {
      const long at = c * b.packs + i;
      const Lanes w = b.inverse[at].value * p[c], dw = b.inverse[at].value * b.p[at].value - w;
      dd += dw * dw;
      ww += w * w;
      b.p[at].value = p[c];
      b.q[at].value = b.q0[at].value + h * w;
    }
    if (lanes * (i + 1) <= b.here) {
      d += dd;
      all_of_w += ww;
    } else {
      add_in_groups(dd, i, b, increment);
      add_in_groups(ww, i, b, size);
    }
  }
  for (int k = 0; k < lanes; ++k) {
    increment += d[k];
    size += all_of_w[k];
  }
  return all(sound);
}
inline bool correct_groups(const system::GroupBlock& b, double h, double& increment, double& size) {
  switch (b.rows) {
    case 1:
      return correct_groups_of(1, b, h, increment, size);
    case 3:
      return correct_groups_of(3, b, h, increment, size);
    default:
      return correct_groups_of(b.rows, b, h, increment, size);
  }
}

inline void finish_groups(const system::GroupBlock& b, double* p, double* eta) {
  for (long k = 0; k < b.coordinates * b.packs; ++k) scatter(b.p[k].value, b.places[k], p);
  for (long k = 0; k < b.rows * b.packs; ++k) scatter(b.eta[k].value, b.multipliers[k], eta);
}

// p and eta = mu.
[[gnu::always_inline]] inline bool project_groups_of(const int m, const system::GroupBlock& b, const double* p0) {
  LaneMask sound = LaneMask{} - 1;
  for (long i = 0; i < b.packs; ++i) {
    GroupMatrix A;
    group_matrix(m, b, b.G, b.G, i, A);
    Lanes p[system::most_group_coordinates];
    for (int c = 0; c < b.coordinates; ++c) gather(p0, b.places[c * b.packs + i], p[c]);
    for (int k = 0; k < m; ++k) {
      A[k][m] = Lanes{};
      for (int s = b.row_starts[k]; s < b.row_starts[k + 1]; ++s)
        A[k][m] -= b.G[s * b.packs + i].value * (b.inverse[b.coordinate[s] * b.packs + i].value * p[b.coordinate[s]]);
    }
    solve_group(m, A, sound);
    for (int k = 0; k < m; ++k) {
      b.eta[k * b.packs + i].value = A[k][m];
      for (int s = b.row_starts[k]; s < b.row_starts[k + 1]; ++s) p[b.coordinate[s]] += b.G[s * b.packs + i].value * A[k][m];
    }
    for (int c = 0; c < b.coordinates; ++c) b.p[c * b.packs + i].value = p[c];
  }
  return all(sound);
}
inline bool project_groups(const system::GroupBlock& b, const double* p0) {
  switch (b.rows) {
    case 1:
      return project_groups_of(1, b, p0);
    case 3:
      return project_groups_of(3, b, p0);
    default:
      return project_groups_of(b.rows, b, p0);
  }
}
