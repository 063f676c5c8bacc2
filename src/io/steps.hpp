#pragma once
#include <optional>

#include <actio/run/steps.hpp>

#include "symbol_table.hpp"

// run.step: a number, a list of them, or an expression of t. Each throws core::InputError at a step that is not positive and
// finite, or when the size changes more often than run::Steps keeps.
namespace actio::io {

// A number, a list, or an expression without t; nothing for an expression of t.
std::optional<run::Steps> read_cycle(const SymbolTable& symbols, const Value& value);
// How many steps from `start` until `end` is reached, up: 10 / 0.2 is 50 in spite of round-off. About as many when beyond 1e15.
double steps_to(const run::Steps& cycle, double start, double end);
// Steps of an expression of t, each evaluated at its beginning, until `end` is reached or there are `most`. A cycle that is not
// gone through twice.
run::Steps steps_of_time(const SymbolTable& symbols, const Value& value, double start, double end, long most);

}  // namespace actio::io
