#include <actio/method/linear_flow.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <actio/core/error.hpp>
#include <actio/system/compiled.hpp>
#include <actio/system/fast_part.hpp>

#include "../algebra/eigenvalues.hpp"

namespace actio::method {
namespace {

using FlowSystem = system::Assembled<LinearFlow::Space>;

FlowSystem assembled_of(const system::Model& model, const expr::CompileOptions& options, bool matrices) {
  auto compiled = system::compile(model, options, true, matrices ? system::Highest::second : system::Highest::first);
  return {compiled, system::layout<LinearFlow::Space>(*compiled, matrices ? system::Entries::potential : system::Entries::none)};
}

// What is left when the fast part is taken away, and the fast part alone.
system::Model without_stiff_terms(const system::Model& model) {
  system::Model out = model;
  std::erase_if(out.terms, [](const system::Term& term) { return term.stiff; });
  out.stiffness = {};
  return out;
}
system::Model stiff_terms_alone(const system::Model& model) {
  system::Model out = model;
  std::erase_if(out.terms, [](const system::Term& term) { return !term.stiff; });
  out.forces.clear();
  out.dissipation.clear();
  out.damping = {};
  out.callbacks = nullptr;
  out.library.clear();
  return out;
}

}  // namespace

LinearFlow::LinearFlow(const system::Model& model, const expr::CompileOptions& options)
    : slow_(assembled_of(without_stiff_terms(model), options, false)) {
  const long n = model.size();
  const system::Model stiff = stiff_terms_alone(model);
  FlowSystem fast = assembled_of(stiff, options, true);
  if (!system::is_linear(fast))
    throw core::InputError(
        "system.split: fast = \"linear\" takes quadratic stiff terms, and one is not: split it into its quadratic part, with "
        "stiff = true, and the rest");
  Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
  q_ = v_ = f_ = b;
  Eigen::MatrixXd K = fast.space().matrix(), M = K;
  fast.stiffness(0, q_, 0, 1, b, K);
  fast.stiffness(0, q_, 1, 0, f_, M);
  algebra::SymmetricEigenvalues modes = algebra::symmetric_eigenvectors(K, M);
  if (modes.values.size() == 0) throw core::InputError("system.split: the modes of the fast part were not found");
  modes_ = std::make_shared<const Eigen::MatrixXd>(std::move(modes.vectors));
  back_ = std::make_shared<const Eigen::MatrixXd>(modes_->transpose() * M);
  square_ = std::move(modes.values);
  left_ = modes_->transpose() * b;
  centre_ = Eigen::VectorXd::Zero(n);
  const double largest = square_.cwiseAbs().maxCoeff(), least = 1e-10 * largest;
  // What rounding makes of 0 would push along motions that nothing holds.
  const double rounding = 8 * static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest;
  for (long k = 0; k < n; ++k) {
    if (std::abs(square_[k]) <= rounding) square_[k] = 0;
    if (std::abs(square_[k]) > least) {
      centre_[k] = left_[k] / square_[k];
      left_[k] = 0;
    }
  }
}

void LinearFlow::enter(const Eigen::VectorXd& q, const Eigen::VectorXd& p, double* z) const {
  const long n = size();
  Eigen::Map<Eigen::VectorXd>(z, n).noalias() = *back_ * q;
  Eigen::Map<Eigen::VectorXd>(z + n, n).noalias() = modes_->transpose() * p;
}

void LinearFlow::leave(const double* z, Eigen::VectorXd& q, Eigen::VectorXd& p) const {
  const long n = size();
  q.noalias() = *modes_ * Eigen::Map<const Eigen::VectorXd>(z, n);
  p.noalias() = back_->transpose() * Eigen::Map<const Eigen::VectorXd>(z + n, n);
}

// Once a time; a scheme asks for a few.
const LinearFlow::Turn& LinearFlow::turn(double dt) {
  const auto known = std::find_if(turns_.begin(), turns_.end(), [&](const Turn& of) { return of.dt == dt; });
  if (known != turns_.end()) return *known;
  constexpr std::size_t most_turns = 64;
  if (turns_.size() == most_turns) turns_.clear();
  Turn& made = turns_.emplace_back(Turn{dt, square_, square_, square_});
  for (long k = 0; k < size(); ++k) {
    const double w = std::sqrt(std::abs(square_[k])), x = w * dt;
    const bool turns = square_[k] >= 0;
    made.c[k] = turns ? std::cos(x) : std::cosh(x);
    made.s[k] = std::abs(x) < 1e-8 ? dt : (turns ? std::sin(x) : std::sinh(x)) / w;
    made.down[k] = -square_[k] * made.s[k];
  }
  return made;
}

bool LinearFlow::drift(double* z, double dt) {
  const Turn& of = turn(dt);
  const long n = size();
  bool finite = true;
  for (long k = 0; k < n; ++k) {
    const double y = z[k] - centre_[k], v = z[n + k];
    z[k] = centre_[k] + (of.c[k] * y + of.s[k] * v);
    z[n + k] = of.down[k] * y + of.c[k] * v;
    finite = finite && std::isfinite(z[k]);
  }
  return finite;
}

}  // namespace actio::method
