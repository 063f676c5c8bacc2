#pragma once
#include <Eigen/Core>
#include <actio/method/spec.hpp>

// What a method makes of q'' + 2 xi w q' + w^2 q = 0, as functions of Omega = w h: found by stepping the method itself, on a
// system of one coordinate, from unit states.
//
//   const auto s = actio::method::spectrum({actio::method::GeneralizedAlpha{0.5}, false, {}}, 0.1);   // Omega = 0.1, xi = 0
//   s.radius, s.period_error, s.damping_ratio
namespace actio::method {

// One step on (q, h v, h^2 a), or on (q, h v) of methods that keep no acceleration. Throws core::InputError when the method does
// not fit: adaptive, or xi != 0 and it takes no friction.
Eigen::MatrixXd amplification(const Spec& spec, double Omega, double xi = 0);

struct Spectrum {
  double radius = 0;         // largest |lambda|: more than 1 is unstable
  double period_error = 0;   // (T_h - T)/T, T = 2 pi / (w sqrt(1 - xi^2)); NaN where no pair of eigenvalues turns
  double damping_ratio = 0;  // xi_h with lambda = exp(-xi_h W +- i W sqrt(1 - xi_h^2)); xi = 0: algorithmic damping. NaN likewise
};
Spectrum spectrum(const Spec& spec, double Omega, double xi = 0);

// The least Omega whose spectral radius is above 1, or infinity. Looked for between 1e-2 and 1e4.
double stability_limit(const Spec& spec, double xi = 0);

}  // namespace actio::method
