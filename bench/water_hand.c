// Waters by hand: TIP3P, all pairs, in angstrom, kcal/mol and amu, by velocity Verlet (harmonic bonds and angle) or RATTLE. The
// numbers are those of tip3p.py. Atoms 3a, 3a+1, 3a+2 of molecule a are H, O, H.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wide.h"

#define COULOMB 332.0636
#define A12 582000.0
#define C6 595.0
#define OH 0.9572
#define HALF_ANGLE (52.26 * 3.14159265358979323846 / 180)
#define K_BOND 900.0
#define K_ANGLE 110.0
static const double charge[3] = {0.417, -0.834, 0.417}, mass[3] = {1.008, 15.9994, 1.008};

enum { H1, O, H2 };

typedef struct {
  long n, room;  // molecules, and places of a row: one vector more, far away
  double *x, *v, *f;
} Waters;
#define ROW(p, site, axis) ((p) + ((site)*3 + (axis)) * w->room)

// Molecule a, spread over lanes, with molecules b, b+1, ...; `weight` is 0 in the lanes beyond the last.
static inline __attribute__((always_inline)) void with(const Waters* w, const Wide (*xa)[3], Wide (*fa)[3], const Wide (*qq)[3],
                                                       long b, const Wide* weight) {
  Wide xb[3][3], fb[3][3];
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) xb[j][k] = LOAD(ROW(w->x, j, k) + b), fb[j][k] = LOAD(ROW(w->f, j, k) + b);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i)
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
      const Wide dx = SUB(xa[i][0], xb[j][0]), dy = SUB(xa[i][1], xb[j][1]), dz = SUB(xa[i][2], xb[j][2]);
      const Wide r = inverse_root(FMA(dx, dx, FMA(dy, dy, MUL(dz, dz)))), r2 = MUL(r, r);
      Wide c = MUL(qq[i][j], r);
      if (i == O && j == O) {
        const Wide r6 = MUL(r2, MUL(r2, r2));
        c = FMA(FMA(SPREAD(12 * A12), r6, SPREAD(-6 * C6)), r6, c);
      }
      c = MUL(c, r2);
      if (weight) c = MUL(c, *weight);
      fa[i][0] = FMA(c, dx, fa[i][0]), fa[i][1] = FMA(c, dy, fa[i][1]), fa[i][2] = FMA(c, dz, fa[i][2]);
      fb[j][0] = FNMA(c, dx, fb[j][0]), fb[j][1] = FNMA(c, dy, fb[j][1]), fb[j][2] = FNMA(c, dz, fb[j][2]);
    }
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) STORE(ROW(w->f, j, k) + b, fb[j][k]);
}

static void add_pairs(Waters* w) {
  static const double weights[16] = {1, 1, 1, 1, 1, 1, 1, 1};
  Wide qq[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) qq[i][j] = SPREAD(COULOMB * charge[i] * charge[j]);
  for (long a = 0; a < w->n - 1; ++a) {
    Wide xa[3][3], fa[3][3];
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) xa[i][k] = SPREAD(ROW(w->x, i, k)[a]), fa[i][k] = SPREAD(0.0);
    long b = a + 1;
    for (; b + width <= w->n; b += width) with(w, xa, fa, qq, b, 0);
    if (b < w->n) {
      const Wide weight = LOAD(weights + 8 - (w->n - b));
      with(w, xa, fa, qq, b, &weight);
    }
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) ROW(w->f, i, k)[a] += sum(fa[i][k]);
  }
}

static void add_bonds(Waters* w) {
  for (long a = 0; a < w->n; ++a) {
    double u[2][3], r[2], dot = 0;
    for (int s = 0; s < 2; ++s) {
      double square = 0;
      for (int k = 0; k < 3; ++k) u[s][k] = ROW(w->x, 2 * s, k)[a] - ROW(w->x, O, k)[a], square += u[s][k] * u[s][k];
      r[s] = sqrt(square);
    }
    for (int k = 0; k < 3; ++k) dot += u[0][k] * u[1][k];
    const double c = dot / (r[0] * r[1]), turn = K_ANGLE * (acos(c) - 2 * HALF_ANGLE) / sqrt(1 - c * c);  // -dV/dcos
    for (int s = 0; s < 2; ++s) {
      const double along = -K_BOND * (r[s] - OH) / r[s] - turn * c / (r[s] * r[s]), across = turn / (r[0] * r[1]);
      for (int k = 0; k < 3; ++k) {
        const double f = along * u[s][k] + across * u[1 - s][k];
        ROW(w->f, 2 * s, k)[a] += f;
        ROW(w->f, O, k)[a] -= f;
      }
    }
  }
}

static void forces(Waters* w, int rigid) {
  memset(w->f, 0, 9 * (size_t)w->room * sizeof(double));
  add_pairs(w);
  if (!rigid) add_bonds(w);
}

static void kick(Waters* w, double h) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      double *v = ROW(w->v, i, k), *f = ROW(w->f, i, k);
      for (long a = 0; a < w->n; ++a) v[a] += h / mass[i] * f[a];
    }
}

static void drift(Waters* w, double h) {
  for (long k = 0; k < 9 * w->room; ++k) w->x[k] += h * w->v[k];
}

// Constraints of eight molecules: the sites they hold, and what a multiplier of one does to the vector of another.
enum { lanes = 8 };
static const int ends[3][2] = {{H1, O}, {H2, O}, {H1, H2}};
typedef struct {
  double at[3][3][lanes];  // constraint, axis
} Vectors;

static double moves(int k, int l) {
  double out = 0;
  for (int s = 0; s < 2; ++s)
    for (int t = 0; t < 2; ++t)
      if (ends[k][s] == ends[l][t]) out += (s == t ? 1 : -1) / mass[ends[k][s]];
  return out;
}

static void take_vectors(const Waters* w, const double* x, long a, Vectors* d) {
  for (int k = 0; k < 3; ++k)
    for (int c = 0; c < 3; ++c)
      for (int l = 0; l < lanes; ++l) d->at[k][c][l] = ROW(x, ends[k][0], c)[a + l] - ROW(x, ends[k][1], c)[a + l];
}

// Multipliers of moves(k, l) d1_k . d0_l lambda_l = g_k.
static inline void solve(const double (*W)[3], const Vectors* d1, const Vectors* d0, const double (*g)[lanes],
                         double (*lambda)[lanes]) {
#pragma GCC ivdep
  for (int l = 0; l < lanes; ++l) {
#define M(k, j) \
  (W[k][j] * (d1->at[k][0][l] * d0->at[j][0][l] + d1->at[k][1][l] * d0->at[j][1][l] + d1->at[k][2][l] * d0->at[j][2][l]))
    const double a = M(0, 0), b = M(0, 1), c = M(0, 2), d = M(1, 0), e = M(1, 1), f = M(1, 2), p = M(2, 0), q = M(2, 1),
                 r = M(2, 2);
    const double ei = e * r - f * q, fg = f * p - d * r, dh = d * q - e * p;
    const double inverse = 1 / (a * ei + b * fg + c * dh), x = g[0][l], y = g[1][l], z = g[2][l];
    lambda[0][l] = inverse * (ei * x + (c * q - b * r) * y + (b * f - c * e) * z);
    lambda[1][l] = inverse * (fg * x + (a * r - c * p) * y + (c * d - a * f) * z);
    lambda[2][l] = inverse * (dh * x + (b * p - a * q) * y + (a * e - b * d) * z);
#undef M
  }
}

// x and v after a drift, moved along the vectors before it so that all lengths are right: Newton's method.
static long hold_positions(Waters* w, const Vectors* before, double h) {
  const double squares[3] = {OH * OH, OH * OH, 4 * OH * OH * sin(HALF_ANGLE) * sin(HALF_ANGLE)};
  double W[3][3];
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) W[k][l] = moves(k, l);
  long iterations = 0;
  for (long a = 0; a < w->n; a += lanes) {
    const Vectors* d0 = before + a / lanes;
    Vectors d;
    double all[3][lanes] = {{0}}, g[3][lanes], lambda[3][lanes];
    take_vectors(w, w->x, a, &d);
    const int here = w->n - a < lanes ? (int)(w->n - a) : lanes;
    for (int iteration = 0; iteration < 20; ++iteration) {
      double largest = 0;
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < lanes; ++l)
          g[k][l] =
              0.5 * (d.at[k][0][l] * d.at[k][0][l] + d.at[k][1][l] * d.at[k][1][l] + d.at[k][2][l] * d.at[k][2][l] - squares[k]);
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < here; ++l) largest = fmax(largest, fabs(g[k][l]));
      if (largest < 1e-14) break;
      ++iterations;
      solve(W, &d, d0, g, lambda);
      for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c)
          for (int j = 0; j < 3; ++j)
            for (int l = 0; l < lanes; ++l) d.at[k][c][l] -= W[k][j] * lambda[j][l] * d0->at[j][c][l];
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < lanes; ++l) all[k][l] += lambda[k][l];
    }
    for (int k = 0; k < 3; ++k)
      for (int s = 0; s < 2; ++s)
        for (int c = 0; c < 3; ++c) {
          const double by = (s == 0 ? -1 : 1) / mass[ends[k][s]];
          double *x = ROW(w->x, ends[k][s], c) + a, *v = ROW(w->v, ends[k][s], c) + a;
          for (int l = 0; l < here; ++l) {
            const double move = by * all[k][l] * d0->at[k][c][l];
            x[l] += move;
            v[l] += move / h;
          }
        }
  }
  return iterations;
}

static void hold_velocities(Waters* w, Vectors* now) {
  double W[3][3];
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) W[k][l] = moves(k, l);
  for (long a = 0; a < w->n; a += lanes) {
    Vectors *d = now + a / lanes, u;
    double g[3][lanes], mu[3][lanes];
    take_vectors(w, w->x, a, d);
    take_vectors(w, w->v, a, &u);
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < lanes; ++l)
        g[k][l] = d->at[k][0][l] * u.at[k][0][l] + d->at[k][1][l] * u.at[k][1][l] + d->at[k][2][l] * u.at[k][2][l];
    solve(W, d, d, g, mu);
    const int here = w->n - a < lanes ? (int)(w->n - a) : lanes;
    for (int k = 0; k < 3; ++k)
      for (int s = 0; s < 2; ++s)
        for (int c = 0; c < 3; ++c) {
          const double by = (s == 0 ? -1 : 1) / mass[ends[k][s]];
          double* v = ROW(w->v, ends[k][s], c) + a;
          for (int l = 0; l < here; ++l) v[l] += by * mu[k][l] * d->at[k][c][l];
        }
  }
}

static void exchange(Waters* w, double* outside, double* inside, int in) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      for (long a = 0; a < w->n; ++a) {
        double *there = outside + 3 * w->n * k + 3 * a + i, *here = ROW(inside, i, k) + a;
        if (in)
          *here = *there;
        else
          *there = *here;
      }
}

// Seconds of `steps` steps. q and v are x, y and z of all atoms, one after another; iterations is for a step and molecule.
double water_steps(long n, int rigid, double h, long steps, double* q, double* v, double* iterations) {
  Waters of = {.n = n, .room = (n + 2 * lanes - 1) / lanes * lanes + lanes}, *w = &of;
  double* memory = aligned_alloc(64, 27 * (size_t)w->room * sizeof(double));
  Vectors* vectors = aligned_alloc(64, (size_t)(n / lanes + 1) * sizeof(Vectors));
  memset(memory, 0, 27 * (size_t)w->room * sizeof(double));
  w->x = memory, w->v = memory + 9 * w->room, w->f = memory + 18 * w->room;
  for (int i = 0; i < 3; ++i)
    for (long a = 0; a < w->room; ++a) {
      ROW(w->x, i, 0)[a] = 1e4 + 2 * (double)a + i;
      ROW(w->x, i, 1)[a] = i == O;
    }
  exchange(w, q, w->x, 1);
  exchange(w, v, w->v, 1);
  long all = 0;
  for (long a = 0; a < n; a += lanes) take_vectors(w, w->x, a, vectors + a / lanes);
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  forces(w, rigid);
  for (long step = 0; step < steps; ++step) {
    kick(w, h / 2);
    drift(w, h);
    if (rigid) all += hold_positions(w, vectors, h);
    forces(w, rigid);
    kick(w, h / 2);
    if (rigid) hold_velocities(w, vectors);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  exchange(w, q, w->x, 0);
  exchange(w, v, w->v, 0);
  *iterations = (double)all * lanes / ((double)steps * (double)n);
  free(memory);
  free(vectors);
  return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}
