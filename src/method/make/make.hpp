#pragma once
#include <actio/method/catalogue.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/compiled.hpp>
#include <memory>
#include <vector>

// Integrators of a model. Each other file of this folder compiles a family of methods, so that a change to one method compiles
// that family alone, and so that a build may leave families out (ACTIO_FAMILIES): those whose ACTIO_MAKE no file of the build has
// are found by CMake and throw NotBuilt. `composition`: gamma_1 .. gamma_s, or empty.
namespace actio::method {

template <Method M>
std::unique_ptr<Integrator> make(const M& method, const system::Model& model, const BuildOptions& options,
                                 std::vector<double> composition);

// A model that is compiled for a method, on the space that the method takes.
struct Compiled {
  std::shared_ptr<const system::CompiledModel> model;
  BuildOptions::Space space;
};
// Of methods that keep constraints by multipliers, where the system has some.
template <Method M>
std::unique_ptr<Integrator> make_constrained(const M& method, const Compiled& compiled, std::vector<double> composition);

inline constexpr long largest_dense = 48;  // coordinates for which full matrices are taken

Compiled compiled_for(const Traits& traits, const system::Model& model, const BuildOptions& options);

// Methods with a make of their own, in their family's file.
#define ACTIO_MAKES_ITSELF(M)                                                                                \
  template <>                                                                                                \
  std::unique_ptr<Integrator> make(const M& method, const system::Model& model, const BuildOptions& options, \
                                   std::vector<double> composition);
ACTIO_MAKES_ITSELF(EnergyMomentum)
ACTIO_MAKES_ITSELF(Gauss)
ACTIO_MAKES_ITSELF(LieGroup)
ACTIO_MAKES_ITSELF(WisdomHolman)
ACTIO_MAKES_ITSELF(Saba)
ACTIO_MAKES_ITSELF(Sbab)
ACTIO_MAKES_ITSELF(Aba)
ACTIO_MAKES_ITSELF(SymplecticEnergyMomentum)
#undef ACTIO_MAKES_ITSELF

}  // namespace actio::method

// In a family's file, for each method: ACTIO_MAKE(Verlet). ACTIO_MAKE_CONSTRAINED(Rattle) with constraints.
#define ACTIO_MAKE(M)                                                                                            \
  template std::unique_ptr<actio::method::Integrator> actio::method::make(const M&, const actio::system::Model&, \
                                                                          const BuildOptions&, std::vector<double>);
#define ACTIO_MAKE_CONSTRAINED(M)                                                                                \
  template std::unique_ptr<actio::method::Integrator> actio::method::make_constrained(const M&, const Compiled&, \
                                                                                      std::vector<double>);
