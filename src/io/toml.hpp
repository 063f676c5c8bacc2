#pragma once
#include <string>

#include "document.hpp"

// The one place that meets toml++.
namespace actio::io {

struct TomlResult {
  Value root;
  std::string error;  // "" when the text is sound
  Place error_place;
  std::string hint;  // or ""
};

constexpr std::size_t most_names = 16;  // in a dotted key, which nests without a bracket

TomlResult parse_toml(const std::string& content, int text);
// The value that begins at `begin` of an override: a TOML value, or else a bare string.
TomlResult parse_toml_value(const std::string& content, std::size_t begin, int text);

}  // namespace actio::io
