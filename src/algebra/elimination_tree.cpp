#include "elimination_tree.hpp"

namespace actio::algebra {
namespace {

std::vector<int> inverse_of(const std::vector<int>& order) {
  std::vector<int> inverse(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) inverse[order[k]] = static_cast<int>(k);
  return inverse;
}

// f(i) for the rows i of column k of the matrix in its order.
template <class F>
void each_row(const SparseMatrix& pattern, const std::vector<int>& order, const std::vector<int>& inverse, int k, F f) {
  for (int p = pattern.outerIndexPtr()[order[k]]; p < pattern.outerIndexPtr()[order[k] + 1]; ++p)
    f(inverse[pattern.innerIndexPtr()[p]]);
}

std::vector<int> parents(const SparseMatrix& pattern, const std::vector<int>& order, const std::vector<int>& inverse) {
  const int n = static_cast<int>(order.size());
  std::vector<int> parent(order.size(), -1), ancestor(order.size(), -1);  // the highest known, by shortened paths
  for (int k = 0; k < n; ++k)
    each_row(pattern, order, inverse, k, [&](int i) {
      while (i >= 0 && i < k) {
        const int next = ancestor[i];
        ancestor[i] = k;
        if (next < 0) parent[i] = k;
        i = next;
      }
    });
  return parent;
}

// Columns in postorder, the children of each ascending.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> child(parent.size(), -1), sibling(parent.size(), -1), stack, order;
  order.reserve(parent.size());
  for (int k = n - 1; k >= 0; --k)
    if (parent[k] >= 0) {
      sibling[k] = child[parent[k]];
      child[parent[k]] = k;
    }
  for (int root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int k = stack.back();
      if (const int next = child[k]; next >= 0) {
        child[k] = sibling[next];
        stack.push_back(next);
      } else {
        order.push_back(k);
        stack.pop_back();
      }
    }
  }
  return order;
}

// Entries of the factor's columns: those of a column are the rows whose subtrees (the columns with an entry in that row) have it.
//   J. R. Gilbert, E. G. Ng, B. W. Peyton, An efficient algorithm to compute row and column counts for sparse Cholesky
//   factorization, SIAM J. Matrix Anal. Appl. 15 (1994) 1075.
std::vector<int> column_counts(const SparseMatrix& pattern, const EliminationTree& tree) {
  const int n = static_cast<int>(tree.order.size());
  std::vector<int> first(tree.order.size(), -1), count(tree.order.size(), 0);
  for (int k = 0; k < n; ++k) {
    count[k] = first[k] < 0 ? 1 : 0;  // a leaf
    if (first[k] < 0) first[k] = k;   // the first descendant
    if (const int p = tree.parent[k]; p >= 0 && first[p] < 0) first[p] = first[k];
  }
  std::vector<int> last_leaf(tree.order.size(), -1), latest_first(tree.order.size(), -1), set(tree.order.size());
  for (int k = 0; k < n; ++k) set[k] = k;
  const auto root_of = [&](int k) {
    int root = k;
    while (set[root] != root) root = set[root];
    while (set[k] != root) k = std::exchange(set[k], root);
    return root;
  };
  for (int k = 0; k < n; ++k) {
    if (tree.parent[k] >= 0) --count[tree.parent[k]];
    each_row(pattern, tree.order, tree.inverse, k, [&](int i) {
      if (i <= k || first[k] <= latest_first[i]) return;  // k is no leaf of the subtree of row i
      latest_first[i] = first[k];
      ++count[k];
      if (last_leaf[i] >= 0) --count[root_of(last_leaf[i])];  // their lowest common ancestor
      last_leaf[i] = k;
    });
    if (tree.parent[k] >= 0) set[k] = tree.parent[k];
  }
  for (int k = 0; k < n; ++k)
    if (tree.parent[k] >= 0) count[tree.parent[k]] += count[k];
  return count;
}

}  // namespace

EliminationTree::EliminationTree(const SparseMatrix& pattern, const std::vector<int>& given) {
  const std::vector<int> unordered = parents(pattern, given, inverse_of(given)), post = postorder(unordered),
                         place = inverse_of(post);
  order.reserve(given.size());
  parent.reserve(given.size());
  for (const int k : post) {
    order.push_back(given[k]);
    parent.push_back(unordered[k] < 0 ? -1 : place[unordered[k]]);
  }
  inverse = inverse_of(order);
  count = column_counts(pattern, *this);
}

double EliminationTree::nonzeros() const {
  double sum = 0;
  for (const int c : count) sum += c;
  return sum;
}

double EliminationTree::flops() const {
  double sum = 0;
  for (const int c : count) sum += static_cast<double>(c) * c;
  return sum;
}

}  // namespace actio::algebra
