#pragma once
#include <string>
#include <vector>

#include "symbol_table.hpp"

// Coordinates as a file names them: "x", "u[3]", "u[3..5]", "u[0..99 step 3]" (both ends included, numbers or whole parameters),
// and "u" or "u[*]" for all of a family. Those of bodies: "top.z", "link[3].R11", "link[0..9].x", "link.z" for all of a family.
namespace actio::io {

struct Reference {
  long offset = 0, stride = 1;  // index i of the family is the coordinate offset + stride i
  bool indexed = false;
  long first = 0, count = 1, step = 1;  // indices within the family
  long index(long k) const { return first + k * step; }
  long coordinate(long k) const { return offset + stride * index(k); }
};
// Throws at `place` when `text` is no such thing, with the reason.
Reference read_reference(const SymbolTable& symbols, const std::string& text, const Place& place, const std::string& path);
// Bodies: "top", "link[3]", "link[0..9]", "link". coordinate(k) is R11 of the k-th; `bodies` becomes the number of their family.
Reference read_body_reference(const SymbolTable& symbols, const std::string& text, const Place& place, const std::string& path,
                              std::size_t& bodies);

// Points of space by their coordinates along its axes: references of equal counts, one point an entry of them.
using PointReference = std::vector<Reference>;
// A list of such, [["x", "y", "z"]], each of `least` to `most` coordinates (at most 3). `key` names the list in a hint.
std::vector<PointReference> read_points(const SymbolTable& symbols, const Value& list, const std::string& path,
                                        const std::string& key, std::size_t least, std::size_t most);

}  // namespace actio::io
