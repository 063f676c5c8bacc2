#pragma once
#include <actio/discrete/nodes.hpp>
#include <actio/method/method.hpp>
#include <optional>

// Explicit methods, kicks and drifts in turn (verlet.hpp, splitting.hpp).
namespace actio::method {

struct Verlet {
  std::string form = "velocity";
  static constexpr Description description{
      "verlet", "Stoermer-Verlet (leapfrog), explicit, one gradient a step",
      "velocity: p += h/2 f(q), q += h M^-1 p, p += h/2 f(q);  position: q += h/2 M^-1 p, p += h f(q), q += h/2 M^-1 p",
      "symplectic form, momentum; energy bounded", "KMOW Theorem 3.1: Ld^{sym,alpha} with alpha = 0"};
  static constexpr Traits traits{.separable = true,
                                 .is_explicit = true,
                                 .velocity_forces = false,
                                 .matrices = Matrices::none,
                                 .distributed = true,
                                 .generated_steps = true,
                                 .with_constraints = "rattle is Verlet with constraints"};
  static constexpr auto fields() {
    return std::tuple{Field{
        "form", &Verlet::form, {"velocity", "position", "", ""}, "kick-drift-kick (velocity) or drift-kick-drift (position)"}};
  }
  Properties properties() const { return {.two_halves = form == "velocity"}; }
  std::optional<discrete::Nodes> nodes() const {
    return form == "velocity" ? std::optional(discrete::Nodes::symmetric(0)) : std::nullopt;
  }
};

struct SymplecticEuler {
  static constexpr Description description{"symplectic-euler", "symplectic Euler, explicit, kick then drift",
                                           "p1 = p0 + h f(q0),  q1 = q0 + h M^-1 p1", "symplectic form, momentum; energy bounded",
                                           "KMOW (2.2): Ld^alpha with alpha = 0"};
  static constexpr Traits traits{.separable = true,
                                 .is_explicit = true,
                                 .velocity_forces = false,
                                 .matrices = Matrices::none,
                                 .distributed = true,
                                 .generated_steps = true};
  static constexpr auto fields() { return std::tuple{}; }
  Properties properties() const { return {.order = 1, .symmetric = false}; }
  discrete::Nodes nodes() const { return discrete::Nodes::one(0); }
};

struct McLachlanAtela {
  int stages_order = 4;
  static constexpr Description description{"mclachlan-atela", "optimal explicit splitting of order 2 to 5",
                                           "kick and drift in turn with McLachlan and Atela's coefficients",
                                           "symplectic form, momentum; energy bounded",
                                           "McLachlan and Atela, Nonlinearity 5 (1992) 541"};
  static constexpr Traits traits{.separable = true,
                                 .is_explicit = true,
                                 .velocity_forces = false,
                                 .matrices = Matrices::none,
                                 .distributed = true,
                                 .generated_steps = true};
  static constexpr auto fields() {
    return std::tuple{Field{"order", &McLachlanAtela::stages_order, 2, 5, "order of accuracy: 2, 3, 4 or 5"}};
  }
  Properties properties() const { return {.order = stages_order, .symmetric = false}; }
};

}  // namespace actio::method
