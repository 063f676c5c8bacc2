#pragma once
#include <klu.h>

#include <actio/algebra/sparse.hpp>
#include <memory>
#include <mutex>
#include <vector>

// L U of a general matrix with partial pivoting; the old pivots are used again while they stay sound.
//   T. A. Davis, E. Palamadai Natarajan, Algorithm 907: KLU, ACM TOMS 37 (2010) 36.
namespace actio::algebra {

class LuAnalysis {
 public:
  // `blocks`: permuted to block triangular form first; false for patterns that are symmetric and in one piece.
  explicit LuAnalysis(const SparseMatrix& pattern, bool blocks = true);
  LuAnalysis(const LuAnalysis&) = delete;
  ~LuAnalysis();

 private:
  friend class Lu;
  mutable klu_common common_;
  klu_symbolic* symbolic_;  // null: structurally singular
};

class Lu {
 public:
  explicit Lu(std::shared_ptr<const LuAnalysis> analysis);
  Lu(const Lu&) = delete;
  ~Lu();
  // By the pivots of the factorisation before, unless they have become small.
  bool factor(const SparseMatrix& K);
  void solve(const double* b, double* x) const;
  double reciprocal_condition() const;  // a rough one: the smallest pivot beside the largest, rows scaled
  // The matrix whose pivots are in use: all that a later factorisation depends on beside its own.
  void archive(core::Archive& a);
  double nonzeros() const { return numeric_ ? numeric_->lnz + numeric_->unz : 0; }
  double flops() const;  // of the last factorisation

 private:
  std::shared_ptr<const LuAnalysis> analysis_;
  mutable klu_common common_;
  klu_numeric* numeric_ = nullptr;
  std::vector<double> pivots_of_;  // entries of the matrix whose pivots numeric_ has
  mutable std::mutex workspace_;   // KLU solves in memory that belongs to the factor, which copies share
};

}  // namespace actio::algebra
