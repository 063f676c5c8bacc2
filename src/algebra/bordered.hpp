#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <utility>

#include "held.hpp"

// A few constraints beside those that hold one coordinate each: a link between nodes of a large solid. With what held.hpp leaves
// of K factored,
//
//   S y_o = g_o - G1_o x_0,   x = x_0 + W y_o,   W = K^-1 G0_o',   S = G1_o W (m_o x m_o)
//
// where x_0 is the solution without them. Each factorisation takes m_o solves beside K's.
namespace actio::algebra {

class Bordered {
 public:
  Bordered(std::shared_ptr<const HeldAnalysis> analysis, const SparseSpace& space, const SparseJacobian& pattern)
      : analysis_(std::move(analysis)),
        held_(analysis_, space),
        G1_(pattern),
        G0_(pattern),
        W_(pattern.cols(), others()),
        Y_(static_cast<Eigen::Index>(analysis_->rows.size()), others()) {}

  // K alone; border() comes next.
  bool factor(const SparseMatrix& K, const SparseJacobian& G1, const SparseJacobian& G0) { return held_.factor(K, G1, G0); }
  // It is worth its solves, cheaper than L U of all unknowns, and W is no larger than the factor.
  bool worth_bordering() const {
    return static_cast<double>(others()) <= most_solves * held_.cost_in_solves() &&
           static_cast<double>(W_.size() + Y_.size()) <= held_.nonzeros();
  }
  bool border(const SparseJacobian& G1, const SparseJacobian& G0) {
    G1_.coeffs() = G1.coeffs();
    G0_.coeffs() = G0.coeffs();
    Eigen::MatrixXd S(others(), others());
    gh_.setZero(Y_.rows());
    for (Eigen::Index k = 0; k < others(); ++k) {
      rest_.setZero(W_.rows());
      for (SparseJacobian::InnerIterator it(G0_, row(k)); it; ++it) rest_[it.col()] = it.value();
      held_.solve(rest_, gh_, x_, yh_);
      W_.col(k) = x_;
      Y_.col(k) = yh_;
      for (Eigen::Index l = 0; l < others(); ++l) S(l, k) = along(l, x_);
    }
    scale_ = S.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
    for (double& s : scale_)
      if (!std::isfinite(s)) s = 1;
    S_.compute(scale_.asDiagonal() * S * scale_.asDiagonal());
    return made_ = S.allFinite() && S_.rcond() > 1e-14;
  }
  // The factor of K is that at hand: for another G0 and G1 = G0, where that is cheaper than a factorisation.
  bool rebind(const SparseJacobian& G0) {
    if (!made_ || !held_.of(G0)) return false;
    if ((G0.coeffs() == G0_.coeffs()).all()) return true;
    return 2 * static_cast<double>(others()) <= held_.cost_in_solves() && border(G0, G0);
  }
  bool refactored() const { return held_.refactored(); }

  void solve(const Eigen::VectorXd& r, const Eigen::VectorXd& g, Eigen::VectorXd& x, Eigen::VectorXd& y, Digits digits) const {
    y.resize(g.size());
    for (Eigen::Index k = 0; k < Y_.rows(); ++k) gh_[k] = g[analysis_->rows[static_cast<std::size_t>(k)]];
    held_.solve(r, gh_, x, yh_, digits);
    yo_.resize(others());
    for (Eigen::Index k = 0; k < others(); ++k) yo_[k] = scale_[k] * (g[row(k)] - along(k, x));
    yo_ = scale_.cwiseProduct(S_.solve(yo_));
    x.noalias() += W_ * yo_;
    yh_.noalias() += Y_ * yo_;
    for (Eigen::Index k = 0; k < Y_.rows(); ++k) y[analysis_->rows[static_cast<std::size_t>(k)]] = yh_[k];
    for (Eigen::Index k = 0; k < others(); ++k) y[row(k)] = yo_[k];
  }

  void archive(core::Archive& a) {
    held_.archive(a);
    if (a.reading()) made_ = false;
  }
  // The last factorisation, as what it is of. False: it cannot be made again.
  bool archive_factor(core::Archive& a) {
    Eigen::ArrayXd g1 = G1_.coeffs(), g0 = G0_.coeffs();
    const bool ok = held_.archive_factor(a);
    a(g1, g0);
    if (!a.reading()) return true;
    if (g1.size() != G1_.nonZeros() || g0.size() != G0_.nonZeros()) throw core::InputError("the saved state has another layout");
    SparseJacobian G1 = G1_, G0 = G0_;
    G1.coeffs() = g1;
    G0.coeffs() = g0;
    return ok && border(G1, G0);
  }
  double nonzeros() const {
    return held_.nonzeros() + static_cast<double>(W_.size() + Y_.size()) + static_cast<double>(others() * others());
  }
  double cost_in_solves() const { return held_.cost_in_solves() + static_cast<double>(others()); }

 private:
  static constexpr double most_solves = 8;  // of the cost of K's factor

  Eigen::Index others() const { return static_cast<Eigen::Index>(analysis_->others.size()); }
  int row(Eigen::Index k) const { return analysis_->others[static_cast<std::size_t>(k)]; }
  double along(Eigen::Index k, const Eigen::VectorXd& x) const {
    double sum = 0;
    for (SparseJacobian::InnerIterator it(G1_, row(k)); it; ++it) sum += it.value() * x[it.col()];
    return sum;
  }

  std::shared_ptr<const HeldAnalysis> analysis_;
  Held held_;
  SparseJacobian G1_, G0_;  // of the last border
  Eigen::MatrixXd W_, Y_;   // (n x m_o), (m_h x m_o): x and what holds coordinates, of each row of G0_o
  Eigen::VectorXd scale_;   // (m_o) of S and y_o
  Eigen::PartialPivLU<Eigen::MatrixXd> S_;
  bool made_ = false;
  mutable Eigen::VectorXd rest_, x_, gh_, yh_, yo_;
};

}  // namespace actio::algebra
