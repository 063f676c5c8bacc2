#pragma once

// RATTLE for the double pendulum of TO 4.1 as one would write it by hand: unit masses, gravity 1, rods of 1 and sqrt 2. It knows
// that the rods' Jacobian is made of the two vectors along them.
namespace bench {

struct Pendulum {
  double x1, y1, x2, y2, u1, v1, u2, v2;            // positions, velocities
  double a = 0, b = 0, a_before = 0, b_before = 0;  // impulses of the rods, of the last two steps
  int known = 0;                                    // how many of these there are
  long iterations = 0;
};

inline void hand_rattle(Pendulum& s, double h) {
  const double dx = s.x1, dy = s.y1, ex = s.x2 - s.x1, ey = s.y2 - s.y1;
  const double u1 = s.u1, v1 = s.v1 - h / 2, u2 = s.u2, v2 = s.v2 - h / 2;
  double a = 0, b = 0;
  if (s.known >= 2) {
    a = 2 * s.a - s.a_before;
    b = 2 * s.b - s.b_before;
  } else if (s.known == 1) {
    a = s.a;
    b = s.b;
  }
  const double h1 = 1 / h;
  double w1x, w1y, w2x, w2y, Dx, Dy, Ex, Ey;
  const auto move = [&] {
    w1x = u1 + a * dx - b * ex;
    w1y = v1 + a * dy - b * ey;
    w2x = u2 + b * ex;
    w2y = v2 + b * ey;
    Dx = dx + h * w1x;
    Dy = dy + h * w1y;
    Ex = ex + h * (w2x - w1x);
    Ey = ey + h * (w2y - w1y);
  };
  move();
  double last = 0;
  for (int k = 0; k < 12; ++k) {
    const double g1 = (Dx * Dx + Dy * Dy - 1) / 2 * h1, g2 = (Ex * Ex + Ey * Ey - 2) / 2 * h1;
    const double s11 = Dx * dx + Dy * dy, s12 = -(Dx * ex + Dy * ey), s21 = -(Ex * dx + Ey * dy), s22 = 2 * (Ex * ex + Ey * ey);
    const double det = 1 / (s11 * s22 - s12 * s21);
    const double da = det * (s22 * g1 - s12 * g2), db = det * (s11 * g2 - s21 * g1);
    a -= da;
    b -= db;
    move();
    ++s.iterations;
    // the next increment would be d^2 / last: below rounding
    const double d = da * da + db * db, size = a * a + b * b;
    if (last > 0 ? d * d * d <= 1e-32 * size * last * last : d <= 1e-32 * size) break;
    last = d;
  }
  const double p1x = w1x, p1y = w1y - h / 2, p2x = w2x, p2y = w2y - h / 2;
  s.x1 += h * w1x;
  s.y1 += h * w1y;
  s.x2 += h * w2x;
  s.y2 += h * w2y;
  const double Fx = s.x2 - s.x1, Fy = s.y2 - s.y1;
  const double r1 = s.x1 * p1x + s.y1 * p1y, r2 = Fx * (p2x - p1x) + Fy * (p2y - p1y);
  const double t11 = s.x1 * s.x1 + s.y1 * s.y1, t12 = -(s.x1 * Fx + s.y1 * Fy), t22 = 2 * (Fx * Fx + Fy * Fy);
  const double det = 1 / (t11 * t22 - t12 * t12);
  const double m1 = -det * (t22 * r1 - t12 * r2), m2 = -det * (t11 * r2 - t12 * r1);
  s.u1 = p1x + m1 * s.x1 - m2 * Fx;
  s.v1 = p1y + m1 * s.y1 - m2 * Fy;
  s.u2 = p2x + m2 * Fx;
  s.v2 = p2y + m2 * Fy;
  s.a_before = s.a;
  s.b_before = s.b;
  s.a = a;
  s.b = b;
  ++s.known;
}

}  // namespace bench
