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

#ifdef __cplusplus
}
#endif
