#pragma once
#include <actio/system/model.hpp>
#include <cstdint>
#include <string_view>

// A heat bath that holds a system at a temperature by friction and noise: the Langevin equation
//
//   dp = -grad V dt - gamma p dt + sqrt(2 gamma kT) M^(1/2) dW                     with a rate gamma
//   dp = -grad V dt - Gamma v dt + sqrt(2 kT) Gamma^(1/2) dW                        with a friction Gamma (TO 27)
//
// Of its stationary law exp(-H/kT) friction and noise alone are the Ornstein-Uhlenbeck process, which is solved exactly.
namespace actio::system {

struct Thermostat {
  // How the exact flow O of friction and noise is put into a step of the method.
  enum class Scheme {
    gla,    // after each step: geometric Langevin algorithm, Bou-Rabee and Owhadi (2010)
    baoab,  // in the middle of Verlet's drift: Leimkuhler and Matthews (2013); with constraints g-BAOAB (2016)
    obabo,  // half of it before each step, half after: Bussi and Parrinello (2007)
  };
  double kT = 0;        // [J]
  double rate = 0;      // gamma [1/s], where there is no `friction`
  MassMatrix friction;  // Gamma [N s/m] (n x n), symmetric, positive semidefinite; of kind none with a rate
  std::uint64_t seed = 0;
  std::uint32_t member = 0;  // of an ensemble: each has noise of its own
  Scheme scheme = Scheme::obabo;

  bool by_rate() const { return friction.kind == MassMatrix::Kind::none; }
  bool acts() const;  // false: there is no friction, and so no noise
};

inline constexpr std::string_view scheme_names[] = {"gla", "baoab", "obabo"};  // of Scheme, in this order
inline std::string_view name_of(Thermostat::Scheme scheme) { return scheme_names[static_cast<int>(scheme)]; }

}  // namespace actio::system
