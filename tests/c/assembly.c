/* A chain of masses on springs that harden, assembled in C by its own loops, under Actio's methods. */
#include <actio/c/actio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40 };

static int failures;
#define CHECK(condition)                                                                      \
  do {                                                                                        \
    if (!(condition)) {                                                                       \
      printf("%s:%d: %s does not hold; %s\n", __FILE__, __LINE__, #condition, actio_error()); \
      ++failures;                                                                             \
    }                                                                                         \
  } while (0)
#define SAYS(text) CHECK(strstr(actio_error(), text) != NULL)

/* Springs k d^2/2 + b d^4/4 between neighbours and from a wall to the first. */
struct chain {
  double k, b, friction;
  long residuals, tangents;
  int fail_with;  /* what residual returns ... */
  double fail_at; /* ... where the first mass is beyond this */
  double wrong;   /* added to the tangent */
  int once;       /* it fails once, then no more */
  int silent;     /* it computes nothing, and does not say so */
};

static int energy(double t, const double* q, double* V, void* user) {
  const struct chain* c = user;
  (void)t;
  for (int i = 0; i < N; ++i) {
    const double d = q[i] - (i > 0 ? q[i - 1] : 0);
    *V += c->k / 2 * d * d + c->b / 4 * d * d * d * d;
  }
  return 0;
}
static int residual(double t, const double* q, double* r, void* user) {
  struct chain* c = user;
  (void)t;
  ++c->residuals;
  if (c->fail_with != 0 && q[0] > c->fail_at) {
    const int code = c->fail_with;
    if (c->once) c->fail_with = 0;
    return code;
  }
  if (c->silent) r[0] = NAN;
  for (int i = 0; i < N; ++i) {
    const double d = q[i] - (i > 0 ? q[i - 1] : 0), f = c->k * d + c->b * d * d * d;
    r[i] += f;
    if (i > 0) r[i - 1] -= f;
  }
  return 0;
}
/* By rows: (i, i - 1), (i, i), (i, i + 1) */
static int32_t starts[N + 1], columns[3 * N];
static void pattern(void) {
  int32_t at = 0;
  for (int i = 0; i < N; ++i) {
    starts[i] = at;
    for (int j = i - 1; j <= i + 1; ++j)
      if (j >= 0 && j < N) columns[at++] = j;
  }
  starts[N] = at;
}
static double* entry(double* values, int i, int j) {
  for (int32_t k = starts[i]; k < starts[i + 1]; ++k)
    if (columns[k] == j) return &values[k];
  return NULL;
}
static int tangent(double t, const double* q, double* values, void* user) {
  struct chain* c = user;
  (void)t;
  ++c->tangents;
  for (int i = 0; i < N; ++i) {
    const double d = q[i] - (i > 0 ? q[i - 1] : 0), k = c->k + 3 * c->b * d * d + c->wrong;
    *entry(values, i, i) += k;
    if (i == 0) continue;
    *entry(values, i - 1, i - 1) += k;
    *entry(values, i, i - 1) -= k;
    *entry(values, i - 1, i) -= k;
  }
  return 0;
}
/* Friction of each mass, as a force that nobody calls friction. */
static int force(double t, const double* q, const double* v, double* F, void* user) {
  const struct chain* c = user;
  (void)t;
  (void)q;
  for (int i = 0; i < N; ++i) F[i] -= c->friction * v[i];
  return 0;
}
static int force_tangent(double t, const double* q, const double* v, double wq, double wv, double* values, void* user) {
  const struct chain* c = user;
  (void)t;
  (void)q;
  (void)v;
  (void)wq;
  for (int i = 0; i < N; ++i) *entry(values, i, i) -= wv * c->friction;
  return 0;
}

static double mass[N], q0[N], v0[N];
static actio_code code_of(struct chain* c) {
  actio_code code;
  memset(&code, 0, sizeof code);
  pattern();
  for (int i = 0; i < N; ++i) {
    mass[i] = 1 + 0.5 * sin(i);
    q0[i] = 0.3 * sin(0.4 * i);
    v0[i] = 0.2 * cos(0.7 * i);
  }
  code.abi = ACTIO_C_ABI;
  code.n = N;
  code.mass = mass;
  code.starts = starts;
  code.columns = columns;
  code.energy = energy;
  code.residual = residual;
  code.tangent = tangent;
  code.user = c;
  return code;
}
static struct chain soft(void) {
  struct chain c = {2, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  return c;
}
static actio_simulation* opened(const actio_code* code, const char* method) {
  actio_simulation* s = NULL;
  CHECK(actio_open(code, method, &s) == ACTIO_OK);
  if (!s) exit(1);
  CHECK(actio_start(s, 0, N, q0, v0) == ACTIO_OK);
  return s;
}
static double distance(const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < N; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/* Off from the state that steps ten times as short have there. */
static double off_between(double H) {
  struct chain c = soft();
  const actio_code code = code_of(&c);
  actio_simulation* s = opened(&code, "name = \"gauss\"\nstages = 4");
  double q[3][N], v[3][N], found[N], velocity[N];
  for (int k = 0; k < 3; ++k) {
    if (k > 0) CHECK(actio_advance(s, 10, H / 20, NULL) == ACTIO_OK);
    CHECK(actio_state(s, NULL, N, q[k], v[k], NULL) == ACTIO_OK);
  }
  CHECK(actio_between(s, N, 0, q[0], v[0], H, q[2], v[2], H / 2, found, velocity) == ACTIO_OK);
  CHECK(distance(found, q[1]) > 0);
  CHECK(actio_between(s, N, 0, q[0], v[0], H, q[2], v[2], H, found, NULL) == ACTIO_OK && distance(found, q[2]) < 1e-15);
  CHECK(actio_between(s, N, 0, q[0], v[0], H, q[2], v[2], 2 * H, found, NULL) == ACTIO_WRONG_INPUT);
  CHECK(actio_between(s, N - 1, 0, q[0], v[0], H, q[2], v[2], 0, found, NULL) == ACTIO_WRONG_INPUT);
  CHECK(actio_between(s, N, 0, NULL, v[0], H, q[2], v[2], 0, found, NULL) == ACTIO_WRONG_INPUT);
  CHECK(actio_between(s, N, 0, q[0], v[0], H, q[2], v[2], H / 2, found, velocity) == ACTIO_OK);
  actio_close(s);
  return distance(found, q[1]);
}
static void a_state_between_two_is_of_order_six(void) {
  const double order = log2(off_between(0.4) / off_between(0.2));
  CHECK(order > 5.8 && order < 6.2);
}

/* Each step of Newmark 1/4, 1/2 as its equations say, with the accelerations of this code's own forces. */
static void newmark_solves_its_equations(void) {
  struct chain c = soft();
  const actio_code code = code_of(&c);
  actio_simulation* s = opened(&code, "name = \"newmark\"\nbeta = 0.25\ngamma = 0.5");
  const double h = 0.3;
  double q[N], v[N], a[N], before[N], v_before[N], a_before[N], worst = 0;
  memcpy(before, q0, sizeof q0);
  memcpy(v_before, v0, sizeof v0);
  memset(a_before, 0, sizeof a_before);
  residual(0, before, a_before, &c);
  for (int i = 0; i < N; ++i) a_before[i] /= -mass[i];
  for (int k = 1; k <= 50; ++k) {
    double t;
    actio_report report;
    CHECK(actio_advance(s, 1, h, &report) == ACTIO_OK && report.steps == 1 && report.iterations >= 2);
    CHECK(actio_state(s, &t, N, q, v, NULL) == ACTIO_OK && fabs(t - k * h) < 1e-12);
    memset(a, 0, sizeof a);
    residual(0, q, a, &c);
    for (int i = 0; i < N; ++i) {
      a[i] /= -mass[i];
      worst = fmax(worst, fabs(q[i] - before[i] - h * v_before[i] - h * h / 4 * (a_before[i] + a[i])));
      worst = fmax(worst, fabs(v[i] - v_before[i] - h / 2 * (a_before[i] + a[i])));
    }
    memcpy(before, q, sizeof q);
    memcpy(v_before, v, sizeof v);
    memcpy(a_before, a, sizeof a);
  }
  CHECK(worst < 1e-13);
  actio_close(s);
}

/* Verlet needs no tangent and no pattern. */
static void verlet_is_the_loop_by_hand(void) {
  struct chain c = soft();
  actio_code code = code_of(&c);
  code.tangent = NULL;
  code.starts = code.columns = NULL;
  actio_simulation* s = opened(&code, "verlet");
  const double h = 0.05;
  double q[N], v[N], r[N];
  memcpy(q, q0, sizeof q);
  memcpy(v, v0, sizeof v);
  for (int k = 0; k < 200; ++k) {
    memset(r, 0, sizeof r);
    residual(0, q, r, &c);
    for (int i = 0; i < N; ++i) v[i] -= h / 2 * r[i] / mass[i], q[i] += h * v[i];
    memset(r, 0, sizeof r);
    residual(0, q, r, &c);
    for (int i = 0; i < N; ++i) v[i] -= h / 2 * r[i] / mass[i];
  }
  double found[N], velocity[N];
  CHECK(actio_advance(s, 200, h, NULL) == ACTIO_OK);
  CHECK(actio_state(s, NULL, N, found, velocity, NULL) == ACTIO_OK);
  CHECK(distance(q, found) < 1e-12 && distance(v, velocity) < 1e-12);
  actio_close(s);
  CHECK(actio_open(&code, "midpoint", &s) == ACTIO_WRONG_INPUT && s == NULL);
  SAYS("needs the tangent");
}

/* A mass matrix by rows, coupled: p = M v, and the midpoint rule keeps the energy of a linear chain. */
static void coupled_masses_and_linear_forces(void) {
  struct chain c = soft();
  c.b = 0;
  actio_code code = code_of(&c);
  double coupled[3 * N], p[N], v[N], q[N], before, after;
  for (int i = 0; i < N; ++i)
    for (int32_t k = starts[i]; k < starts[i + 1]; ++k) coupled[k] = columns[k] == i ? 4.0 / 6 : 1.0 / 6;
  code.mass_starts = starts;
  code.mass_columns = columns;
  code.mass = coupled;
  code.flags = ACTIO_LINEAR;
  actio_simulation* s = opened(&code, "midpoint");
  actio_report report;
  CHECK(actio_energy(s, &before) == ACTIO_OK);
  CHECK(actio_advance(s, 100, 0.5, &report) == ACTIO_OK);
  CHECK(report.factorisations == 1 && c.tangents == 1);
  CHECK(actio_energy(s, &after) == ACTIO_OK);
  CHECK(before > 0.1 && fabs(after - before) < 1e-12 * before);
  CHECK(actio_state(s, NULL, N, q, v, p) == ACTIO_OK);
  for (int i = 0; i < N; ++i) {
    double Mv = 0;
    for (int32_t k = starts[i]; k < starts[i + 1]; ++k) Mv += coupled[k] * v[columns[k]];
    CHECK(fabs(Mv - p[i]) < 1e-13);
  }
  actio_close(s);
  coupled[1] += 0.01;
  CHECK(actio_open(&code, "midpoint", &s) == ACTIO_WRONG_INPUT);
  SAYS("mass is not symmetric");
}

/* D v as a matrix and as a force that depends on v: the same path, counted as friction and as work. */
static void damping_and_force_are_told_apart_in_the_ledger(void) {
  struct chain c = soft();
  c.friction = 0.1;
  actio_code code = code_of(&c);
  double damping[3 * N] = {0}, one[N], other[N], before, after;
  for (int i = 0; i < N; ++i) *entry(damping, i, i) = c.friction;
  code.damping = damping;
  actio_simulation* s = opened(&code, "midpoint");
  code.damping = NULL;
  code.force = force;
  code.force_tangent = force_tangent;
  actio_simulation* forced = opened(&code, "midpoint");
  actio_report lost, work;
  CHECK(actio_energy(s, &before) == ACTIO_OK);
  CHECK(actio_advance(s, 100, 0.1, &lost) == ACTIO_OK && actio_advance(forced, 100, 0.1, &work) == ACTIO_OK);
  CHECK(actio_energy(s, &after) == ACTIO_OK);
  CHECK(actio_state(s, NULL, N, one, NULL, NULL) == ACTIO_OK && actio_state(forced, NULL, N, other, NULL, NULL) == ACTIO_OK);
  CHECK(distance(one, other) < 1e-12);
  CHECK(lost.external == 0 && work.dissipated == 0);
  CHECK(lost.dissipated > 0.1 && fabs(lost.dissipated + work.external) < 1e-12);
  CHECK(fabs(before - after - lost.dissipated) < 0.01 * lost.dissipated); /* but for the error of order h^2 */
  CHECK(actio_advance(s, 0, 0.1, &lost) == ACTIO_OK && lost.steps == 0);
  actio_close(s);
  actio_close(forced);
  CHECK(actio_open(&code, "verlet", &s) == ACTIO_WRONG_INPUT);
  SAYS("is explicit and takes no forces that depend on velocities");
}

/* M = 1, k = 2: w_j = 2 sqrt(k) sin((2 j - 1) pi / (2 (2 N + 1))), of a chain with one end free. */
static void frequencies_of_a_chain(void) {
  struct chain c = soft();
  actio_code code = code_of(&c);
  double lowest = 0, highest = 0, at_rest[N] = {0};
  const double pi = acos(-1.0);
  for (int i = 0; i < N; ++i) mass[i] = 1;
  actio_simulation* s = opened(&code, "verlet");
  CHECK(actio_frequencies(s, 0, N, at_rest, &lowest, &highest) == ACTIO_OK);
  CHECK(fabs(lowest / (2 * sqrt(c.k) * sin(pi / (2 * (2 * N + 1)))) - 1) < 1e-3);
  CHECK(fabs(highest / (2 * sqrt(c.k) * sin((2 * N - 1) * pi / (2 * (2 * N + 1)))) - 1) < 1e-3);
  CHECK(actio_frequencies(s, 0, 3, at_rest, &lowest, NULL) == ACTIO_WRONG_INPUT);
  actio_close(s);
}

static void fixed_coordinates_stay(void) {
  struct chain c = soft();
  actio_code code = code_of(&c);
  const int32_t held[] = {7, 20, 7};
  double q[N];
  code.fixed = held;
  code.fixed_count = 3;
  v0[7] = v0[20] = 0;
  actio_simulation* s = opened(&code, "newmark");
  CHECK(actio_advance(s, 50, 0.1, NULL) == ACTIO_OK);
  CHECK(actio_state(s, NULL, N, q, NULL, NULL) == ACTIO_OK);
  CHECK(q[7] == q0[7] && q[20] == q0[20] && fabs(q[8] - q0[8]) > 1e-3);
  actio_close(s);
}

/* A function that fails: the step is refused, the state is the one before it, and the simulation goes on once it works again. */
static void a_failing_callback_leaves_the_state(void) {
  const int codes[] = {5, -3};
  for (int k = 0; k < 2; ++k) {
    struct chain c = soft();
    const actio_code code = code_of(&c);
    actio_simulation* s = opened(&code, "newmark");
    double before[N], q[N];
    actio_report report;
    char says[40];
    CHECK(actio_advance(s, 3, 0.1, NULL) == ACTIO_OK && actio_state(s, NULL, N, before, NULL, NULL) == ACTIO_OK);
    c.fail_with = codes[k];
    c.fail_at = -1e9;
    c.residuals = 0;
    CHECK(actio_advance(s, 2, 0.1, &report) == ACTIO_CALLBACK_FAILED && report.steps == 0);
    snprintf(says, sizeof says, "residual returned %d at t = 0.4", codes[k]);
    SAYS(says);
    CHECK(codes[k] > 0 ? c.residuals > 1 : c.residuals == 1); /* never again */
    CHECK(actio_state(s, NULL, N, q, NULL, NULL) == ACTIO_OK && distance(q, before) == 0);
    c.fail_with = 0;
    CHECK(actio_advance(s, 2, 0.1, &report) == ACTIO_OK && report.steps == 2);
    c.fail_with = codes[k];
    CHECK(actio_start(s, 0, N, q0, v0) == ACTIO_CALLBACK_FAILED);
    CHECK(actio_advance(s, 1, 0.1, NULL) == ACTIO_WRONG_INPUT);
    SAYS("actio_start");
    actio_close(s);
  }
}

/* "Not here" is got round by a shorter increment; what fails steps later is not laid to it. */
static void a_failure_is_laid_to_its_step(void) {
  struct chain c = soft();
  const actio_code code = code_of(&c);
  actio_simulation* s = opened(&code, "newmark");
  actio_report report;
  c.fail_with = 7;
  c.fail_at = -1e9;
  c.once = 1;
  CHECK(actio_advance(s, 3, 0.1, &report) == ACTIO_OK && report.steps == 3 && c.fail_with == 0);
  c.silent = 1;
  CHECK(actio_advance(s, 3, 0.1, &report) == ACTIO_RUN_FAILED && report.steps == 0);
  CHECK(strstr(actio_error(), "returned") == NULL);
  CHECK(actio_run(s, 3, 0.1, 1, NULL, NULL, &report) == ACTIO_RUN_FAILED && report.steps == 0);
  CHECK(strstr(actio_error(), "returned") == NULL);
  c.fail_with = 7; /* and then it computes nothing */
  CHECK(actio_advance(s, 3, 0.1, &report) == ACTIO_CALLBACK_FAILED && report.steps == 0);
  SAYS("residual returned 7 at t = 0.4");
  c.silent = 0;
  CHECK(actio_advance(s, 3, 0.1, &report) == ACTIO_OK && report.steps == 3);
  actio_close(s);
}

/* The chain again, with a force, and one of its functions that fails. */
enum { ENERGY, RESIDUAL, TANGENT, FORCE, FORCE_TANGENT, FUNCTIONS };
static int failing = -1, returns, rubs;
static double from = -1; /* it fails from this time on */
static long asked[FUNCTIONS];
#define MAY_FAIL(which) \
  ++asked[which];       \
  if (failing == which && t > from) return returns
static int energy_or_not(double t, const double* q, double* V, void* user) {
  MAY_FAIL(ENERGY);
  return energy(t, q, V, user);
}
static int residual_or_not(double t, const double* q, double* r, void* user) {
  MAY_FAIL(RESIDUAL);
  return residual(t, q, r, user);
}
static int tangent_or_not(double t, const double* q, double* values, void* user) {
  MAY_FAIL(TANGENT);
  return tangent(t, q, values, user);
}
static int force_or_not(double t, const double* q, const double* v, double* F, void* user) {
  MAY_FAIL(FORCE);
  (void)t, (void)q, (void)user;
  for (int i = 0; i < N; ++i) F[i] += rubs ? -0.1 * v[i] : 0.01;
  return 0;
}
static int force_tangent_or_not(double t, const double* q, const double* v, double wq, double wv, double* values, void* user) {
  MAY_FAIL(FORCE_TANGENT);
  (void)t, (void)q, (void)v, (void)wq, (void)user;
  for (int i = 0; i < N; ++i) *entry(values, i, i) -= 0.1 * wv;
  return 0;
}

/* The functions of the interface that call functions of the code. */
static char* saved_bytes;
static int64_t saved_size;
static int call_start(actio_simulation* s) { return actio_start(s, 0, N, q0, v0); }
static int call_advance(actio_simulation* s) { return actio_advance(s, 3, 0.1, NULL); }
static int call_run(actio_simulation* s) { return actio_run(s, 3, 0.1, 1, NULL, NULL, NULL); }
static int call_restore(actio_simulation* s) { return actio_restore(s, saved_size, saved_bytes); }
static int call_energy(actio_simulation* s) {
  double E;
  return actio_energy(s, &E);
}
static int call_check(actio_simulation* s) {
  actio_agreement agreement;
  return actio_check(s, 0, N, q0, v0, 1e-3, 0.1, &agreement);
}
static int call_frequencies(actio_simulation* s) {
  double lowest, highest;
  return actio_frequencies(s, 0, N, q0, &lowest, &highest);
}

/* Whether steps of a method call the function. */
static int used(const actio_code* code, const char* method, int which) {
  const int before = failing;
  actio_simulation* s = NULL;
  failing = -1;
  s = opened(code, method);
  memset(asked, 0, sizeof asked);
  CHECK(actio_advance(s, 3, 0.1, NULL) == ACTIO_OK);
  actio_close(s);
  failing = before;
  return asked[which] > 0;
}

static void a_callback_that_fails_is_said_to(void) {
  static const struct {
    const char* name;
    int (*call)(actio_simulation*);
    int steps; /* it makes some, and begins anew with functions that had said "never again" */
  } calls[] = {{"advance", call_advance, 1},        {"run", call_run, 1},       {"start", call_start, 1},
               {"restore", call_restore, 1},        {"energy", call_energy, 0}, {"check", call_check, 0},
               {"frequencies", call_frequencies, 0}};
  /* The first four solve equations, which forces of velocities may enter; the others compute what they are given. */
  const char* methods[] = {"newmark",
                           "midpoint",
                           "two-step",
                           "name = \"generalized-alpha\"\nrho = 0.8",
                           "verlet",
                           "symplectic-euler",
                           "rk4",
                           "mclachlan-atela",
                           "central-difference",
                           "shake",
                           "name = \"newmark\"\nbeta = 0.0",
                           "name = \"minimising-newmark\"\nbeta = 0.0",
                           "name = \"verlet\"\ncompose = { order = 4 }"};
  const int codes[] = {7, -3};
  long failed_calls = 0;
  for (int m = 0; m < 13; ++m)
    for (int which = 0; which < FUNCTIONS; ++which)
      for (int k = 0; k < 2; ++k)
        for (size_t c = 0; c < sizeof calls / sizeof calls[0]; ++c) {
          struct chain chain = soft();
          actio_code code = code_of(&chain);
          code.energy = energy_or_not, code.residual = residual_or_not, code.tangent = tangent_or_not;
          code.force = force_or_not, code.force_tangent = force_tangent_or_not;
          rubs = m < 4;
          if (!rubs) code.force_tangent = NULL;
          failing = -1;
          actio_simulation* s = opened(&code, methods[m]);
          int64_t again = 0;
          CHECK(actio_advance(s, 2, 0.1, NULL) == ACTIO_OK && actio_save(s, 0, NULL, &saved_size) == ACTIO_OK);
          saved_bytes = malloc((size_t)saved_size);
          CHECK(actio_save(s, saved_size, saved_bytes, &again) == ACTIO_OK);
          failing = which;
          returns = codes[k];
          memset(asked, 0, sizeof asked);
          if (c == 0 && which != ENERGY && used(&code, methods[m], which)) { /* two steps are good, then it fails */
            actio_report report;
            double t = -1, q[N], p[N], norm = 0;
            from = 0.41;
            CHECK(actio_advance(s, 10, 0.1, &report) == ACTIO_CALLBACK_FAILED && report.steps >= 1 && report.steps <= 3);
            CHECK(actio_state(s, &t, N, q, NULL, p) == ACTIO_OK && fabs(t - 0.2 - 0.1 * (double)report.steps) < 1e-12);
            for (int i = 0; i < N; ++i) norm += q[i] * q[i] + p[i] * p[i];
            CHECK(norm > 0 && isfinite(norm));
            from = -1;
            failing = -1;
            CHECK(actio_restore(s, saved_size, saved_bytes) == ACTIO_OK);
            failing = which;
            memset(asked, 0, sizeof asked);
          }
          const int got = calls[c].call(s);
          const int expected = asked[which] > 0 ? ACTIO_CALLBACK_FAILED : ACTIO_OK;
          if (got != expected)
            printf("%s by %s with function %d returning %d, asked %ld times: %d, not %d (%s)\n", calls[c].name, methods[m], which,
                   codes[k], asked[which], got, expected, actio_error());
          CHECK(got == expected);
          failed_calls += got == ACTIO_CALLBACK_FAILED;
          if (got == ACTIO_CALLBACK_FAILED && codes[k] < 0) { /* never again, but for steps */
            CHECK(asked[which] == 1);
            for (size_t other = 0; other < sizeof calls / sizeof calls[0]; ++other) {
              if (calls[other].steps) continue;
              memset(asked, 0, sizeof asked);
              const int answer = calls[other].call(s);
              CHECK(answer == ACTIO_CALLBACK_FAILED || answer == ACTIO_WRONG_INPUT); /* the latter where there is no state */
              for (int f = 0; f < FUNCTIONS; ++f) CHECK(asked[f] == 0);
            }
          }
          failing = -1;
          from = -1;
          CHECK(call_start(s) == ACTIO_OK && call_energy(s) == ACTIO_OK && call_check(s) == ACTIO_OK);
          actio_close(s);
          free(saved_bytes);
        }
  CHECK(failed_calls > 100);
}

/* A simulation restored from bytes goes on as the one they were taken from, to the last bit; other bytes are refused. */
static void a_saved_simulation_goes_on(void) {
  const char* methods[] = {"verlet", "newmark", "midpoint", "name = \"generalized-alpha\"\nrho = 0.8"};
  for (int k = 0; k < 4; ++k) {
    struct chain c = soft();
    const actio_code code = code_of(&c);
    actio_simulation *s = opened(&code, methods[k]), *other = NULL;
    double q[N], p[N], q2[N], p2[N], t = 0, t2 = -1, energies[2];
    int64_t size = 0, again = 0;
    CHECK(actio_advance(s, 7, 0.1, NULL) == ACTIO_OK && actio_save(s, 0, NULL, &size) == ACTIO_OK && size > 16 * N);
    char* bytes = malloc((size_t)size);
    CHECK(actio_save(s, size - 1, bytes, &again) == ACTIO_WRONG_INPUT && again == size);
    SAYS("room");
    CHECK(actio_save(s, size, bytes, &again) == ACTIO_OK && again == size);
    CHECK(actio_advance(s, 20, 0.1, NULL) == ACTIO_OK && actio_state(s, &t, N, q, NULL, p) == ACTIO_OK);
    CHECK(actio_open(&code, methods[k], &other) == ACTIO_OK && actio_restore(other, size, bytes) == ACTIO_OK);
    CHECK(actio_advance(other, 20, 0.1, NULL) == ACTIO_OK && actio_state(other, &t2, N, q2, NULL, p2) == ACTIO_OK);
    CHECK(t == t2 && memcmp(q, q2, sizeof q) == 0 && memcmp(p, p2, sizeof p) == 0);
    CHECK(actio_energy(s, &energies[0]) == ACTIO_OK && actio_energy(other, &energies[1]) == ACTIO_OK);
    CHECK(energies[0] == energies[1]);
    CHECK(actio_restore(other, size - 1, bytes) == ACTIO_WRONG_INPUT);
    SAYS("incomplete");
    CHECK(actio_restore(other, 3, bytes) == ACTIO_WRONG_INPUT && actio_restore(other, 0, bytes) == ACTIO_WRONG_INPUT);
    CHECK(actio_restore(other, size, NULL) == ACTIO_WRONG_INPUT && actio_restore(other, -1, bytes) == ACTIO_WRONG_INPUT);
    bytes[size / 2] ^= 1;
    CHECK(actio_restore(other, size, bytes) == ACTIO_WRONG_INPUT);
    bytes[size / 2] ^= 1;
    actio_close(other);
    CHECK(actio_open(&code, methods[(k + 1) % 4], &other) == ACTIO_OK);
    CHECK(actio_restore(other, size, bytes) == ACTIO_WRONG_INPUT);
    SAYS("is of the method");
    CHECK(actio_advance(other, 1, 0.1, NULL) == ACTIO_WRONG_INPUT);
    SAYS("actio_start");
    actio_close(other);
    mass[3] *= 2;
    CHECK(actio_open(&code, methods[k], &other) == ACTIO_OK && actio_restore(other, size, bytes) == ACTIO_WRONG_INPUT);
    SAYS("another mass");
    mass[3] /= 2;
    actio_close(other);
    actio_close(s);
    free(bytes);
  }
}

static void what_does_not_fit_is_refused(void) {
  struct chain c = soft();
  actio_code code = code_of(&c);
  actio_simulation* s = opened(&code, "newmark");
  double q[N], bad[N];
  memcpy(bad, q0, sizeof q0);
  bad[3] = NAN;
  CHECK(actio_start(s, 0, N - 1, q0, v0) == ACTIO_WRONG_INPUT);
  SAYS("q has 39 numbers, the code has 40 coordinates");
  CHECK(actio_start(s, 0, N, NULL, v0) == ACTIO_WRONG_INPUT);
  SAYS("q is null");
  CHECK(actio_start(s, 0, N, q0, bad) == ACTIO_WRONG_INPUT);
  SAYS("v is not finite");
  CHECK(actio_start(NULL, 0, N, q0, v0) == ACTIO_WRONG_INPUT);
  SAYS("simulation is null");
  CHECK(actio_state(s, NULL, N + 1, q, NULL, NULL) == ACTIO_WRONG_INPUT);
  CHECK(actio_advance(s, 1, 0, NULL) == ACTIO_WRONG_INPUT && actio_advance(s, -1, 0.1, NULL) == ACTIO_WRONG_INPUT);
  CHECK(actio_run(s, 0, 0.1, 1, NULL, NULL, NULL) == ACTIO_WRONG_INPUT);
  CHECK(actio_energy(s, NULL) == ACTIO_WRONG_INPUT);
  CHECK(strcmp(actio_certificate(s), "") == 0 && strcmp(actio_certificate(NULL), "") == 0);
  actio_close(s);
  actio_close(NULL);

  CHECK(actio_open(NULL, "newmark", &s) == ACTIO_WRONG_INPUT && actio_open(&code, NULL, &s) == ACTIO_WRONG_INPUT);
  CHECK(actio_open(&code, "newmark", NULL) == ACTIO_WRONG_INPUT);
  CHECK(actio_open(&code, "newmrak", &s) == ACTIO_WRONG_INPUT);
  SAYS("did you mean \"newmark\"?");
  CHECK(actio_open(&code, "name = \"newmark\"\nbetta = 0.25", &s) == ACTIO_WRONG_INPUT);
  SAYS("method:2:1: error: unknown key \"betta\"");
  CHECK(actio_open(&code, "energy-momentum", &s) == ACTIO_WRONG_INPUT);
  SAYS("needs the energy of each element");
#define REFUSED(change, text)                                     \
  do {                                                            \
    code = code_of(&c);                                           \
    change;                                                       \
    CHECK(actio_open(&code, "newmark", &s) == ACTIO_WRONG_INPUT); \
    SAYS(text);                                                   \
  } while (0)
  REFUSED(code.abi = 7, "interface version 7");
  REFUSED(code.n = 0, "0 coordinates");
  REFUSED(code.flags = 1 << 20, "unknown flags");
  REFUSED(code.mass = NULL, "no mass");
  REFUSED(code.mass_starts = starts, "not both");
  REFUSED(code.starts = NULL, "not both");
  REFUSED((code.starts = NULL, code.columns = NULL), "pattern");
  REFUSED(code.residual = NULL, "needs the residual");
  REFUSED((code.residual = NULL, code.tangent = NULL, code.energy = NULL), "neither residual nor force");
  REFUSED(code.force_tangent = force_tangent, "needs the force");
  REFUSED(code.fixed_count = 1, "fixed");
  REFUSED(mass[5] = -1, "not positive definite");
  REFUSED(mass[5] = INFINITY, "the mass is inf at coordinate 5");
  REFUSED(mass[5] = NAN, "the mass is nan at coordinate 5");
  REFUSED(columns[5] = N, "of 40");
  REFUSED(starts[5] = 0, "ends before it starts");
  const int32_t outside[] = {N};
  REFUSED((code.fixed = outside, code.fixed_count = 1), "coordinate 40 is fixed, of 40");
}

/* One function is not the derivative of another: seen before a run. */
static void disagreement_is_found(void) {
  struct chain c = soft();
  c.friction = 0.1;
  actio_code code = code_of(&c);
  code.force = force;
  code.force_tangent = force_tangent;
  actio_simulation* s = opened(&code, "midpoint");
  actio_agreement found;
  CHECK(actio_check(s, 0, N, q0, v0, 0.1, 0.1, &found) == ACTIO_OK);
  CHECK(found.energy < 1e-8 && found.tangent < 1e-8 && found.symmetry == 0 && found.force_tangent < 1e-8);
  c.wrong = 0.02;
  CHECK(actio_check(s, 0, N, q0, v0, 0.1, 0.1, &found) == ACTIO_OK);
  CHECK(found.energy < 1e-8 && found.tangent > 1e-3 && found.tangent < 1e-1);
  CHECK(actio_check(s, 0, N, q0, v0, 0, 0.1, &found) == ACTIO_WRONG_INPUT);
  actio_close(s);
  code.energy = NULL;
  code.force_tangent = NULL;
  s = opened(&code, "midpoint");
  CHECK(actio_check(s, 0, N, q0, v0, 0.1, 0.1, &found) == ACTIO_OK);
  CHECK(isnan(found.energy) && isnan(found.force_tangent) && found.tangent > 1e-3);
  actio_close(s);
}

struct seen {
  actio_simulation* s;
  long looks, stop_after;
  double last_energy, last_t, q[N];
};
static int look(int64_t step, double t, double E, void* user) {
  struct seen* seen = user;
  CHECK(step == 10 * seen->looks);
  ++seen->looks;
  seen->last_energy = E;
  seen->last_t = t;
  CHECK(actio_state(seen->s, NULL, N, seen->q, NULL, NULL) == ACTIO_OK);
  CHECK(actio_advance(seen->s, 1, 0.1, NULL) == ACTIO_WRONG_INPUT && actio_start(seen->s, 0, N, q0, v0) == ACTIO_WRONG_INPUT);
  return seen->looks == seen->stop_after;
}

static void a_run_ends_in_a_certificate(void) {
  struct chain c = soft();
  const actio_code code = code_of(&c);
  actio_simulation* s = opened(&code, "midpoint");
  struct seen seen = {s, 0, 0, 0, 0, {0}};
  actio_report report;
  double before, after, q[N];
  CHECK(actio_energy(s, &before) == ACTIO_OK);
  CHECK(actio_run(s, 200, 0.05, 10, look, &seen, &report) == ACTIO_OK);
  CHECK(report.steps == 200 && report.iterations >= 400 && seen.looks == 21 && fabs(seen.last_t - 10) < 1e-12);
  CHECK(actio_energy(s, &after) == ACTIO_OK && after == seen.last_energy && fabs(after - before) < 0.01 * before);
  CHECK(actio_state(s, NULL, N, q, NULL, NULL) == ACTIO_OK && distance(q, seen.q) == 0);
  CHECK(strstr(actio_certificate(s), "symplecticity") && strstr(actio_certificate(s), "kept"));
  CHECK(strstr(actio_certificate_json(s), "\"verdict\":\"kept\"") != NULL);
  seen.looks = 0;
  seen.stop_after = 3;
  CHECK(actio_run(s, 200, 0.05, 10, look, &seen, &report) == ACTIO_OK && seen.looks >= 3 && report.steps < 200);
  CHECK(strstr(actio_certificate(s), "interrupted") != NULL);
  c.fail_with = -1;
  c.fail_at = -1e9;
  CHECK(actio_run(s, 200, 0.05, 10, NULL, NULL, &report) == ACTIO_CALLBACK_FAILED && report.steps == 0);
  SAYS("residual returned -1");
  actio_close(s);
}

/* V = |q|^4 / 4 turns, and does not shift. */
static int round_energy(double t, const double* q, double* V, void* user) {
  double s = 0;
  (void)t, (void)user;
  for (int i = 0; i < N; ++i) s += q[i] * q[i];
  *V += s * s / 4;
  return 0;
}
static int round_residual(double t, const double* q, double* r, void* user) {
  double s = 0;
  (void)t, (void)user;
  for (int i = 0; i < N; ++i) s += q[i] * q[i];
  for (int i = 0; i < N; ++i) r[i] += s * q[i];
  return 0;
}
static void momenta_are_certified(void) {
  struct chain c = soft();
  actio_code code = code_of(&c);
  const int32_t rows[] = {0, 5}, turned[] = {5, 0};
  const double A[] = {-1, 1};
  double shift[N] = {0};
  shift[2] = 1;
  for (int i = 0; i < N; ++i) mass[i] = 1;
  code.energy = round_energy;
  code.residual = round_residual;
  code.tangent = NULL;
  actio_simulation* s = opened(&code, "verlet");
  CHECK(actio_symmetry(s, "turn", 2, rows, turned, A, N, NULL) == ACTIO_OK);
  CHECK(actio_symmetry(s, "shift", 0, NULL, NULL, NULL, N, shift) == ACTIO_OK);
  CHECK(actio_run(s, 200, 0.02, 10, NULL, NULL, NULL) == ACTIO_OK);
  const char *turn = strstr(actio_certificate(s), "turn: "), *moved = strstr(actio_certificate(s), "shift: ");
  CHECK(turn && moved);
  if (turn && moved) {
    CHECK(strstr(turn, "kept (round-off") && strstr(turn, "kept (round-off") < moved);
    CHECK(strstr(moved, "not a symmetry of this system") != NULL);
  }
  CHECK(actio_threads(0) == ACTIO_WRONG_INPUT && actio_threads(2000) == ACTIO_WRONG_INPUT && actio_threads(2) == ACTIO_OK);
  CHECK(actio_symmetry(s, "none", 0, NULL, NULL, NULL, N, NULL) == ACTIO_WRONG_INPUT);
  CHECK(actio_symmetry(s, "short", 0, NULL, NULL, NULL, N - 1, shift) == ACTIO_WRONG_INPUT);
  CHECK(actio_symmetry(s, NULL, 0, NULL, NULL, NULL, N, shift) == ACTIO_WRONG_INPUT);
  actio_close(s);
}

static const struct {
  const char* name;
  void (*run)(void);
} tests[] = {{"newmark_solves_its_equations", newmark_solves_its_equations},
             {"a_state_between_two_is_of_order_six", a_state_between_two_is_of_order_six},
             {"verlet_is_the_loop_by_hand", verlet_is_the_loop_by_hand},
             {"coupled_masses_and_linear_forces", coupled_masses_and_linear_forces},
             {"damping_and_force_are_told_apart_in_the_ledger", damping_and_force_are_told_apart_in_the_ledger},
             {"frequencies_of_a_chain", frequencies_of_a_chain},
             {"fixed_coordinates_stay", fixed_coordinates_stay},
             {"a_failing_callback_leaves_the_state", a_failing_callback_leaves_the_state},
             {"a_failure_is_laid_to_its_step", a_failure_is_laid_to_its_step},
             {"a_callback_that_fails_is_said_to", a_callback_that_fails_is_said_to},
             {"a_saved_simulation_goes_on", a_saved_simulation_goes_on},
             {"what_does_not_fit_is_refused", what_does_not_fit_is_refused},
             {"momenta_are_certified", momenta_are_certified},
             {"disagreement_is_found", disagreement_is_found},
             {"a_run_ends_in_a_certificate", a_run_ends_in_a_certificate}};

/* Those whose names are given, or all. */
int main(int argc, char** argv) {
  long run = 0;
  for (size_t k = 0; k < sizeof tests / sizeof tests[0]; ++k) {
    int wanted = argc == 1;
    for (int a = 1; a < argc; ++a) wanted |= strcmp(argv[a], tests[k].name) == 0;
    if (!wanted) continue;
    const int before = failures;
    tests[k].run();
    ++run;
    printf("%s %s\n", failures == before ? "ok  " : "FAIL", tests[k].name);
  }
  return failures > 0 || run == 0;
}
