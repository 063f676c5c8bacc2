#include <actio/system/discrete_gradient.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace actio::system {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double dependent = 1e-9;  // what is left of a field beside those before it

}  // namespace

ElementGradient::ElementGradient(long locals, std::vector<AffineField> symmetries) : l_(locals), fields_(std::move(symmetries)) {
  // constant fields first: far from the origin a turn is mostly one of them
  std::stable_partition(fields_.begin(), fields_.end(), [](const AffineField& xi) { return xi.A.isZero(0); });
  const long k = static_cast<long>(fields_.size());
  kept_.resize(static_cast<std::size_t>(k));
  for (Eigen::VectorXd* x : {&m_, &delta_, &d_, &b_, &Pb_, &row_}) x->setZero(l_);
  z_.setZero(k);
  Q_.setZero(l_, k);
  R_.setZero(k, k);
  Y_.setZero(l_, k);
  B_.setZero(k, l_);
  for (Eigen::MatrixXd* W : {&A_, &D_, &E_}) W->setZero(l_, l_);
}

// Q R = the xi_k(m) that are independent, d = delta - Q Q' delta
void ElementGradient::project(const double* x0, const double* x1) {
  for (long i = 0; i < l_; ++i) {
    m_[i] = 0.5 * (x0[i] + x1[i]);
    delta_[i] = x1[i] - x0[i];
  }
  rank_ = 0;
  for (std::size_t k = 0; k < fields_.size() && rank_ < l_; ++k) {
    auto q = Q_.col(rank_);
    q = fields_[k].b;
    q.noalias() += fields_[k].A * m_;
    const double size = q.norm();
    for (long j = 0; j <= rank_; ++j) R_(j, rank_) = 0;
    for (int again = 0; again < 2; ++again)
      for (long j = 0; j < rank_; ++j) {
        const double s = Q_.col(j).dot(q);
        q -= s * Q_.col(j);
        R_(j, rank_) += s;
      }
    const double left = q.norm();
    if (!(left > dependent * size)) continue;
    q /= left;
    R_(rank_, rank_) = left;
    kept_[static_cast<std::size_t>(rank_++)] = static_cast<long>(k);
  }
  d_ = delta_;
  for (int again = 0; again < 2; ++again)
    for (long j = 0; j < rank_; ++j) d_ -= Q_.col(j).dot(d_) * Q_.col(j);
}

void ElementGradient::gradient(const double* x0, const double* x1, const Energy& V, double* DV) {
  project(x0, x1);
  b_ = Eigen::Map<const Eigen::VectorXd>(V.b, l_);
  Pb_ = b_;
  for (long j = 0; j < rank_; ++j) Pb_ -= Q_.col(j).dot(Pb_) * Q_.col(j);
  const double N = V.V1 - V.V0 - b_.dot(d_);
  // of a choice between branches the bound may not be finite where V is
  const double of_V = std::isfinite(V.rounding) ? V.rounding : eps * (std::abs(V.V0) + std::abs(V.V1));
  const double rounding = of_V + eps * b_.norm() * d_.norm();
  dd_ = d_.squaredNorm();
  c_ = std::abs(N) > rounding && dd_ > 0 ? N / dd_ : 0;  // NaN goes on
  if (std::isnan(N)) c_ = N;
  roundoff_ = c_ != 0 ? rounding / std::sqrt(dd_) : 0;
  for (long i = 0; i < l_; ++i) DV[i] = Pb_[i] + c_ * d_[i];
}

void ElementGradient::tangent(const double* x0, const double* x1, const Energy& V, double* DV, double* T) {
  gradient(x0, x1, V, DV);
  Eigen::Map<Eigen::MatrixXd> out(T, l_, l_);
  const Eigen::Map<const Eigen::MatrixXd> H(V.slope, l_, l_);
  if (rank_ == 0) {  // H + c 1 + d (grad V(x1) - b - H d - 2 c d)' / |d|^2
    out = H;
    if (c_ == 0) return;
    for (long j = 0; j < l_; ++j) row_[j] = (V.gradient1[j] - b_[j] - 2 * c_ * d_[j] - H.col(j).dot(d_)) / dd_;
    for (long j = 0; j < l_; ++j) {
      out.col(j) += row_[j] * d_;
      out(j, j) += c_;
    }
    return;
  }
  // Y = Q R^-T
  for (long j = rank_ - 1; j >= 0; --j) {
    Y_.col(j) = Q_.col(j);
    for (long k = j + 1; k < rank_; ++k) Y_.col(j) -= R_(j, k) * Y_.col(k);
    Y_.col(j) /= R_(j, j);
  }
  // E = d(P b)/dx1 = P H + dP[b]
  E_ = H;
  remove_symmetries(E_, l_);
  add_turning(1, b_, Pb_, E_);
  if (c_ == 0) {
    out = E_;
    return;
  }
  // D = dd/dx1 = P + dP[delta]
  D_.setIdentity();
  remove_symmetries(D_, l_);
  add_turning(1, delta_, d_, D_);
  // dN = grad V(x1)' - b'D - d'H,   dc = (dN - 2 c d'D) / |d|^2
  for (long j = 0; j < l_; ++j) {
    double s = V.gradient1[j];
    for (long i = 0; i < l_; ++i) s -= (b_[i] + 2 * c_ * d_[i]) * D_(i, j) + d_[i] * H(i, j);
    row_[j] = s / dd_;
  }
  for (long j = 0; j < l_; ++j) out.col(j) = E_.col(j) + c_ * D_.col(j) + row_[j] * d_;
}

void ElementGradient::remove_symmetries(Eigen::MatrixXd& W, long columns) {
  for (long c = 0; c < columns; ++c)
    for (long j = 0; j < rank_; ++j) W.col(c) -= Q_.col(j).dot(W.col(c)) * Q_.col(j);
}

// dP[a] u = -1/2 (P A(z) u + Y B u),   z = R^-1 Q'a,   A(z) = sum z_k A_k,   B_k = (P a)'A_k
void ElementGradient::add_turning(double s, const Eigen::VectorXd& a, const Eigen::VectorXd& projected, Eigen::MatrixXd& W) {
  A_.setZero();
  for (long k = 0; k < rank_; ++k) z_[k] = Y_.col(k).dot(a);  // Y = X+', so that X+ a = Y'a
  for (long k = 0; k < rank_; ++k) {
    const Eigen::MatrixXd& A = fields_[static_cast<std::size_t>(kept_[static_cast<std::size_t>(k)])].A;
    A_ += z_[k] * A;
    B_.row(k).noalias() = projected.transpose() * A;
  }
  remove_symmetries(A_, l_);
  W -= 0.5 * s * A_;
  for (long k = 0; k < rank_; ++k)
    for (long j = 0; j < l_; ++j)
      for (long i = 0; i < l_; ++i) W(i, j) -= 0.5 * s * Y_(i, k) * B_(k, j);
}

}  // namespace actio::system
