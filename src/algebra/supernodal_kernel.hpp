// Included by each_machine.hpp, once a machine. A panel of a supernode: columns of L that are all dense from the first one's
// diagonal on, column c at L + c lda. Entries are double or float; the vectors are double.

using Loose [[gnu::vector_size(64), gnu::aligned(8), gnu::may_alias]] = double;
using LooseFloats [[gnu::vector_size(32), gnu::aligned(4), gnu::may_alias]] = float;

[[gnu::always_inline]] inline void eight(const double* from, Loose& to) { to = *reinterpret_cast<const Loose*>(from); }
[[gnu::always_inline]] inline void eight(const float* from, Loose& to) {
  to = __builtin_convertvector(*reinterpret_cast<const LooseFloats*>(from), Loose);
}

// w_i += sum over c of L_ic x_c, i < rows
template <int columns, class Entry>
[[gnu::always_inline]] inline void add_columns(const Entry* L, long lda, const double* x, long rows, double* w) {
  long i = 0;
  for (; i + lanes <= rows; i += lanes) {
    Loose& sum = *reinterpret_cast<Loose*>(w + i);
    Loose s = sum, entries;
    for (int c = 0; c < columns; ++c) {
      eight(L + c * lda + i, entries);
      s += entries * x[c];
    }
    sum = s;
  }
  for (; i < rows; ++i)
    for (int c = 0; c < columns; ++c) w[i] += static_cast<double>(L[c * lda + i]) * x[c];
}

// s_c += sum over i of L_ic w_i, i < rows
template <int columns, class Entry>
[[gnu::always_inline]] inline void add_products(const Entry* L, long lda, const double* w, long rows, double* s) {
  Loose sums[columns];
  for (int c = 0; c < columns; ++c) sums[c] = Loose{};
  long i = 0;
  for (; i + lanes <= rows; i += lanes) {
    const Loose v = *reinterpret_cast<const Loose*>(w + i);
    Loose entries;
    for (int c = 0; c < columns; ++c) {
      eight(L + c * lda + i, entries);
      sums[c] += entries * v;
    }
  }
  for (int c = 0; c < columns; ++c) {
    const Loose& p = sums[c];
    double sum = ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
    for (long k = i; k < rows; ++k) sum += static_cast<double>(L[c * lda + k]) * w[k];
    s[c] += sum;
  }
}

constexpr int together = 4;  // columns that are read at once

// f(std::integral_constant<int, k>()) for the k = 1, 2, 3 columns that are left
template <class F>
[[gnu::always_inline]] inline void with_count(long k, F&& f) {
  if (k >= 4) return f(std::integral_constant<int, 4>());
  if (k == 3) return f(std::integral_constant<int, 3>());
  if (k == 2) return f(std::integral_constant<int, 2>());
  f(std::integral_constant<int, 1>());
}

// w += L x of a block of `rows` rows
template <class Entry>
void add_panel(const Entry* L, long lda, long columns, const double* x, long rows, double* w) {
  for (long c = 0; c < columns; c += together)
    with_count(columns - c, [&](auto k) { add_columns<k()>(L + c * lda, lda, x + c, rows, w); });
}
// s += L' w
template <class Entry>
void add_products_of_panel(const Entry* L, long lda, long columns, const double* w, long rows, double* s) {
  for (long c = 0; c < columns; c += together)
    with_count(columns - c, [&](auto k) { add_products<k()>(L + c * lda, lda, w, rows, s + c); });
}

// L x = y - w in the rows of the panel's own columns, y becoming x; and w += L x in the rows after them, `rows` in all.
template <class Entry>
void eliminate(const Entry* L, long lda, long columns, long rows, double* y, double* w) {
  for (long c = 0; c < columns; c += together)
    with_count(columns - c, [&](auto count) {
      const Entry* D = L + c * (lda + 1);
      for (int j = 0; j < count(); ++j) {
        double sum = y[c + j] - w[c + j];
        for (int k = 0; k < j; ++k) sum -= static_cast<double>(D[k * lda + j]) * y[c + k];
        y[c + j] = sum / static_cast<double>(D[j * (lda + 1)]);
      }
      add_columns<count()>(D + count(), lda, y + c, rows - c - count(), w + c + count());
    });
}

// L' x = y - s, s + L' w of the rows after the panel's columns; y becomes x, and so does w in those of the columns.
template <class Entry>
void substitute(const Entry* L, long lda, long columns, long rows, double* y, double* w, double* s) {
  for (long c = (columns - 1) / together * together; c >= 0; c -= together)
    with_count(columns - c, [&](auto count) {
      const Entry* D = L + c * (lda + 1);
      add_products<count()>(D + count(), lda, w + c + count(), rows - c - count(), s + c);
      for (int j = count() - 1; j >= 0; --j) {
        double sum = y[c + j] - s[c + j];
        for (int k = j + 1; k < count(); ++k) sum -= static_cast<double>(D[j * lda + k]) * y[c + k];
        w[c + j] = y[c + j] = sum / static_cast<double>(D[j * (lda + 1)]);
      }
    });
}
