#pragma once
#include <actio/method/integrator.hpp>
#include <actio/method/spec.hpp>

namespace actio::method {

// The steps of a method without contacts, with the impacts of the model's contacts within them.
std::unique_ptr<Integrator> with_contacts(const system::Model& model, const Spec& spec, const BuildOptions& options);

// Why the method finds no impacts, or not of this model; "" when it does.
std::string takes_no_contacts(const system::Model& model, const Spec& spec);

}  // namespace actio::method
