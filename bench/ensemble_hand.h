#ifdef __cplusplus
extern "C" {
#endif

// Steps of h of 64 oscillators V = |q|^2 (|q|^2 - 1)^2 of unit mass, by hand: positions x, y and momenta p, r, 64 of each.
void hand_verlet_lanes(long steps, double h, double* x, double* y, double* p, double* r);
// Implicit midpoint, by Newton's method until the worst of them has converged.
void hand_midpoint_lanes(long steps, double h, double* x, double* y, double* p, double* r);

#ifdef __cplusplus
}
#endif
