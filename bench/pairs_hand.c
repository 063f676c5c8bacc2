#include "pairs_hand.h"

#include <math.h>
#include <string.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

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

#if defined(__AVX512F__)
typedef __m512d Wide;
enum { width = 8 };
#define LOAD _mm512_loadu_pd
#define STORE _mm512_storeu_pd
#define SPREAD _mm512_set1_pd
#define ADD _mm512_add_pd
#define SUB _mm512_sub_pd
#define MUL _mm512_mul_pd
#define FMA _mm512_fmadd_pd
#define FNMA _mm512_fnmadd_pd
static inline double sum(Wide a) { return _mm512_reduce_add_pd(a); }
// y = y0 (1 + e/2 + 3/8 e^2 + 5/16 e^3), e = 1 - x y0^2: 2^-14 becomes 2^-53
static inline Wide inverse_root(Wide x) {
  const Wide y = _mm512_rsqrt14_pd(x), e = FNMA(MUL(x, y), y, SPREAD(1.0));
  const Wide p = FMA(FMA(SPREAD(0.3125), e, SPREAD(0.375)), e, SPREAD(0.5));
  return FMA(MUL(y, e), p, y);
}
const char* const gravity_wide_name = "by hand, AVX-512 and rsqrt14";
#elif defined(__AVX2__) && defined(__FMA__)
typedef __m256d Wide;
enum { width = 4 };
#define LOAD _mm256_loadu_pd
#define STORE _mm256_storeu_pd
#define SPREAD _mm256_set1_pd
#define ADD _mm256_add_pd
#define SUB _mm256_sub_pd
#define MUL _mm256_mul_pd
#define FMA _mm256_fmadd_pd
#define FNMA _mm256_fnmadd_pd
static inline double sum(Wide a) {
  const __m128d b = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_add_sd(b, _mm_unpackhi_pd(b, b)));
}
static inline Wide inverse_root(Wide x) { return _mm256_div_pd(SPREAD(1.0), _mm256_sqrt_pd(x)); }
const char* const gravity_wide_name = "by hand, AVX2";
#endif

#ifdef LOAD
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
#else
void (*const gravity_wide)(long, const double*, const double*, double*) = 0;
const char* const gravity_wide_name = "";
#endif
