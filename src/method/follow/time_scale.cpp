#include "time_scale.hpp"

#include <cmath>

#include <fmt/format.h>

#include <actio/core/error.hpp>

namespace actio::method {
namespace {

using Sigma = StepControl::Sigma;
using System = system::Assembled<algebra::SparseSpace>;

System system_of(const system::Model& model, const StepControl& control, const expr::CompileOptions& options) {
  if (control.sigma != Sigma::function) {
    const bool second = control.sigma == Sigma::force;
    const auto compiled = system::compile(model, options, false, second ? system::Highest::second : system::Highest::first);
    return {compiled, system::layout<algebra::SparseSpace>(*compiled, second)};
  }
  system::Model sum;
  sum.families = model.families;
  sum.parameter_names = model.parameter_names;
  sum.parameters = model.parameters;
  sum.signals = model.signals;
  sum.mass.kind = system::MassMatrix::Kind::diagonal;
  sum.mass.diagonal.setOnes(model.size());
  sum.terms.push_back(system::Term{control.sum});
  sum.terms.back().name = "sigma";
  const auto compiled = system::compile(sum, options, false, system::Highest::first);
  return {compiled, system::layout<algebra::SparseSpace>(*compiled, false)};
}

}  // namespace

TimeScale::TimeScale(const system::Model& model, const StepControl& control, const expr::CompileOptions& options)
    : kind_(control.sigma),
      power_(control.power),
      system_(system_of(model, control, options)),
      f_(system_.space().vector()),
      a_(f_),
      x_(f_) {
  if (kind_ == Sigma::force) K_ = system_.space().matrix();
}

TimeScale::Look TimeScale::look(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  if (kind_ == Sigma::force) {
    system_.stiffness(t, q, 0.0, 1.0, f_, K_);
    system_.velocity(f_, a_);
    algebra::SparseSpace::multiply(K_, v, x_);
    const double square = f_.dot(a_);
    return {std::pow(square, -0.25), 0.5 * a_.dot(x_) / square};
  }
  system_.force(t, q, f_);
  const double sum = system_.potential(t, q), change = -f_.dot(v);
  const bool energy = kind_ == Sigma::energy;
  return {energy ? -1 / sum : std::pow(sum, power_), (energy ? -1 : power_) * change / sum};
}

double TimeScale::sigma(double t, const Eigen::VectorXd& q) {
  if (kind_ != Sigma::force) {
    const double sum = system_.potential(t, q);
    return kind_ == Sigma::energy ? -1 / sum : std::pow(sum, power_);
  }
  system_.force(t, q, f_);
  system_.velocity(f_, a_);
  return std::pow(f_.dot(a_), -0.25);
}

double TimeScale::change_along(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& xi) {
  system_.force(t, q, f_);
  const double all = f_.cwiseAbs().dot(xi.cwiseAbs());
  return all > 0 ? std::abs(f_.dot(xi)) / all : 0;
}

void check_sigma(double sigma) {
  if (!(sigma > 0) || !std::isfinite(sigma))
    throw core::InputError(fmt::format("sigma is {:.6g} at the start; it must be positive and finite there", sigma),
                           "\"energy\" needs a potential below 0, \"force\" a force that is not 0, \"distance\" points apart");
}

double sigma(const system::Model& model, const StepControl& control, double t, const Eigen::VectorXd& q,
             const expr::CompileOptions& options) {
  return TimeScale(model, control, options).sigma(t, q);
}

}  // namespace actio::method
