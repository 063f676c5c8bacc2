#pragma once
// What a GPU puts before generated steps, in place of what stands there for the host. ACTIO_LANES and ACTIO_GROUP, the lanes of a
// call and those that iterate together, are defined before each text.
#define ACTIO_FUNCTION static __device__ inline
#define ACTIO_INDEPENDENT _Pragma("unroll 1")
#define restrict __restrict__
#define _Bool bool

#ifdef __CUDACC_RTC__  // the compiler within a program has no names that begin with __builtin
#define __builtin_inf() __longlong_as_double(0x7ff0000000000000)
#define __builtin_nan(text) __longlong_as_double(0x7ff8000000000000)
#define __builtin_sqrt(x) ::sqrt(x)
#define __builtin_fabs(x) ::fabs(x)
#define __builtin_floor(x) ::floor(x)  // `floor` is also a variable of the text
#define __builtin_rint(x) ::rint(x)
#endif
