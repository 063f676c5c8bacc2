#include "momentum_flow.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/core/parallel.hpp>
#include <actio/system/mass_factor.hpp>

#include "../../algebra/eigenvalues.hpp"

namespace actio::method {

namespace {

constexpr long chunk = 4096;        // coordinates at a time
constexpr long few = 64;            // coordinates of which numbers are drawn for several steps at once
constexpr std::uint32_t draws = 2;  // of which that is done

using Lanes [[gnu::vector_size(64), gnu::aligned(8), gnu::may_alias]] = double;  // sums side by side
double total(double x) { return x; }
double total(const Lanes& x) {
  double sum = 0;
  for (std::size_t k = 0; k < sizeof(Lanes) / sizeof(double); ++k) sum += x[k];
  return sum;
}

using system::MassMatrix;

std::vector<bool> held(const system::Model& model) {
  std::vector<bool> out(static_cast<std::size_t>(model.size()), false);
  for (const std::int32_t i : model.fixed_dofs) out[static_cast<std::size_t>(i)] = true;
  return out;
}

// Without what joins coordinates that are held to others; where `empty`, without their diagonal too.
Eigen::SparseMatrix<double> matrix_of(const MassMatrix& given, const std::vector<bool>& fixed, bool empty) {
  const auto n = static_cast<long>(fixed.size());
  Eigen::SparseMatrix<double> out(n, n);
  if (given.kind == MassMatrix::Kind::full) {
    out = given.full;
  } else {
    out.reserve(Eigen::VectorXi::Constant(n, 1));
    for (long i = 0; i < n; ++i) out.insert(i, i) = given.diagonal[i];
  }
  out.prune([&](Eigen::Index i, Eigen::Index j, double) {
    return (!fixed[static_cast<std::size_t>(i)] && !fixed[static_cast<std::size_t>(j)]) || (i == j && !empty);
  });
  return out;
}

}  // namespace

MomentumFlow::MomentumFlow(const system::Model& model, const system::Thermostat& thermostat, std::vector<std::int32_t> share)
    : share_(std::move(share)), n_(model.size()), kT_(thermostat.kT) {
  using Kind = MassMatrix::Kind;
  const std::vector<bool> fixed = held(model);
  const bool full_mass = model.mass.kind == Kind::full, full_friction = thermostat.friction.kind == Kind::full;
  width_ = inverse_ = Eigen::VectorXd::Ones(n_);
  if (!full_mass && !full_friction) {
    inverse_ = model.mass.diagonal.cwiseInverse();
    width_ = model.mass.diagonal.cwiseSqrt();
    rate_ = thermostat.by_rate() ? Eigen::VectorXd::Constant(n_, thermostat.rate)
                                 : Eigen::VectorXd(thermostat.friction.diagonal.cwiseProduct(inverse_));
  } else if (thermostat.by_rate()) {
    form_ = Form::factor;
    rate_ = Eigen::VectorXd::Constant(n_, thermostat.rate);
    cholesky_ = std::make_shared<Cholesky>(matrix_of(model.mass, fixed, false));
    if (cholesky_->info() != Eigen::Success) throw core::InputError("the mass matrix is not positive definite");
  } else {
    form_ = Form::modes;
    const Eigen::MatrixXd M = matrix_of(model.mass, fixed, false), G = matrix_of(thermostat.friction, fixed, true);
    const algebra::SymmetricEigenvalues of_mass = algebra::symmetric_eigenvalues(M);
    if (of_mass.values.size() == 0 || !(of_mass.values[0] > 0))
      throw core::InputError("the mass matrix is not positive definite");
    const Eigen::MatrixXd root = of_mass.vectors * of_mass.values.cwiseSqrt().asDiagonal() * of_mass.vectors.transpose();
    const Eigen::MatrixXd inverse_root =
        of_mass.vectors * of_mass.values.cwiseSqrt().cwiseInverse().asDiagonal() * of_mass.vectors.transpose();
    const algebra::SymmetricEigenvalues damped = algebra::symmetric_eigenvalues(inverse_root * G * inverse_root);
    if (damped.values.size() == 0)
      throw core::InputError("the rates of the thermostat's friction are not found: it is not finite");
    rate_ = damped.values;
    if (rate_.minCoeff() < -1e-12 * rate_.cwiseAbs().maxCoeff())
      throw core::InputError(
          fmt::format("the thermostat's friction is not positive: its smallest rate is {:.3g}", rate_.minCoeff()),
          "v'Gv must not be negative for any v");
    rate_ = rate_.cwiseMax(0);
    modes_ = damped.vectors.transpose() * inverse_root;
    forces_ = root * damped.vectors;
  }
  if (form_ != Form::modes)
    for (long i = 0; i < n_; ++i)
      if (fixed[static_cast<std::size_t>(i)]) width_[i] = 0;
  if (form_ == Form::factor) width_ = cholesky_->permutationP() * width_;
  slowest_ = rate_.minCoeff();
  fastest_ = rate_.maxCoeff();
  one_rate_ = fastest_ - slowest_ <= 1e-14 * fastest_;
  if (!share_.empty()) {
    assert(form_ == Form::diagonal);
    for (Eigen::VectorXd* x : {&rate_, &inverse_, &width_}) *x = Eigen::VectorXd((*x)(share_));
    n_ = static_cast<long>(share_.size());
  }
  y_.resize(n_);
  work_.resize(n_);
  parts_.resize(static_cast<std::size_t>((n_ + chunk - 1) / chunk));
  if (form_ == Form::diagonal && n_ <= few && share_.empty()) ahead_.resize(draws);
}

void MomentumFlow::prepare(double h) {
  if (h == h_) return;
  h_ = h;
  c_ = (-h * rate_.array()).exp();
  s_ = width_.array() * (-kT_ * (-2 * h * rate_.array()).expm1()).sqrt();
}

void MomentumFlow::to_modes(std::span<const double> p) const {
  const Eigen::Map<const Eigen::VectorXd> of(p.data(), n_);
  if (form_ == Form::modes) {
    y_.noalias() = modes_ * of;
  } else {
    y_ = cholesky_->permutationP() * of;
    cholesky_->matrixL().solveInPlace(y_);
  }
}

void MomentumFlow::from_modes(std::span<double> p) const {
  Eigen::Map<Eigen::VectorXd> of(p.data(), n_);
  if (form_ == Form::modes) {
    of.noalias() = forces_ * y_;
  } else {
    work_.noalias() = cholesky_->matrixL() * y_;
    of = cholesky_->permutationPinv() * work_;
  }
}

template <class T>
MomentumFlow::Exchange MomentumFlow::flow(double* p, const double* xi, long begin, long end) const {
  constexpr long lanes = sizeof(T) / sizeof(double);
  const double *const c = c_.data(), *const s = s_.data(), *const w = inverse_.data();
  T before{}, kept{}, after{};
  const auto take = [](const double* from, T& to) { std::memcpy(&to, from, sizeof(T)); };  // at any address
  T old, factor, width, number, inverse;
  long i = begin;
  for (; i + lanes <= end; i += lanes) {
    take(p + i, old);
    take(c + i, factor);
    take(s + i, width);
    take(xi + (i - begin), number);
    take(w + i, inverse);
    const T damped = factor * old, now = damped + width * number, half = 0.5 * inverse;
    before += half * old * old;
    kept += half * damped * damped;
    after += half * now * now;
    std::memcpy(p + i, &now, sizeof(T));
  }
  Exchange sum = {total(after) - total(kept), total(before) - total(kept), total(after)};
  if constexpr (lanes > 1) {
    const Exchange rest = flow<double>(p, xi + (i - begin), i, end);
    sum = {sum.noise + rest.noise, sum.friction + rest.friction, sum.kinetic + rest.kinetic};
  }
  return sum;
}

const double* MomentumFlow::numbers(const core::Noise& noise, std::uint64_t step, std::uint32_t draw) {
  Ahead& of = ahead_[draw];
  if (of.steps == 0 || step < of.first || step >= of.first + static_cast<std::uint64_t>(of.steps)) {
    of.steps = std::max(1L, few / n_);
    of.first = step;
    of.xi.resize(static_cast<std::size_t>(of.steps * n_));
    noise.normals(step, of.steps, draw, 0, n_, of.xi.data());
  }
  return of.xi.data() + static_cast<long>(step - of.first) * n_;
}

void MomentumFlow::normals(const core::Noise& noise, std::uint64_t step, std::uint32_t draw, long begin, long count,
                           double* xi) const {
  if (share_.empty())
    noise.normals(step, 1, draw, begin, count, xi);
  else
    noise.normals(step, draw, std::span(share_).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)), xi);
}

void MomentumFlow::normals(const core::Noise& noise, std::uint64_t step, std::uint32_t draw, std::span<double> xi) const {
  normals(noise, step, draw, 0, n_, xi.data());
}

void MomentumFlow::signs(const core::Noise& noise, std::uint64_t step, std::uint32_t draw, std::span<double> xi) const {
  for (std::size_t i = 0; i < xi.size(); ++i) xi[i] = noise.sign(step, draw, share_.empty() ? static_cast<long>(i) : share_[i]);
}

MomentumFlow::Exchange MomentumFlow::operator()(std::span<double> p, double h, const core::Noise& noise, std::uint64_t step,
                                                std::uint32_t draw) {
  prepare(h);
  if (draw < ahead_.size()) return flow<double>(p.data(), numbers(noise, step, draw), 0, n_);
  double* x = p.data();
  if (form_ != Form::diagonal) {
    to_modes(p);
    x = y_.data();
  }
  // The same chunks for any number of threads, added up in their order.
  const auto run = [&](long k) {
    double xi[chunk];
    const long begin = k * chunk, end = std::min(n_, begin + chunk);
    normals(noise, step, draw, begin, end - begin, xi);
    parts_[static_cast<std::size_t>(k)] = flow<Lanes>(x, xi, begin, end);
  };
  const auto chunks = static_cast<long>(parts_.size());
  if (chunks > 2)
    core::parallel_for(chunks, [&](long k, int) { run(k); });
  else
    for (long k = 0; k < chunks; ++k) run(k);
  Exchange sum;
  for (const Exchange& part : parts_) {
    sum.noise += part.noise;
    sum.friction += part.friction;
    sum.kinetic += part.kinetic;
  }
  if (form_ != Form::diagonal) from_modes(p);
  return sum;
}

double MomentumFlow::kinetic(std::span<const double> p) const {
  const Eigen::Map<const Eigen::VectorXd> of(p.data(), n_);
  if (form_ == Form::diagonal) return 0.5 * of.cwiseAbs2().dot(inverse_);
  to_modes(p);
  return 0.5 * y_.squaredNorm();
}

double MomentumFlow::loss(std::span<const double> p, double h) {
  prepare(h);
  const Eigen::Map<const Eigen::VectorXd> of(p.data(), n_);
  if (form_ == Form::diagonal) return 0.5 * of.cwiseAbs2().cwiseProduct(inverse_).dot((1 - c_.array().square()).matrix());
  to_modes(p);
  return 0.5 * y_.cwiseAbs2().dot((1 - c_.array().square()).matrix());
}

void MomentumFlow::add_thermal(double factor, std::span<double> xi, std::span<double> p) {
  Eigen::Map<Eigen::VectorXd> of(xi.data(), n_), to(p.data(), n_);
  of = of.cwiseProduct(width_);
  if (form_ != Form::diagonal) {
    y_ = of;
    from_modes(xi);
  }
  to += factor * of;
}

}  // namespace actio::method
