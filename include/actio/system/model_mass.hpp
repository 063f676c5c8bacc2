#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/system/mass_factor.hpp>
#include <actio/system/mechanical.hpp>
#include <actio/system/model.hpp>

// The mass matrix of a model on a space: 1, diagonal or full, decided when the problem is read.
namespace actio::system {

template <class Space>
class ModelMass {
 public:
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  ModelMass(const MassMatrix& mass, const Space& space) : diagonal_(mass.kind != MassMatrix::Kind::full) {
    if (mass.kind == MassMatrix::Kind::diagonal) {
      unit_ = (mass.diagonal.array() == 1).all();
      m_ = mass.diagonal;
      inverse_m_ = mass.diagonal.cwiseInverse();
    } else if (mass.kind == MassMatrix::Kind::full) {
      full_ = Full(mass, space.n);
    }
  }

  [[gnu::always_inline]] void momentum(const Vector& v, Vector& p) const {
    if (unit_)
      p = v;
    else if (diagonal_)
      p = m_.cwiseProduct(v);
    else
      full_.multiply(v, p);
  }
  [[gnu::always_inline]] void velocity(const Vector& p, Vector& v) const {
    if (unit_)
      v = p;
    else if (diagonal_)
      v = inverse_m_.cwiseProduct(p);
    else
      full_.solve(p, v);
  }
  bool diagonal() const { return diagonal_; }
  // M_ii; 1 without a mass
  double of(long i) const {
    if constexpr (std::is_same_v<Space, algebra::SparseSpace>) {
      if (!diagonal_) return full_.M->coeff(i, i);
    } else {
      if (!diagonal_) return full_.M(i, i);
    }
    return m_.size() > 0 ? m_[i] : 1.0;
  }
  const Vector& diagonal_entries() const { return m_; }
  const double* inverse_diagonal() const { return unit_ || inverse_m_.size() == 0 ? nullptr : inverse_m_.data(); }  // null: 1
  const Matrix& full() const {
    if constexpr (std::is_same_v<Space, algebra::SparseSpace>)
      return *full_.M;
    else
      return full_.M;
  }

 private:
  struct DenseFull {
    Matrix M, inverse;
    DenseFull() = default;
    DenseFull(const MassMatrix& mass, long) : M(Eigen::MatrixXd(mass.full)) {
      Eigen::MatrixXd inverse_of_M;
      if (!algebra::invert_positive_definite(Eigen::MatrixXd(mass.full), inverse_of_M)) throw_not_positive_definite();
      inverse = inverse_of_M;
    }
    void multiply(const Vector& v, Vector& p) const { Space::multiply(M, v, p); }
    void solve(const Vector& p, Vector& v) const { Space::multiply(inverse, p, v); }
  };
  // Copies share the matrix and its factor, which is made at the first solve.
  struct SparseFull {
    std::shared_ptr<const algebra::SparseMatrix> M;
    std::shared_ptr<MassFactor> factor;
    mutable algebra::SparseSolver solver;
    mutable bool factored = false;
    SparseFull() = default;
    SparseFull(const MassMatrix& mass, long)
        : M(std::make_shared<const algebra::SparseMatrix>(mass.full)),
          factor(mass.factor ? mass.factor : std::make_shared<MassFactor>()) {}
    void multiply(const Vector& v, Vector& p) const { Space::multiply_symmetric(*M, v, p); }
    void solve(const Vector& p, Vector& v) const {
      if (!factored) {
        if (p.isZero(0)) {  // a start from rest without a load needs no factor
          v = p;
          return;
        }
        solver = factor->of(*M);
        factored = true;
      }
      solver.solve(p, v);
    }
  };
  using Full = std::conditional_t<std::is_same_v<Space, algebra::SparseSpace>, SparseFull, DenseFull>;

  bool unit_ = false, diagonal_;
  Vector m_, inverse_m_;
  Full full_;
};

}  // namespace actio::system
