#pragma once
#include <Eigen/Core>
#include <actio/algebra/sparse.hpp>
#include <memory>
#include <vector>

#include "supernodal_solve.hpp"

// L L' of a symmetric positive definite matrix in dense blocks of columns (supernodes), by CHOLMOD and the BLAS: where a factor
// has work enough per entry this runs at the speed of dense matrices. Solves are our own (supernodal_solve.hpp).
//   Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam, Algorithm 887: CHOLMOD, ACM TOMS 35 (2008) 22.
// CHOLMOD's supernodal module is under the GPL; with the CMake option ACTIO_GPL off, without_supernodal.cpp takes its place.
namespace actio::algebra {

// CHOLMOD's own criterion: [flops of L L'] / [entries of L] from which on supernodes pay.
inline constexpr double supernodal_switch = 40;

class SupernodalAnalysis {
 public:
  // The better of the given order and METIS' nested dissection. Null where it is not built in, or where the factor of the better
  // one has too little work per entry. Throws core::InputError when it would have more than 2e9 entries.
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
