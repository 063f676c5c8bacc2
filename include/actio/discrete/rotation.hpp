#pragma once
#include <Eigen/Geometry>
#include <cmath>

// Rotations near 1 by vectors xi [rad], |xi| < 2 pi for the exponential, any for Cayley's map; both turn about xi:
//
//   exp(xi) = 1 + a X + b X^2,   cay(xi) = (1 - X/2)^-1 (1 + X/2) = 1 + (X + X^2/2)/(1 + |xi|^2/4),   X y = xi x y
//
// exp turns by |xi|, cay by 2 atan(|xi|/2). Their tangents, trivialised on the left, tau^-1 d(tau) = hat(dtau dxi), and what
// impulses see of them (Iserles, Munthe-Kaas, Norsett and Zanna 2000; Bou-Rabee and Marsden 2009):
//
//   dexp = 1 - b X + d X^2,                     dexp^-1 = 1 + X/2 + c X^2
//   dcay = (1 - X/2)/(1 + |xi|^2/4),            dcay^-1 = 1 + X/2 + xi xi'/4
//
// with a = sin|xi|/|xi|, b = (1 - cos|xi|)/|xi|^2, d = (1 - a)/|xi|^2, c = (1 - |xi|/2 cot(|xi|/2))/|xi|^2: each to a few
// roundings at every |xi|, 0 among them. Trivialised on the right they are those of -xi.
namespace actio::discrete {

using Matrix3 = Eigen::Matrix3d;
using Vector3 = Eigen::Vector3d;

inline Matrix3 hat(const Vector3& x) {
  Matrix3 X;
  X << 0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0;
  return X;
}
// t with t . y = tr(A' hat(y)): the torque of forces A on the columns of R = 1; of hat(x) it is 2 x.
inline Vector3 axial(const Matrix3& A) { return {A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)}; }

// Functions of s = |xi|^2.
namespace angle {

inline double a(double s) {  // sin x / x, x^2 = s
  if (s == 0) return 1;
  const double x = std::sqrt(s);
  return std::sin(x) / x;
}
inline double b(double s) {  // (1 - cos x)/x^2 = (sin(x/2)/(x/2))^2 / 2
  const double half = a(s / 4);
  return 0.5 * half * half;
}
inline double d(double s) {  // (x - sin x)/x^3
  if (s > 1) return (1 - a(s)) / s;
  double sum = 0;
  for (int k = 9; k >= 0; --k) sum = (1 - s * sum) / ((2 * k + 2) * (2 * k + 3));  // 1/3! - s/5! + ...
  return sum;
}
struct WithSlope {
  double value, slope;
};
// (sin y - y cos y)/y^3, y^2 = u: sum of (-u)^k 2 (k + 1)/(2k + 3)!; da/du = -e/2
inline WithSlope e(double u) {
  if (u > 1) {
    const double y = std::sqrt(u), sine = std::sin(y), value = (sine - y * std::cos(y)) / (u * y);
    return {value, (sine / y - 3 * value) / (2 * u)};
  }
  double term = 1.0 / 3, value = term, slope = 0;
  for (int k = 1; k <= 10; ++k) {
    term *= -(k + 1.0) / (k * (2.0 * k + 2) * (2.0 * k + 3));
    slope += k * term;  // of u^(k-1)
    term *= u;
    value += term;
  }
  return {value, slope};
}
// c = (1 - x/2 cot(x/2))/x^2 = e/(4 a) at u = s/4, and dc/ds
inline WithSlope c(double s) {
  const auto [e0, de] = e(s / 4);
  const double a0 = a(s / 4);
  return {e0 / (4 * a0), (de + e0 * e0 / (2 * a0)) / (16 * a0)};
}

}  // namespace angle

// A map from vectors to rotations. Both are symmetric, tau(-xi) = tau(xi)'.
enum class Retraction { exponential, cayley };

// tau(xi) - 1
inline Matrix3 rotation_increment(Retraction tau, const Vector3& xi) {
  const double s = xi.squaredNorm();
  const Matrix3 X = hat(xi);
  if (tau == Retraction::exponential) return angle::a(s) * X + angle::b(s) * (X * X);
  return (X + 0.5 * (X * X)) / (1 + s / 4);
}
// dtau, trivialised on the left
inline Matrix3 tangent(Retraction tau, const Vector3& xi) {
  const double s = xi.squaredNorm();
  const Matrix3 X = hat(xi);
  if (tau == Retraction::exponential) return Matrix3::Identity() - angle::b(s) * X + angle::d(s) * (X * X);
  return (Matrix3::Identity() - 0.5 * X) / (1 + s / 4);
}
inline Matrix3 inverse_tangent(Retraction tau, const Vector3& xi) {
  const Matrix3 X = hat(xi);
  if (tau == Retraction::exponential) return Matrix3::Identity() + 0.5 * X + angle::c(xi.squaredNorm()).value * (X * X);
  return Matrix3::Identity() + 0.5 * X + 0.25 * (xi * xi.transpose());
}

// dtau(xi)^-T m, the body momentum at the end of the turn xi whose velocity has the momentum m; at its start it is that of -xi:
//   exp: m - xi x m/2 + c xi x (xi x m),   cay: m - xi x m/2 + xi (xi . m)/4
inline Vector3 momentum_after(Retraction tau, const Vector3& xi, const Vector3& m) {
  const Vector3 cross = xi.cross(m);
  if (tau == Retraction::exponential) return m - 0.5 * cross + angle::c(xi.squaredNorm()).value * xi.cross(cross);
  return m - 0.5 * cross + (0.25 * xi.dot(m)) * xi;
}
inline Vector3 momentum_before(Retraction tau, const Vector3& xi, const Vector3& m) { return momentum_after(tau, -xi, m); }
// Its derivative by xi, m held.
inline Matrix3 momentum_before_slope(Retraction tau, const Vector3& xi, const Vector3& m) {
  if (tau == Retraction::cayley) return -0.5 * hat(m) + 0.25 * (xi.dot(m) * Matrix3::Identity() + xi * m.transpose());
  const auto [c, dc] = angle::c(xi.squaredNorm());
  const Vector3 cross = xi.cross(m), twice = xi.cross(cross);
  // d(xi x (xi x m)) = (xi . m) dxi + xi (m . dxi) - 2 m (xi . dxi)
  return -0.5 * hat(m) + c * (xi.dot(m) * Matrix3::Identity() + xi * m.transpose() - 2 * m * xi.transpose()) +
         (2 * dc) * twice * xi.transpose();
}

// Half of a turn: sigma sigma = tau(xi) with sigma = cay(c), c = k xi. For exp k = 2 tan(|xi|/4)/|xi|, for cay 1/(1 + sqrt(1 +
// |xi|^2/4)). With eta0, eta1 the variations R'dR of the ends that of the middle is (sigma + 1)^-1 eta0 + (1 + sigma')^-1 eta1,
// and (1 + sigma)^-1 = (1 - C/2)/2, sigma (1 + sigma)^-1 = (1 + C/2)/2, C = hat(c), whatever tau.
struct HalfTurn {
  Vector3 c;
  Matrix3 slope;  // dc/dxi
};
inline HalfTurn half_turn(Retraction tau, const Vector3& xi) {
  const double s = xi.squaredNorm();
  double k = 0, dk = 0;  // dk/ds
  if (tau == Retraction::cayley) {
    const double root = std::sqrt(1 + s / 4);
    k = 1 / (1 + root);
    dk = -k * k / (8 * root);
  } else {
    const double x = std::sqrt(s) / 4, t = std::tan(x);
    k = x > 0 ? t / (2 * x) : 0.5;
    if (s > 0.05)
      dk = (x * (1 + t * t) - t) / (64 * x * x * x);
    else
      dk = 1.0 / 96 + s * (1.0 / 1920 + s * (17.0 / 860160 + s * (31.0 / 46448640)));
  }
  return {k * xi, k * Matrix3::Identity() + (2 * dk) * xi * xi.transpose()};
}

}  // namespace actio::discrete
