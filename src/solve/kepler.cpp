#include <actio/solve/kepler.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#define ACTIO_KERNEL "../solve/kepler_kernel.hpp"
#include "../algebra/each_machine.hpp"

namespace actio::solve {
namespace {

using algebra::Machine;

struct Stumpff {
  double c0, c1, c2, c3;
};

// c_k(z) = sum_j (-z)^j/(2j + k)!
Stumpff stumpff_of(double z) {
  if (std::abs(z) < 1) {
    double c2 = 0, c3 = 0;
    for (int j = 10; j >= 0; --j) {  // by Horner, from the smallest
      c3 = (1 - z * c3) / ((2.0 * j + 2) * (2.0 * j + 3));
      c2 = (1 - z * c2) / ((2.0 * j + 1) * (2.0 * j + 2));
    }
    return {1 - z * c2, 1 - z * c3, c2, c3};
  }
  const double s = std::sqrt(std::abs(z));
  if (z > 0) {
    const double half = std::sin(s / 2), c1 = std::sin(s) / s;
    return {std::cos(s), c1, 2 * half * half / z, (1 - c1) / z};
  }
  const double half = std::sinh(s / 2), c1 = std::sinh(s) / s;
  return {std::cosh(s), c1, 2 * half * half / -z, (1 - c1) / z};
}

}  // namespace

// The time is a function of X that rises everywhere, so its root is held between two bounds, and Newton's steps that leave them
// are bisections.
bool kepler_drift(double mu, double dt, double* x, double* v) {
  const double r0 = std::hypot(x[0], x[1], x[2]);
  const double eta = x[0] * v[0] + x[1] * v[1] + x[2] * v[2];
  const double beta = 2 * mu / r0 - (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), zeta = mu - beta * r0;
  if (!(r0 > 0) || !std::isfinite(beta) || !std::isfinite(dt) || !std::isfinite(eta)) return false;
  if (dt == 0) return true;
  double time = dt, least = 0, most = 0;
  bool bounded = false;
  if (beta > 0) {  // whole periods change nothing
    const double root = std::sqrt(beta), period = 2 * std::numbers::pi * mu / (beta * root);
    if (std::isfinite(period) && period > 0) {
      time = std::remainder(dt, period);
      most = std::copysign(2 * std::numbers::pi / root, time);
      bounded = true;
    }
  }
  Stumpff c{};
  double G1 = 0, G2 = 0, G3 = 0, r = 0;
  const auto miss = [&](double X) {
    c = stumpff_of(beta * X * X);
    G1 = X * c.c1;
    G2 = X * X * c.c2;
    G3 = X * X * X * c.c3;
    r = r0 + eta * G1 + zeta * G2;
    return r0 * X + eta * G2 + zeta * G3 - time;
  };
  double X = time / r0;
  if (bounded) {
    if (std::abs(X) > std::abs(most)) X = most / 2;
  } else {  // the time grows as sinh(sqrt(-beta) X)
    if (beta * X * X < -1) X = std::copysign(1 / std::sqrt(-beta), time);
    most = X;
    while (miss(most) * time < 0) {
      least = most;
      most *= 2;
      if (!std::isfinite(most)) return false;
    }
    X = (least + most) / 2;
  }
  double last = 0;
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double f = miss(X);
    (f * time < 0 ? least : most) = X;
    double next = X - f / r;
    const double low = std::min(least, most), high = std::max(least, most);
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    const double change = std::abs(next - X);
    const bool done = f == 0 || next == X || next == last || (iteration > 60 && change <= 4e-16 * std::abs(X));
    last = X;
    if (done) break;
    X = next;
  }
  miss(X);
  if (!(r > 0) || !std::isfinite(r)) return false;
  const double f = -mu * G2 / r0, g = time - mu * G3, fd = -mu * G1 / (r0 * r), gd = -mu * G2 / r;
  for (int k = 0; k < 3; ++k) {
    const double old = x[k];
    x[k] += f * old + g * v[k];
    v[k] += fd * old + gd * v[k];
  }
  return std::isfinite(x[0] + x[1] + x[2] + v[0] + v[1] + v[2]);
}

KeplerFlow::KeplerFlow(const std::vector<double>& mu)
    : count_(static_cast<long>(mu.size())), stride_((count_ + 7) / 8 * 8), mu_(mu) {
  mu_.resize(static_cast<std::size_t>(stride_), 0.0);
}

void KeplerFlow::settle(double* z) const {
  for (long row = 0; row < 12; ++row)
    for (long k = count_; k < stride_; ++k) z[row * stride_ + k] = row == 0 ? 1 : 0;
  for (long k = 0; k < stride_; ++k) z[12 * stride_ + k] = 1 / std::hypot(z[k], z[stride_ + k], z[2 * stride_ + k]);
}

bool KeplerFlow::drift(double* z, double dt) const {
  long from = 0;
  static const Machine on = algebra::machine();
  while (!ACTIO_ON_MACHINE(on, kepler_drift(mu_.data(), dt, z, stride_, from, from))) {
    for (long k = from; k < std::min(from + 8, count_); ++k) {  // one by one
      double x[3], v[3];
      for (int axis = 0; axis < 3; ++axis) {
        x[axis] = z[axis * stride_ + k];
        v[axis] = z[(3 + axis) * stride_ + k];
      }
      if (!kepler_drift(mu_[static_cast<std::size_t>(k)], dt, x, v)) return false;
      for (int axis = 0; axis < 3; ++axis) {
        z[axis * stride_ + k] = x[axis];
        z[(3 + axis) * stride_ + k] = v[axis];
      }
      z[12 * stride_ + k] = 1 / std::hypot(x[0], x[1], x[2]);
    }
    from += 8;
    if (from >= stride_) break;
  }
  return true;
}

void KeplerFlow::kick(double* z, const double* a, double dt) const {
  static const Machine on = algebra::machine();
  ACTIO_ON_MACHINE(on, kepler_kick(mu_.data(), a, dt, z, stride_));
}

}  // namespace actio::solve
