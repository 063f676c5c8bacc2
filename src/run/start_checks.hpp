#pragma once
#include <actio/invariant/momentum.hpp>
#include <actio/run/integrate.hpp>

namespace actio::run {

// Throws core::InputError where the system, its start and its symmetries are not of one size.
void check_sizes(const method::Integrator& integrator, const invariant::MomentumMap& momentum, const Task& task);
// Throws core::RunError where no run can begin at the start, which the integrator is at: its energy is not finite, or not
// computed and yet bounded, or a step is lost in the round-off of the time. `energy_given`: the energy is computed.
void check_start(const method::Integrator& integrator, const method::Snapshot& start, const Task& task, bool energy_given);

}  // namespace actio::run
