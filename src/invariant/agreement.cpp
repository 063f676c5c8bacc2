#include <actio/invariant/agreement.hpp>

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include <Eigen/SparseCore>

#include <actio/core/error.hpp>

#include "../system/library.hpp"
#include "extrapolate.hpp"

namespace actio::invariant {

namespace {

using Eigen::VectorXd;
using Matrix = Eigen::SparseMatrix<double>;

std::span<const double> in(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
std::span<double> out(VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

class Code {
 public:
  Code(const system::Model& model, const system::Callbacks& code) : code_(code), free_(VectorXd::Ones(model.size())) {
    for (const std::int32_t i : model.fixed_dofs) free_[i] = 0;
  }
  long size() const { return free_.size(); }
  // Entries of `scale`, signs at random; 0 where nothing moves.
  VectorXd direction(double scale) {
    VectorXd u(size());
    for (double& x : u) x = random_() >> 63 ? -scale : scale;
    return u.cwiseProduct(free_);
  }
  double energy(double t, const VectorXd& q) const { return code_.energy(t, in(q)); }
  VectorXd residual(double t, const VectorXd& q) const {
    VectorXd r = VectorXd::Zero(size());
    code_.residual(t, in(q), out(r));
    return r.cwiseProduct(free_);
  }
  VectorXd force(double t, const VectorXd& q, const VectorXd& v) const {
    VectorXd F = VectorXd::Zero(size());
    code_.force(t, in(q), in(v), out(F));
    return F.cwiseProduct(free_);
  }
  // Of the numbers that `fill` adds at the entries, what is between coordinates that move.
  template <class Fill>
  Matrix matrix(Fill&& fill) const {
    VectorXd values = VectorXd::Zero(static_cast<long>(code_.rows.size()));
    fill(out(values));
    std::vector<Eigen::Triplet<double, int>> entries;
    entries.reserve(code_.rows.size());
    for (std::size_t k = 0; k < code_.rows.size(); ++k)
      if (free_[code_.rows[k]] != 0 && free_[code_.columns[k]] != 0)
        entries.emplace_back(code_.rows[k], code_.columns[k], values[static_cast<long>(k)]);
    Matrix K(size(), size());
    K.setFromTriplets(entries.begin(), entries.end());
    return K;
  }

 private:
  const system::Callbacks& code_;
  VectorXd free_;
  std::mt19937_64 random_{20000512};
};

// |difference - said| / |said|
double relative(const Derivative& difference, const VectorXd& said) {
  if (difference.value.size() == 0) return Agreement::none;
  const double off = (difference.value - said).norm(), size = std::max(said.norm(), difference.value.norm());
  return off > 0 ? off / size : off;
}

}  // namespace

Agreement agreement(const system::Model& model, double t, const VectorXd& q0, const VectorXd& v0, double length, double speed) {
  const auto code_of_model =
      model.library.empty() ? model.callbacks : system::load_library(model.library, model.size(), model.parameters);
  if (!code_of_model) throw core::InputError("the model has no callbacks to compare");
  if (!(length > 0 && speed > 0)) throw core::InputError("the length and the speed of a motion must be positive");
  const system::Callbacks& given = *code_of_model;
  Code code(model, given);
  Agreement result;
  const VectorXd q = q0 + code.direction(length), v = v0 + code.direction(speed);
  if (given.residual && given.energy) {
    const VectorXd r = code.residual(t, q);
    const double size = r.norm();
    const VectorXd u = size > 0 ? VectorXd((length * std::sqrt(static_cast<double>(code.size())) / size) * r) : r;
    const auto along = [&](double x, VectorXd& y) {
      y = VectorXd::Constant(1, code.energy(t, q + x * u));
      return y.allFinite();
    };
    result.energy = relative(differentiate(along, 1), VectorXd::Constant(1, r.dot(u)));
  }
  if (given.residual && given.tangent) {
    const Matrix K = code.matrix([&](system::Callbacks::Out values) { given.tangent(t, in(q), values); });
    const VectorXd u = code.direction(length);
    const auto along = [&](double x, VectorXd& y) {
      y = code.residual(t, q + x * u);
      return y.allFinite();
    };
    result.tangent = relative(differentiate(along, 1), K * u);
    result.symmetry = K.norm() > 0 ? (K - Matrix(K.transpose())).norm() / K.norm() : 0.0;
  }
  if (given.force && given.force_tangent) {
    const Matrix F_q = code.matrix([&](system::Callbacks::Out values) { given.force_tangent(t, in(q), in(v), 1, 0, values); });
    const Matrix F_v = code.matrix([&](system::Callbacks::Out values) { given.force_tangent(t, in(q), in(v), 0, 1, values); });
    const VectorXd u = code.direction(length), w = code.direction(speed);
    const auto along = [&](double x, VectorXd& y) {
      y = code.force(t, q + x * u, v + x * w);
      return y.allFinite();
    };
    result.force_tangent = relative(differentiate(along, 1), F_q * u + F_v * w);
  }
  return result;
}

}  // namespace actio::invariant
