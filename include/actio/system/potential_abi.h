#ifndef ACTIO_SYSTEM_POTENTIAL_ABI_H
#define ACTIO_SYSTEM_POTENTIAL_ABI_H
#include <stdint.h>

/* A potential of your own as a shared library, in C or anything that can export C:
 *
 *   static double value(double t, const double* q, const double* c) { return 0.5 * c[0] * q[0] * q[0]; }
 *   ...
 *   static const actio_potential mine = {ACTIO_POTENTIAL_ABI, 1, 1, value, gradient, hessian, 0, 0, 0};
 *   const actio_potential* actio_potential_get(void) { return &mine; }
 *
 * In the problem file: [system] library = "libmine.so", next to coordinates, parameters and mass. */
#define ACTIO_POTENTIAL_ABI 1

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int32_t abi;                                                             /* ACTIO_POTENTIAL_ABI */
  int64_t n;                                                               /* coordinates it expects */
  int64_t parameters;                                                      /* parameters it expects */
  double (*value)(double t, const double* q, const double* c);             /* V [J]; q (n), c (parameters) */
  void (*gradient)(double t, const double* q, const double* c, double* g); /* g = dV/dq [N] (n) */
  void (*hessian)(double t, const double* q, const double* c, double* H);  /* entries in the order of rows, cols below */
  int64_t nonzeros;                                                        /* 0: H is full, (n x n), column by column */
  const int32_t* rows; /* else H[k] is the entry (rows[k], cols[k]); both triangles, no entry twice */
  const int32_t* cols;
} actio_potential;

typedef const actio_potential* (*actio_potential_getter)(void); /* exported as "actio_potential_get" */

#ifdef __cplusplus
}
#endif
#endif
