#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "expression.hpp"

// Numbers that a file may give as numbers, lists, or expressions of the index i within a family.
namespace actio::io {

// For normal() and uniform(): entry i draws number `first` + i.
struct Draws {
  bool allowed = false;
  std::uint64_t seed = 0;
  std::uint32_t stream = 0;
  long first = 0;
  bool by_member = false;  // the value may depend on what differs between the members of an ensemble: they get their own
};

// Throws where the value depends on a parameter that differs between the members of an ensemble.
void need_same_for_all(const Expression& expression);
// A number, or a string with an expression of the parameters. Finite.
double scalar(const SymbolTable& symbols, const Value& value, const std::string& path, const Draws& draws = {});
// The values of the index i: first, first + step, ...
struct Indices {
  long first = 0, step = 1;
};
// `size` entries: a number (for all), a list of them, or an expression of i. `shape` says what needs so many: "x has 7
// coordinates".
std::vector<double> per_index(const SymbolTable& symbols, const Value& value, const std::string& path, long size,
                              const std::string& shape, const Draws& draws = {}, const Indices& indices = {});

}  // namespace actio::io
