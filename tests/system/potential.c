/* Two coordinates, one parameter c: V = c (x^2 + y^2) (x^2 + y^2 - 1)^2, the oscillator of the examples. */
#include <actio/system/potential_abi.h>

static double value(double t, const double* q, const double* c) {
  const double s = q[0] * q[0] + q[1] * q[1];
  (void)t;
  return c[0] * s * (s - 1) * (s - 1);
}

static void gradient(double t, const double* q, const double* c, double* g) {
  const double s = q[0] * q[0] + q[1] * q[1], a = 2 * c[0] * (s - 1) * (3 * s - 1);
  (void)t;
  g[0] = a * q[0];
  g[1] = a * q[1];
}

static void hessian(double t, const double* q, const double* c, double* H) {
  const double s = q[0] * q[0] + q[1] * q[1], a = 2 * c[0] * (s - 1) * (3 * s - 1), b = 8 * c[0] * (3 * s - 2);
  (void)t;
  H[0] = a + b * q[0] * q[0];
  H[1] = b * q[0] * q[1];
  H[2] = b * q[1] * q[0];
  H[3] = a + b * q[1] * q[1];
}

static const int32_t rows[] = {0, 1, 0, 1}, cols[] = {0, 0, 1, 1};
static const actio_potential potential = {ACTIO_POTENTIAL_ABI, 2, 1, value, gradient, hessian, 4, rows, cols};

const actio_potential* actio_potential_get(void);
const actio_potential* actio_potential_get(void) { return &potential; }
