// Included by each_machine.hpp, and without templates: those would be compiled for no machine. See ElementBlock: Lanes are eight
// elements, x and y 3 nodes of them, block (a, b) of a matrix the nine at 9 (b nodes + a), by columns; of a symmetric one those
// with a <= b.

using UnalignedLanes [[gnu::vector_size(64), gnu::aligned(8), gnu::may_alias]] = double;

[[gnu::always_inline]] inline void take_lanes(const double* from, long count, Lanes& to) {
  if (count >= lanes) {
    to = *reinterpret_cast<const UnalignedLanes*>(from);
  } else {
    to = Lanes{};
    for (long k = 0; k < count; ++k) to[k] = from[k];
  }
}

struct InverseLanes {
  Lanes at[9];
};
[[gnu::always_inline]] inline void take_inverse(const system::ElementPoint& point, InverseLanes& to) {
  for (int j = 0; j < 9; ++j) take_lanes(point.inverse + j * point.elements, point.count, to.at[j]);
}

// F_iK = sum_a x_ai sum_M slopes_aM inverse_MK
inline void deform_elements(const system::ElementPoint& point, const Lanes* x, Lanes* F) {
  InverseLanes inverse;
  take_inverse(point, inverse);
  for (int i = 0; i < 3; ++i) {
    Lanes H[3] = {};
    for (long a = 0; a < point.nodes; ++a) {
      const double* s = point.slopes + 3 * a;
      for (int M = 0; M < 3; ++M) H[M] += s[M] * x[3 * a + i];
    }
    for (int K = 0; K < 3; ++K) F[3 * i + K] = H[0] * inverse.at[K] + H[1] * inverse.at[3 + K] + H[2] * inverse.at[6 + K];
  }
}

// y_ai += w sum_M slopes_aM sum_K inverse_MK P_iK
inline void pull_elements(const system::ElementPoint& point, const Lanes* P, Lanes* y) {
  InverseLanes inverse;
  take_inverse(point, inverse);
  Lanes w;
  take_lanes(point.weight, point.count, w);
  for (int i = 0; i < 3; ++i) {
    Lanes H[3];
    for (int M = 0; M < 3; ++M) {
      const Lanes* G = inverse.at + 3 * M;
      H[M] = w * (P[3 * i] * G[0] + P[3 * i + 1] * G[1] + P[3 * i + 2] * G[2]);
    }
    for (long a = 1; a < point.nodes; ++a) {
      const double* s = point.slopes + 3 * a;
      y[3 * a + i] += s[0] * H[0] + s[1] * H[1] + s[2] * H[2];
    }
  }
}

// K_ai,bk += w sum_JL G_aJ A_iJ,kL G_bL,  G_aJ = sum_M slopes_aM inverse_MJ, but for the first node
[[gnu::always_inline]] inline void pull_matrix_of(const bool symmetric, const long nodes, const system::ElementPoint& point,
                                                  const Lanes* __restrict A, const std::int32_t* __restrict where,
                                                  Lanes* __restrict slopes, Lanes* __restrict K) {
  {
    InverseLanes inverse;
    take_inverse(point, inverse);
    for (long a = 1; a < nodes; ++a) {
      const double* s = point.slopes + 3 * a;
      for (int J = 0; J < 3; ++J) slopes[3 * a + J] = s[0] * inverse.at[J] + s[1] * inverse.at[3 + J] + s[2] * inverse.at[6 + J];
    }
  }
  Lanes w;
  take_lanes(point.weight, point.count, w);
  for (long b = 1; b < nodes; ++b) {
    const Lanes G0 = w * slopes[3 * b], G1 = w * slopes[3 * b + 1], G2 = w * slopes[3 * b + 2];
    for (int k = 0; k < 3; ++k) {
      Lanes T[9];
      for (int r = 0; r < 9; ++r) {
        const std::int32_t* at = where + 9 * r + 3 * k;
        T[r] = A[at[0]] * G0 + A[at[1]] * G1 + A[at[2]] * G2;
      }
      const long last = symmetric ? b + 1 : nodes;
      for (long a = 1; a < last; ++a) {
        const Lanes* G = slopes + 3 * a;
        Lanes* to = K + 9 * (b * nodes + a) + 3 * k;
        for (int i = 0; i < 3; ++i) to[i] += G[0] * T[3 * i] + G[1] * T[3 * i + 1] + G[2] * T[3 * i + 2];
      }
    }
  }
}
inline void pull_symmetric_matrix(const system::ElementPoint& point, const Lanes* A, const std::int32_t* where, Lanes* slopes,
                                  Lanes* K) {
  if (point.nodes == 4) return pull_matrix_of(true, 4, point, A, where, slopes, K);
  pull_matrix_of(true, point.nodes, point, A, where, slopes, K);
}
inline void pull_full_matrix(const system::ElementPoint& point, const Lanes* A, const std::int32_t* where, Lanes* slopes,
                             Lanes* K) {
  pull_matrix_of(false, point.nodes, point, A, where, slopes, K);
}

// y_0 = - sum_a y_a
inline void complete_elements(long nodes, Lanes* y) {
  for (int i = 0; i < 3; ++i) {
    Lanes sum{};
    for (long a = 1; a < nodes; ++a) sum += y[3 * a + i];
    y[i] = -sum;
  }
}

// K_0b = - sum_a K_ab, and so by columns
inline void complete_symmetric_matrix(long nodes, Lanes* K) {
  for (int j = 0; j < 9; ++j) K[j] = Lanes{};
  for (long b = 1; b < nodes; ++b) {
    Lanes* to = K + 9 * b * nodes;
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) {
        Lanes sum{};
        for (long a = 1; a <= b; ++a) sum += K[9 * (b * nodes + a) + 3 * k + i];
        for (long a = b + 1; a < nodes; ++a) sum += K[9 * (a * nodes + b) + 3 * i + k];
        to[3 * k + i] = -sum;
        K[3 * k + i] += sum;
      }
  }
}
inline void complete_full_matrix(long nodes, Lanes* K) {
  for (long b = 1; b < nodes; ++b)
    for (int j = 0; j < 9; ++j) {
      Lanes sum{};
      for (long a = 1; a < nodes; ++a) sum += K[9 * (b * nodes + a) + j];
      K[9 * b * nodes + j] = -sum;
    }
  for (long a = 0; a < nodes; ++a)
    for (int j = 0; j < 9; ++j) {
      Lanes sum{};
      for (long b = 1; b < nodes; ++b) sum += K[9 * (b * nodes + a) + j];
      K[9 * a + j] = -sum;
    }
}

// entries[slots] += K, element by element; slots as in Slots
[[gnu::always_inline]] inline void add_matrix_of(const bool symmetric, const long nodes, long count, const Lanes* K,
                                                 const std::int32_t* slots, double* entries) {
  const double* from = reinterpret_cast<const double*>(K);
  for (long e = 0; e < count; ++e, ++from)
    for (long b = 0; b < nodes; ++b)
      for (int j = 0; j < 3; ++j)
        for (long a = 0; a < nodes; ++a) {
          double* to = entries + *slots++;
          const bool stored = !symmetric || a <= b;
          const double* block = from + (stored ? 9 * (b * nodes + a) + 3 * j : 9 * (a * nodes + b) + j) * lanes;
          const long step = stored ? lanes : 3 * lanes;
          for (int i = 0; i < 3; ++i) to[i] += block[i * step];
        }
}
inline void add_symmetric_matrix(long nodes, long count, const Lanes* K, const std::int32_t* slots, double* entries) {
  if (nodes == 4) return add_matrix_of(true, 4, count, K, slots, entries);
  add_matrix_of(true, nodes, count, K, slots, entries);
}
inline void add_full_matrix(long nodes, long count, const Lanes* K, const std::int32_t* slots, double* entries) {
  add_matrix_of(false, nodes, count, K, slots, entries);
}
