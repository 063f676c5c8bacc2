#ifndef ACTIO_C_ACTIO_H
#define ACTIO_C_ACTIO_H
#include <stdint.h>

/* Actio for codes that assemble their own forces, in C or anything that can call C: the code keeps its meshes, elements and
 * materials, and takes methods, solvers and the certificate.
 *
 *   M a + D v = -r(t, q) + F(t, q, v),   r = dV/dq
 *
 *   actio_code code = {.abi = ACTIO_C_ABI, .n = n, ...};
 *   actio_simulation* s;
 *   if (actio_open(&code, "name = \"newmark\"\nbeta = 0.25", &s)) return puts(actio_error());
 *   actio_start(s, 0, n, q, v);
 *   for (...) {
 *     if (actio_advance(s, 10, 1e-3, &report)) return puts(actio_error());
 *     actio_state(s, &t, n, q, v, p);
 *   }
 *   actio_close(s);
 *
 * Every function but actio_close, actio_error and actio_certificate returns ACTIO_OK or one of the others below, and then
 * actio_error() says why. Arrays are the caller's; those of an actio_code are copied by actio_open, but `user`. One thread at a
 * time may use a simulation, and its callbacks may use others only. No C++ exception leaves these functions. */
#define ACTIO_C_ABI 1

#if defined(_WIN32)
#define ACTIO_C_API
#else
#define ACTIO_C_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
  ACTIO_OK = 0,
  ACTIO_RUN_FAILED = 1,      /* a step has no solution that is found, or a claim of the certificate does not hold */
  ACTIO_WRONG_INPUT = 2,     /* a null pointer, a wrong size, an unknown key, a mass that is not positive definite */
  ACTIO_CALLBACK_FAILED = 3, /* a function of the code said so, and no way around was found */
  ACTIO_OUT_OF_MEMORY = 4,
  ACTIO_FAULT = 5 /* anything else: please report it, unless a callback threw */
};

/* What the code is; flags for actio_code.flags. */
enum {
  ACTIO_LINEAR = 1,      /* no entry of a tangent ever changes: one factorisation serves all steps of one size */
  ACTIO_TIME = 2,        /* V depends on t: its energy is not expected to hold */
  ACTIO_NO_VELOCITY = 4, /* F does not depend on v, though it has a tangent */
  ACTIO_SYMMETRIC = 8    /* the tangents of F are symmetric */
};

/* The functions add to r, F and values, which are zero when they are called. They return 0, or else: positive, "not here", after
 * which a shorter increment may be tried; negative, "never again", after which no function is called until the next call of
 * actio_start, actio_restore, actio_advance or actio_run. Where no way around was found, whatever called it returns
 * ACTIO_CALLBACK_FAILED. q, v, r and F have n numbers, values one an entry of the pattern. */
typedef struct {
  int32_t abi; /* ACTIO_C_ABI */
  int32_t flags;
  int64_t n; /* coordinates */
  /* M by rows, both triangles: row i has columns[starts[i]] to columns[starts[i + 1] - 1]. Both null: diagonal, mass (n). */
  const int32_t *mass_starts, *mass_columns;
  const double* mass;
  /* Where the tangents may have entries, by rows, both triangles; null where no tangent is given. */
  const int32_t *starts, *columns;
  const double* damping; /* D, constant and symmetric, at the entries of the pattern; or null */
  const int32_t* fixed;  /* coordinates that never move: their forces, rows and columns are taken out here */
  int64_t fixed_count;
  int (*energy)(double t, const double* q, double* V, void* user);       /* V [J]; null: no energy is reported */
  int (*residual)(double t, const double* q, double* r, void* user);     /* r = dV/dq [N]; null: V = 0 */
  int (*tangent)(double t, const double* q, double* values, void* user); /* dr/dq, symmetric; null: explicit methods only */
  int (*force)(double t, const double* q, const double* v, double* F, void* user); /* what has no potential [N]; or null */
  int (*force_tangent)(double t, const double* q, const double* v, double wq, double wv, double* values,
                       void* user); /* wq dF/dq + wv dF/dv; null: F depends on t alone */
  void* user;
} actio_code;

/* A code, a method and a state. Made by actio_open, freed by actio_close. */
typedef struct actio_simulation actio_simulation;

/* What steps took, and what forces without a potential did [J]. */
typedef struct {
  int64_t steps;          /* made */
  int64_t iterations;     /* of Newton's method, summed */
  int64_t factorisations; /* of matrices */
  double residual;        /* the largest relative residual of a step's equations that was measured */
  double external;        /* work of F */
  double dissipated;      /* lost to D */
} actio_report;

/* `method` is a name ("verlet", "newmark"), or what a problem file has under [method]: "name = \"newmark\"\nbeta = 0.3". */
ACTIO_C_API int actio_open(const actio_code* code, const char* method, actio_simulation** simulation);
ACTIO_C_API void actio_close(actio_simulation* simulation); /* null: nothing */

/* The state to step from: the time, positions and velocities (n each). ACTIO_WRONG_INPUT where n is not that of the code or an
 * entry is not finite, ACTIO_CALLBACK_FAILED where a function of the code failed there. */
ACTIO_C_API int actio_start(actio_simulation*, double t, int64_t n, const double* q, const double* v);
/* `steps` of h. Where one fails the state is the one before it, and report->steps were made. The report may be null. */
ACTIO_C_API int actio_advance(actio_simulation*, int64_t steps, double h, actio_report* report);
/* The present time, positions, velocities, momenta (n each); any may be null. */
ACTIO_C_API int actio_state(const actio_simulation*, double* t, int64_t n, double* q, double* v, double* p);
/* A state between two of a motion, (t0, q0, v0) and (t1, q1, v1), at a time t from t0 to t1: by the quintic through q, v and the
 * accelerations of both, off by (t1 - t0)^6 q^(6)/46080 at most. It asks the code for forces at both, and changes nothing of the
 * simulation. q or v may be null. */
ACTIO_C_API int actio_between(actio_simulation*, int64_t n, double t0, const double* q0, const double* v0, double t1,
                              const double* q1, const double* v1, double t, double* q, double* v);
/* v'Mv/2 + V. ACTIO_WRONG_INPUT where the code does not compute V. */
ACTIO_C_API int actio_energy(actio_simulation*, double* energy);

/* All that the steps to come depend on, in bytes of this machine, for restart files of the code's own. `size` is how many there
 * are; they are written unless `bytes` is null, and ACTIO_WRONG_INPUT comes back where they are more than `room`. */
ACTIO_C_API int actio_save(actio_simulation*, int64_t room, void* bytes, int64_t* size);
/* Takes the place of actio_start: a simulation of the same code and the same text of the method goes on, to the bit, where the
 * saved one would have. ACTIO_WRONG_INPUT where the bytes are torn, changed or of something else. */
ACTIO_C_API int actio_restore(actio_simulation*, int64_t size, const void* bytes);

/* Shown the start, every `every` steps and the end of a run; energy is NaN where the code does not compute V. Not 0: the run ends
 * there. It may use actio_state of its simulation; what else would work on it is refused. */
typedef int (*actio_observer)(int64_t step, double t, double energy, void* user);
/* A run from the present state, measured and certified as `actio run` does; the observer and the report may be null.
 * ACTIO_RUN_FAILED also where the certificate's verdict is "failed". */
ACTIO_C_API int actio_run(actio_simulation*, int64_t steps, double h, int64_t every, actio_observer observer, void* user,
                          actio_report* report);
/* Of the last run: lines to read, or an object of JSON; "" before there is one. Belongs to the simulation, until its next run. */
ACTIO_C_API const char* actio_certificate(const actio_simulation*);
ACTIO_C_API const char* actio_certificate_json(const actio_simulation*);

/* Declares a symmetry xi(q) = A q + b of L, whose momentum p . xi(q) later runs follow and certify: a shift (A = 0), or a
 * rotation, of displacements about places X with b = A X. A has `count` entries (0: it is 0), b has n or is null. Whether it is
 * one is measured. */
ACTIO_C_API int actio_symmetry(actio_simulation*, const char* name, int64_t count, const int32_t* rows, const int32_t* columns,
                               const double* values, int64_t n, const double* b);

/* How well the functions agree with one another at a state, by central differences along directions at random of about the
 * size `length` (that of a motion, in units of q) and length/h: relative, NaN where one is not given. About 1e-8 or less when
 * they do, 1 when a sign is wrong. */
typedef struct {
  double energy;        /* r against V */
  double tangent;       /* the tangent against r */
  double symmetry;      /* the tangent against its transpose */
  double force_tangent; /* that of F, by q and v */
} actio_agreement;
ACTIO_C_API int actio_check(actio_simulation*, double t, int64_t n, const double* q, const double* v, double length, double h,
                            actio_agreement* agreement);

/* The lowest and the highest frequency of small motions about a state at rest [rad/s], to 1e-3, of up to 200000 coordinates;
 * rigid motions are left out, NaN where there is none. Either may be null. An explicit method needs steps below 2 / highest. */
ACTIO_C_API int actio_frequencies(actio_simulation*, double t, int64_t n, const double* q, double* lowest, double* highest);

/* How many threads the whole program's loops over large arrays take, from 1 to 1024; without it ACTIO_THREADS, else as many as
 * there are cores to run on. No digit depends on it. The functions of a code are called by the thread that calls Actio alone. */
ACTIO_C_API int actio_threads(int32_t count);

/* What the last call in this thread that did not return ACTIO_OK had to say; "" when there was none. */
ACTIO_C_API const char* actio_error(void);

#ifdef __cplusplus
}
#endif
#endif
