#pragma once
#include <vector>

// Elements that are the pairs (i, j) of two nested loops, whose columns are found by indices affine in i and j: they need no
// table, and their kernels are the loops.
namespace actio::expr {

struct Affine {
  long constant = 0, by_i = 0, by_j = 0;
  long operator()(long i, long j) const { return constant + by_i * i + by_j * j; }
  bool operator==(const Affine&) const = default;
};

// i from `first` to `last`, and for each of them j from `from` to `to`, which are affine in i; all ends included.
struct PairLoops {
  long first = 0, last = -1;
  Affine from, to;
  bool operator==(const PairLoops&) const = default;
};

// Where the columns of a kernel lie: the first `coordinates` of them in the vector of coordinates, the others each in a table.
struct PairLayout {
  PairLoops loops;
  std::vector<Affine> columns;
  long coordinates = 0;
};

// Whether a kernel can run over these loops: in place of the coordinates of a pair, some stand at i and some at j, each has a
// positive stride, and two of them are the same at the same index, or never the same.
bool fit_for_loops(const PairLayout& layout);

// The pairs with i in [i, i_end) and j in [j, j_end).
struct PairTile {
  long i = 0, i_end = 0, j = 0, j_end = 0;
};

// Rows of a list of pairs: row i, first <= i < last, has the pairs (i, j[k]) with k from starts[i - loops.first] to that of the
// next row, j increasing.
struct PairRows {
  long first = 0, last = 0;
  const long* starts = nullptr;
  const int* j = nullptr;
};

// The sum over the pairs of a tile. A kernel of one output per coordinate, its derivatives: output l of a pair is added to y at
// the coordinate that column l is; of one output, a value: it is added to *y. Neither q nor the tables may overlap y. tables[k]
// is that of column coordinates + k.
struct PairKernel {
  using Function = void (*)(const void* self, const double* u, const PairTile* tile, const double* q, const double* const* tables,
                            double* y);
  void operator()(const double* u, const PairTile& tile, const double* q, const double* const* tables, double* y) const {
    function(self, u, &tile, q, tables, y);
  }
  explicit operator bool() const { return function != nullptr; }
  Function function = nullptr;
  const void* self = nullptr;
};

// The same over the pairs of a list that are near enough (KernelSource::near). What it adds up, and in which order, depends on
// these pairs alone, and not on others that the list has between them.
struct PairListKernel {
  using Function = void (*)(const void* self, const double* u, const PairRows* rows, const double* q, const double* const* tables,
                            double* y);
  void operator()(const double* u, const PairRows& rows, const double* q, const double* const* tables, double* y) const {
    function(self, u, &rows, q, tables, y);
  }
  explicit operator bool() const { return function != nullptr; }
  Function function = nullptr;
  const void* self = nullptr;
};

}  // namespace actio::expr
