#pragma once

// RATTLE for the double pendulum of TO 4.1, unit masses, gravity 1, rods of 1 and sqrt 2, as one would write it by hand: for this
// system alone, and for any potential and any two constraints of four coordinates.
namespace bench {

// What the rods allow: their Jacobian is made of the two vectors along them, half of it is zero, and the gradient is a constant.

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

// The like of a method that is given g, its Jacobian G and a force as functions.
struct Constrained {
  double q[4], p[4], f[4];                 // positions, momenta, forces
  double eta[2] = {}, eta_before[2] = {};  // impulses of the constraints, of the last two steps
  int known = 0;                           // how many of these there are
  long iterations = 0;
};

template <class System>
inline void hand_rattle(Constrained& x, const System& system, double h) {
  double G0[2][4], G1[2][4], g[2], q[4], p[4];
  double eta0 = 0, eta1 = 0, y0, y1;
  system.jacobian(x.q, G0);
  if (x.known >= 2) {
    eta0 = 2 * x.eta[0] - x.eta_before[0];
    eta1 = 2 * x.eta[1] - x.eta_before[1];
  } else if (x.known == 1) {
    eta0 = x.eta[0];
    eta1 = x.eta[1];
  }
  const double h1 = 1 / h;
  const auto move = [&] {
    for (int i = 0; i < 4; ++i) {
      p[i] = x.p[i] + h / 2 * x.f[i] + eta0 * G0[0][i] + eta1 * G0[1][i];
      q[i] = x.q[i] + h * p[i];
    }
  };
  const auto solve = [&](const double(&G)[2][4], double r0, double r1) {  // G1 G' y = r
    double s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int i = 0; i < 4; ++i) {
      s00 += G1[0][i] * G[0][i];
      s01 += G1[0][i] * G[1][i];
      s10 += G1[1][i] * G[0][i];
      s11 += G1[1][i] * G[1][i];
    }
    const double det = 1 / (s00 * s11 - s01 * s10);
    y0 = det * (s11 * r0 - s01 * r1);
    y1 = det * (s00 * r1 - s10 * r0);
  };
  move();
  double last = 0;
  for (int k = 0; k < 12; ++k) {
    system.constraint(q, g);
    system.jacobian(q, G1);
    solve(G0, h1 * g[0], h1 * g[1]);
    eta0 -= y0;
    eta1 -= y1;
    move();
    ++x.iterations;
    const double d = y0 * y0 + y1 * y1, size = eta0 * eta0 + eta1 * eta1;
    if (last > 0 ? d * d * d <= 1e-32 * size * last * last : d <= 1e-32 * size) break;
    last = d;
  }
  system.force(q, x.f);
  system.jacobian(q, G1);
  double r0 = 0, r1 = 0;
  for (int i = 0; i < 4; ++i) {
    p[i] += h / 2 * x.f[i];
    r0 += G1[0][i] * p[i];
    r1 += G1[1][i] * p[i];
  }
  solve(G1, r0, r1);
  for (int i = 0; i < 4; ++i) {
    x.q[i] = q[i];
    x.p[i] = p[i] - y0 * G1[0][i] - y1 * G1[1][i];
  }
  x.eta_before[0] = x.eta[0];
  x.eta_before[1] = x.eta[1];
  x.eta[0] = eta0;
  x.eta[1] = eta1;
  ++x.known;
}

}  // namespace bench
