#pragma once
#include <Eigen/Cholesky>
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
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
      full_ = Full(mass.full, space.n);
    }
  }

  [[gnu::always_inline]] void momentum(const Vector& v, Vector& p) const {
    if (unit_)
      p = v;
    else if (diagonal_)
      p = m_.cwiseProduct(v);
    else
      Space::multiply(full_.M, v, p);
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
      if (!diagonal_) return full_.M.coeff(i, i);
    } else {
      if (!diagonal_) return full_.M(i, i);
    }
    return m_.size() > 0 ? m_[i] : 1.0;
  }
  const Vector& diagonal_entries() const { return m_; }
  const auto& full() const { return full_.M; }

 private:
  struct DenseFull {
    Matrix M, inverse;
    DenseFull() = default;
    DenseFull(const Eigen::SparseMatrix<double>& mass, long n) : M(Eigen::MatrixXd(mass)) {
      const Eigen::LLT<Eigen::MatrixXd> cholesky{Eigen::MatrixXd(mass)};
      if (cholesky.info() != Eigen::Success) throw_not_positive_definite();
      const Eigen::MatrixXd half = 0.5 * cholesky.solve(Eigen::MatrixXd::Identity(n, n));
      inverse = half + half.transpose();
    }
    void solve(const Vector& p, Vector& v) const { Space::multiply(inverse, p, v); }
  };
  struct SparseFull {
    algebra::SparseMatrix M;
    algebra::SparseSolver solver;
    SparseFull() = default;
    SparseFull(const SparseFull& other) : M(other.M), solver(other.solver) {
      if (M.rows() > 0) factor();
    }
    SparseFull& operator=(SparseFull&&) = default;
    SparseFull(const Eigen::SparseMatrix<double>& mass, long) : M(mass) {
      M.makeCompressed();
      solver = algebra::SparseSolver(M, true);
      factor();
    }
    void factor() {
      if (!solver.factor(M) || !solver.positive()) throw_not_positive_definite();
    }
    void solve(const Vector& p, Vector& v) const { solver.solve(p, v); }
  };
  using Full = std::conditional_t<std::is_same_v<Space, algebra::SparseSpace>, SparseFull, DenseFull>;

  bool unit_ = false, diagonal_;
  Vector m_, inverse_m_;
  Full full_;
};

}  // namespace actio::system
