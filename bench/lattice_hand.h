#pragma once

// A chain of n sites of unit mass with free ends, V = sum 1/2 d^2 + beta/4 d^4 of d = q[i + 1] - q[i], by hand. f is the force at
// q, before and after the steps.
#ifdef __cplusplus
extern "C" {
#endif

void lattice_force(long n, double beta, const double* q, double* f);
// Velocity Verlet in three sweeps a step: kick and drift, force, kick.
void lattice_verlet(long n, double beta, long steps, double h, double* q, double* p, double* f);
// The same map in one sweep a step: the kicks of two steps are one, and forces are not kept.
void lattice_leapfrog(long n, double beta, long steps, double h, double* q, double* p, double* f);
// Newmark's method, beta = 1/4, on a ring, a = -grad V: Newton's iterations of two sweeps, one that evaluates and eliminates, one
// that substitutes back, until an increment whose square is below 1e-14. `work` holds 4 n numbers.
void lattice_newmark(long n, double beta, long steps, double h, double* q, double* v, double* a, double* work);

#ifdef __cplusplus
}
#endif
