#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include <actio/io/problem.hpp>

#include "section.hpp"
#include "symbol_table.hpp"

// Friction D = a M + b K by the damping ratios that two motions get: xi(w) = (a/w + b w)/2.
namespace actio::io {

// ratio = 0.05 or [0.02, 0.05], and modes = [1, 3] or frequencies = [1, 10] [Hz].
struct DampingRatio {
  Rayleigh given;      // but for its factors, and the frequencies of modes
  core::Source place;  // of what names the motions
  std::function<void(system::Model&, double a, double b)> add;
};
inline const std::array<const char*, 3> keys_of_damping_ratio{"ratio", "frequencies", "modes"};
DampingRatio read_damping_ratio(const Section& section, const SymbolTable& symbols);

// Adds the friction of each to the problem's model, and says so in problem.rayleigh. The start is known: modes are those about
// it.
void add_dampings(const std::vector<DampingRatio>& dampings, Problem& problem);
// Throws where members of an ensemble differ in parameters, on which modes may depend. It has been read.
void need_dampings_for_all(const std::vector<DampingRatio>& dampings, const Problem& problem);

}  // namespace actio::io
