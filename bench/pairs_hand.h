#pragma once

// Gravity of n particles in three dimensions by hand: f = -dV/dq of V = -sum m_i m_j/|r_i - r_j|, q = (x, y, z) one after
// another, and V itself.
#ifdef __cplusplus
extern "C" {
#endif

void gravity_plain(long n, const double* q, const double* m, double* f);  // what one would write first
double gravity_energy_plain(long n, const double* q, const double* m);
// Four or eight pairs at a time by the processor's own functions; null where it has none. Eight use the estimate of 1/sqrt(x) to
// 14 bits and a polynomial; four a square root and a division.
extern void (*const gravity_wide)(long n, const double* q, const double* m, double* f);
extern const char* const gravity_wide_name;

#ifdef __cplusplus
}
#endif
