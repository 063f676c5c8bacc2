#pragma once
#include <string>

#include <actio/session/modes.hpp>

namespace actio::session {

// omega, frequency, period, growth, residual (k), shape (k, n), coordinates (n names); of d directions their names, mass (d),
// participation and effective_mass (k, d).
void write_modes_hdf5(const Modes& modes, const io::Problem& problem, const std::string& path);

}  // namespace actio::session
