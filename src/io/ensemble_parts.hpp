#pragma once
#include <optional>
#include <string>
#include <vector>

#include "parts.hpp"

// The parts of [ensemble] that have a file each.
namespace actio::io {

// The problem's observables, quantiles and stop.
void read_outputs(const Section& ensemble, const SymbolTable& symbols, const Problem& problem, EnsembleRequest& out);
// Why the members cannot run together, with its place; none where they can. A sweep does not use the level of the certificate and
// the symmetries of its file, which are for one run.
std::optional<core::InputError> why_not_together(const Section& root, const Problem& problem, bool sweep);
// Throws where `name` is not among the parameters that the file has.
void need_parameter(const Document& document, const Place& place, const std::string& name,
                    const std::vector<std::string>& parameters);

}  // namespace actio::io
