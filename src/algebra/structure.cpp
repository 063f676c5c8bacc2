#include "structure.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace actio::algebra {

namespace {

class Graph {
 public:
  explicit Graph(const SparseMatrix& pattern)
      : n_(static_cast<int>(pattern.cols())),
        starts_(pattern.outerIndexPtr()),
        rows_(pattern.innerIndexPtr()),
        degree_(static_cast<std::size_t>(n_), 0),
        seen_(static_cast<std::size_t>(n_), 0) {
    for (int i = 0; i < n_; ++i)
      for (int k = starts_[i]; k < starts_[i + 1]; ++k) degree_[i] += rows_[k] != i;
  }
  int size() const { return n_; }
  int degree(int i) const { return degree_[i]; }

  // Appends what hangs together with `root`, nearest first and of equally near ones those of few neighbours first; returns where
  // the farthest begin.
  std::size_t walk(int root, std::vector<int>& order) {
    ++walk_;
    std::size_t next = order.size(), level = next, level_end = next + 1;
    order.push_back(root);
    seen_[root] = walk_;
    for (; next < order.size(); ++next) {
      if (next == level_end) level = level_end, level_end = order.size();
      const std::size_t first = order.size();
      for (int k = starts_[order[next]]; k < starts_[order[next] + 1]; ++k)
        if (seen_[rows_[k]] != walk_) {
          seen_[rows_[k]] = walk_;
          order.push_back(rows_[k]);
        }
      std::sort(order.begin() + static_cast<long>(first), order.end(),
                [this](int i, int j) { return std::pair(degree_[i], i) < std::pair(degree_[j], j); });
    }
    return level;
  }

  // A coordinate that is far from another: an end of a long graph.
  int end_of(int root) {
    std::vector<int> order;
    std::size_t depth = 0;
    for (int again = 0; again < 8; ++again) {
      order.clear();
      const std::size_t farthest = walk(root, order);
      const int candidate = *std::min_element(order.begin() + static_cast<long>(farthest), order.end(),
                                              [this](int i, int j) { return degree_[i] < degree_[j]; });
      const std::size_t now = levels(order);
      if (now <= depth) break;
      depth = now;
      root = candidate;
    }
    return root;
  }

  int bandwidth(const std::vector<int>& order) const {
    std::vector<int> place(order.size());
    for (int k = 0; k < n_; ++k) place[order[k]] = k;
    int widest = 0;
    for (int i = 0; i < n_; ++i)
      for (int k = starts_[i]; k < starts_[i + 1]; ++k) widest = std::max(widest, std::abs(place[i] - place[rows_[k]]));
    return widest;
  }

  // Along a chain from one of its ends, or round a ring from coordinate 0.
  std::vector<int> along(int first) const {
    std::vector<int> order;
    for (int before = -1, here = first;;) {
      order.push_back(here);
      int next = -1;
      for (int k = starts_[here]; k < starts_[here + 1] && next < 0; ++k)
        if (rows_[k] != here && rows_[k] != before) next = rows_[k];
      if (next < 0 || next == first) return order;
      before = here;
      here = next;
    }
  }

 private:
  // How many walks outward from its first the order, as `walk` left it, takes.
  std::size_t levels(const std::vector<int>& order) {
    ++walk_;
    std::size_t count = 0, next = 0, reached = 1;
    seen_[order[0]] = walk_;
    while (next < order.size()) {
      ++count;
      for (const std::size_t end = reached; next < end; ++next)
        for (int k = starts_[order[next]]; k < starts_[order[next] + 1]; ++k)
          if (seen_[rows_[k]] != walk_) {
            seen_[rows_[k]] = walk_;
            ++reached;
          }
    }
    return count;
  }

  int n_;
  const int *starts_, *rows_;
  std::vector<int> degree_, seen_;
  int walk_ = 0;
};

}  // namespace

Structure find_structure(const SparseMatrix& pattern, long long_chain, int largest_block, int largest_bandwidth) {
  assert(pattern.isCompressed());
  const int n = static_cast<int>(pattern.cols());
  const long widest = std::max(2 * largest_bandwidth + 1, largest_block);
  if (n == 0 || pattern.nonZeros() > widest * n) return {};
  Graph graph(pattern);
  Structure found;
  // What hangs together.
  std::vector<bool> met(static_cast<std::size_t>(n), false);
  int largest = 0;
  for (int i = 0; i < n; ++i) {
    if (met[i]) continue;
    const std::size_t first = found.order.size();
    found.starts.push_back(static_cast<int>(first));
    graph.walk(i, found.order);
    for (std::size_t k = first; k < found.order.size(); ++k) met[found.order[k]] = true;
    largest = std::max(largest, static_cast<int>(found.order.size() - first));
  }
  found.starts.push_back(n);
  if (largest <= largest_block && found.starts.size() > 4) {
    found.kind = Structure::Kind::blocks;
    for (std::size_t k = 0; k + 1 < found.starts.size(); ++k)
      std::sort(found.order.begin() + found.starts[k], found.order.begin() + found.starts[k + 1]);
    return found;
  }
  const std::vector<int> roots = [&] {
    std::vector<int> of(found.starts.size() - 1);
    for (std::size_t k = 0; k < of.size(); ++k) of[k] = found.order[found.starts[k]];
    return of;
  }();
  int most_neighbours = 0, end = -1;
  for (int i = n - 1; i >= 0; --i) {
    most_neighbours = std::max(most_neighbours, graph.degree(i));
    if (graph.degree(i) == 1) end = i;
  }
  if (roots.size() == 1 && most_neighbours == 2 && n >= long_chain) {
    found.kind = end < 0 ? Structure::Kind::ring : Structure::Kind::chain;
    found.order = graph.along(std::max(end, 0));
    found.starts.clear();
    return found;
  }
  found.starts.clear();
  std::vector<int> given(static_cast<std::size_t>(n));
  std::iota(given.begin(), given.end(), 0);
  found.order.clear();
  for (const int root : roots) graph.walk(graph.end_of(root), found.order);
  std::reverse(found.order.begin(), found.order.end());
  found.bandwidth = graph.bandwidth(found.order);
  if (const int as_given = graph.bandwidth(given); as_given <= found.bandwidth) {
    found.bandwidth = as_given;
    found.order = std::move(given);
  }
  if (found.bandwidth <= largest_bandwidth) found.kind = Structure::Kind::banded;
  return found;
}

}  // namespace actio::algebra
