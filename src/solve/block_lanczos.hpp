#pragma once
#include <Eigen/Core>
#include <actio/algebra/sparse.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "../algebra/eigenvalues.hpp"

namespace actio::solve {

// Ritz values of an operator A that is symmetric in x'My, from the Krylov space of a block of random vectors (Golub and Underwood
// 1977), orthogonalised in full, twice. A block finds eigenvalues as often as they are there, up to its width.
class BlockLanczos {
 public:
  using Operator = std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& Ax)>;
  BlockLanczos(Operator A, const algebra::SparseMatrix& M, long width, long most)
      : A_(std::move(A)),
        M_(M),
        width_(width),
        V_(M.rows(), most + width),
        H_(Eigen::MatrixXd::Zero(most + width, most + width)) {
    for (long c = 0; c < width_; ++c) append(random(), nullptr);
  }

  long size() const { return done_; }

  // One more block.
  void extend() {
    const long begin = done_;
    Eigen::VectorXd x, w;
    remainder_ = Eigen::MatrixXd::Zero(width_, width_);
    for (long c = 0; c < width_; ++c) {
      x = V_.col(begin + c);
      A_(x, w);
      Eigen::VectorXd h = Eigen::VectorXd::Zero(basis_);
      append(std::move(w), &h);
      // A v = sum h_i v_i; what is beyond the blocks that are done is the remainder
      H_.col(begin + c).head(h.size()) = h;
      remainder_.col(c).head(h.size() - begin - width_) = h.tail(h.size() - begin - width_);
    }
    done_ = begin + width_;
  }

  struct Ritz {
    Eigen::VectorXd value;       // increasing
    Eigen::VectorXd residual;    // |A x - value x|_M of x'Mx = 1: an eigenvalue is this near
    Eigen::MatrixXd components;  // of the vectors x, by the basis
  };
  Ritz ritz() const {
    const Eigen::MatrixXd H = H_.topLeftCorner(done_, done_);
    algebra::SymmetricEigenvalues e = algebra::symmetric_eigenvalues((H + H.transpose()) / 2);
    if (e.values.size() == 0) {
      const Eigen::VectorXd unknown = Eigen::VectorXd::Constant(done_, std::nan(""));
      return {unknown, unknown, {}};
    }
    Eigen::VectorXd residual = (remainder_ * e.vectors.bottomRows(width_)).colwise().norm().transpose();
    return {std::move(e.values), std::move(residual), std::move(e.vectors)};
  }
  // The vectors that have these components (size() x k).
  Eigen::MatrixXd vectors(const Eigen::MatrixXd& components) const { return V_.leftCols(done_) * components; }

 private:
  Eigen::VectorXd random() {
    std::normal_distribution<double> of;
    return Eigen::VectorXd::NullaryExpr(M_.rows(), [&] { return of(engine_); });
  }

  // w, made M-orthonormal to the basis, is its next vector; its components by the basis, that one included, go to h. Where
  // nothing is left of w, a random vector takes its place.
  void append(Eigen::VectorXd w, Eigen::VectorXd* h) {
    Eigen::VectorXd Mw = M_ * w;
    const double size = std::sqrt(w.dot(Mw));
    const auto orthogonalise = [&](Eigen::VectorXd* components) {
      for (int pass = 0; pass < 2; ++pass) {
        const Eigen::VectorXd c = V_.leftCols(basis_).transpose() * Mw;
        w.noalias() -= V_.leftCols(basis_) * c;
        Mw.noalias() = M_ * w;
        if (components) *components += c;
      }
      return std::sqrt(std::max(0.0, w.dot(Mw)));
    };
    if (h) h->setZero(basis_);
    double norm = orthogonalise(h);
    const bool nothing = !(norm > 1e-13 * size);
    if (h) {
      h->conservativeResize(basis_ + 1);
      (*h)[basis_] = nothing ? 0 : norm;
    }
    if (nothing) {
      w = random();
      Mw.noalias() = M_ * w;
      norm = orthogonalise(nullptr);
    }
    V_.col(basis_++) = w / norm;
  }

  Operator A_;
  const algebra::SparseMatrix& M_;
  long width_, basis_ = 0, done_ = 0;
  Eigen::MatrixXd V_, H_, remainder_;
  std::mt19937_64 engine_{1};
};

}  // namespace actio::solve
