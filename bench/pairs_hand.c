#include "pairs_hand.h"

#include <string.h>

#include "wide.h"

void gravity_plain(long n, const double* q, const double* m, double* f) {
  const double *x = q, *y = q + n, *z = q + 2 * n;
  double *fx = f, *fy = f + n, *fz = f + 2 * n;
  memset(f, 0, 3 * (size_t)n * sizeof(double));
  for (long i = 0; i < n; ++i)
    for (long j = i + 1; j < n; ++j) {
      const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      const double r2 = dx * dx + dy * dy + dz * dz;
      const double c = m[i] * m[j] / (r2 * sqrt(r2));
      fx[i] -= c * dx, fy[i] -= c * dy, fz[i] -= c * dz;
      fx[j] += c * dx, fy[j] += c * dy, fz[j] += c * dz;
    }
}

double gravity_energy_plain(long n, const double* q, const double* m) {
  const double *x = q, *y = q + n, *z = q + 2 * n;
  double V = 0;
  for (long i = 0; i < n; ++i)
    for (long j = i + 1; j < n; ++j) {
      const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      V -= m[i] * m[j] / sqrt(dx * dx + dy * dy + dz * dz);
    }
  return V;
}

#ifdef WIDE_NAME
static void wide(long n, const double* q, const double* m, double* f) {
  const double *x = q, *y = q + n, *z = q + 2 * n;
  double *fx = f, *fy = f + n, *fz = f + 2 * n;
  memset(f, 0, 3 * (size_t)n * sizeof(double));
  for (long i = 0; i < n; ++i) {
    const Wide xi = SPREAD(x[i]), yi = SPREAD(y[i]), zi = SPREAD(z[i]), mi = SPREAD(m[i]);
    Wide sx = SPREAD(0), sy = sx, sz = sx;
    long j = i + 1;
    for (; j + width <= n; j += width) {
      const Wide dx = SUB(xi, LOAD(x + j)), dy = SUB(yi, LOAD(y + j)), dz = SUB(zi, LOAD(z + j));
      const Wide r = inverse_root(FMA(dx, dx, FMA(dy, dy, MUL(dz, dz))));
      const Wide c = MUL(MUL(MUL(mi, LOAD(m + j)), r), MUL(r, r));
      sx = FNMA(c, dx, sx), sy = FNMA(c, dy, sy), sz = FNMA(c, dz, sz);
      STORE(fx + j, FMA(c, dx, LOAD(fx + j)));
      STORE(fy + j, FMA(c, dy, LOAD(fy + j)));
      STORE(fz + j, FMA(c, dz, LOAD(fz + j)));
    }
    double ax = sum(sx), ay = sum(sy), az = sum(sz);
    for (; j < n; ++j) {
      const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j], r = 1 / sqrt(dx * dx + dy * dy + dz * dz);
      const double c = m[i] * m[j] * r * r * r;
      ax -= c * dx, ay -= c * dy, az -= c * dz;
      fx[j] += c * dx, fy[j] += c * dy, fz[j] += c * dz;
    }
    fx[i] += ax, fy[i] += ay, fz[i] += az;
  }
}
void (*const gravity_wide)(long, const double*, const double*, double*) = wide;
const char* const gravity_wide_name = "by hand, " WIDE_NAME;
#else
void (*const gravity_wide)(long, const double*, const double*, double*) = 0;
const char* const gravity_wide_name = "";
#endif
