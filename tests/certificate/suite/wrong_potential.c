/* The oscillator c s (s - 1)^2, s = x^2 + y^2, and what may be wrong with a potential of one's own: c[1] says which. */
#include <actio/system/potential_abi.h>

enum {
  right,
  twice,       /* the gradient is twice as large */
  half,        /* or half */
  another,     /* it is that of the harmonic oscillator */
  no_value,    /* V is 0 */
  curl,        /* a force across, where x > 0.5 */
  strip,       /* the same in 0.4 < x < 0.6 alone */
  no_hessian,  /* the Hessian is 0 */
  off_hessian, /* it is one and a half times what it is */
  one_sign,    /* one component of the gradient has the wrong sign */
  value_off,   /* V is a thousandth too large */
  late         /* V is of a c that changes with the time, and the file does not say so */
};

static int which(const double* c) { return (int)(c[1] + 0.5); }

static double value(double t, const double* q, const double* c) {
  const double s = q[0] * q[0] + q[1] * q[1], V = c[0] * s * (s - 1) * (s - 1);
  switch (which(c)) {
    case no_value:
      return 0;
    case value_off:
      return 1.001 * V;
    case late:
      return V * (1 + 0.1 * t);
    default:
      return V;
  }
}

static void gradient(double t, const double* q, const double* c, double* g) {
  const double s = q[0] * q[0] + q[1] * q[1], a = 2 * c[0] * (s - 1) * (3 * s - 1);
  double f = 1;
  const int k = which(c);
  if (k == twice) f = 2;
  if (k == half) f = 0.5;
  if (k == late) f = 1 + 0.1 * t;
  g[0] = f * a * q[0];
  g[1] = f * a * q[1];
  if (k == another) g[0] = q[0], g[1] = q[1];
  if ((k == curl && q[0] > 0.5) || (k == strip && q[0] > 0.4 && q[0] < 0.6)) g[0] -= 0.1 * q[1], g[1] += 0.1 * q[0];
  if (k == one_sign) g[1] = -g[1];
}

static void hessian(double t, const double* q, const double* c, double* H) {
  const double s = q[0] * q[0] + q[1] * q[1], a = 2 * c[0] * (s - 1) * (3 * s - 1), b = 8 * c[0] * (3 * s - 2);
  double f = 1;
  const int k = which(c);
  int i;
  if (k == twice) f = 2;
  if (k == half) f = 0.5;
  if (k == no_hessian) f = 0;
  if (k == off_hessian) f = 1.5;
  if (k == late) f = 1 + 0.1 * t;
  H[0] = a + b * q[0] * q[0];
  H[1] = b * q[0] * q[1];
  H[2] = b * q[1] * q[0];
  H[3] = a + b * q[1] * q[1];
  if (k == another) H[0] = H[3] = 1, H[1] = H[2] = 0;
  for (i = 0; i < 4; ++i) H[i] *= f;
}

static const actio_potential potential = {ACTIO_POTENTIAL_ABI, 2, 2, value, gradient, hessian, 0, 0, 0};

const actio_potential* actio_potential_get(void);
const actio_potential* actio_potential_get(void) { return &potential; }
