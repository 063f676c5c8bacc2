#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <actio/run/members.hpp>

#include "expression.hpp"

// Expressions with a value for each member of an ensemble.
namespace actio::io {

// The words that stand for the member's number, m and member: those that the file does not use itself. With `family` the index i
// within one as well.
std::vector<std::string> member_words(const SymbolTable& symbols, bool family);

// What normal() and uniform() draw: of the ensemble, by the name of the quantity and the member; or what [initial] draws, the
// same for all.
struct MemberDraws {
  std::uint64_t seed = 0;
  std::uint32_t key = 0;      // of the quantity; 0: those of [initial]
  std::uint32_t stream = 0;   // of [initial]
  std::uint64_t counter = 0;  // of [initial]
};
// Of a quantity such as "position.x" or "parameters.c": it keeps its numbers when others are added to the file.
std::uint32_t draw_key(std::string_view name);

// The values of `expression` for all members. Parameters have the members' values; number `own` (-1: none) has the file's. `i` is
// the index within a family.
std::vector<double> member_values(const Expression& expression, const run::Members& members, const MemberDraws& draws, long i = 0,
                                  int own = -1);

}  // namespace actio::io
