#include "lattice_hand.h"

#include <string.h>

enum { block = 512 };

static double pull(double beta, double d) { return d + beta * d * d * d; }

void lattice_force(long n, double beta, const double* restrict q, double* restrict f) {
  double left = 0;
  for (long from = 0; from < n - 1; from += block) {
    const long count = n - 1 - from < block ? n - 1 - from : block;
    double g[block];
    for (long k = 0; k < count; ++k) g[k] = pull(beta, q[from + k + 1] - q[from + k]);
    f[from] = g[0] - left;
    for (long k = 1; k < count; ++k) f[from + k] = g[k] - g[k - 1];
    left = g[count - 1];
  }
  f[n - 1] = -left;
}

void lattice_verlet(long n, double beta, long steps, double h, double* restrict q, double* restrict p, double* restrict f) {
  for (long s = 0; s < steps; ++s) {
    for (long i = 0; i < n; ++i) {
      p[i] += 0.5 * h * f[i];
      q[i] += h * p[i];
    }
    lattice_force(n, beta, q, f);
    for (long i = 0; i < n; ++i) p[i] += 0.5 * h * f[i];
  }
}

void lattice_leapfrog(long n, double beta, long steps, double h, double* restrict q, double* restrict p, double* restrict f) {
  for (long i = 0; i < n; ++i) p[i] += 0.5 * h * f[i];
  for (long i = 0; i < n; ++i) q[i] += h * p[i];
  for (long s = 1; s < steps; ++s) {
    double left = 0;
    for (long from = 0; from < n; from += block) {
      const long count = n - from < block ? n - from : block, springs = from + count < n ? count : count - 1;
      double g[block];
      for (long k = 0; k < springs; ++k) g[k] = pull(beta, q[from + k + 1] - q[from + k]);
      if (springs < count) g[count - 1] = 0;
      p[from] += h * (g[0] - left);
      q[from] += h * p[from];
      for (long k = 1; k < count; ++k) {
        p[from + k] += h * (g[k] - g[k - 1]);
        q[from + k] += h * p[from + k];
      }
      left = g[count - 1];
    }
  }
  lattice_force(n, beta, q, f);
  for (long i = 0; i < n; ++i) p[i] += 0.5 * h * f[i];
}
