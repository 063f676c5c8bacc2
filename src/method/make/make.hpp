#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/assembled.hpp>
#include <memory>
#include <vector>

// Integrators of a model on a space. The files of this folder compile the steppers, a family of methods each, so that a change to
// one method compiles that family alone; build.cpp calls them. `composition`: gamma_1 .. gamma_s, or empty.
namespace actio::method {

template <class Space>
using System = system::Assembled<Space>;

template <Method M, class Space>
std::unique_ptr<Integrator> make_on(const M& method, System<Space> system, std::vector<double> composition);
// Of methods that keep constraints by multipliers, where the system has some.
template <Method M, class Space>
std::unique_ptr<Integrator> make_constrained_on(const M& method, System<Space> system, std::vector<double> composition);

// Methods that are not made of a compiled model.
std::unique_ptr<Integrator> make_of(const EnergyMomentum& method, const system::Model& model, const BuildOptions& options,
                                    std::vector<double> composition);
std::unique_ptr<Integrator> make_of(const LieGroup& method, const system::Model& model, const BuildOptions& options,
                                    std::vector<double> composition);

inline constexpr long largest_dense = 48;  // coordinates for which full matrices are taken

}  // namespace actio::method
