#pragma once
#include <string>
#include <string_view>
#include <tuple>
#include <variant>

#include <actio/core/fields.hpp>

// What a user chooses: a method's coefficients as a plain struct, with one field table and one description. The problem file's
// [method] keys, their checks, `actio list`, `actio explain` and the documentation are all read from here.
namespace actio::method {

using core::Field;

// What the flow map keeps, at round-off, whatever the step: the symplectic form of the method's own coordinates or of (q, p), and
// with it momenta; or energy and momenta, and no form.
enum class Keeps { nothing, own_form, canonical, energy };

// A method that solves for accelerations, and so also takes equations f(a, v, q, t) = 0 in place of a Lagrangian, says
//   static constexpr bool takes_equations = true;
struct Description {
  std::string_view name;
  std::string_view summary;   // one line
  std::string_view equation;  // one step, as in the paper
  std::string_view conserves;
  std::string_view citation;
  bool separable;       // needs L = 1/2 v'Mv - V(q)
  bool self_contained;  // no fixed-step structure of its own (adaptive): cannot be composed, no law of a step
};

struct Newmark {
  double beta = 0.25, gamma = 0.5;
  int iterations = 0;
  static constexpr Description description{
      "newmark",
      "Newmark's family in acceleration form; beta = 0 is explicit where no force depends on v",
      "q1 = q0 + h v0 + h^2/2 [(1 - 2 beta) a0 + 2 beta a1],  v1 = v0 + h [(1 - gamma) a0 + gamma a1],  "
      "M a1 = -grad V(q1) + F(q1, v1, t1)",
      "gamma = 1/2: its own symplectic form and momentum, those of x = q - beta h^2 a (KMOW 3.5); energy bounded. "
      "Composed, only with beta = 0: x depends on the step. beta = 1/4: energy of linear systems",
      "KMOW (3.3)-(3.5), (5.5)-(5.7), Theorem 3.5 with the sign corrected; Karow (5)-(10)",
      true,
      false};
  static constexpr bool takes_equations = true;
  static constexpr auto fields() {
    return std::tuple{
        Field{"beta", &Newmark::beta, 0.0, 10.0, "weight of the new acceleration in the position"},
        Field{"gamma", &Newmark::gamma, 0.0, 10.0,
              "weight of the new acceleration in the velocity; 1/2 is second order, more dissipates"},
        Field{"iterations", &Newmark::iterations, 0, 100,
              "of Newton's method in a step, from a1 = 0 (TO 4.1); 0: until it is solved. With fewer nothing is kept"}};
  }
  int order() const { return gamma == 0.5 ? 2 : 1; }
  bool solved() const { return iterations == 0; }
  bool symmetric() const { return gamma == 0.5 && solved(); }
  Keeps keeps() const { return gamma == 0.5 && solved() ? (beta == 0 ? Keeps::canonical : Keeps::own_form) : Keeps::nothing; }
  bool balances_linear() const { return beta == 0.25 && gamma == 0.5; }  // Karow (13)
};

struct Verlet {
  std::string form = "velocity";
  static constexpr Description description{
      "verlet",
      "Stoermer-Verlet (leapfrog), explicit, one gradient a step",
      "velocity: p += h/2 f(q), q += h M^-1 p, p += h/2 f(q);  position: q += h/2 M^-1 p, p += h f(q), q += h/2 M^-1 p",
      "symplectic form, momentum; energy bounded",
      "KMOW Theorem 3.1: Ld^{sym,alpha} with alpha = 0",
      true,
      false};
  static constexpr auto fields() {
    return std::tuple{Field{
        "form", &Verlet::form, {"velocity", "position", "", ""}, "kick-drift-kick (velocity) or drift-kick-drift (position)"}};
  }
  int order() const { return 2; }
  bool symmetric() const { return true; }
  Keeps keeps() const { return Keeps::canonical; }
};

struct SymplecticEuler {
  static constexpr Description description{"symplectic-euler",
                                           "symplectic Euler, explicit, kick then drift",
                                           "p1 = p0 + h f(q0),  q1 = q0 + h M^-1 p1",
                                           "symplectic form, momentum; energy bounded",
                                           "KMOW (2.2): Ld^alpha with alpha = 0",
                                           true,
                                           false};
  static constexpr auto fields() { return std::tuple{}; }
  int order() const { return 1; }
  bool symmetric() const { return false; }
  Keeps keeps() const { return Keeps::canonical; }
};

struct Variational {
  double alpha = 0.5;
  bool symmetric_sum = true;
  static constexpr Description description{
      "variational",
      "discrete Euler-Lagrange equations of Ld^alpha or Ld^{sym,alpha}, any Lagrangian L(q, v)",
      "p0 = -D1 Ld(q0, q1),  p1 = D2 Ld(q0, q1),  Ld = h L((1-alpha) q0 + alpha q1, (q1-q0)/h), or the mean of that with alpha "
      "and 1-alpha",
      "symplectic form, momentum; energy bounded",
      "KMOW (2.2), (2.6), (2.16)",
      false,
      false};
  static constexpr auto fields() {
    return std::tuple{
        Field{"alpha", &Variational::alpha, 0.0, 1.0, "where between q0 and q1 the Lagrangian is evaluated"},
        Field{"symmetric", &Variational::symmetric_sum, "the mean of alpha and 1 - alpha, second order for every alpha"}};
  }
  int order() const { return symmetric() ? 2 : 1; }  // of the momentum; positions of Ld^alpha are conjugate to second order
  bool symmetric() const { return symmetric_sum || alpha == 0.5; }
  bool balances_linear() const { return alpha == 0.5; }
  Keeps keeps() const { return Keeps::canonical; }
};

struct Midpoint {
  static constexpr Description description{"midpoint",
                                           "implicit midpoint rule, variational with alpha = 1/2",
                                           "p0 = -D1 Ld(q0, q1),  p1 = D2 Ld(q0, q1),  Ld = h L((q0+q1)/2, (q1-q0)/h)",
                                           "symplectic form, momentum, quadratic invariants; energy bounded",
                                           "KMOW (2.18), Theorem 2.1",
                                           false,
                                           false};
  static constexpr auto fields() { return std::tuple{}; }
  int order() const { return 2; }
  bool symmetric() const { return true; }
  bool balances_linear() const { return true; }
  Keeps keeps() const { return Keeps::canonical; }
};

struct RungeKutta4 {
  static constexpr Description description{"rk4",
                                           "classical Runge-Kutta, for comparison",
                                           "four stages, weights 1/6 1/3 1/3 1/6",
                                           "nothing: energy and momentum drift",
                                           "KMOW 4.2",
                                           false,
                                           false};
  static constexpr bool takes_equations = true;
  static constexpr auto fields() { return std::tuple{}; }
  int order() const { return 4; }
  bool symmetric() const { return false; }
  Keeps keeps() const { return Keeps::nothing; }
};

struct CvodeAdams {
  double rtol = 1e-10, atol = 1e-12;
  static constexpr Description description{"cvode-adams",
                                           "SUNDIALS CVODE, variable-order Adams, for comparison; step is the output interval",
                                           "adaptive multistep PECE",
                                           "nothing: energy and momentum drift with the tolerance",
                                           "SUNDIALS; the role of ODE113 in KMOW 4.2",
                                           false,
                                           true};
  static constexpr bool takes_equations = true;
  static constexpr auto fields() {
    return std::tuple{Field{"rtol", &CvodeAdams::rtol, 1e-15, 1.0, "relative tolerance"},
                      Field{"atol", &CvodeAdams::atol, 0.0, 1.0, "absolute tolerance, in the units of each unknown"}};
  }
  int order() const { return 0; }  // adaptive
  bool symmetric() const { return false; }
  Keeps keeps() const { return Keeps::nothing; }
};

struct McLachlanAtela {
  int stages_order = 4;
  static constexpr Description description{"mclachlan-atela",
                                           "optimal explicit splitting of order 2 to 5",
                                           "kick and drift in turn with McLachlan and Atela's coefficients",
                                           "symplectic form, momentum; energy bounded",
                                           "McLachlan and Atela, Nonlinearity 5 (1992) 541",
                                           true,
                                           false};
  static constexpr auto fields() {
    return std::tuple{Field{"order", &McLachlanAtela::stages_order, 2, 5, "order of accuracy: 2, 3, 4 or 5"}};
  }
  int order() const { return stages_order; }
  bool symmetric() const { return false; }
  Keeps keeps() const { return Keeps::canonical; }
};

// Methods that lose the fastest motions: by the spectral radius rho at infinite frequency (1 loses nothing, 0 everything in a
// step). At rho = 1 generalized-alpha is the midpoint rule in q and v, hht and wbz are newmark 1/4, 1/2.
struct GeneralizedAlpha {
  double rho = 0.8;
  static constexpr Description description{
      "generalized-alpha",
      "Newmark's family with forces and inertia taken between the ends, fast motions damped at will",
      "M [(1-am) a1 + am a0] = f at (1-af)(t1, q1, v1) + af (t0, q0, v0),  am = (2 rho - 1)/(rho + 1),  af = rho/(rho + 1),  "
      "q1, v1 as in newmark with gamma = 1/2 - am + af,  beta = (1 - am + af)^2/4",
      "nothing for rho < 1; rho = 1: symplectic form, momentum (it is the midpoint rule)",
      "Chung and Hulbert, J. Appl. Mech. 60 (1993) 371; the forces of the average in place of the average of forces",
      true,
      false};
  static constexpr bool takes_equations = true;
  static constexpr auto fields() {
    return std::tuple{
        Field{"rho", &GeneralizedAlpha::rho, 0.0, 1.0, "spectral radius at infinite frequency; 1 damps nothing, 0 most"}};
  }
  int order() const { return 2; }
  bool symmetric() const { return rho == 1; }
  bool balances_linear() const { return rho == 1; }
  Keeps keeps() const { return rho == 1 ? Keeps::canonical : Keeps::nothing; }
};

struct Hht {
  double rho = 0.8;
  static constexpr Description description{
      "hht",
      "Hilber-Hughes-Taylor: Newmark with forces taken between the ends, fast motions damped",
      "M a1 = f at (1-af)(t1, q1, v1) + af (t0, q0, v0),  af = (1 - rho)/(1 + rho),  q1, v1 as in newmark with "
      "gamma = 1/2 + af,  beta = (1 + af)^2/4",
      "nothing for rho < 1; rho = 1 is newmark 1/4, 1/2",
      "Hilber, Hughes and Taylor, Earthq. Eng. Struct. Dyn. 5 (1977) 283; the forces of the average in place of the average of "
      "forces",
      true,
      false};
  static constexpr bool takes_equations = true;
  static constexpr auto fields() {
    return std::tuple{
        Field{"rho", &Hht::rho, 0.5, 1.0, "spectral radius at infinite frequency; 1 damps nothing, 1/2 is the least it can be"}};
  }
  int order() const { return 2; }
  bool symmetric() const { return rho == 1; }
  bool balances_linear() const { return rho == 1; }
  Keeps keeps() const { return rho == 1 ? Keeps::own_form : Keeps::nothing; }
};

struct Wbz {
  double rho = 0.8;
  static constexpr Description description{
      "wbz",
      "Wood-Bossak-Zienkiewicz: Newmark with inertia taken between the ends, fast motions damped at will",
      "M [(1-am) a1 + am a0] = f(t1, q1, v1),  am = (rho - 1)/(rho + 1),  q1, v1 as in newmark with gamma = 1/2 - am,  "
      "beta = (1 - am)^2/4",
      "nothing for rho < 1; rho = 1 is newmark 1/4, 1/2",
      "Wood, Bossak and Zienkiewicz, Int. J. Numer. Meth. Eng. 15 (1980) 1562",
      true,
      false};
  static constexpr bool takes_equations = true;
  static constexpr auto fields() {
    return std::tuple{Field{"rho", &Wbz::rho, 0.0, 1.0, "spectral radius at infinite frequency; 1 damps nothing, 0 most"}};
  }
  int order() const { return 2; }
  bool symmetric() const { return rho == 1; }
  bool balances_linear() const { return rho == 1; }
  Keeps keeps() const { return rho == 1 ? Keeps::own_form : Keeps::nothing; }
};

struct Wilson {
  double theta = 1.4;
  static constexpr Description description{
      "wilson",
      "Wilson-theta: linear acceleration over theta h; overshoots, for comparison",
      "M a = f at (t0 + theta h, qt, vt),  a1 = a0 + (a - a0)/theta,  q1 = q0 + h v0 + h^2/6 (2 a0 + a1),  v1 = v0 + h/2 (a0 + "
      "a1);  "
      "qt, vt are q1, v1 with theta h for h and a for a1",
      "nothing for theta > 1; theta = 1 is newmark 1/6, 1/2. Stable for linear systems from theta = 1.37",
      "Wilson, Farhoomand and Bathe, Earthq. Eng. Struct. Dyn. 1 (1973) 241; the load is taken at t0 + theta h, not extrapolated",
      true,
      false};
  static constexpr bool takes_equations = true;
  static constexpr auto fields() {
    return std::tuple{Field{"theta", &Wilson::theta, 1.0, 10.0, "how far the acceleration is taken to be linear, in steps"}};
  }
  int order() const { return 2; }
  bool symmetric() const { return theta == 1; }
  Keeps keeps() const { return theta == 1 ? Keeps::own_form : Keeps::nothing; }
};

struct CentralDifference {
  std::string mass = "consistent";
  static constexpr Description description{
      "central-difference",
      "central differences; explicit where no force depends on v, linear in the acceleration where friction is",
      "M (q2 - 2 q1 + q0)/h^2 = f(t1, q1, v1),  v1 = (q2 - q0)/(2h):  newmark with beta = 0, gamma = 1/2, (M + h/2 D) a1 = p1 - "
      "S q1 "
      "- D (v0 + h/2 a0)",
      "symplectic form, momentum; energy bounded",
      "KMOW Theorem 3.1; Bathe, Finite Element Procedures 9.2.1",
      true,
      false};
  static constexpr bool takes_equations = true;
  static constexpr auto fields() {
    return std::tuple{Field{"mass",
                            &CentralDifference::mass,
                            {"consistent", "lumped", "", ""},
                            "as given, or with the sum of each row on the diagonal"}};
  }
  int order() const { return 2; }
  bool symmetric() const { return true; }
  Keeps keeps() const { return Keeps::canonical; }
};

struct MinimisingNewmark {
  double beta = 0.25, gamma = 0.5, sigma = 0.5;
  static constexpr Description description{
      "minimising-newmark",
      "Newmark as a minimum principle, friction in an incremental potential; beta = 0 is explicit",
      "q1 minimises (q - q_pre)'M(q - q_pre)/(2 h^2) + beta [V(q) + h phi(q0 + sigma (q - q0), (q - q0)/h) - f(t1) . q],  "
      "M a1 = f(t1) - grad of [...],  v1 = v0 + h [(1 - gamma) a0 + gamma a1]",
      "without friction what newmark does; with friction order 1",
      "KMOW (3.17)-(3.23), 5.4",
      true,
      false};
  static constexpr auto fields() {
    return std::tuple{
        Field{"beta", &MinimisingNewmark::beta, 0.0, 10.0, "weight of the new acceleration in the position"},
        Field{"gamma", &MinimisingNewmark::gamma, 0.0, 10.0,
              "weight of the new acceleration in the velocity; 1/2 is second order without friction, more dissipates"},
        Field{"sigma", &MinimisingNewmark::sigma, 0.0, 1.0, "where between q0 and q1 the friction's q is taken"}};
  }
  int order() const { return gamma == 0.5 ? 2 : 1; }
  bool balances_linear() const { return beta == 0.25 && gamma == 0.5; }  // Karow (13), with the friction of (3.20)
  int order_with_friction() const { return 1; }
  bool symmetric() const { return gamma == 0.5; }
  Keeps keeps() const { return gamma == 0.5 ? (beta == 0 ? Keeps::canonical : Keeps::own_form) : Keeps::nothing; }
};

struct TwoStep {
  double alpha = 0.5;
  bool symmetric_sum = true;
  static constexpr Description description{
      "two-step",
      "discrete Euler-Lagrange predictor of Ld^alpha or Ld^{sym,alpha}, then friction by a minimum principle",
      "p0 = -D1 Ld(q0, q0 + h w_pred) - Fd-,  w minimises (w - w_pred)'M(w - w_pred)/2 + h phi(q0, w),  q1 = q0 + h w,  "
      "p1 = D2 Ld(q0, q1) + Fd+",
      "without friction what variational does; with friction order 1",
      "KMOW 5.3, (5.14)-(5.17), Theorem 5.2",
      true,
      false};
  static constexpr auto fields() {
    return std::tuple{Field{"alpha", &TwoStep::alpha, 0.0, 1.0, "where between q0 and q1 the Lagrangian is evaluated"},
                      Field{"symmetric", &TwoStep::symmetric_sum, "the mean of alpha and 1 - alpha"}};
  }
  int order() const { return symmetric() ? 2 : 1; }
  int order_with_friction() const { return 1; }
  bool symmetric() const { return symmetric_sum || alpha == 0.5; }
  Keeps keeps() const { return Keeps::canonical; }
};

struct Rattle {
  static constexpr Description description{
      "rattle",
      "Verlet with constraints: positions and velocities on them; without any, Verlet. Any Lagrangian L(q, v)",
      "p0 = -D1 Ld(q0, q1) - G0' eta,  g(t1, q1) = 0,  p1 = D2 Ld(q0, q1) + G1' mu,  G1 v1 + g_t = 0,  Ld = h/2 [L(q0, w) + "
      "L(q1, "
      "w)],  w = (q1 - q0)/h",
      "symplectic form on the constraints, momentum; energy bounded",
      "Andersen, J. Comput. Phys. 52 (1983) 24; KMOW (2.16) with alpha = 0 and multipliers",
      false,
      false};
  static constexpr auto fields() { return std::tuple{}; }
  int order() const { return 2; }
  bool symmetric() const { return true; }
  Keeps keeps() const { return Keeps::canonical; }
};

struct Shake {
  static constexpr Description description{
      "shake",
      "Verlet with constraints on positions: the path of rattle; velocities are put on them where they are shown",
      "p0 = -D1 Ld(q0, q1) - G0' eta,  g(t1, q1) = 0,  p1 = D2 Ld(q0, q1),  Ld = h/2 [L(q0, w) + L(q1, w)],  w = (q1 - q0)/h",
      "symplectic form on the constraints, momentum; energy bounded",
      "Ryckaert, Ciccotti and Berendsen, J. Comput. Phys. 23 (1977) 327; TO 6; WM",
      false,
      false};
  static constexpr auto fields() { return std::tuple{}; }
  int order() const { return 2; }
  bool symmetric() const { return true; }
  Keeps keeps() const { return Keeps::canonical; }
};

// Velocity Verlet with a force that belongs to the step. beta = 0.3 by default: from 1/4 on stable on every linear system, the
// error grows with beta, and a little above 1/4 leaves room for a curvature V'' that changes from step to step. TO take 0.3 and
// 0.4.
inline constexpr const char* linearly_implicit_beta =
    "weight of V'' in the step's matrix M + beta h^2 V''; from 1/4 on stable on linear systems, whatever the step";

struct ZhangSkeel {
  double beta = 0.3;
  static constexpr Description description{
      "zhang-skeel",
      "Zhang and Skeel: symplectic, one linear solve a step, for stiff potentials with long steps",
      "p += h/2 F(x0), x1 = x0 + h M^-1 p, p += h/2 F(x1),  F = M a - beta^2 h^4/2 V'''(x)[a, a],  (M + beta h^2 V''(x)) a = "
      "f(x)",
      "symplectic form, momentum; energy bounded",
      "Zhang and Skeel (1997); TO (3), Theorems 1.1, 2.2-2.5",
      true,
      false};
  static constexpr auto fields() { return std::tuple{Field{"beta", &ZhangSkeel::beta, 0.0, 10.0, linearly_implicit_beta}}; }
  int order() const { return 2; }
  bool symmetric() const { return true; }
  Keeps keeps() const { return Keeps::canonical; }
};

struct ZhangSkeelSimplified {
  double beta = 0.3;
  static constexpr Description description{
      "zhang-skeel-simplified",
      "zhang-skeel without third derivatives: symmetric, not symplectic",
      "p += h/2 F(x0), x1 = x0 + h M^-1 p, p += h/2 F(x1),  F = M a,  (M + beta h^2 V''(x)) a = f(x)",
      "nothing; it is symmetric, and its symplecticity defect a step is O(h^5)",
      "TO (18), Theorem 2.1",
      true,
      false};
  static constexpr auto fields() {
    return std::tuple{Field{"beta", &ZhangSkeelSimplified::beta, 0.0, 10.0, linearly_implicit_beta}};
  }
  int order() const { return 2; }
  bool symmetric() const { return true; }
  Keeps keeps() const { return Keeps::nothing; }
};

struct ZhangSkeelStiff {
  double beta = 0.3;
  static constexpr Description description{"zhang-skeel-stiff",
                                           "zhang-skeel-simplified with the Hessian of the stiff terms alone",
                                           "p += h/2 F(x0), x1 = x0 + h M^-1 p, p += h/2 F(x1),  F = M a,  (M + beta h^2 "
                                           "V1''(x)) a = f(x),  V1: the terms with stiff = true, and the stiffness matrix",
                                           "nothing; it is symmetric",
                                           "TO (19)",
                                           true,
                                           false};
  static constexpr auto fields() { return std::tuple{Field{"beta", &ZhangSkeelStiff::beta, 0.0, 10.0, linearly_implicit_beta}}; }
  int order() const { return 2; }
  bool symmetric() const { return true; }
  Keeps keeps() const { return Keeps::nothing; }
};

struct PushForwardNewmark {
  double beta = 0.3;
  static constexpr Description description{
      "push-forward-newmark",
      "Newmark with gamma = 1/2 in the coordinates x = q - beta h^2 a, where it is symplectic",
      "p += h/2 F(x0), x1 = x0 + h M^-1 p, p += h/2 F(x1),  F = M a,  M a = f(x + beta h^2 a)",
      "symplectic form, momentum; energy bounded",
      "TO (14); KMOW Theorem 3.5",
      true,
      false};
  static constexpr auto fields() {
    return std::tuple{Field{"beta", &PushForwardNewmark::beta, 0.0, 10.0, linearly_implicit_beta}};
  }
  int order() const { return 2; }
  bool symmetric() const { return true; }
  Keeps keeps() const { return Keeps::canonical; }
};

struct LieGroup {
  std::string retraction = "exponential", rule = "endpoint";
  double alpha = 0.5;
  static constexpr Description description{
      "lie-group",
      "rigid bodies by rotations that stay rotations: variational on R^n x SO(3)^N, joints by multipliers",
      "R1 = R0 tau(h W), x1 = x0 + h x';  mu0 = dtau(-h W)^-T I W - h (1-alpha) T0,  mu1 = dtau(h W)^-T I W + h alpha T1;  "
      "midpoint: torques of the middle of the turn",
      "symplectic form, momentum; energy bounded; R'R = 1",
      "Moser and Veselov (1991); Bou-Rabee and Marsden (2009); TO (34): cayley, endpoint, alpha = 0",
      true,
      false};
  static constexpr auto fields() {
    return std::tuple{
        Field{
            "retraction", &LieGroup::retraction, {"exponential", "cayley", "", ""}, "tau, from angular velocities to rotations"},
        Field{"rule", &LieGroup::rule, {"endpoint", "midpoint", "", ""}, "where forces are taken: midpoint is implicit in them"},
        Field{"alpha", &LieGroup::alpha, 0.0, 1.0,
              "endpoint: weight of the forces at the end of the step; other than 1/2 is first order"}};
  }
  int order() const { return symmetric() ? 2 : 1; }
  bool symmetric() const { return rule == "midpoint" || alpha == 0.5; }
  Keeps keeps() const { return Keeps::canonical; }
};

struct EnergyMomentum {
  bool equivariant = true;
  static constexpr Description description{
      "energy-momentum",
      "energy kept by a discrete gradient of each term, momenta too; with constraints",
      "M (v1 - v0)/h = -DV(q0, q1) + DG(q0, q1)' lambda + F(tm, qm, w),  g(t1, q1) = 0,  q1 = q0 + h w,  v1 = 2 w - v0,  "
      "DV = P b + (V1 - V0 - b . d) d/|d|^2,  d = P (q1 - q0)",
      "energy, and with equivariant momenta of the declared symmetries; no symplectic form. Velocities leave constraints by "
      "O(h^2)",
      "Gonzalez, J. Nonlinear Sci. 6 (1996) 449; with constraints Comput. Methods Appl. Mech. Eng. 174 (1999) 165",
      true,
      false};
  static constexpr auto fields() {
    return std::tuple{Field{"equivariant", &EnergyMomentum::equivariant,
                            "P takes the declared symmetries of a term out of its correction, which keeps their momenta; false: "
                            "P = 1, b = grad V(qm), Gonzalez's own"}};
  }
  int order() const { return 2; }
  bool symmetric() const { return true; }
  bool balances_linear() const { return true; }
  Keeps keeps() const { return Keeps::energy; }
};

using Choice = std::variant<Newmark, GeneralizedAlpha, Hht, Wbz, Wilson, CentralDifference, Verlet, SymplecticEuler, Variational,
                            Midpoint, RungeKutta4, CvodeAdams, McLachlanAtela, MinimisingNewmark, TwoStep, Rattle, Shake,
                            ZhangSkeel, ZhangSkeelSimplified, ZhangSkeelStiff, PushForwardNewmark, LieGroup, EnergyMomentum>;

// compose = { order, scheme }: a symmetric method of order 2 run with a symmetric sequence of steps gamma_i h.
struct Composition {
  int order = 4;
  std::string scheme = "yoshida";
  static constexpr auto fields() {
    return std::tuple{Field{"order", &Composition::order, 4, 8, "order of the composition: 4, 6 or 8"},
                      Field{"scheme", &Composition::scheme, {"yoshida", "suzuki", "kahan-li", ""}, "family of coefficients"}};
  }
};

struct Spec {
  Choice choice;
  bool composed = false;
  Composition composition;

  const Description& description() const;
  std::string name() const;                // "verlet", or "verlet, composed to order 6 (yoshida)"
  int order(bool friction = false) const;  // some methods lose it where something rubs
  Keeps keeps() const;
  // A minimum principle takes friction at (q1 - q0)/h as a force at one end of the step: with it the order is lower, a step back
  // does not undo a step, and it pushes along a rotation although it would not in the middle.
  bool friction_at_end() const;
  bool solved() const;  // the equations of a step are solved, not left after a number of iterations
  // On a linear system the method loses no energy: E1 - E0 is the work done, less what friction took, to round-off.
  bool balances_linear() const;
  // On any system L = 1/2 v'Mv - V(q).
  bool balances() const { return keeps() == Keeps::energy; }
};

// Calls f(std::type_identity<Newmark>{}) and so on for every method, in the order of `actio list`.
template <class F>
void for_each_method(F&& f) {
  []<class... M>(std::type_identity<std::variant<M...>>, auto& call) { (call(std::type_identity<M>{}), ...); }(
      std::type_identity<Choice>{}, f);
}

}  // namespace actio::method
