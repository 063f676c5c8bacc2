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

// A batch as a system::Force or system::Equation.
template <class Kind>
Kind part_of(Batch batch, std::string name, std::vector<std::int32_t> rows) {
  Kind out;
  out.name = std::move(name);
  out.graph = std::move(batch.graph);
  out.value = batch.value;
  out.locals = batch.locals;
  out.elements = batch.elements;
  out.rows = std::move(rows);
  out.dofs = std::move(batch.dofs);
  out.data = std::move(batch.data);
  return out;
}

}  // namespace actio::io
