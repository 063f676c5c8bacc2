// A Lennard-Jones liquid by hand: N atoms in a cubic box, cut off at rc, by velocity Verlet, with a list of the pairs within rc +
// skin, each once, made anew by cells when an atom may have moved half of the skin. Reduced units; the force jumps at the cutoff.

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wide.h"

typedef struct {
  long n;
  double box, cutoff, skin;
  double *x[3], *v[3], *f[3], *at[3];  // at: where the list was made
  long *starts, room, builds;
  int *row, *list;  // the atom of a row; the others of its pairs
} Liquid;
enum { block = 64 };

// Rows follow the cells. A row has the pairs of its atom with those after it in its cell, and with those of half of the cells
// beside.
static void make_list(Liquid* w) {
  const double range = w->cutoff + w->skin, square = range * range, box = w->box;
  const int cells = box / range < 3 ? 1 : (int)(box / range);
  const long all = (long)cells * cells * cells;
  int *cell = malloc((size_t)w->n * sizeof(int)), *first = calloc((size_t)all + 1, sizeof(int)), *order = w->row;
  double *X = malloc(3 * (size_t)w->n * sizeof(double)), *Y = X + w->n, *Z = Y + w->n;
  for (int k = 0; k < 3; ++k) memcpy(w->at[k], w->x[k], (size_t)w->n * sizeof(double));
  for (long i = 0; i < w->n; ++i) {
    int c[3];
    for (int k = 0; k < 3; ++k) {
      c[k] = (int)(w->x[k][i] / box * cells);
      if (c[k] >= cells) c[k] = cells - 1;
    }
    cell[i] = (c[0] * cells + c[1]) * cells + c[2];
    ++first[cell[i] + 1];
  }
  for (long c = 0; c < all; ++c) first[c + 1] += first[c];
  for (long i = 0; i < w->n; ++i) order[first[cell[i]]++] = (int)i;
  for (long c = all; c > 0; --c) first[c] = first[c - 1];
  first[0] = 0;
  for (long s = 0; s < w->n; ++s) X[s] = w->x[0][order[s]], Y[s] = w->x[1][order[s]], Z[s] = w->x[2][order[s]];
  long have = 0;
  for (int c = 0; c < all; ++c) {
    const int a = c / (cells * cells), b = c / cells % cells, d = c % cells;
    for (int s = first[c]; s < first[c + 1]; ++s) {
      w->starts[s] = have;
      for (int beside = 13; beside < (cells > 1 ? 27 : 14); ++beside) {
        const int p = beside / 9 - 1, q = beside / 3 % 3 - 1, r = beside % 3 - 1;
        const int there = ((a + p + cells) % cells * cells + (b + q + cells) % cells) * cells + (d + r + cells) % cells;
        const int begin = beside == 13 ? s + 1 : first[there], end = first[there + 1];
        if (have + end - begin > w->room) {
          w->room = 2 * w->room + w->n;
          w->list = realloc(w->list, (size_t)w->room * sizeof(int));
        }
        double near[block];
        for (int from = begin; from < end; from += block) {
          const int count = end - from < block ? end - from : block;
          for (int k = 0; k < count; ++k) {
            const double dx = fabs(X[s] - X[from + k]), dy = fabs(Y[s] - Y[from + k]), dz = fabs(Z[s] - Z[from + k]);
            const double ix = dx < box - dx ? dx : box - dx, iy = dy < box - dy ? dy : box - dy,
                         iz = dz < box - dz ? dz : box - dz;
            near[k] = ix * ix + iy * iy + iz * iz;
          }
          for (int k = 0; k < count; ++k) {
            w->list[have] = order[from + k];
            have += near[k] < square;
          }
        }
      }
    }
  }
  w->starts[w->n] = have;
  ++w->builds;
  free(cell), free(first), free(X);
}

// Between lists atoms leave the box; they are put back when a list is made.
static void update_list(Liquid* w) {
  double most = 0;
  for (long i = 0; i < w->n; ++i) {
    const double dx = w->x[0][i] - w->at[0][i], dy = w->x[1][i] - w->at[1][i], dz = w->x[2][i] - w->at[2][i];
    const double square = dx * dx + dy * dy + dz * dz;
    most = most > square ? most : square;
  }
  if (w->builds && most <= 0.25 * w->skin * w->skin) return;
  for (int k = 0; k < 3; ++k)
    for (long i = 0; i < w->n; ++i) w->x[k][i] -= w->box * floor(w->x[k][i] / w->box);
  make_list(w);
}

#ifdef __AVX512F__
static void forces(Liquid* w) {
  const double *X = w->x[0], *Y = w->x[1], *Z = w->x[2];
  double *FX = w->f[0], *FY = w->f[1], *FZ = w->f[2];
  const Wide box = SPREAD(w->box), inverse = SPREAD(1 / w->box), square = SPREAD(w->cutoff * w->cutoff);
  for (int k = 0; k < 3; ++k) memset(w->f[k], 0, (size_t)w->n * sizeof(double));
#define NEAREST(d) FNMA(box, _mm512_roundscale_pd(MUL(d, inverse), 0), d)
  for (long row = 0; row < w->n; ++row) {
    const int i = w->row[row];
    const Wide xi = SPREAD(X[i]), yi = SPREAD(Y[i]), zi = SPREAD(Z[i]);
    Wide fx = SPREAD(0.0), fy = fx, fz = fx;
    for (long e = w->starts[row]; e < w->starts[row + 1]; e += width) {
      const long left = w->starts[row + 1] - e;
      const __mmask8 some = left < width ? (__mmask8)((1 << left) - 1) : 0xff;
      const __m256i j = _mm256_maskz_loadu_epi32(some, w->list + e);
      Wide dx = SUB(xi, _mm512_mask_i32gather_pd(xi, some, j, X, 8)), dy = SUB(yi, _mm512_mask_i32gather_pd(yi, some, j, Y, 8)),
           dz = SUB(zi, _mm512_mask_i32gather_pd(zi, some, j, Z, 8));
      dx = NEAREST(dx), dy = NEAREST(dy), dz = NEAREST(dz);
      const Wide r2 = FMA(dx, dx, FMA(dy, dy, MUL(dz, dz)));
      const __mmask8 near = _mm512_mask_cmp_pd_mask(some, r2, square, _CMP_LT_OQ);
      const Wide s = _mm512_maskz_div_pd(near, SPREAD(1.0), r2), s3 = MUL(s, MUL(s, s));
      const Wide c = MUL(MUL(FMA(SPREAD(48.0), s3, SPREAD(-24.0)), s3), s);
      const Wide gx = MUL(c, dx), gy = MUL(c, dy), gz = MUL(c, dz);
      fx = ADD(fx, gx), fy = ADD(fy, gy), fz = ADD(fz, gz);
      _mm512_mask_i32scatter_pd(FX, near, j, SUB(_mm512_mask_i32gather_pd(gx, near, j, FX, 8), gx), 8);
      _mm512_mask_i32scatter_pd(FY, near, j, SUB(_mm512_mask_i32gather_pd(gy, near, j, FY, 8), gy), 8);
      _mm512_mask_i32scatter_pd(FZ, near, j, SUB(_mm512_mask_i32gather_pd(gz, near, j, FZ, 8), gz), 8);
    }
    FX[i] += sum(fx), FY[i] += sum(fy), FZ[i] += sum(fz);
  }
}
const char* const lennard_jones_name = "by hand, AVX-512";
#else
static void forces(Liquid* w) {
  const double *X = w->x[0], *Y = w->x[1], *Z = w->x[2], box = w->box, half = 0.5 * box, square = w->cutoff * w->cutoff;
  double *FX = w->f[0], *FY = w->f[1], *FZ = w->f[2];
  for (int k = 0; k < 3; ++k) memset(w->f[k], 0, (size_t)w->n * sizeof(double));
  for (long row = 0; row < w->n; ++row) {
    const int i = w->row[row];
    double fx = 0, fy = 0, fz = 0;
    for (long e = w->starts[row]; e < w->starts[row + 1]; ++e) {
      const int j = w->list[e];
      double dx = X[i] - X[j], dy = Y[i] - Y[j], dz = Z[i] - Z[j];
      dx -= dx > half ? box : dx < -half ? -box : 0;
      dy -= dy > half ? box : dy < -half ? -box : 0;
      dz -= dz > half ? box : dz < -half ? -box : 0;
      const double r2 = dx * dx + dy * dy + dz * dz;
      if (r2 >= square) continue;
      const double s = 1 / r2, s3 = s * s * s, c = (48 * s3 - 24) * s3 * s;
      fx += c * dx, fy += c * dy, fz += c * dz;
      FX[j] -= c * dx, FY[j] -= c * dy, FZ[j] -= c * dz;
    }
    FX[i] += fx, FY[i] += fy, FZ[i] += fz;
  }
}
const char* const lennard_jones_name = "by hand, plain C";
#endif

// Seconds of `steps` steps; q and v are x, y and z of all atoms, one after another. If `temperature` is positive the velocities
// are scaled to it every ten steps. `builds` counts the lists.
double lennard_jones_steps(long n, double box, double cutoff, double skin, double h, long steps, double temperature, double* q,
                           double* v, long* builds) {
  Liquid of = {.n = n, .box = box, .cutoff = cutoff, .skin = skin}, *w = &of;
  double* memory = malloc(6 * (size_t)n * sizeof(double));
  for (int k = 0; k < 3; ++k) w->x[k] = q + k * n, w->v[k] = v + k * n, w->f[k] = memory + k * n, w->at[k] = memory + (3 + k) * n;
  w->starts = malloc(((size_t)n + 1) * sizeof(long));
  w->row = malloc((size_t)n * sizeof(int));
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  update_list(w);
  forces(w);
  for (long step = 0; step < steps; ++step) {
    for (int k = 0; k < 3; ++k)
      for (long i = 0; i < n; ++i) {
        w->v[k][i] += 0.5 * h * w->f[k][i];
        w->x[k][i] += h * w->v[k][i];
      }
    update_list(w);
    forces(w);
    double twice = 0;
    for (int k = 0; k < 3; ++k)
      for (long i = 0; i < n; ++i) w->v[k][i] += 0.5 * h * w->f[k][i];
    if (temperature <= 0 || step % 10 != 0) continue;
    for (int k = 0; k < 3; ++k)
      for (long i = 0; i < n; ++i) twice += w->v[k][i] * w->v[k][i];
    const double scale = sqrt(temperature * 3 * (double)n / twice);
    for (int k = 0; k < 3; ++k)
      for (long i = 0; i < n; ++i) w->v[k][i] *= scale;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  *builds = w->builds;
  free(memory), free(w->starts), free(w->row), free(w->list);
  return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}
