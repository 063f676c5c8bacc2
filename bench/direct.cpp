#include "direct.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace bench {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// r -= A x, A symmetric; four sums, as additions have to wait for each other
void subtract_product(const Eigen::SparseMatrix<double>& A, const Eigen::VectorXd& x, Eigen::VectorXd& r) {
  const int* starts = A.outerIndexPtr();
  const int* columns = A.innerIndexPtr();
  const double* values = A.valuePtr();
  for (long i = 0; i < A.rows(); ++i) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int k = starts[i];
    for (; k + 4 <= starts[i + 1]; k += 4) {
      s0 += values[k] * x[columns[k]];
      s1 += values[k + 1] * x[columns[k + 1]];
      s2 += values[k + 2] * x[columns[k + 2]];
      s3 += values[k + 3] * x[columns[k + 3]];
    }
    for (; k < starts[i + 1]; ++k) s0 += values[k] * x[columns[k]];
    r[i] -= (s0 + s1) + (s2 + s3);
  }
}

}  // namespace

Direct::Direct(Eigen::SparseMatrix<double> M, Eigen::SparseMatrix<double> D, Eigen::SparseMatrix<double> S, double beta,
               double gamma, double h)
    : D_(std::move(D)), S_(std::move(S)), beta_(beta), gamma_(gamma), h_(h) {
  const long n = S_.rows();
  u_ = v_ = a_ = r_ = Eigen::VectorXd::Zero(n);
  cholmod_start(&common_);
  common_.print = 0;
  common_.supernodal = CHOLMOD_SUPERNODAL;
  common_.nmethods = 2;
  common_.method[0].ordering = CHOLMOD_AMD;
  common_.method[1].ordering = CHOLMOD_METIS;
  M.coeffs() += (gamma * h) * D_.coeffs() + (beta * h * h) * S_.coeffs();  // K = M + gamma h D + beta h^2 S
  cholmod_sparse K{};
  K.nrow = K.ncol = static_cast<std::size_t>(n);
  K.nzmax = static_cast<std::size_t>(M.nonZeros());
  K.p = M.outerIndexPtr();
  K.i = M.innerIndexPtr();
  K.x = M.valuePtr();
  K.stype = 1;
  K.itype = CHOLMOD_INT;
  K.xtype = CHOLMOD_REAL;
  K.dtype = CHOLMOD_DOUBLE;
  K.sorted = K.packed = 1;
  double begin = now();
  L_ = cholmod_analyze(&K, &common_);
  analysis_ = now() - begin;
  begin = now();
  cholmod_factorize(&K, L_, &common_);
  factor_ = now() - begin;
  if (common_.status != CHOLMOD_OK) {
    std::fprintf(stderr, "CHOLMOD: status %d\n", common_.status);
    std::exit(1);
  }
}

Direct::~Direct() {
  cholmod_free_dense(&x_, &common_);
  cholmod_free_dense(&y_, &common_);
  cholmod_free_dense(&e_, &common_);
  cholmod_free_factor(&L_, &common_);
  cholmod_finish(&common_);
}

void Direct::step(const Eigen::VectorXd& p) {
  u_ += h_ * v_ + ((0.5 - beta_) * h_ * h_) * a_;  // u*
  v_ += ((1 - gamma_) * h_) * a_;                  // v*
  r_ = p;
  subtract_product(D_, v_, r_);
  subtract_product(S_, u_, r_);
  cholmod_dense B{};
  B.nrow = B.d = B.nzmax = static_cast<std::size_t>(r_.size());
  B.ncol = 1;
  B.x = r_.data();
  B.xtype = CHOLMOD_REAL;
  B.dtype = CHOLMOD_DOUBLE;
  cholmod_solve2(CHOLMOD_A, L_, &B, nullptr, &x_, nullptr, &y_, &e_, &common_);
  a_ = Eigen::Map<const Eigen::VectorXd>(static_cast<double*>(x_->x), r_.size());
  u_ += (beta_ * h_ * h_) * a_;
  v_ += (gamma_ * h_) * a_;
}

double Direct::nonzeros() const {
  double sum = 0;
  for (std::size_t k = 0; k < L_->n; ++k) sum += static_cast<const int*>(L_->ColCount)[k];
  return sum;
}

double Direct::bytes() const { return 8.0 * static_cast<double>(L_->xsize); }

}  // namespace bench
