#pragma once
#include <Eigen/Core>
#include <vector>

// The discrete gradient of one small energy V(x), l coordinates, between x0 and x1, with m = (x0 + x1)/2 and delta = x1 - x0:
//
//   DV(x0, x1) = P b + N d / |d|^2,   d = P delta,   N = V(x1) - V(x0) - b . d
//
// so that DV . delta = V(x1) - V(x0), and DV(x0, x1) = DV(x1, x0). P is the orthogonal projector that takes the affine symmetries
// xi_k(m) of V out, P xi_k(m) = 0: then DV . xi_k(m) = 0 too, and a step keeps their momenta. Without symmetries P = 1 and
// b = grad V(m): Gonzalez, J. Nonlinear Sci. 6 (1996) 449. With some that turn b = (grad V(x0) + grad V(x1))/2: then N is of
// second order in d, however far delta goes along the symmetries, and DV stays continuous where d = 0, in a rigid turn;
// b = grad V(m) would make N of first order there. Where V is quadratic both are the same and N = 0.
namespace actio::system {

// xi(x) = A x + b
struct AffineField {
  Eigen::MatrixXd A;  // (l x l)
  Eigen::VectorXd b;  // (l)
};

class ElementGradient {
 public:
  explicit ElementGradient(long locals = 0, std::vector<AffineField> symmetries = {});

  bool projects() const { return !fields_.empty(); }

  // What V says of the two ends: its values, what rounding may make of both together, b, the gradient at x1, and db/dx1 (l x l,
  // symmetric, by columns).
  struct Energy {
    double V0, V1, rounding;
    const double *b, *gradient1, *slope;  // the last two are read by tangent() alone
  };
  // DV (l). An N of the size of its rounding counts as 0; the error of that cannot be measured.
  void gradient(const double* x0, const double* x1, const Energy& V, double* DV);
  // That, and dDV/dx1 (l x l, by columns); it is not symmetric.
  void tangent(const double* x0, const double* x1, const Energy& V, double* DV, double* T);
  // After one of them: the size of what rounding of V makes of DV, in all.
  double roundoff() const { return roundoff_; }

 private:
  void project(const double* x0, const double* x1);
  void remove_symmetries(Eigen::MatrixXd& W, long columns);
  // W += s dP/dx1[a], with P a given
  void add_turning(double s, const Eigen::VectorXd& a, const Eigen::VectorXd& projected, Eigen::MatrixXd& W);

  long l_;
  std::vector<AffineField> fields_;
  long rank_ = 0;
  std::vector<long> kept_;  // fields that are independent at m
  Eigen::VectorXd m_, delta_, d_, b_, Pb_, z_, row_;
  Eigen::MatrixXd Q_, R_, Y_, A_, B_, D_, E_;
  double c_ = 0, roundoff_ = 0, dd_ = 0;
};

}  // namespace actio::system
