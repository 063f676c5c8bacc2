#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/solve/newton.hpp>
#include <algorithm>
#include <cmath>

namespace actio::solve {
namespace {

TEST(EisenstatWalker, is_eisenstat_and_walker_s_second_choice) {
  EisenstatWalker forcing;
  EXPECT_EQ(forcing.next(4), EisenstatWalker::first);
  EXPECT_NEAR(forcing.next(1), 0.9 * 0.25, 1e-15);  // (1/2)^2
  // far less is left: no more than the safeguard allows, where that is more than 0.1
  EXPECT_NEAR(forcing.next(1e-4), 0.9e-4, 1e-15);  // 0.9 0.225^2 = 0.046
  EXPECT_EQ(forcing.next(1), EisenstatWalker::most);
  EXPECT_NEAR(forcing.next(1e-6), 0.9 * 0.81, 1e-15);
  EXPECT_DOUBLE_EQ(forcing.next(1e-40), 0.9 * 0.729 * 0.729);
  EisenstatWalker fast;
  (void)fast.next(1);
  EXPECT_EQ(fast.next(1e-30), EisenstatWalker::least);
}

// Linear systems by conjugate gradients, no more exactly than is asked for.
struct Iterative {
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;
  struct Solver {
    Matrix K;
    long* products;
    std::vector<double>* asked;
    double least;  // it goes no further
    bool factor(const Matrix& of) {
      K = of;
      return true;
    }
    bool factor_pivoted(const Matrix& of) { return factor(of); }
    void solve(const Vector& b, Vector& x) const { x = K.ldlt().solve(b); }
    void solve_pivoted(const Vector& b, Vector& x) const { solve(b, x); }
    bool solve(const Vector& b, Vector& x, double& eta) const {
      asked->push_back(eta);
      eta = std::max(eta, least);
      x.setZero(b.size());
      Vector r = b, p = b;
      double rr = r.squaredNorm();
      const double end = eta * eta * rr;
      for (int k = 0; k < 500 && rr > end; ++k) {
        const Vector Kp = K * p;
        ++*products;
        const double a = rr / p.dot(Kp);
        x += a * p;
        r -= a * Kp;
        const double now = r.squaredNorm();
        p = r + (now / rr) * p;
        rr = now;
      }
      return rr <= end;
    }
  };
  static constexpr bool static_size = false;
  long n = 0;
  long* products = nullptr;
  std::vector<double>* asked = nullptr;
  double least = 0;
  Vector vector() const { return Vector::Zero(n); }
  Matrix matrix() const { return Matrix::Zero(n, n); }
  Solver solver() const { return {{}, products, asked, least}; }
  static void clear(Matrix& K) { K.setZero(); }
  static void multiply(const Matrix& K, const Vector& x, Vector& y) { y.noalias() = K * x; }
};
static_assert(TakesTolerance<Iterative::Solver, Eigen::VectorXd>);

// r = 2.1 x - neighbours + x^3 - load sin 0.3 k
struct Chain {
  static constexpr int n = 60;
  double load = 1;
  void operator()(const Eigen::VectorXd& x, Eigen::VectorXd& r, Eigen::MatrixXd& K) const {
    K.setZero();
    for (int k = 0; k < n; ++k) {
      K(k, k) = 2.1 + 3 * x[k] * x[k];
      r[k] = 2.1 * x[k] + std::pow(x[k], 3) - load * std::sin(0.3 * k);
      if (k > 0) K(k, k - 1) = K(k - 1, k) = -1;
      if (k > 0) r[k] -= x[k - 1];
      if (k + 1 < n) r[k] -= x[k + 1];
    }
  }
  // |K^-1 r| / |x|
  double left(const Eigen::VectorXd& x) const {
    Eigen::VectorXd r(n);
    Eigen::MatrixXd K(n, n);
    (*this)(x, r, K);
    return K.ldlt().solve(r).norm() / x.norm();
  }
};

TEST(EisenstatWalker, a_solver_that_goes_no_further_than_a_tolerance_of_its_own_ends_as_exactly) {
  for (const double least : {1e-2, 1e-3, 1e-4, 1e-5}) {
    long products = 0;
    std::vector<double> asked;
    Newton<Iterative> newton(Iterative{Chain::n, &products, &asked, least});
    Eigen::VectorXd x = Eigen::VectorXd::Zero(Chain::n);
    for (const double load : {0.05, 0.051, 0.052}) {
      ASSERT_TRUE(newton.solve(Chain{load}, x, [] { return 0.0; }).converged) << least;
      EXPECT_LT(Chain{load}.left(x), 1e-14) << least;
    }
  }
}

TEST(EisenstatWalker, what_the_first_increment_leaves_is_what_the_next_call_asks_of_it) {
  EisenstatWalker forcing;
  (void)forcing.next(1);
  (void)forcing.next(1e-2 * 1e-2);  // eta of 0.1, and it was reached
  forcing.begin();
  EXPECT_NEAR(forcing.next(1), 0.01, 1e-15);
  (void)forcing.next(0.05 * 0.05);  // less was: it is the equations that do not allow it
  forcing.begin();
  EXPECT_NEAR(forcing.next(1), 0.05, 1e-15);
}

TEST(EisenstatWalker, spares_an_iterative_solver_the_digits_that_the_step_does_not_have) {
  long products = 0;
  std::vector<double> asked;
  Newton<Iterative> newton(Iterative{Chain::n, &products, &asked});
  Eigen::VectorXd x = Eigen::VectorXd::Zero(Chain::n);
  const auto report = newton.solve(Chain{}, x, [] { return 0.0; });
  ASSERT_TRUE(report.converged);
  EXPECT_LT(Chain{}.left(x), 1e-14);
  ASSERT_EQ(asked.size(), static_cast<std::size_t>(report.iterations));
  EXPECT_GE(asked.front(), 0.1);
  EXPECT_LT(*std::min_element(asked.begin(), asked.end()), 1e-6);
  EXPECT_GT(asked.back(), 1e-6);  // the last increment is short: few of its digits are left to be found
  EXPECT_LT(products, 2 * 75);    // about 75 of one system to rounding
}

}  // namespace
}  // namespace actio::solve
