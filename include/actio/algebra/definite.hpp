#pragma once
#include <actio/algebra/symmetric.hpp>
#include <actio/algebra/vector.hpp>

// x = K^-1 b for a symmetric K, if and only if it is positive definite. Both triangles of K are given; dense spaces read the
// lower.
namespace actio::algebra {

// For a space whose solver has `factor_positive`.
template <class Space>
class DefiniteSolver {
 public:
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  explicit DefiniteSolver(const Space& space) : solver_(symmetric(space).solver()) {}
  bool factor(const Matrix& K) { return solver_.factor_positive(K); }  // false: not positive definite, or not finite
  void solve(const Vector& b, Vector& x) const { solver_.solve(b, x); }

 private:
  // A system whose other matrices are general has symmetric ones too.
  static Space symmetric(Space space) {
    space.symmetric = true;
    return space;
  }
  typename Space::Solver solver_;
};

template <int N>
class DefiniteSolver<DenseSpace<N>> : public SymmetricSolver<DenseSpace<N>> {
 public:
  using SymmetricSolver<DenseSpace<N>>::SymmetricSolver;
};

}  // namespace actio::algebra
