#pragma once
#include <memory>
#include <variant>

#include "banded.hpp"
#include "blocks.hpp"
#include "tridiagonal.hpp"

// The solver written for what a pattern turns out to be: blocks, a chain or a ring, or a band. For positive definite matrices.
namespace actio::algebra {

class StructuredAnalysis {
 public:
  // Null where the pattern is nothing of the kind, or a band that has more than twice `nonzeros()`, the entries of L in an order
  // of least degree.
  template <class Nonzeros>
  static std::shared_ptr<const StructuredAnalysis> make(const SparseMatrix& pattern, Nonzeros&& nonzeros) {
    auto made = find(pattern);
    if (made && made->banded_entries_ > 0 && made->banded_entries_ > 2 * nonzeros()) return nullptr;
    return made;
  }

 private:
  friend class Structured;
  static std::shared_ptr<const StructuredAnalysis> find(const SparseMatrix& pattern);
  double banded_entries_ = 0;
  std::variant<std::shared_ptr<const TridiagonalAnalysis>, std::shared_ptr<const BandedAnalysis>,
               std::shared_ptr<const BlocksAnalysis>>
      of_;
};

class Structured {
 public:
  explicit Structured(const StructuredAnalysis& analysis);
  bool factor(const SparseMatrix& K);  // false: not positive definite or not finite
  struct Work {
    Tridiagonal::Work tridiagonal;
    Banded::Work banded;
    Blocks::Work blocks;
  };
  void solve(const double* b, double* x, Work& work) const;                              // (n) each; b may be x
  bool factor_and_solve(const SparseMatrix& K, const double* b, double* x, Work& work);  // false: x is as it was
  void pivots(Eigen::VectorXd& d) const;
  double nonzeros() const;
  const char* method() const;

 private:
  std::variant<std::unique_ptr<Tridiagonal>, std::unique_ptr<Banded>, std::unique_ptr<Blocks>> of_;
};

}  // namespace actio::algebra
