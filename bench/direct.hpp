#pragma once
#include <cholmod.h>

#include <Eigen/SparseCore>

// What an engineer would write on CHOLMOD: Newmark's method for M a + D v + S u = p, the matrix factored once, the matrices
// multiplied row by row. Memory is that of M, D, S, one K while it is factored, L, and six vectors.
namespace bench {

class Direct {
 public:
  Direct(Eigen::SparseMatrix<double> M, Eigen::SparseMatrix<double> D, Eigen::SparseMatrix<double> S, double beta, double gamma,
         double h);
  Direct(const Direct&) = delete;
  ~Direct();
  void step(const Eigen::VectorXd& p);  // p at the end of the step
  const Eigen::VectorXd& u() const { return u_; }
  double analysis_seconds() const { return analysis_; }
  double factor_seconds() const { return factor_; }
  double nonzeros() const;  // of L
  double bytes() const;     // of L, with the zeros in its supernodes

 private:
  Eigen::SparseMatrix<double> D_, S_;
  double beta_, gamma_, h_, analysis_ = 0, factor_ = 0;
  cholmod_common common_;
  cholmod_factor* L_ = nullptr;
  cholmod_dense *x_ = nullptr, *y_ = nullptr, *e_ = nullptr;
  Eigen::VectorXd u_, v_, a_, r_;
};

}  // namespace bench
