#include "ensemble_hand.h"

// dV/dq = 2 q (s - 1)(3 s - 1) with s = |q|^2; V'' = 2 (s - 1)(3 s - 1) I + 4 (6 s - 4) q q'.
enum { W = 64 };

void hand_verlet_lanes(long steps, double h, double *restrict x, double *restrict y, double *restrict p, double *restrict r) {
  double fx[W], fy[W];
  for (int l = 0; l < W; ++l) {
    const double s = x[l] * x[l] + y[l] * y[l], g = -2 * (s - 1) * (3 * s - 1);
    fx[l] = g * x[l];
    fy[l] = g * y[l];
  }
  for (long k = 0; k < steps; ++k) {
#pragma omp simd
    for (int l = 0; l < W; ++l) {
      const double px = p[l] + 0.5 * h * fx[l], py = r[l] + 0.5 * h * fy[l];
      const double qx = x[l] + h * px, qy = y[l] + h * py;
      const double s = qx * qx + qy * qy, g = -2 * (s - 1) * (3 * s - 1);
      x[l] = qx;
      y[l] = qy;
      fx[l] = g * qx;
      fy[l] = g * qy;
      p[l] = px + 0.5 * h * fx[l];
      r[l] = py + 0.5 * h * fy[l];
    }
  }
}

void hand_midpoint_lanes(long steps, double h, double *restrict x, double *restrict y, double *restrict p, double *restrict r) {
  double wx[W], wy[W], ux[W], uy[W];
  for (int l = 0; l < W; ++l) {
    wx[l] = ux[l] = p[l];
    wy[l] = uy[l] = r[l];
  }
  for (long k = 0; k < steps; ++k) {
#pragma omp simd
    for (int l = 0; l < W; ++l) {  // where the last two w point to
      const double bx = ux[l], by = uy[l];
      ux[l] = wx[l];
      uy[l] = wy[l];
      wx[l] = 2 * ux[l] - bx;
      wy[l] = 2 * uy[l] - by;
    }
    for (int it = 0; it < 20; ++it) {
      double left[W];
#pragma omp simd
      for (int l = 0; l < W; ++l) {
        const double qx = x[l] + 0.5 * h * wx[l], qy = y[l] + 0.5 * h * wy[l];
        const double s = qx * qx + qy * qy, g = 2 * (s - 1) * (3 * s - 1), c = 4 * (6 * s - 4);
        const double Rx = wx[l] - p[l] + 0.5 * h * g * qx, Ry = wy[l] - r[l] + 0.5 * h * g * qy, e = 0.25 * h * h;
        const double a = 1 + e * (g + c * qx * qx), b = e * c * qx * qy, d = 1 + e * (g + c * qy * qy), i = 1 / (a * d - b * b);
        const double dx = (d * Rx - b * Ry) * i, dy = (a * Ry - b * Rx) * i;
        wx[l] -= dx;
        wy[l] -= dy;
        left[l] = (dx * dx + dy * dy) - 1e-16 * (wx[l] * wx[l] + wy[l] * wy[l]);
      }
      long any = 0;
      for (int l = 0; l < W; ++l) any |= left[l] > 0;
      if (!any) break;  // the next increment is below rounding: Newton's method is quadratic
    }
#pragma omp simd
    for (int l = 0; l < W; ++l) {
      x[l] += h * wx[l];
      y[l] += h * wy[l];
      p[l] = 2 * wx[l] - p[l];
      r[l] = 2 * wy[l] - r[l];
    }
  }
}
