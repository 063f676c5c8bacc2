#pragma once
#include <actio/expr/parse.hpp>

#include "lexer.hpp"

namespace actio::expr {

// Reads an integer expression and leaves the lexer at the first token after it.
Index parse_index(Lexer& lexer, std::span<const std::string> loops, std::span<const std::pair<std::string, long>> integers);

}  // namespace actio::expr
