#pragma once
#include <Eigen/Core>
#include <actio/algebra/sparse.hpp>
#include <memory>
#include <vector>

#include "supernodal_solve.hpp"

// L L' of a symmetric positive definite matrix in dense blocks of columns (supernodes), by the BLAS: where a factor has work
// enough per entry this runs at the speed of dense matrices. supernodal_factor.hpp makes its numbers, supernodal_solve.hpp
// solves.
namespace actio::algebra {

// [flops of L L'] / [entries of L] from which on supernodes pay: CHOLMOD's criterion.
//   Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam, Algorithm 887: CHOLMOD, ACM TOMS 35 (2008) 22.
inline constexpr double supernodal_switch = 40;

class SupernodalAnalysis {
 public:
  // The better of the given order and METIS' nested dissection. Null where the factor of the better one has too little work per
  // entry. Throws core::InputError when it would have more than 2e9 entries.
  static std::shared_ptr<const SupernodalAnalysis> make(const SparseMatrix& pattern, const std::vector<int>& order);
  virtual ~SupernodalAnalysis() = default;
};

class Supernodal {
 public:
  using Work = SupernodalSolve::Work;  // memory that one thread solves in, and those it calls

  explicit Supernodal(std::shared_ptr<const SupernodalAnalysis> analysis);
  Supernodal(const Supernodal&) = delete;
  ~Supernodal();
  bool factor(const SparseMatrix& K);  // false: not positive definite, or not finite
  void solve(const double* b, double* x, Work& work, Digits digits) const;
  void pivots(Eigen::VectorXd& d) const;
  double nonzeros() const;
  double flops() const;  // of a factorisation

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace actio::algebra
