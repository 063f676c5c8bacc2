#pragma once
/* The DNA model written by hand: theta'' = theta_{k+1} - 2 theta_k + theta_{k-1} - eps U'(theta_k) round a ring of n bases,
   U = (exp(-a (1 - cos theta - x0)) - 1)^2. One step of velocity Verlet, of the simplified method of Zhang and Skeel, whose x''
   is a of (1 + beta h^2 V'') a = -grad V, solved by Thomas' algorithm for rings, and of their own, TO (3). Compiled twice: with
   the vector functions of libmvec, and with scalar ones. */
#ifdef __cplusplus
extern "C" {
#endif
#define DNA_MOST 512
struct dna {
  long n;
  double a, x0, epsilon, beta;
  double x[DNA_MOST], v[DNA_MOST], f[DNA_MOST]; /* f: the x'' of the method, at x */
};
void dna_verlet_vector(struct dna* s, double h, long steps);
void dna_verlet_scalar(struct dna* s, double h, long steps);
void dna_simplified_vector(struct dna* s, double h, long steps);
void dna_simplified_scalar(struct dna* s, double h, long steps);
void dna_zhang_skeel_vector(struct dna* s, double h, long steps);
void dna_zhang_skeel_scalar(struct dna* s, double h, long steps);
#ifdef __cplusplus
}
#endif
