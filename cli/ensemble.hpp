#pragma once
#include <actio/run/ensemble.hpp>

#include "commands.hpp"

// Problems with an [ensemble].
namespace actio::cli {

// Runs all members and reports; the exit code.
int run_ensemble(const Arguments& arguments, io::Problem problem, Execution& execution);
// Runs the members that a sweep has made, with a line for each; the exit code.
int sweep_together(const Arguments& arguments, const io::Problem& problem, run::Ensemble& ensemble);
// The problem becomes that of one member. Throws core::InputError where there is none of that number.
void take_member(io::Problem& problem, long member);
// Throws core::InputError where a command runs one motion, and the problem is an ensemble.
void refuse_ensemble(const io::Problem& problem, const char* command);

}  // namespace actio::cli
