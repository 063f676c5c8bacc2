#pragma once
#include <actio/method/integrator.hpp>
#include <memory>
#include <string>

namespace actio::method {

// "" where the model has bodies that lie-group can take, else why not.
std::string not_for_lie_group(const system::Model& model, const LieGroup& method);

// Matrices of the step are full, or sparse as options.space asks, automatically from some 16 freedoms and joints on.
std::unique_ptr<Integrator> make_lie_group(const system::Model& model, const Spec& spec, const BuildOptions& options);

}  // namespace actio::method
