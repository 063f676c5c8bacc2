#include "dna_hand.h"

#ifdef DNA_SCALAR
#define NAME(f) f##_scalar
#define FUNCTION __attribute__((const))
#else
#define NAME(f) f##_vector
#define FUNCTION __attribute__((simd("notinbranch"), const))
#endif
FUNCTION double exp(double);
FUNCTION double cos(double);
/* Under its own name the compiler makes one scalar sincos of it and the cosine, and no vectors. */
#ifdef DNA_SCALAR
FUNCTION double sin(double);
#else
FUNCTION double vector_sin(double) __asm__("sin");
#define sin vector_sin
#endif

static void force(const struct dna *s, double *restrict f) {
  const long n = s->n;
  const double *restrict x = s->x;
  for (long k = 0; k < n; ++k) {
    const double e = exp(-s->a * (1 - cos(x[k]) - s->x0));
    f[k] = 2 * s->epsilon * s->a * (e - 1) * e * sin(x[k]);
  }
  f[0] += x[1] - 2 * x[0] + x[n - 1];
  for (long k = 1; k < n - 1; ++k) f[k] += x[k + 1] - 2 * x[k] + x[k - 1];
  f[n - 1] += x[0] - 2 * x[n - 1] + x[n - 2];
}

/* f = -grad V, and the diagonal of 1 + w V'' */
static void force_and_diagonal(const struct dna *s, double w, double *restrict f, double *restrict d) {
  const long n = s->n;
  const double *restrict x = s->x;
  for (long k = 0; k < n; ++k) {
    const double c = cos(x[k]), sine = sin(x[k]), e = exp(-s->a * (1 - c - s->x0)), g = 2 * s->epsilon * s->a * e;
    f[k] = g * (e - 1) * sine;
    d[k] = 1 + w * (2 + g * (s->a * sine * sine * (2 * e - 1) - (e - 1) * c));
  }
  f[0] += x[1] - 2 * x[0] + x[n - 1];
  for (long k = 1; k < n - 1; ++k) f[k] += x[k + 1] - 2 * x[k] + x[k - 1];
  f[n - 1] += x[0] - 2 * x[n - 1] + x[n - 2];
}

/* A ring with `off` beside the diagonal d: the last unknown is eliminated last. */
static void solve(long n, double off, double *restrict d, double *restrict f) {
  double fill[DNA_MOST], last = d[n - 1], right = f[n - 1];
  fill[0] = off;
  for (long k = 0; k + 2 < n; ++k) {
    const double inverse = 1 / d[k], l = off * inverse, m = fill[k] * inverse;
    d[k + 1] -= l * off;
    f[k + 1] -= l * f[k];
    fill[k + 1] = (k + 3 == n ? off : 0) - l * fill[k];
    last -= m * fill[k];
    right -= m * f[k];
    d[k] = inverse;
  }
  const double inverse = 1 / d[n - 2], m = fill[n - 2] * inverse;
  f[n - 1] = (right - m * f[n - 2]) / (last - m * fill[n - 2]);
  f[n - 2] = (f[n - 2] - fill[n - 2] * f[n - 1]) * inverse;
  for (long k = n - 3; k >= 0; --k) f[k] = (f[k] - off * f[k + 1] - fill[k] * f[n - 1]) * d[k];
}

/* f = -grad V, the diagonal of 1 + w V'', and that of V''' */
static void force_and_derivatives(const struct dna *s, double w, double *restrict f, double *restrict d, double *restrict third) {
  const long n = s->n;
  const double a = s->a, *restrict x = s->x;
  for (long k = 0; k < n; ++k) {
    const double c = cos(x[k]), sine = sin(x[k]), e = exp(-a * (1 - c - s->x0)), g = 2 * s->epsilon * a * e;
    const double second = a * sine * sine * (2 * e - 1) - (e - 1) * c;
    f[k] = g * (e - 1) * sine;
    d[k] = 1 + w * (2 + g * second);
    third[k] = g * sine * (2 * a * c * (2 * e - 1) - 2 * a * a * sine * sine * e + a * e * c + (e - 1) - a * second);
  }
  f[0] += x[1] - 2 * x[0] + x[n - 1];
  for (long k = 1; k < n - 1; ++k) f[k] += x[k + 1] - 2 * x[k] + x[k - 1];
  f[n - 1] += x[0] - 2 * x[n - 1] + x[n - 2];
}

static void kick(struct dna *s, double h) {
  for (long k = 0; k < s->n; ++k) s->v[k] += h / 2 * s->f[k];
}
static void kick_and_drift(struct dna *s, double h) {
  for (long k = 0; k < s->n; ++k) {
    s->v[k] += h / 2 * s->f[k];
    s->x[k] += h * s->v[k];
  }
}

void NAME(dna_verlet)(struct dna *s, double h, long steps) {
  force(s, s->f);
  for (; steps > 0; --steps) {
    kick_and_drift(s, h);
    force(s, s->f);
    kick(s, h);
  }
}

void NAME(dna_simplified)(struct dna *s, double h, long steps) {
  double d[DNA_MOST];
  const double w = s->beta * h * h;
  force_and_diagonal(s, w, s->f, d);
  solve(s->n, -w, d, s->f);
  for (; steps > 0; --steps) {
    kick_and_drift(s, h);
    force_and_diagonal(s, w, s->f, d);
    solve(s->n, -w, d, s->f);
    kick(s, h);
  }
}

/* TO (3): x'' = a - beta^2 h^4 / 2 V'''[a, a] */
static void zhang_skeel_force(struct dna *s, double w) {
  double d[DNA_MOST], third[DNA_MOST];
  force_and_derivatives(s, w, s->f, d, third);
  solve(s->n, -w, d, s->f);
  for (long k = 0; k < s->n; ++k) s->f[k] -= w * w / 2 * third[k] * s->f[k] * s->f[k];
}

void NAME(dna_zhang_skeel)(struct dna *s, double h, long steps) {
  const double w = s->beta * h * h;
  zhang_skeel_force(s, w);
  for (; steps > 0; --steps) {
    kick_and_drift(s, h);
    zhang_skeel_force(s, w);
    kick(s, h);
  }
}
