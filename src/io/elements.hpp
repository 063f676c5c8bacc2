#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expression.hpp"
#include "pairs_of_points.hpp"

// An expression over a range of loop indices as a batch: one graph, and for each element where its columns come from.
namespace actio::io {

constexpr long most_elements = 100'000'000;
constexpr long most_coordinates = 10'000'000;
constexpr long farthest_index = 1'000'000'000;  // a loop's value

struct Elements {
  std::vector<expr::Range> ranges;  // none: one element
  bool periodic = false;            // indices wrap instead of being out of range
  long count = 1;
  long step = 1;  // of the outermost range
  std::optional<NearElements> near{};
};
// The ranges of `over`, counted before any memory is taken. Throws when they are empty or too many.
Elements read_elements(const SymbolTable& symbols, const Value& over, const std::string& path, bool periodic);
Elements every_index(long size, bool periodic);       // i = 0..size-1
Elements strided(long first, long count, long step);  // i = first, first + step, ...

// As many derivatives of the positions are columns as were asked for.
struct Batch : system::ElementFunction {
  std::vector<bool> moves, accelerates;  // (locals) its velocity, its acceleration is in the expression
};
// A batch as a function of a model: a system::Force, Constraint, ...
template <class Function>
Function named(std::string name, Batch batch, std::vector<std::int32_t> rows = {}) {
  batch.name = std::move(name);
  batch.rows = std::move(rows);
  return {std::move(batch)};
}
// Throws when an index leaves its family or table, with the values of the loops.
Batch assemble(const Expression& expression, const Elements& elements, int derivatives);
// The value of every element, of a run's states: its columns are those of run::Observable. Pairs of indices take no tables where
// their positions alone are in it.
Batch assemble_observed(const Expression& expression, const Elements& elements);
// Of positions alone: over two loops whose indices are affine, and short ones within them, without tables.
Batch assemble_potential(const Expression& expression, const Elements& elements);

}  // namespace actio::io
