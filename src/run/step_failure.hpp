#pragma once
#include <string>

#include <actio/core/error.hpp>
#include <actio/run/integrate.hpp>

// What is said of a step that ends a run: what happened, and what to try.
namespace actio::run {

// The state after the step, or its energy, is not finite. `lost` says what is wrong with the state; empty: it is finite and only
// its energy is not.
core::RunError not_finite(long step, double t, const std::string& lost);
// The equations of the step were not solved. `multipliers`: those of constraints are among its unknowns.
core::RunError not_solved(long step, double t, const method::BatchReport& report, bool multipliers, const Task& task);

}  // namespace actio::run
