#pragma once
#include <actio/io/problem.hpp>
#include <actio/run/ensemble.hpp>

namespace actio::io {

// What [ensemble] of a problem asks for, as run::Ensemble takes it; the problem has one. Throws core::InputError where its
// members cannot run together.
run::EnsembleTask task_of(const Problem& problem);

}  // namespace actio::io
