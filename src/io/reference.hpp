#pragma once
#include <string>
#include <vector>

#include "vocabulary.hpp"

// Coordinates as a file names them: "x", "u[3]", "u[3..5]", "u[0..99 step 3]" (both ends included, numbers or whole parameters),
// and "u" or "u[*]" for all of a family.
namespace actio::io {

struct Reference {
  std::size_t family = 0;
  long first = 0, count = 1, step = 1;  // indices within the family
  long index(long k) const { return first + k * step; }
};
// Throws at `place` when `text` is no such thing, with the reason.
Reference read_reference(const Vocabulary& vocabulary, const std::string& text, const Place& place, const std::string& path);
// Their numbers among all coordinates.
long coordinate(const Vocabulary& vocabulary, const Reference& reference, long k);

}  // namespace actio::io
