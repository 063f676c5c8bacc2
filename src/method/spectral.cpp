#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/spectral.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "../algebra/eigenvalues.hpp"

namespace actio::method {
namespace {

// h = 1, so Omega is the frequency.
system::Model oscillator(double Omega, double xi) {
  system::Model model;
  model.families = {{"x", 1, 0, false}};
  model.mass.kind = system::MassMatrix::Kind::diagonal;
  model.mass.diagonal = Eigen::VectorXd::Ones(1);
  const auto one_by_one = [](double value) {
    Eigen::SparseMatrix<double> K(1, 1);
    K.insert(0, 0) = value;
    K.makeCompressed();
    return K;
  };
  model.stiffness = one_by_one(Omega * Omega);
  if (xi != 0) model.damping = one_by_one(2 * xi * Omega);
  return model;
}

constexpr double instability = 1e-6;  // of a spectral radius: double eigenvalues on the unit circle are found to sqrt(eps)

}  // namespace

Eigen::MatrixXd amplification(const Spec& spec, double Omega, double xi) {
  if (spec.traits().chooses_steps)
    throw core::InputError(fmt::format("{} chooses its own steps, so it has no amplification matrix", spec.description().name));
  if (spec.traits().needs_split)
    throw core::InputError(fmt::format("{} solves an oscillator exactly, or kicks by it: a spectrum needs both parts of a system",
                                       spec.description().name));
  const system::Model model = oscillator(Omega, xi);
  return make_integrator(model, spec, {{"none", {}}, BuildOptions::Space::fixed})->amplification(1);
}

Spectrum spectrum(const Spec& spec, double Omega, double xi) {
  Eigen::MatrixXd A = amplification(spec, Omega, xi);
  // where steps are small (q, v/Omega, a/Omega^2) have one size; where they are large (q, v, a) have
  const double scale = std::min(Omega, 1.0);
  for (long i = 0; i < A.rows(); ++i)
    for (long j = 0; j < A.cols(); ++j) A(i, j) *= std::pow(scale, static_cast<double>(j - i));
  Spectrum s;
  if (!A.allFinite()) return {std::numeric_limits<double>::infinity(), std::nan(""), std::nan("")};
  const Eigen::VectorXcd eigenvalues = algebra::eigenvalues(A);
  if (eigenvalues.size() == 0) throw std::runtime_error("no eigenvalues of the amplification matrix");
  std::complex<double> principal = 0;
  for (const std::complex<double>& lambda : eigenvalues) {
    s.radius = std::max(s.radius, std::abs(lambda));
    if (lambda.imag() > 0) principal = lambda;
  }
  const double turn = std::arg(principal), decay = -std::log(std::abs(principal));
  const bool turns = principal.imag() > 0;
  s.period_error = turns ? Omega * std::sqrt(1 - xi * xi) / turn - 1 : std::nan("");
  s.damping_ratio = turns ? decay / std::hypot(turn, decay) : std::nan("");
  return s;
}

double stability_limit(const Spec& spec, double xi) {
  const auto stable = [&](double Omega) { return spectrum(spec, Omega, xi).radius <= 1 + instability; };
  double below = 0;
  for (double Omega = 1e-2; Omega < 1e4; Omega *= 1.1) {
    if (stable(Omega)) {
      below = Omega;
      continue;
    }
    for (double above = Omega; above - below > 1e-9 * above;) {
      const double middle = (below + above) / 2;
      (stable(middle) ? below : above) = middle;
    }
    return below;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace actio::method
