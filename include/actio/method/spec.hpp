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

// What the flow map keeps, at round-off, whatever the step.
enum class Keeps { nothing, own_form, canonical };

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
  static constexpr Description description{
      "newmark",
      "Newmark's family in acceleration form; beta = 0 is explicit",
      "q1 = q0 + h v0 + h^2/2 [(1 - 2 beta) a0 + 2 beta a1],  v1 = v0 + h [(1 - gamma) a0 + gamma a1],  M a1 = -grad V(q1)",
      "gamma = 1/2: its own symplectic form and momentum, those of x = q - beta h^2 a (KMOW 3.5); energy bounded. "
      "Composed, only with beta = 0: x depends on the step",
      "KMOW (3.3)-(3.5), Theorem 3.5 with the sign corrected",
      true,
      false};
  static constexpr bool takes_equations = true;
  static constexpr auto fields() {
    return std::tuple{Field{"beta", &Newmark::beta, 0.0, 10.0, "weight of the new acceleration in the position"},
                      Field{"gamma", &Newmark::gamma, 0.0, 10.0,
                            "weight of the new acceleration in the velocity; 1/2 is second order, more dissipates"}};
  }
  int order() const { return gamma == 0.5 ? 2 : 1; }
  bool symmetric() const { return gamma == 0.5; }
  Keeps keeps() const { return gamma == 0.5 ? (beta == 0 ? Keeps::canonical : Keeps::own_form) : Keeps::nothing; }
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

using Choice = std::variant<Newmark, Verlet, SymplecticEuler, Variational, Midpoint, RungeKutta4, CvodeAdams, McLachlanAtela>;

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
  std::string name() const;  // "verlet", or "verlet, composed to order 6 (yoshida)"
  int order() const;
  Keeps keeps() const;
};

// Calls f(std::type_identity<Newmark>{}) and so on for every method, in the order of `actio list`.
template <class F>
void for_each_method(F&& f) {
  []<class... M>(std::type_identity<std::variant<M...>>, auto& call) { (call(std::type_identity<M>{}), ...); }(
      std::type_identity<Choice>{}, f);
}

}  // namespace actio::method
