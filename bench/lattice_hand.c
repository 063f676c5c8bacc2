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

void lattice_newmark(long n, double beta, long steps, double h, double* restrict q, double* restrict v, double* restrict a,
                     double* restrict work) {
  const double w = h * h / 4;
  double *restrict start = work, *restrict pivot = work + n, *restrict right = work + 2 * n, *restrict fill = work + 3 * n;
  for (long s = 0; s < steps; ++s) {
    for (long i = 0; i < n; ++i) {
      start[i] = q[i] + h * v[i] + w * a[i];
      q[i] = start[i] + w * a[i];
    }
    double largest;
    do {
      // (1 + w V'') dq = start - q - w grad V: rows 0 to n - 2 are eliminated as they are evaluated, the last one at the end
      const double u = q[0] - q[n - 1], around = w * (1 + 3 * beta * u * u);
      double left = pull(beta, u), stiff = around, inverse = 0, off = 0, r = 0, f = 0, d_last = 1 + around, r_last = w * left;
      for (long i = 0; i < n - 1; ++i) {
        const double e = q[i + 1] - q[i], g = pull(beta, e), k = w * (1 + 3 * beta * e * e), l = off * inverse;
        const double d = 1 + stiff + k - l * off;
        r = start[i] - q[i] + w * (g - left) - l * r;
        f = (i == 0 ? -around : 0) - l * f;
        if (i == n - 2) f -= k;
        off = -k, stiff = k, left = g;
        inverse = 1 / d;
        pivot[i] = inverse;
        right[i] = r;
        fill[i] = f;
        d_last -= f * f * inverse;
        r_last -= f * r * inverse;
      }
      d_last += stiff;
      r_last += start[n - 1] - q[n - 1] - w * left;
      const double last = r_last / d_last;
      double next = 0;
      largest = last < 0 ? -last : last;
      for (long i = n - 2; i >= 0; --i) {
        const double e = q[i + 1] - q[i], k = i == n - 2 ? 0 : w * (1 + 3 * beta * e * e);
        const double x = (right[i] + k * next - fill[i] * last) * pivot[i];
        if (i < n - 2) q[i + 1] += next;
        next = x;
        largest = x > largest ? x : -x > largest ? -x : largest;
      }
      q[0] += next;
      q[n - 1] += last;
    } while (!(largest * largest < 1e-14));
    for (long i = 0; i < n; ++i) {
      const double old = a[i];
      a[i] = (q[i] - start[i]) / w;
      v[i] += 0.5 * h * (old + a[i]);
    }
  }
}
