// The cases, and loops for them by hand over ACTIO_LANES lanes. Rows of x: q, then p.
#define LANES ACTIO_INDEPENDENT for (long l = 0; l < ACTIO_LANES; ++l)
#ifndef CASE_SIZES
#define CASE_SIZES
#if defined(HARMONIC_VERLET) || defined(HARMONIC_MIDPOINT) || defined(PENDULUM_VERLET)
enum { n = 1, varied = 1 };
#elif defined(HENON_HEILES_VERLET)
enum { n = 2, varied = 2 };
#elif defined(OSCILLATOR_MIDPOINT)
enum { n = 2, varied = 0 };
#endif
#if defined(HARMONIC_MIDPOINT) || defined(OSCILLATOR_MIDPOINT)
enum { rows = 4 * n };
#else
enum { rows = 3 * n };
#endif
#endif

#if defined(PENDULUM_VERLET) && !defined(__CUDACC__)
__attribute__((simd("notinbranch"), const)) double sin(double);
#endif

ACTIO_FUNCTION void hand(long steps, double h, const double* restrict c, double* restrict x) {
  double* restrict q = x;
  double* restrict p = x + n * ACTIO_LANES;
#if defined(HARMONIC_VERLET) || defined(PENDULUM_VERLET)
#ifdef HARMONIC_VERLET
#define FORCE(q) -c[l] * (q)
#else
#define FORCE(q) -c[l] * sin(q)
#endif
  double f[ACTIO_LANES];
  LANES f[l] = FORCE(q[l]);
  for (long k = 0; k < steps; ++k) LANES {
      const double half = p[l] + 0.5 * h * f[l];
      q[l] += h * half;
      f[l] = FORCE(q[l]);
      p[l] = half + 0.5 * h * f[l];
    }
#undef FORCE
#elif defined(HARMONIC_MIDPOINT)  // linear: w = (p - h/2 c q) / (1 + h^2/4 c)
  for (long k = 0; k < steps; ++k) LANES {
      const double w = (p[l] - 0.5 * h * c[l] * q[l]) / (1 + 0.25 * h * h * c[l]);
      q[l] += h * w;
      p[l] = 2 * w - p[l];
    }
#elif defined(HENON_HEILES_VERLET)
  double* restrict y = q + ACTIO_LANES;
  double* restrict r = p + ACTIO_LANES;
  double fx[ACTIO_LANES], fy[ACTIO_LANES];
  LANES {
    fx[l] = -q[l] - 2 * q[l] * y[l];
    fy[l] = -y[l] - q[l] * q[l] + y[l] * y[l];
  }
  for (long k = 0; k < steps; ++k) LANES {
      const double px = p[l] + 0.5 * h * fx[l], py = r[l] + 0.5 * h * fy[l];
      const double qx = q[l] + h * px, qy = y[l] + h * py;
      q[l] = qx;
      y[l] = qy;
      fx[l] = -qx - 2 * qx * qy;
      fy[l] = -qy - qx * qx + qy * qy;
      p[l] = px + 0.5 * h * fx[l];
      r[l] = py + 0.5 * h * fy[l];
    }
#elif defined(OSCILLATOR_MIDPOINT)  // Newton's method, as bench/ensemble_hand.c
  double* restrict y = q + ACTIO_LANES;
  double* restrict r = p + ACTIO_LANES;
  double wx[ACTIO_LANES], wy[ACTIO_LANES], ux[ACTIO_LANES], uy[ACTIO_LANES], left[ACTIO_LANES];
  LANES {
    wx[l] = ux[l] = p[l];
    wy[l] = uy[l] = r[l];
  }
  for (long k = 0; k < steps; ++k) {
    LANES {
      const double bx = ux[l], by = uy[l];
      ux[l] = wx[l];
      uy[l] = wy[l];
      wx[l] = 2 * ux[l] - bx;
      wy[l] = 2 * uy[l] - by;
    }
    for (int it = 0; it < 20; ++it) {
      LANES {
        const double qx = q[l] + 0.5 * h * wx[l], qy = y[l] + 0.5 * h * wy[l], e = 0.25 * h * h;
        const double s = qx * qx + qy * qy, g = 2 * (s - 1) * (3 * s - 1), z = 4 * (6 * s - 4);
        const double Rx = wx[l] - p[l] + 0.5 * h * g * qx, Ry = wy[l] - r[l] + 0.5 * h * g * qy;
        const double a = 1 + e * (g + z * qx * qx), b = e * z * qx * qy, d = 1 + e * (g + z * qy * qy), i = 1 / (a * d - b * b);
        const double dx = (d * Rx - b * Ry) * i, dy = (a * Ry - b * Rx) * i;
        wx[l] -= dx;
        wy[l] -= dy;
        left[l] = (dx * dx + dy * dy) - 1e-16 * (wx[l] * wx[l] + wy[l] * wy[l]);
      }
      long any = 0;
      LANES any |= left[l] > 0;
      if (!any) break;
    }
    LANES {
      q[l] += h * wx[l];
      y[l] += h * wy[l];
      p[l] = 2 * wx[l] - p[l];
      r[l] = 2 * wy[l] - r[l];
    }
  }
#endif
}
#undef LANES
