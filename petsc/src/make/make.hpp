#pragma once
#include <actio/method/integrator.hpp>
#include <actio/petsc/distributed_model.hpp>
#include <memory>
#include <type_traits>
#include <vector>

// Integrators of a distributed model, a family of methods a file: they take long to compile. `composition`: gamma_1 .. gamma_s,
// or empty.
namespace actio::petsc {

template <method::Method M>
using SystemOf = std::conditional_t<M::traits.element_energies, DistributedDiscreteGradient, DistributedModel>;

template <method::Method M>
std::unique_ptr<method::Integrator> make(const M& method, SystemOf<M> system, std::vector<double> composition);
template <method::Method M>
std::unique_ptr<method::Integrator> make_constrained(const M& method, DistributedModel system);

}  // namespace actio::petsc
