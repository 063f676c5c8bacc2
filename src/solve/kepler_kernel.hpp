// Included by each_machine.hpp, once a machine: eight points at once. Lanes go by reference: their calling convention depends on
// the machine.

using LanesAnywhere [[gnu::vector_size(64), gnu::aligned(8), gnu::may_alias]] = double;
[[gnu::always_inline]] inline const LanesAnywhere& read(const double* from) {
  return *reinterpret_cast<const LanesAnywhere*>(from);
}
[[gnu::always_inline]] inline void write(const Lanes& x, double* to) { __builtin_memcpy(to, &x, sizeof x); }

// to += x, and what rounding takes from the sum goes on in `taken`.
[[gnu::always_inline]] inline void add_kept(double* to, double* taken, const Lanes& x) {
  const Lanes old = read(to), y = x + read(taken), sum = old + y, part = sum - old;
  write(sum, to);
  write((old - (sum - part)) + (y - part), taken);
}

// c_k = sum_j (-z)^j/(2j + k)!, k = 2, 3, of |z| <= 1/2
[[gnu::always_inline]] inline void stumpff(const Lanes& z, Lanes& c2, Lanes& c3) {
  const Lanes w = z * z;
  // even and odd powers apart, which do not wait for each other
  const Lanes even2 =
      1.0 / 2 + w * (1.0 / 720 + w * (1.0 / 3628800 + w * (1.0 / 87178291200.0 + w * (1.0 / 6402373705728000.0))));
  const Lanes odd2 = 1.0 / 24 + w * (1.0 / 40320 + w * (1.0 / 479001600 + w * (1.0 / 20922789888000.0)));
  const Lanes even3 = 1.0 / 6 + w * (1.0 / 5040 + w * (1.0 / 39916800 + w * (1.0 / 1307674368000.0)));
  const Lanes odd3 = 1.0 / 120 + w * (1.0 / 362880 + w * (1.0 / 6227020800.0 + w * (1.0 / 355687428096000.0)));
  c2 = even2 - z * odd2;
  c3 = even3 - z * odd3;
}

// 1/|x| of an approximation, by a step of Newton's
[[gnu::always_inline]] inline void over_distance(const Lanes& square, const LanesAnywhere& near, Lanes& over) {
  over = near + near * (0.5 - 0.5 * square * near * near);
}

// One eight of points. Lanes that are not solved are false in the answer, and stay as they were.
//   r0 X + eta G2 + zeta G3 = dt,  G_k = X^k c_k(beta X^2),  beta = 2 mu/r0 - v^2,  eta = x.v,  zeta = mu - beta r0
//   x += -mu G2/r0 x + (dt - mu G3) v,  v += -mu G1/(r0 r) x - mu G2/r v,  r = r0 + eta G1 + zeta G2
inline void drift_eight(const double* mu_of, double dt, double* z, long stride, LaneMask& solved) {
  const Lanes mu = read(mu_of), x = read(z), y = read(z + stride), w = read(z + 2 * stride), u = read(z + 3 * stride),
              v = read(z + 4 * stride), s = read(z + 5 * stride);
  const Lanes square0 = x * x + y * y + w * w;
  Lanes over;
  over_distance(square0, read(z + 12 * stride), over);
  const Lanes r0 = square0 * over;
  const Lanes eta = x * u + y * v + w * s;
  const Lanes beta = 2 * mu * over - (u * u + v * v + s * s), zeta = mu - beta * r0;
  // the series of the inverse: X = tau - a tau^2 + (2 a^2 - b) tau^3, of tau + ... = r0 X + eta X^2/2 + zeta X^3/6 over r0
  const Lanes tau = dt * over, a = 0.5 * eta * over, b = zeta * over * (1.0 / 6);
  Lanes X = tau * (1 - tau * (a - tau * (2 * a * a - b)));
  Lanes G1 = {}, G2 = {}, G3 = {}, r = {};
  solved = LaneMask{};
  for (int iteration = 0; iteration < 6; ++iteration) {
    const Lanes square = beta * X * X;
    LaneMask within = (square <= 0.5) & (square >= -0.5);
    Lanes c2, c3, c0, c1;
    if (all(within)) {
      stumpff(square, c2, c3);
      c1 = 1 - square * c3;
      c0 = 1 - square * c2;
    } else {  // c_k(4 z) of c_k(z)
      within = (square <= 32) & (square >= -32);
      if (!all(within)) return;
      stumpff(square * (1.0 / 64), c2, c3);
      c1 = 1 - square * (1.0 / 64) * c3;
      c0 = 1 - square * (1.0 / 64) * c2;
      for (int k = 0; k < 3; ++k) {
        c3 = 0.25 * (c2 + c0 * c3);
        c2 = 0.5 * c1 * c1;
        c1 = c0 * c1;
        c0 = 2 * c0 * c0 - 1;
      }
    }
    const Lanes X2 = X * X;
    G1 = X * c1;
    G2 = X2 * c2;
    G3 = X2 * X * c3;
    r = r0 + eta * G1 + zeta * G2;
    // f + r d + f2 d^2/2 + f3 d^3/6 = 0, solved as a series in f/r
    const Lanes f = r0 * X + eta * G2 + zeta * G3 - dt, f2 = eta * c0 + zeta * G1, f3 = zeta * c0 - beta * eta * G1;
    const Lanes inverse = 1 / r, m = f * inverse, p = 0.5 * f2 * inverse, q = f3 * inverse * (1.0 / 6);
    const Lanes d = -m * (1 + m * (p - m * (q - 2 * p * p)));
    // d/X is small, and what the series leaves out, d (5 mp (mp^2 + m^2 q) + 3 (m^2 q)^2 + m^2 beta (mp + m^2 q)/10), below X
    // eps/4
    const Lanes size = d * d, m2 = m * m, A = m2 * p * p, B = m2 * m2 * q * q, k = 0.01 * m2 * m2 * beta * beta;
    const Lanes left = size * (A * (50 * (A * A + B) + k) + B * (10 * B + k));
    // G_k(X + d) by their series, for the last time where d is small
    const Lanes G0 = c0, h2 = 0.5 * d * d, h3 = d * d * d * (1.0 / 6);
    solved = (size <= 4e-8 * X2) & (left <= 2.5e-33 * X2) & (r > 0);
    X += d;
    if (all(solved)) {
      G3 = G3 + d * G2 + h2 * G1 + h3 * G0;
      const Lanes g2 = G2 + d * G1 + h2 * G0 - h3 * beta * G1;
      G1 = G1 + d * G0 - h2 * beta * G1 - h3 * beta * G0;
      G2 = g2;
      break;
    }
  }
  if (!all(solved)) return;
  r = r0 + eta * G1 + zeta * G2;
  const Lanes ri = 1 / r;
  const Lanes f = -mu * G2 * over, g = dt - mu * G3, fd = -mu * G1 * over * ri, gd = -mu * G2 * ri;
  double* taken = z + 6 * stride;
  add_kept(z, taken, f * x + g * u);
  add_kept(z + stride, taken + stride, f * y + g * v);
  add_kept(z + 2 * stride, taken + 2 * stride, f * w + g * s);
  add_kept(z + 3 * stride, taken + 3 * stride, fd * x + gd * u);
  add_kept(z + 4 * stride, taken + 4 * stride, fd * y + gd * v);
  add_kept(z + 5 * stride, taken + 5 * stride, fd * w + gd * s);
  write(ri, z + 12 * stride);
}

// True where all eights are solved; `failed` counts those before the first that is not.
inline bool kepler_drift(const double* mu, double dt, double* z, long stride, long from, long& failed) {
  for (long k = from; k < stride; k += lanes) {
    LaneMask solved;
    drift_eight(mu + k, dt, z + k, stride, solved);
    if (!all(solved)) {
      failed = k;
      return false;
    }
  }
  return true;
}

inline void kepler_kick(const double* mu, const double* a, double dt, double* z, long stride) {
  for (long k = 0; k < stride; k += lanes) {
    const Lanes x = read(z + k), y = read(z + stride + k), w = read(z + 2 * stride + k);
    const Lanes square = x * x + y * y + w * w;
    Lanes over;
    over_distance(square, read(z + 12 * stride + k), over);
    const Lanes drawn = read(mu + k) * over * over * over;
    double *v = z + 3 * stride + k, *taken = z + 9 * stride + k;
    const Lanes dv1 = dt * (read(a + k) + drawn * x), dv2 = dt * (read(a + stride + k) + drawn * y),
                dv3 = dt * (read(a + 2 * stride + k) + drawn * w);
    add_kept(v, taken, dv1);
    add_kept(v + stride, taken + stride, dv2);
    add_kept(v + 2 * stride, taken + 2 * stride, dv3);
  }
}
