#pragma once

// Four or eight doubles at a time by the processor's own functions, for loops by hand; without such functions, one.
// inverse_root is 1/sqrt(x): with AVX-512 the estimate to 14 bits and a polynomial, else a square root and a division.
#include <math.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define WIDE_NAME "AVX-512 and rsqrt14"
typedef __m512d Wide;
enum { width = 8 };
#define LOAD _mm512_loadu_pd
#define STORE _mm512_storeu_pd
#define SPREAD _mm512_set1_pd
#define ADD _mm512_add_pd
#define SUB _mm512_sub_pd
#define MUL _mm512_mul_pd
#define FMA _mm512_fmadd_pd
#define FNMA _mm512_fnmadd_pd
static inline double sum(Wide a) { return _mm512_reduce_add_pd(a); }
// y = y0 (1 + e/2 + 3/8 e^2 + 5/16 e^3), e = 1 - x y0^2: 2^-14 becomes 2^-53
static inline Wide inverse_root(Wide x) {
  const Wide y = _mm512_rsqrt14_pd(x), e = FNMA(MUL(x, y), y, SPREAD(1.0));
  const Wide p = FMA(FMA(SPREAD(0.3125), e, SPREAD(0.375)), e, SPREAD(0.5));
  return FMA(MUL(y, e), p, y);
}
#elif defined(__AVX2__) && defined(__FMA__)
#define WIDE_NAME "AVX2"
typedef __m256d Wide;
enum { width = 4 };
#define LOAD _mm256_loadu_pd
#define STORE _mm256_storeu_pd
#define SPREAD _mm256_set1_pd
#define ADD _mm256_add_pd
#define SUB _mm256_sub_pd
#define MUL _mm256_mul_pd
#define FMA _mm256_fmadd_pd
#define FNMA _mm256_fnmadd_pd
static inline double sum(Wide a) {
  const __m128d b = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_add_sd(b, _mm_unpackhi_pd(b, b)));
}
static inline Wide inverse_root(Wide x) { return _mm256_div_pd(SPREAD(1.0), _mm256_sqrt_pd(x)); }
#else
typedef double Wide;
enum { width = 1 };
#define LOAD(p) (*(p))
#define STORE(p, a) (*(p) = (a))
#define SPREAD(a) (a)
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define FMA(a, b, c) ((a) * (b) + (c))
#define FNMA(a, b, c) ((c) - (a) * (b))
static inline double sum(Wide a) { return a; }
static inline Wide inverse_root(Wide x) { return 1 / sqrt(x); }
#endif
