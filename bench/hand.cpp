#include "hand.hpp"

namespace bench {
namespace {

struct Pair {
  double x, y;
};

// grad V = a q
inline Pair gradient(double x, double y) {
  const double s = x * x + y * y, a = 2 * (s - 1) * (3 * s - 1);
  return {a * x, a * y};
}

// Newton for r(z) = 0 in the plane. With theta = |dz_k| / |dz_{k-1}| the next increment is about theta^2 |dz_k|: stop once that
// is below 1e-16 |z|. False when the iteration fails.
template <class F>
inline bool newton(F&& equations, Pair& z, long& iterations) {
  constexpr double tolerance_squared = 1e-32;
  double last = 0;
  for (int k = 1; k <= 12; ++k) {
    double rx, ry, kxx, kxy, kyy;
    equations(z, rx, ry, kxx, kxy, kyy);
    const double inverse = 1 / (kxx * kyy - kxy * kxy);
    const double dx = (kyy * rx - kxy * ry) * inverse, dy = (kxx * ry - kxy * rx) * inverse;
    z.x -= dx;
    z.y -= dy;
    const double d = dx * dx + dy * dy, size = z.x * z.x + z.y * z.y;
    ++iterations;
    if (last > 0 ? d * d * d <= tolerance_squared * size * last * last : d <= tolerance_squared * size) return true;
    if (d == 0) return true;
    if (!(last == 0 || d < 1e4 * last)) return false;
    last = d;
  }
  return false;
}

}  // namespace

Phase hand_verlet(Phase s, double h, long steps) {
  double x = s.x, y = s.y, u = s.u, v = s.v;
  Pair g = gradient(x, y);
  for (long k = 0; k < steps; ++k) {
    u -= h / 2 * g.x;
    v -= h / 2 * g.y;
    x += h * u;
    y += h * v;
    g = gradient(x, y);
    u -= h / 2 * g.x;
    v -= h / 2 * g.y;
  }
  return {x, y, u, v};
}

Phase hand_midpoint(Phase s, double h, long steps) {
  double x = s.x, y = s.y, u = s.u, v = s.v;
  long iterations = 0;
  const double half = h / 2, c = h * h / 4;
  Pair w{u, v}, before = w;
  for (long k = 0; k < steps; ++k) {
    Pair z{2 * w.x - before.x, 2 * w.y - before.y};
    const bool solved = newton(
        [&](const Pair& w1, double& rx, double& ry, double& kxx, double& kxy, double& kyy) {
          const double qx = x + half * w1.x, qy = y + half * w1.y;
          const double r2 = qx * qx + qy * qy, a = 2 * (r2 - 1) * (3 * r2 - 1), b = 8 * (3 * r2 - 2);
          rx = w1.x + half * a * qx - u;
          ry = w1.y + half * a * qy - v;
          kxx = 1 + c * (a + b * qx * qx);
          kxy = c * b * qx * qy;
          kyy = 1 + c * (a + b * qy * qy);
        },
        z, iterations);
    if (!solved) break;
    before = w;
    w = z;
    x += h * w.x;
    y += h * w.y;
    u = 2 * w.x - u;
    v = 2 * w.y - v;
  }
  return {x, y, u, v, iterations};
}

Phase hand_newmark(Phase s, double h, long steps) {
  double x = s.x, y = s.y, u = s.u, v = s.v;
  long iterations = 0;
  const double half = h / 2, c = h * h / 4;
  const Pair g = gradient(x, y);
  Pair a0{-g.x, -g.y};
  for (long k = 0; k < steps; ++k) {
    const double px = x + h * u + c * a0.x, py = y + h * v + c * a0.y;
    Pair a1 = a0;
    const bool solved = newton(
        [&](const Pair& z, double& rx, double& ry, double& kxx, double& kxy, double& kyy) {
          const double qx = px + c * z.x, qy = py + c * z.y;
          const double r2 = qx * qx + qy * qy, a = 2 * (r2 - 1) * (3 * r2 - 1), b = 8 * (3 * r2 - 2);
          rx = z.x + a * qx;
          ry = z.y + a * qy;
          kxx = 1 + c * (a + b * qx * qx);
          kxy = c * b * qx * qy;
          kyy = 1 + c * (a + b * qy * qy);
        },
        a1, iterations);
    if (!solved) break;
    x = px + c * a1.x;
    y = py + c * a1.y;
    u += half * (a0.x + a1.x);
    v += half * (a0.y + a1.y);
    a0 = a1;
  }
  return {x, y, u, v, iterations};
}

Phase hand_rk4(Phase s, double h, long steps) {
  double x = s.x, y = s.y, u = s.u, v = s.v;
  for (long k = 0; k < steps; ++k) {
    const Pair g1 = gradient(x, y);
    const double u2 = u - h / 2 * g1.x, v2 = v - h / 2 * g1.y;
    const Pair g2 = gradient(x + h / 2 * u, y + h / 2 * v);
    const double u3 = u - h / 2 * g2.x, v3 = v - h / 2 * g2.y;
    const Pair g3 = gradient(x + h / 2 * u2, y + h / 2 * v2);
    const double u4 = u - h * g3.x, v4 = v - h * g3.y;
    const Pair g4 = gradient(x + h * u3, y + h * v3);
    x += h / 6 * u + h / 3 * u2 + h / 3 * u3 + h / 6 * u4;
    y += h / 6 * v + h / 3 * v2 + h / 3 * v3 + h / 6 * v4;
    u -= h / 6 * g1.x + h / 3 * g2.x + h / 3 * g3.x + h / 6 * g4.x;
    v -= h / 6 * g1.y + h / 3 * g2.y + h / 3 * g3.y + h / 6 * g4.y;
  }
  return {x, y, u, v};
}

}  // namespace bench
