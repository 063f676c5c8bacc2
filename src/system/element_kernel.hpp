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

// K_ai,bk += w sum_JL G_aJ A_iJ,kL G_bL,  G_aJ = sum_M slopes_aM inverse_MJ, but for the first node, and of a symmetric K a <= b
[[gnu::always_inline]] inline void pull_matrix_of(const bool symmetric, const bool first, const long nodes,
                                                  const system::ElementPoint& point, const Lanes* __restrict A,
                                                  const std::int32_t* __restrict where, Lanes* __restrict slopes,
                                                  Lanes* __restrict K) {
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
        Lanes* to = K + (3 * b + k) * 3 * nodes + 3 * a;
        for (int i = 0; i < 3; ++i) {
          const Lanes one = G[0] * T[3 * i] + G[1] * T[3 * i + 1] + G[2] * T[3 * i + 2];
          to[i] = first ? one : to[i] + one;
        }
      }
    }
  }
}
inline void pull_matrix(bool symmetric, bool first, const system::ElementPoint& point, const Lanes* A, const std::int32_t* where,
                        Lanes* slopes, Lanes* K) {
  if (symmetric && first && point.nodes == 4)
    pull_matrix_of(true, true, 4, point, A, where, slopes, K);
  else if (symmetric)
    pull_matrix_of(true, first, point.nodes, point, A, where, slopes, K);
  else
    pull_matrix_of(false, first, point.nodes, point, A, where, slopes, K);
}

// y_0 = - sum_a y_a
inline void complete_elements(long nodes, Lanes* y) {
  for (int i = 0; i < 3; ++i) {
    Lanes sum{};
    for (long a = 1; a < nodes; ++a) sum += y[3 * a + i];
    y[i] = -sum;
  }
}

// K_0b = - sum_a K_ab, and so by columns; of a symmetric K what is below the diagonal
[[gnu::always_inline]] inline void complete_matrix_of(const bool symmetric, const long nodes, Lanes* K) {
  const long n = 3 * nodes;
  if (symmetric)
    for (long j = 3; j < n; ++j)
      for (long i = 3 * (j / 3) + 3; i < n; ++i) K[j * n + i] = K[i * n + j];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) K[j * n + i] = Lanes{};
  for (long j = 3; j < n; ++j)
    for (int i = 0; i < 3; ++i) {
      Lanes sum{};
      for (long a = 1; a < nodes; ++a) sum += K[j * n + 3 * a + i];
      K[j * n + i] = -sum;
      K[(j % 3) * n + i] += sum;
    }
  for (int j = 0; j < 3; ++j)
    for (long i = 3; i < n; ++i) {
      Lanes sum{};
      for (long b = 1; b < nodes; ++b) sum += K[(3 * b + j) * n + i];
      K[j * n + i] = -sum;
    }
}

using TwoNumbers [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = double;

// entries[slots] += K, element by element; slots as in Slots. K is completed; `turned` has room for as much.
[[gnu::always_inline]] inline void add_matrix_of(const bool symmetric, const long nodes, long count, Lanes* K, Lanes* turned,
                                                 const std::int32_t* slots, double* entries) {
  complete_matrix_of(symmetric, nodes, K);
  const long eights = (9 * nodes * nodes + lanes - 1) / lanes;  // numbers of one element: turned[e * eights], ...
  for (long k = 0; k < eights; ++k) {
    Lanes x[lanes];
    for (int l = 0; l < lanes; ++l) x[l] = K[k * lanes + l];
    transpose(x);
    for (int e = 0; e < lanes; ++e) turned[e * eights + k] = x[e];
  }
  for (long e = 0; e < count; ++e) {
    const double* from = reinterpret_cast<const double*>(turned + e * eights);
    for (long b = 0; b < nodes; ++b, slots += nodes + 1)
      for (int j = 0; j < 3; ++j)
        for (long a = 0; a < nodes; ++a, from += 3) {
          double* to = entries + slots[1 + a] + j * slots[0];
          *reinterpret_cast<TwoNumbers*>(to) += *reinterpret_cast<const TwoNumbers*>(from);
          to[2] += from[2];
        }
  }
}
inline void add_matrix(bool symmetric, long nodes, long count, Lanes* K, Lanes* turned, const std::int32_t* slots,
                       double* entries) {
  if (symmetric && nodes == 4)
    add_matrix_of(true, 4, count, K, turned, slots, entries);
  else
    add_matrix_of(symmetric, nodes, count, K, turned, slots, entries);
}
