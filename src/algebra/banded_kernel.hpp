// Included by each_machine.hpp. See banded.hpp.

// w[k][i]: what is (j + k + i, j + k) of the matrix with the columns before j eliminated.
template <int b>
inline bool factor_small(long n, const double* K, const std::int32_t* slot, double* L) {
  double w[b + 1][b + 1];
  const auto enter = [&](long r) __attribute__((always_inline)) {  // row r of K becomes the window's last
    for (int k = 0; k <= b; ++k) {
      const std::int32_t s = r < n ? slot[r * (b + 1) + k] : -1;
      w[b - k][k] = s < 0 ? 0 : K[s];
    }
  };
  for (long r = 0; r <= b; ++r) {
    for (int k = 0; r > 0 && k < b; ++k)
      for (int i = 0; i < b - k; ++i) w[k][i] = w[k + 1][i];
    for (int k = 0; r == 0 && k <= b; ++k)
      for (int i = 0; i <= b; ++i) w[k][i] = 0;
    enter(r);
  }
  bool sound = true;
  for (long j = 0; j < n; ++j, L += b + 1) {
    double column[b + 1];
    for (int k = 0; k <= b; ++k) column[k] = w[0][k];
    const double d = column[0], inverse = 1 / d;
    sound = sound && d > 0 && d <= __DBL_MAX__;
    L[0] = inverse;
    for (int k = 1; k <= b; ++k) L[k] = column[k] * inverse;
    for (int k = 1; k <= b; ++k)
      for (int i = 0; i <= b - k; ++i) w[k - 1][i] = w[k][i] - (column[k] * column[k + i]) * inverse;
    enter(j + b + 1);
  }
  return sound;
}

template <int b>
inline void solve_small(long n, const double* L, const int* order, const double* right, double* x, double* y) {
  double w[b + 1];
  for (int i = 0; i <= b; ++i) w[i] = i < n ? right[order[i]] : 0;
  const double* l = L;
  for (long j = 0; j < n; ++j, l += b + 1) {
    const double top = w[0];
    y[j] = top * l[0];
    for (int i = 1; i <= b; ++i) w[i - 1] = w[i] - l[i] * top;
    w[b] = j + b + 1 < n ? right[order[j + b + 1]] : 0;
  }
  for (int i = 0; i <= b; ++i) w[i] = 0;
  for (long j = n - 1; j >= 0; --j) {
    l -= b + 1;
    double sum = y[j];
    for (int i = b; i > 0; --i) {
      sum -= l[i] * w[i - 1];
      w[i] = w[i - 1];
    }
    x[order[j]] = w[0] = sum;
  }
}

inline bool factor_any(long n, int b, const double* K, const std::int32_t* slot, double* L) {
  for (long r = 0; r < n; ++r)
    for (int k = 0; k <= b; ++k, ++slot)
      if (k <= r) L[(r - k) * (b + 1) + k] = *slot < 0 ? 0 : K[*slot];
  for (int k = 1; k <= b; ++k)  // below the last row
    for (int i = b - k + 1; i <= b; ++i)
      if (n - b + k - 1 >= 0) L[(n - b + k - 1) * (b + 1) + i] = 0;
  bool sound = true;
  double column[32];
  for (long j = 0; j < n; ++j, L += b + 1) {
    const double d = L[0], inverse = 1 / d;
    sound = sound && d > 0 && d <= __DBL_MAX__;
    for (int k = 1; k <= b; ++k) column[k] = L[k];
    L[0] = inverse;
    for (int k = 1; k <= b; ++k) L[k] *= inverse;
    const long columns = n - 1 - j < b ? n - 1 - j : b;
    for (int k = 1; k <= columns; ++k) {
      double* to = L + k * (b + 1);
      const double l = L[k];
      for (int i = 0; i <= b - k; ++i) to[i] -= l * column[k + i];
    }
  }
  return sound;
}

inline void solve_any(long n, int b, const double* L, const int* order, const double* right, double* x, double* y) {
  for (long j = 0; j < n; ++j) y[j] = right[order[j]];
  for (long j = 0; j < n; ++j, L += b + 1) {
    const long rows = n - 1 - j < b ? n - 1 - j : b;
    for (int i = 1; i <= rows; ++i) y[j + i] -= L[i] * y[j];
  }
  for (long j = n - 1; j >= 0; --j) {
    L -= b + 1;
    double sum = y[j] * L[0];
    const long rows = n - 1 - j < b ? n - 1 - j : b;
    for (int i = 1; i <= rows; ++i) sum -= L[i] * y[j + i];
    x[order[j]] = y[j] = sum;
  }
}

inline bool factor(long n, int b, const double* K, const std::int32_t* slot, double* L) {
  switch (b) {
    case 0:
      return factor_small<0>(n, K, slot, L);
    case 1:
      return factor_small<1>(n, K, slot, L);
    case 2:
      return factor_small<2>(n, K, slot, L);
    case 3:
      return factor_small<3>(n, K, slot, L);
    case 4:
      return factor_small<4>(n, K, slot, L);
    case 5:
      return factor_small<5>(n, K, slot, L);
    default:
      return factor_any(n, b, K, slot, L);
  }
}

inline void solve(long n, int b, const double* L, const int* order, const double* right, double* x, double* y) {
  switch (b) {
    case 0:
      return solve_small<0>(n, L, order, right, x, y);
    case 1:
      return solve_small<1>(n, L, order, right, x, y);
    case 2:
      return solve_small<2>(n, L, order, right, x, y);
    case 3:
      return solve_small<3>(n, L, order, right, x, y);
    case 4:
      return solve_small<4>(n, L, order, right, x, y);
    case 5:
      return solve_small<5>(n, L, order, right, x, y);
    default:
      return solve_any(n, b, L, order, right, x, y);
  }
}
