#pragma once
#include <actio/system/mechanical.hpp>

// The double pendulum of TO 4.1: unit masses and weight, lengths 1 and sqrt 2 held by stiff potentials,
//
//   V = y1 + y2 + w^2/2 (g1^2 + g2^2),   g1 = |r|^2 - 1,   g2 = |d|^2 - 2,   r = (x1, y1),   d = (x2 - x1, y2 - y1)
struct DoublePendulum {
  using Space = actio::algebra::DenseSpace<4>;
  using Vector = Space::Vector;
  using Matrix = Space::Matrix;
  double ww = 400;  // w^2

  struct Arm {  // w^2/2 (|u|^2 - L^2)^2
    double x, y, g;
    Arm(double u, double v, double LL) : x(u), y(v), g(u * u + v * v - LL) {}
  };
  static Arm first(const Vector& q) { return {q[0], q[1], 1}; }
  static Arm second(const Vector& q) { return {q[2] - q[0], q[3] - q[1], 2}; }

  double value(const Vector& q) const {
    const double g1 = first(q).g, g2 = second(q).g;
    return q[1] + q[3] + ww / 2 * (g1 * g1 + g2 * g2);
  }
  void gradient(const Vector& q, Vector& g) const {
    const Arm r = first(q), d = second(q);
    const double a = 2 * ww * r.g, b = 2 * ww * d.g;
    g = {a * r.x - b * d.x, 1 + a * r.y - b * d.y, b * d.x, 1 + b * d.y};
  }
  void hessian(const Vector& q, Matrix& H) const {
    const Arm r = first(q), d = second(q);
    const double c = 4 * ww;
    const double dxx = c * (d.x * d.x + d.g / 2), dxy = c * d.x * d.y, dyy = c * (d.y * d.y + d.g / 2);
    const double sxx = dxx + c * (r.x * r.x + r.g / 2), sxy = dxy + c * r.x * r.y, syy = dyy + c * (r.y * r.y + r.g / 2);
    H = {sxx,  sxy,  -dxx, -dxy,  //
         sxy,  syy,  -dxy, -dyy,  //
         -dxx, -dxy, dxx,  dxy,   //
         -dxy, -dyy, dxy,  dyy};
  }
  // 4 w^2 ((b . b) u + 2 (u . b) b) of each arm u, b being the difference of a along it
  void third(const Vector& q, const Vector& a, Vector& out) const {
    const Arm r = first(q), d = second(q);
    const double c = 4 * ww, ex = a[2] - a[0], ey = a[3] - a[1];
    const double aa = c * (a[0] * a[0] + a[1] * a[1]), ra = 2 * c * (r.x * a[0] + r.y * a[1]);
    const double ee = c * (ex * ex + ey * ey), de = 2 * c * (d.x * ex + d.y * ey);
    const double tx = ee * d.x + de * ex, ty = ee * d.y + de * ey;
    out = {aa * r.x + ra * a[0] - tx, aa * r.y + ra * a[1] - ty, tx, ty};
  }
};
