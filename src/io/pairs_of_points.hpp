#pragma once
#include <memory>
#include <optional>
#include <string>

#include <actio/system/near_pairs.hpp>

#include "expression.hpp"

// Pairs of points, which begin an `over`: "a, b = pairs(atom)", or up to a distance: "a, b = pairs(atom, cutoff = 9, skin = 1)".
namespace actio::io {

struct PairsOfPoints {
  std::string first, second;  // the indices: every first < second
  long count = 0;             // of points
  std::optional<system::NearPairs> near{};
  std::size_t end = 0;  // of their text
};
// Nothing where the text is one of ranges alone. Throws at what is wrong in it.
std::optional<PairsOfPoints> read_pairs_of_points(const SymbolTable& symbols, const Value& over, const std::string& path);

// Pairs that a function is of, and the condition that leaves some of them out, if there is one.
struct NearElements {
  system::NearPairs pairs;
  std::shared_ptr<const Expression> exclude;
};

}  // namespace actio::io
