#include "supernodes.hpp"

#include <actio/core/error.hpp>
#include <algorithm>
#include <limits>
#include <queue>

namespace actio::algebra {
namespace {

// Two are merged where of the entries then at most this share is zero, by the columns that they then have.
bool worth_merging(int columns, double zeros, double entries) {
  if (columns <= 4 || zeros == 0) return true;
  return zeros <= (columns <= 16 ? 0.8 : columns <= 48 ? 0.1 : 0.05) * entries;
}

double trapezoid(double columns, double height) { return columns * (height - (columns - 1) / 2); }

struct Candidate {
  int begin, end;  // columns
  double zeros;
};

std::vector<Candidate> merged(const EliminationTree& tree) {
  const int n = static_cast<int>(tree.order.size());
  std::vector<int> children(tree.order.size(), 0);
  for (const int p : tree.parent)
    if (p >= 0) ++children[p];
  std::vector<Candidate> out;
  for (int k = 0; k < n; ++k) {
    if (k > 0 && tree.parent[k - 1] == k && tree.count[k - 1] == tree.count[k] + 1 && children[k] == 1)
      ++out.back().end;
    else
      out.push_back({k, k + 1, 0});
  }
  std::vector<Candidate> kept;
  for (Candidate s : out) {
    while (!kept.empty() && tree.parent[kept.back().end - 1] >= s.begin && tree.parent[kept.back().end - 1] < s.end) {
      const Candidate& child = kept.back();
      const int columns = s.end - child.begin;
      const double of_child = child.end - child.begin, below = tree.count[s.end - 1] - 1,
                   height_of_child = of_child + tree.count[child.end - 1] - 1, height = columns + below;
      const double zeros = s.zeros + child.zeros + of_child * (height - height_of_child);
      if (!worth_merging(columns, zeros, trapezoid(columns, height))) break;
      s = {child.begin, s.end, zeros};
      kept.pop_back();
    }
    kept.push_back(s);
  }
  return kept;
}

}  // namespace

Supernodes::Supernodes(const SparseMatrix& pattern, const EliminationTree& tree) : first{0}, row_starts{0}, starts{0} {
  const std::vector<Candidate> all = merged(tree);
  std::vector<int> of_column(tree.order.size()), seen(tree.order.size(), -1);
  std::vector<std::vector<int>> children(all.size());
  double entries = 0;
  for (std::size_t s = 0; s < all.size(); ++s) {
    std::fill(of_column.begin() + all[s].begin, of_column.begin() + all[s].end, static_cast<int>(s));
    entries += static_cast<double>(all[s].end - all[s].begin) * (all[s].end - all[s].begin + tree.count[all[s].end - 1] - 1);
  }
  if (entries > std::numeric_limits<int>::max())
    throw core::InputError("the factor of this system's matrix has more than 2e9 entries");
  for (std::size_t s = 0; s < all.size(); ++s)
    if (const int p = tree.parent[all[s].end - 1]; p >= 0) children[of_column[p]].push_back(static_cast<int>(s));
  for (int s = 0; s < static_cast<int>(all.size()); ++s) {
    const int begin = all[s].begin, end = all[s].end;
    const auto add = [&](int row) {
      if (row < end || seen[row] == s) return;
      seen[row] = s;
      rows.push_back(row);
    };
    for (int k = begin; k < end; ++k) rows.push_back(k);
    const auto below = static_cast<std::ptrdiff_t>(rows.size());
    for (int k = begin; k < end; ++k)
      for (int p = pattern.outerIndexPtr()[tree.order[k]]; p < pattern.outerIndexPtr()[tree.order[k] + 1]; ++p)
        add(tree.inverse[pattern.innerIndexPtr()[p]]);
    for (const int child : children[s])
      for (int r = row_starts[child]; r < row_starts[child + 1]; ++r) add(rows[r]);
    std::sort(rows.begin() + below, rows.end());
    first.push_back(end);
    row_starts.push_back(static_cast<int>(rows.size()));
    starts.push_back(starts.back() + (end - begin) * (row_starts[s + 1] - row_starts[s]));
  }
}

std::vector<Subtree> divide(const SupernodalShape& shape, const std::vector<double>& weights) {
  constexpr std::size_t most = 64;
  const int count = shape.count();
  std::vector<double> sums = weights;  // of the subtree of s
  std::vector<int> begins(weights.size()), sizes(weights.size(), 1), of_column(static_cast<std::size_t>(shape.n));
  std::vector<std::vector<int>> children(weights.size());
  std::priority_queue<std::pair<double, int>> largest;
  double total = 0;
  for (int s = 0; s < count; ++s) {
    std::fill(of_column.begin() + shape.first[s], of_column.begin() + shape.first[s + 1], s);
    begins[s] = s;
    total += weights[s];
  }
  for (int s = 0; s < count; ++s) {
    if (s - begins[s] + 1 != sizes[s]) return {};  // in postorder each subtree is a range
    if (shape.height(s) == shape.columns(s)) {
      largest.emplace(sums[s], s);
      continue;
    }
    const int parent = of_column[shape.rows[shape.row_starts[s] + shape.columns(s)]];
    sums[parent] += sums[s];
    begins[parent] = std::min(begins[parent], begins[s]);
    sizes[parent] += sizes[s];
    children[parent].push_back(s);
  }
  while (!largest.empty() && largest.size() < most && largest.top().first > total / 8) {
    const int s = largest.top().second;
    largest.pop();
    for (const int child : children[s]) largest.emplace(sums[child], child);
  }
  std::vector<std::pair<int, double>> roots;
  for (; !largest.empty(); largest.pop()) roots.emplace_back(largest.top().second, largest.top().first);
  std::sort(roots.begin(), roots.end());
  std::vector<Subtree> out;
  double together = 0;
  for (const auto& [root, weight] : roots) {
    if (out.empty() || out.back().end != begins[root] || together + weight > total / 32) {
      out.push_back({begins[root], root + 1});
      together = 0;
    }
    out.back().end = root + 1;
    together += weight;
  }
  return out;
}

}  // namespace actio::algebra
