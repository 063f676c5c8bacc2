#pragma once
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "elements.hpp"
#include "reference.hpp"

// Expressions that belong to one coordinate each: forces and equations.
namespace actio::io {

// Where an expression stands: element e is for coordinate rows[e].
struct Rows {
  Elements elements;
  std::vector<std::string> loops;
  std::vector<std::int32_t> rows;
};

// All coordinates a reference names, with the index i.
Rows rows_of(const Reference& reference);
// `on` = "u[k+1]": one coordinate for every element. Throws when it is anything else.
Rows rows_on(const SymbolTable& symbols, const Value& on, const std::string& path, const Elements& elements);

}  // namespace actio::io
