#pragma once
#include <Eigen/Core>
#include <actio/algebra/sparse.hpp>
#include <memory>
#include <vector>

#include "lanes.hpp"

// L D L' of a symmetric matrix that falls apart into small blocks, taken as dense, without pivoting. Eight blocks of one size are
// eliminated side by side; where fewer are left the last stands for the missing.
namespace actio::algebra {

struct Pack {
  int size;                      // coordinates of each block, c_0, c_1, ...
  bool full;                     // no slot is missing
  const LaneSlots* coordinates;  // (size)
  const LaneSlots* slots;        // entries of K at (c_i, c_j), j <= i, at i (i + 1)/2 + j; -1: none
  StoredLanes* factor;           // L row by row, with 1/d on the diagonal
};

class BlocksAnalysis {
 public:
  static constexpr int most = 16;  // coordinates in a block

  // Block k holds the coordinates order[starts[k]] .. order[starts[k + 1] - 1].
  BlocksAnalysis(const SparseMatrix& pattern, const std::vector<int>& order, const std::vector<int>& starts);

 private:
  friend class Blocks;
  long n_;
  double nonzeros_ = 0;
  std::vector<int> sizes_;  // of each pack
  std::vector<LaneSlots> coordinates_, slots_;
};

class Blocks {
 public:
  explicit Blocks(std::shared_ptr<const BlocksAnalysis> analysis, Machine on = machine());
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  bool factor(const SparseMatrix& K);  // false: not positive definite or not finite
  struct Work {};
  void solve(const double* b, double* x, Work&) const;  // (n) each; b may be x
  void pivots(Eigen::VectorXd& d) const;
  double nonzeros() const { return analysis_->nonzeros_; }  // of what the blocks hold, were each dense

 private:
  std::shared_ptr<const BlocksAnalysis> analysis_;
  Machine machine_;
  std::vector<StoredLanes> factor_;
  std::vector<Pack> packs_;
};

}  // namespace actio::algebra
