#pragma once
#include <actio/method/method.hpp>

// Methods that solve the motion of the large part of H exactly, A, and kick by the rest, B (split_stepper.hpp). With eps the size
// of B beside A, their errors are of eps h^r, far beyond the order, and of eps^2 h^2 or eps^2 h^6 and eps^3 h^4.
namespace actio::method {

inline constexpr Traits split_traits{
    .separable = true, .is_explicit = true, .velocity_forces = false, .needs_split = true, .matrices = Matrices::none};
inline constexpr const char* split_conserves = "symplectic form, momentum; energy bounded";

struct WisdomHolman {
  int corrector = 5;
  static constexpr Description description{
      "wisdom-holman", "half a step of the motion that is known, a kick by the rest, half a step; with a symplectic corrector",
      "C^-1 e^{h/2 A} e^{h B} e^{h/2 A} C,  A: the part of [system.split], B: the rest,  error eps h^(2 corrector + 2) + eps^2 "
      "h^2",
      split_conserves,
      "Wisdom and Holman, Astron. J. 102 (1991) 1528; Wisdom, Holman and Touma, Fields Inst. Comm. 10 (1996) 217"};
  static constexpr Traits traits = split_traits;
  static constexpr auto fields() {
    return std::tuple{Field{"corrector", &WisdomHolman::corrector, 0, 8,
                            "stages of the symplectic corrector, taken where a state is read: 0 is none, 8 of order 17"}};
  }
  // A corrector is even in h but for eps^2, so with one a step back leaves eps^2.
  Properties properties() const { return {.symmetric = corrector == 0}; }
};

struct Saba {
  int stages = 4;
  static constexpr Description description{
      "saba", "SABA_n: kicks by the rest at the nodes of Gauss, between them the motion that is known",
      "e^{a_1 h A} e^{b_1 h B} ... e^{b_n h B} e^{a_(n+1) h A},  b_i: weights of Gauss, at their nodes,  error eps h^(2n) + "
      "eps^2 "
      "h^2",
      split_conserves, "Laskar and Robutel, Celest. Mech. Dyn. Astron. 80 (2001) 39; McLachlan, BIT 35 (1995) 258"};
  static constexpr Traits traits = split_traits;
  static constexpr auto fields() { return std::tuple{Field{"stages", &Saba::stages, 1, 6, "kicks in a step"}}; }
  Properties properties() const { return {}; }
};

struct Sbab {
  int stages = 4;
  static constexpr Description description{
      "sbab", "SBAB_n: kicks by the rest at the nodes of Lobatto, both ends among them, between them the motion that is known",
      "e^{b_0 h B} e^{a_1 h A} ... e^{a_n h A} e^{b_n h B},  b_i: weights of Lobatto, at their nodes,  error eps h^(2n) + eps^2 "
      "h^2",
      split_conserves, "Laskar and Robutel, Celest. Mech. Dyn. Astron. 80 (2001) 39"};
  static constexpr Traits traits = split_traits;
  static constexpr auto fields() {
    return std::tuple{Field{"stages", &Sbab::stages, 1, 6, "kicks in a step, but for the first"}};
  }
  Properties properties() const { return {}; }
};

struct Aba {
  std::string orders = "10-6-4";
  static constexpr Description description{
      "aba", "seven or eight kicks by the rest, between them the motion that is known: the errors of SABA in eps^2 are cancelled",
      "e^{a_1 h A} e^{b_1 h B} ... e^{b_s h B} e^{a_(s+1) h A},  error eps h^8 + eps^2 h^6 + eps^3 h^4, or eps h^10 + eps^2 h^6 "
      "+ "
      "eps^3 h^4",
      split_conserves, "Blanes, Casas, Farres, Laskar, Makazaga and Murua, Appl. Numer. Math. 68 (2013) 58, tables 2 and 3"};
  static constexpr Traits traits = split_traits;
  static constexpr auto fields() {
    return std::tuple{Field{"orders", &Aba::orders, {"8-6-4", "10-6-4", "", ""}, "of the errors in eps, eps^2 and eps^3"}};
  }
  Properties properties() const { return {.order = 4}; }
};

}  // namespace actio::method
