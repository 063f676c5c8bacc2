#pragma once
#include <Eigen/Cholesky>
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/system/mechanical.hpp>
#include <actio/system/model.hpp>

// The mass matrix of a model on a space: diagonal or full, decided when the problem is read.
namespace actio::system {

template <class Space>
class ModelMass {
 public:
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  ModelMass(const MassMatrix& mass, const Space& space) : diagonal_(mass.kind != MassMatrix::Kind::full) {
    if (mass.kind == MassMatrix::Kind::diagonal) {
      m_ = mass.diagonal;
      inverse_m_ = mass.diagonal.cwiseInverse();
    } else if (mass.kind == MassMatrix::Kind::full) {
      full_ = Full(mass.full, space.n);
    }
  }

  void momentum(const Vector& v, Vector& p) const {
    if (diagonal_)
      p = m_.cwiseProduct(v);
    else
      p.noalias() = full_.M * v;
  }
  void velocity(const Vector& p, Vector& v) const {
    if (diagonal_)
      v = inverse_m_.cwiseProduct(p);
    else
      full_.solve(p, v);
  }
  bool diagonal() const { return diagonal_; }
  const Vector& diagonal_entries() const { return m_; }
  const auto& full() const { return full_.M; }

 private:
  struct DenseFull {
    Matrix M, inverse;
    DenseFull() = default;
    DenseFull(const Eigen::SparseMatrix<double>& mass, long) : M(Matrix(mass)) {
      const Eigen::LLT<Matrix> cholesky(M);
      if (cholesky.info() != Eigen::Success) throw_not_positive_definite();
      inverse = cholesky.solve(Matrix::Identity(M.rows(), M.cols()));
      inverse = (0.5 * (inverse + inverse.transpose())).eval();
    }
    void solve(const Vector& p, Vector& v) const { v.noalias() = inverse * p; }
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

  bool diagonal_;
  Vector m_, inverse_m_;
  Full full_;
};

}  // namespace actio::system
