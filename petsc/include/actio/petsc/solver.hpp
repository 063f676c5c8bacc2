#pragma once
#include <actio/petsc/matrix.hpp>
#include <memory>

namespace actio::petsc {

// x = K^-1 b by MUMPS: L U with partial pivoting, for any K of one pattern, ordered once. Copies share the factor until one of
// them factors again. All members are collective and say the same on all ranks.
class Solver {
 public:
  // A pivot below `singular` beside the matrix, both scaled by MUMPS, is none; 0: rounding decides.
  explicit Solver(double singular = 0) : singular_(singular) {}
  bool factor(const Matrix& K);  // false: a pivot that is none, or not finite
  bool factor_pivoted(const Matrix& K) { return factor(K); }
  void solve(const Vector& b, Vector& x) const;  // b and x are not the same vector
  void solve_pivoted(const Vector& b, Vector& x) const { solve(b, x); }
  bool singular() const { return null_pivots_ > 0; }  // why the last factorisation failed
  double nonzeros() const;                            // of L and U
  // What a factorisation costs, in solves, each with the assembly of another K; 0 where that is little. Counted, not measured.
  double cost_in_solves() const;
  long factorisations() const { return factorisations_; }

 private:
  struct Factor {
    Handle<Mat, MatDestroy> mat;
    double entries = 0;  // of K
  };
  std::shared_ptr<Factor> factor_;
  double singular_ = 0;
  long factorisations_ = 0, null_pivots_ = 0;
};

}  // namespace actio::petsc
