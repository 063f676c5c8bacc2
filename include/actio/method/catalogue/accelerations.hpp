#pragma once
#include <actio/method/acceleration_coefficients.hpp>
#include <actio/method/method.hpp>

// Methods whose unknown is an acceleration: Newmark's family (acceleration_coefficients.hpp, acceleration_stepper.hpp).
namespace actio::method {

template <class M>
concept AccelerationMethod = requires(const M& m) {
  M::always_at_end;  // whatever the coefficients
  { m.coefficients() } -> std::same_as<AccelerationCoefficients>;
};

struct Newmark {
  double beta = 0.25, gamma = 0.5;
  int iterations = 0;
  static constexpr Description description{
      "newmark", "Newmark's family in acceleration form; beta = 0 is explicit where no force depends on v",
      "q1 = q0 + h v0 + h^2/2 [(1 - 2 beta) a0 + 2 beta a1],  v1 = v0 + h [(1 - gamma) a0 + gamma a1],  "
      "M a1 = -grad V(q1) + F(q1, v1, t1)",
      "gamma = 1/2: the symplectic form and momentum of x = q - beta h^2 a (KMOW 3.5); energy bounded. "
      "A composition conserves them only with beta = 0, because x depends on the step. beta = 1/4: energy of linear systems",
      "KMOW (3.3)-(3.5), (5.5)-(5.7), Theorem 3.5 with the sign corrected; Karow (5)-(10)"};
  static constexpr bool always_at_end = true;
  static constexpr Traits traits{.separable = true,
                                 .takes_equations = true,
                                 .constraints = Constraints::imposed,
                                 .distributed = true,
                                 .static_sizes = true,
                                 .symmetric_if = "gamma = 0.5"};
  static constexpr auto fields() {
    return std::tuple{
        Field{"beta", &Newmark::beta, 0.0, 10.0, "weight of the new acceleration in the position"},
        Field{"gamma", &Newmark::gamma, 0.0, 10.0,
              "weight of the new acceleration in the velocity; 1/2 is second order, more dissipates"},
        Field{"iterations", &Newmark::iterations, 0, 100,
              "Newton iterations in a step, from a1 = 0 (TO 4.1); 0: until convergence. A fixed number conserves nothing"}};
  }
  Properties properties() const {
    const bool kept = gamma == 0.5 && iterations == 0;
    return {.order = gamma == 0.5 ? 2 : 1,
            .symmetric = kept,
            .keeps = !kept       ? Keeps::nothing
                     : beta == 0 ? Keeps::canonical
                                 : Keeps::conjugate_form,
            .balances_linear = beta == 0.25 && gamma == 0.5,  // Karow (13)
            .solved = iterations == 0,
            .at_end = true};
  }
  constexpr AccelerationCoefficients coefficients() const { return {beta, gamma, 1, 1, 0.5, beta, gamma, iterations}; }
};

// Methods that lose the fastest motions: by the spectral radius rho at infinite frequency (1 loses nothing, 0 everything in a
// step). At rho = 1 generalized-alpha is the midpoint rule in q and v, hht and wbz are newmark 1/4, 1/2.
struct GeneralizedAlpha {
  double rho = 0.8;
  static constexpr Description description{
      "generalized-alpha", "Newmark's family with forces and inertia between the ends of the step; rho damps high frequencies",
      "M [(1-am) a1 + am a0] = f at (1-af)(t1, q1, v1) + af (t0, q0, v0),  am = (2 rho - 1)/(rho + 1),  af = rho/(rho + 1),  "
      "q1, v1 as in newmark with gamma = 1/2 - am + af,  beta = (1 - am + af)^2/4",
      "nothing for rho < 1; rho = 1: symplectic form, momentum (it is the midpoint rule)",
      "Chung and Hulbert, J. Appl. Mech. 60 (1993) 371; forces at the averaged state in place of averaged forces"};
  static constexpr bool always_at_end = false;
  static constexpr Traits traits{
      .separable = true, .takes_equations = true, .constraints = Constraints::imposed, .distributed = true};
  static constexpr auto fields() {
    return std::tuple{
        Field{"rho", &GeneralizedAlpha::rho, 0.0, 1.0, "spectral radius at infinite frequency; 1 damps nothing, 0 most"}};
  }
  Properties properties() const {
    return {.symmetric = rho == 1,
            .keeps = rho == 1 ? Keeps::canonical : Keeps::nothing,
            .balances_linear = rho == 1,
            .at_end = coefficients().at_end()};
  }
  constexpr AccelerationCoefficients coefficients() const {
    return generalized_alpha((2 * rho - 1) / (rho + 1), rho / (rho + 1));
  }
};

struct Hht {
  double rho = 0.8;
  static constexpr Description description{
      "hht", "Hilber-Hughes-Taylor: Newmark with forces between the ends of the step; rho damps high frequencies",
      "M a1 = f at (1-af)(t1, q1, v1) + af (t0, q0, v0),  af = (1 - rho)/(1 + rho),  q1, v1 as in newmark with "
      "gamma = 1/2 + af,  beta = (1 + af)^2/4",
      "nothing for rho < 1; rho = 1 is newmark with beta = 1/4, gamma = 1/2",
      "Hilber, Hughes and Taylor, Earthq. Eng. Struct. Dyn. 5 (1977) 283; forces at the averaged state in place of averaged "
      "forces"};
  static constexpr bool always_at_end = false;
  static constexpr Traits traits{
      .separable = true, .takes_equations = true, .constraints = Constraints::imposed, .distributed = true};
  static constexpr auto fields() {
    return std::tuple{Field{"rho", &Hht::rho, 0.5, 1.0, "spectral radius at infinite frequency; 1 damps nothing, 1/2 most"}};
  }
  Properties properties() const {
    return {.symmetric = rho == 1,
            .keeps = rho == 1 ? Keeps::conjugate_form : Keeps::nothing,
            .balances_linear = rho == 1,
            .at_end = coefficients().at_end()};
  }
  // Their -alpha = (1 - rho)/(1 + rho)
  constexpr AccelerationCoefficients coefficients() const { return generalized_alpha(0, (1 - rho) / (1 + rho)); }
};

struct Wbz {
  double rho = 0.8;
  static constexpr Description description{
      "wbz", "Wood-Bossak-Zienkiewicz: Newmark with inertia between the ends of the step; rho damps high frequencies",
      "M [(1-am) a1 + am a0] = f(t1, q1, v1),  am = (rho - 1)/(rho + 1),  q1, v1 as in newmark with gamma = 1/2 - am,  "
      "beta = (1 - am)^2/4",
      "nothing for rho < 1; rho = 1 is newmark with beta = 1/4, gamma = 1/2",
      "Wood, Bossak and Zienkiewicz, Int. J. Numer. Meth. Eng. 15 (1980) 1562"};
  static constexpr bool always_at_end = false;
  static constexpr Traits traits{
      .separable = true, .takes_equations = true, .constraints = Constraints::imposed, .distributed = true};
  static constexpr auto fields() {
    return std::tuple{Field{"rho", &Wbz::rho, 0.0, 1.0, "spectral radius at infinite frequency; 1 damps nothing, 0 most"}};
  }
  Properties properties() const {
    return {.symmetric = rho == 1,
            .keeps = rho == 1 ? Keeps::conjugate_form : Keeps::nothing,
            .balances_linear = rho == 1,
            .at_end = coefficients().at_end()};
  }
  // Their alpha = (rho - 1)/(rho + 1)
  constexpr AccelerationCoefficients coefficients() const { return generalized_alpha((rho - 1) / (rho + 1), 0); }
};

struct Wilson {
  double theta = 1.4;
  static constexpr Description description{
      "wilson", "Wilson-theta: linear acceleration over theta h; overshoots, for comparison",
      "M a = f at (t0 + theta h, qt, vt),  a1 = a0 + (a - a0)/theta,  q1 = q0 + h v0 + h^2/6 (2 a0 + a1),  v1 = v0 + h/2 (a0 + "
      "a1);  "
      "qt, vt are q1, v1 with theta h for h and a for a1",
      "nothing for theta > 1; theta = 1 is newmark with beta = 1/6, gamma = 1/2. Stable for linear systems from theta = 1.37",
      "Wilson, Farhoomand and Bathe, Earthq. Eng. Struct. Dyn. 1 (1973) 241; the load is taken at t0 + theta h, not "
      "extrapolated"};
  static constexpr bool always_at_end = false;
  static constexpr Traits traits{
      .separable = true, .takes_equations = true, .constraints = Constraints::imposed, .distributed = true};
  static constexpr auto fields() {
    return std::tuple{Field{"theta", &Wilson::theta, 1.0, 10.0, "steps over which the acceleration is linear in time"}};
  }
  Properties properties() const {
    return {
        .symmetric = theta == 1, .keeps = theta == 1 ? Keeps::conjugate_form : Keeps::nothing, .at_end = coefficients().at_end()};
  }
  // The acceleration is linear in time over theta h; the load is taken where that ends, not extrapolated.
  constexpr AccelerationCoefficients coefficients() const {
    return {1.0 / 6, 0.5, theta, theta, theta * theta / 2, theta * theta / 6, theta / 2};
  }
};

struct CentralDifference {
  std::string mass = "consistent";
  static constexpr Description description{
      "central-difference",
      "central differences; explicit if no force depends on v; linear friction adds one linear solve a step",
      "M (q2 - 2 q1 + q0)/h^2 = f(t1, q1, v1),  v1 = (q2 - q0)/(2h):  newmark with beta = 0, gamma = 1/2, (M + h/2 D) a1 = p1 - "
      "S q1 "
      "- D (v0 + h/2 a0)",
      "symplectic form, momentum; energy bounded", "KMOW Theorem 3.1; Bathe, Finite Element Procedures 9.2.1"};
  static constexpr bool always_at_end = true;
  static constexpr Traits traits{
      .separable = true, .takes_equations = true, .constraints = Constraints::imposed, .distributed = true, .static_sizes = true};
  static constexpr auto fields() {
    return std::tuple{Field{"mass",
                            &CentralDifference::mass,
                            {"consistent", "lumped", "", ""},
                            "the mass as given, or lumped: the sum of each row on the diagonal"}};
  }
  Properties properties() const { return {.at_end = true, .lumps_mass = mass == "lumped"}; }
  // M (q2 - 2 q1 + q0)/h^2 + D (q2 - q0)/(2h) = f(q1): Newmark's with beta = 0, gamma = 1/2, where v1 = (q2 - q0)/(2h)
  AccelerationCoefficients coefficients() const { return {0, 0.5, 1, 1, 0.5, 0, 0.5}; }
};

}  // namespace actio::method
