#pragma once
#include <atomic>
#include <cstddef>
#include <vector>

#include "supernodes.hpp"

// The numbers of L L' = K in supernodes. Each supernode takes what is in K, less the products of those before it that have rows
// among its columns (left-looking), and is then factored as a dense matrix, by the BLAS. Subtrees of the elimination tree that
// know nothing of one another go side by side; then those above them, by tiles. Into how many parts the work is divided depends
// on L alone, so the numbers are the same for any number of threads. No memory but L's is of its size.
//   E. G. Ng, B. W. Peyton, Block sparse Cholesky algorithms on advanced uniprocessor computers, SIAM J. Sci. Comput. 14 (1993)
//   1034.
namespace actio::algebra {

class SupernodalFactor {
 public:
  SupernodalFactor(const SupernodalShape& shape, const std::vector<int>& inverse);  // keeps the views; inverse of its order

  // Into values, as many as the shape's entries. The number of columns before the first whose pivot is not positive: n if all
  // are. Of later ones the values are anything.
  int factor(const SparseMatrix& K, double* values) const;

 private:
  // The rows begin to end - 1 (places in `rows`) of supernode `from` are among the columns of another.
  struct Update {
    int from, begin, end;
  };
  // What is done between two waits of all threads: `tasks` tasks. Of supernodes above the subtrees.
  struct Phase {
    enum class Kind { subtrees, small, open, tiles, panel, solve, rest } kind;
    long tasks;
    int begin, end;  // supernodes, in above_ or one
    int column, column_end;
  };
  struct Work;
  void plan(const std::vector<Subtree>& subtrees);
  void add_dense(int s);
  std::pair<long, long> tile(int s, long task) const;
  void whole(const SparseMatrix& K, double* values, int s, std::vector<int>& place, std::vector<double>& product,
             Work& work) const;
  void gather(const SparseMatrix& K, double* values, int s, long column, long row, const std::vector<int>& place,
              std::vector<double>& product) const;
  void run(const Phase& phase, long task, int slot, const SparseMatrix& K, double* values, Work& work) const;

  SupernodalShape shape_;
  const std::vector<int>& inverse_;
  std::vector<Subtree> subtrees_;
  std::vector<int> above_;
  std::vector<int> update_starts_;  // (supernodes + 1)
  std::vector<Update> updates_;     // of each supernode, ascending by `from`
  std::vector<Phase> phases_;
  std::vector<long> tasks_;
};

}  // namespace actio::algebra
