#include "supernodal_factor.hpp"

#include <actio/core/parallel.hpp>
#include <algorithm>

#include "blas_threads.hpp"
#include "lapack.hpp"

namespace actio::algebra {
namespace {

constexpr long block = 128, tall = 512;                     // columns and rows of a tile
constexpr double least_divided = 1e8;                       // [flops of a factorisation] from which on it is divided at all
constexpr double least_large = 4.0 * core::worth_a_thread;  // entries of a supernode, from which on it is

const double one = 1, zero = 0, minus_one = -1;

long blocks(long n, long size) { return (n + size - 1) / size; }

}  // namespace

struct SupernodalFactor::Work {
  std::vector<std::vector<int>> places;       // of each thread, and at the end of all together: the place of a row in a supernode
  std::vector<std::vector<double>> products;  // of each thread: of a tile
  std::atomic<int> good;                      // columns before the first that has no positive pivot, as far as is known

  void fails(int column) {
    int known = good;
    while (column < known && !good.compare_exchange_weak(known, column)) {}
  }
};

SupernodalFactor::SupernodalFactor(const SupernodalShape& shape, const std::vector<int>& inverse)
    : shape_(shape), inverse_(inverse), update_starts_(static_cast<std::size_t>(shape.count()) + 1, 0) {
  const int count = shape_.count();
  std::vector<int> of_column(static_cast<std::size_t>(shape_.n));
  std::vector<double> flops(static_cast<std::size_t>(count));
  double all = 0;
  for (int s = 0; s < count; ++s) {
    std::fill(of_column.begin() + shape_.first[s], of_column.begin() + shape_.first[s + 1], s);
    all += flops[s] = shape_.entries(s) * shape_.height(s);
  }
  std::vector<std::pair<int, Update>> found;
  for (int s = 0; s < count; ++s)
    for (int begin = shape_.row_starts[s] + shape_.columns(s), end = begin; begin < shape_.row_starts[s + 1]; begin = end) {
      const int to = of_column[shape_.rows[begin]];
      while (end < shape_.row_starts[s + 1] && shape_.rows[end] < shape_.first[to + 1]) ++end;
      found.push_back({to, {s, begin, end}});
      ++update_starts_[to + 1];
    }
  for (int s = 0; s < count; ++s) update_starts_[s + 1] += update_starts_[s];
  updates_.resize(found.size());
  std::vector<int> next(update_starts_.begin(), update_starts_.end() - 1);
  for (const auto& [to, update] : found) updates_[next[to]++] = update;

  if (all >= least_divided) subtrees_ = divide(shape_, flops);
  if (subtrees_.empty()) subtrees_ = {{0, count}};
  plan(subtrees_);
}

void SupernodalFactor::plan(const std::vector<Subtree>& subtrees) {
  using Kind = Phase::Kind;
  std::vector<bool> below(static_cast<std::size_t>(shape_.count()), false);
  for (const Subtree& range : subtrees) std::fill(below.begin() + range.begin, below.begin() + range.end, true);
  for (int s = 0; s < shape_.count(); ++s)
    if (!below[s]) above_.push_back(s);
  phases_.push_back({Kind::subtrees, static_cast<long>(subtrees.size()), 0, 0, 0, 0});
  const int count = static_cast<int>(above_.size());
  for (int k = 0; k < count;) {
    const auto large = [&](int at) { return shape_.entries(above_[at]) >= least_large; };
    if (large(k)) {
      add_dense(above_[k++]);
      continue;
    }
    const int begin = k;
    while (k < count && !large(k)) ++k;
    phases_.push_back({Kind::small, 1, begin, k, 0, 0});
  }
  for (const Phase& phase : phases_) tasks_.push_back(phase.tasks);
}

void SupernodalFactor::add_dense(int s) {
  using Kind = Phase::Kind;
  const int columns = shape_.columns(s), rows = shape_.height(s);
  phases_.push_back({Kind::open, 1, s, s + 1, 0, 0});
  long tiles = 0;
  for (long c = 0; c < columns; c += block) tiles += blocks(rows - c, tall);
  phases_.push_back({Kind::tiles, tiles, s, s + 1, 0, 0});
  for (int c = 0; c < columns; c += block) {
    const int end = std::min<int>(c + block, columns);
    phases_.push_back({Kind::panel, 1, s, s + 1, c, end});
    if (rows > end) phases_.push_back({Kind::solve, blocks(rows - end, tall), s, s + 1, c, end});
    long rest = 0;
    for (long to = end; to < columns; to += block) rest += blocks(rows - to, tall);
    if (rest > 0) phases_.push_back({Kind::rest, rest, s, s + 1, c, end});
  }
}

// The first column and row of a tile of the columns from `task`'s supernode on: those of a block of columns from the diagonal
// down.
std::pair<long, long> SupernodalFactor::tile(int s, long task) const {
  for (long c = 0;; c += block) {
    const long here = blocks(shape_.height(s) - c, tall);
    if (task < here) return {c, c + task * tall};
    task -= here;
  }
}

// K less the products of earlier supernodes, in the tile of s from (row, column) on.
void SupernodalFactor::gather(const SparseMatrix& K, double* values, int s, long column, long row, const std::vector<int>& place,
                              std::vector<double>& product) const {
  const long height = shape_.height(s), column_end = std::min<long>(column + block, shape_.columns(s)),
             row_end = std::min(row + tall, height);
  const int first = shape_.first[s];
  const int* rows = shape_.rows.data() + shape_.row_starts[s];
  double* L = values + shape_.starts[s];
  for (long c = column; c < column_end; ++c) {
    double* of = L + c * height;
    std::fill(of + row, of + row_end, 0.0);
    const int from = shape_.order[first + c];
    for (int p = K.outerIndexPtr()[from]; p < K.outerIndexPtr()[from + 1]; ++p) {
      const int i = inverse_[K.innerIndexPtr()[p]];
      if (i < first + c) continue;
      if (const int at = place[i]; at >= row && at < row_end) of[at] = K.valuePtr()[p];
    }
  }
  const int *all = shape_.rows.data(), lowest = rows[row], highest = rows[row_end - 1];
  for (int u = update_starts_[s]; u < update_starts_[s + 1]; ++u) {
    const Update& update = updates_[u];
    const int* const end_of_rows = all + shape_.row_starts[update.from + 1];
    const int* const left = std::lower_bound(all + update.begin, all + update.end, first + static_cast<int>(column));
    const int* const right = std::lower_bound(left, all + update.end, first + static_cast<int>(column_end));
    const int* const top = std::lower_bound(left, end_of_rows, lowest);
    const int* const bottom = std::upper_bound(top, end_of_rows, highest);
    const int m = static_cast<int>(bottom - top), n = static_cast<int>(right - left), k = shape_.columns(update.from),
              ld = shape_.height(update.from);
    if (m == 0 || n == 0) continue;
    const double* of = values + shape_.starts[update.from] - shape_.row_starts[update.from];
    dgemm_("N", "T", &m, &n, &k, &one, of + (top - all), &ld, of + (left - all), &ld, &zero, product.data(), &m, 1, 1);
    const bool together = place[bottom[-1]] - place[*top] == m - 1;
    for (int j = 0; j < n; ++j) {
      double* to = L + (left[j] - first) * height;
      const double* from = product.data() + static_cast<long>(j) * m;
      const int skip = std::max(0, static_cast<int>(left + j - top));  // above the diagonal
      if (together) {
        to += place[*top];
        for (int i = skip; i < m; ++i) to[i] -= from[i];
      } else {
        for (int i = skip; i < m; ++i) to[place[top[i]]] -= from[i];
      }
    }
  }
}

void SupernodalFactor::whole(const SparseMatrix& K, double* values, int s, std::vector<int>& place, std::vector<double>& product,
                             Work& work) const {
  if (shape_.first[s] > work.good) return;
  const int columns = shape_.columns(s), height = shape_.height(s), below = height - columns;
  const int* rows = shape_.rows.data() + shape_.row_starts[s];
  for (int r = 0; r < height; ++r) place[rows[r]] = r;
  for (long c = 0; c < columns; c += block)
    for (long r = c; r < height; r += tall) gather(K, values, s, c, r, place, product);
  double* L = values + shape_.starts[s];
  int failed = 0;
  dpotrf_("L", &columns, L, &height, &failed, 1);
  if (failed > 0) return work.fails(shape_.first[s] + failed - 1);
  if (below > 0) dtrsm_("R", "L", "T", "N", &below, &columns, &one, L, &height, L + columns, &height, 1, 1, 1, 1);
}

void SupernodalFactor::run(const Phase& phase, long task, int slot, const SparseMatrix& K, double* values, Work& work) const {
  using Kind = Phase::Kind;
  std::vector<double>& product = work.products[slot];
  if (phase.kind == Kind::subtrees) {
    for (int s = subtrees_[task].begin; s < subtrees_[task].end; ++s) whole(K, values, s, work.places[slot], product, work);
    return;
  }
  if (phase.kind == Kind::small) {
    for (int k = phase.begin; k < phase.end; ++k) whole(K, values, above_[k], work.places[slot], product, work);
    return;
  }
  const int s = phase.begin, height = shape_.height(s), columns = shape_.columns(s), width = phase.column_end - phase.column;
  if (shape_.first[s] + phase.column > work.good) return;
  std::vector<int>& place = work.places.back();
  double* L = values + shape_.starts[s];
  double* panel = L + static_cast<long>(phase.column) * height;
  switch (phase.kind) {
    case Kind::open:
      for (int r = 0; r < height; ++r) place[shape_.rows[shape_.row_starts[s] + r]] = r;
      return;
    case Kind::tiles: {
      const auto [column, row] = tile(s, task);
      return gather(K, values, s, column, row, place, product);
    }
    case Kind::panel: {
      int failed = 0;
      dpotrf_("L", &width, panel + phase.column, &height, &failed, 1);
      if (failed > 0) work.fails(shape_.first[s] + phase.column + failed - 1);
      return;
    }
    case Kind::solve: {
      const long row = phase.column_end + task * tall;
      const int m = static_cast<int>(std::min<long>(tall, height - row));
      dtrsm_("R", "L", "T", "N", &m, &width, &one, panel + phase.column, &height, panel + row, &height, 1, 1, 1, 1);
      return;
    }
    default: {
      long c = phase.column_end, here = blocks(height - c, tall);
      for (; task >= here; here = blocks(height - c, tall)) {
        task -= here;
        c += block;
      }
      const long row = c + task * tall;
      const int m = static_cast<int>(std::min<long>(tall, height - row)),
                n = static_cast<int>(std::min<long>(block, columns - c));
      dgemm_("N", "T", &m, &n, &width, &minus_one, panel + row, &height, panel + c, &height, &one, L + c * height + row, &height,
             1, 1);
    }
  }
}

int SupernodalFactor::factor(const SparseMatrix& K, double* values) const {
  const OneBlasThread alone;
  Work work;
  const auto threads = static_cast<std::size_t>(core::threads());
  work.places.assign(threads + 1, std::vector<int>(static_cast<std::size_t>(shape_.n)));
  work.products.assign(threads, std::vector<double>(static_cast<std::size_t>(block * tall)));
  work.good = shape_.n;
  core::parallel_phases(tasks_, [&](long phase, long task, int slot) { run(phases_[phase], task, slot, K, values, work); });
  return work.good;
}

}  // namespace actio::algebra
