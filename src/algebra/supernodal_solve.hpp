#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "lanes.hpp"
#include "supernodes.hpp"

// L L' x = b with a factor in supernodes, by several threads: subtrees of the elimination tree that know nothing of one another
// side by side, then what is above them, whose large supernodes are divided by rows (forwards) and columns (backwards). Each
// entry of L is read twice; a solve takes as long as that. Into how many parts the work is divided depends on L alone, so the
// numbers are the same for any number of threads.
//   J. W. H. Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11 (1990) 134.
namespace actio::algebra {

class SupernodalSolve {
 public:
  struct Work {
    std::vector<double> y, shared;               // (n); of one large supernode: w (its rows), then s (a panel's columns)
    std::vector<std::vector<double>> of_thread;  // w of a supernode, s of its columns
    std::vector<double> above;                   // what each subtree adds to the rows above it
  };
  explicit SupernodalSolve(const SupernodalShape& shape, Machine on = machine());  // keeps the views
  // x may be b.
  void solve(const double* values, const double* b, double* x, Work& work) const { solve_with(values, b, x, work); }
  void solve(const float* values, const double* b, double* x, Work& work) const { solve_with(values, b, x, work); }

 private:
  // What is done between two waits of all threads: `tasks` tasks. Of supernodes above the subtrees.
  struct Phase {
    enum class Kind { subtrees, gather, small, open, panel, rest, close } kind;
    long tasks;
    int begin, end;  // supernodes; of a panel one, and its columns
    int column, column_end;
  };
  template <class Entry>
  void solve_with(const Entry* values, const double* b, double* x, Work& work) const;
  template <class Entry>
  void forwards(const Entry* values, int s, double* y, double* w, double* above) const;
  template <class Entry>
  void backwards(const Entry* values, int s, double* y, double* w) const;
  template <class Entry>
  void forwards(const Phase& phase, long task, const Entry* values, Work& work, int slot) const;
  template <class Entry>
  void backwards(const Phase& phase, long task, const Entry* values, Work& work, int slot) const;
  void plan();
  long subtrees() const { return static_cast<long>(subtrees_.size()); }

  SupernodalShape shape_;
  Machine machine_;
  std::vector<Subtree> subtrees_;  // supernodes
  std::vector<int> above_;         // the other supernodes, ascending
  std::vector<int> place_above_;   // of a column of these, among them; -1 of others
  int columns_above_ = 0, most_rows_ = 0;
  std::vector<Phase> forward_, backward_;
  std::vector<long> forward_tasks_, backward_tasks_;
};

}  // namespace actio::algebra
