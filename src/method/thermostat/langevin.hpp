#pragma once
#include <actio/method/integrator.hpp>
#include <actio/system/thermostat.hpp>

namespace actio::method {

// The steps of `steps` with the exact flow of the model's thermostat between or around them (system/thermostat.hpp). Noise is
// counted by the number of the step in its run.
std::unique_ptr<Integrator> with_thermostat(const system::Model& model, std::unique_ptr<Integrator> steps);

}  // namespace actio::method
