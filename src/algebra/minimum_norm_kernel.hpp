#pragma once

// The work of minimum_norm.hpp on memory of its caller, for matrices on the stack: A (n x n), columns, tau, tau_z (n).
namespace actio::algebra {

inline constexpr int minimum_norm_workspace(int n) { return 3 * n + 1; }

// A becomes its decomposition; the rank is returned.
int minimum_norm_factor(int n, double* A, int* columns, double* tau, double* tau_z, double* work);
// b becomes the solution; x (n) is workspace.
void minimum_norm_solve(int n, int rank, const double* A, const int* columns, const double* tau, const double* tau_z, double* b,
                        double* x, double* work);

}  // namespace actio::algebra
