#pragma once
#include <cstddef>
#include <string>
#include <string_view>

// What toml++ 3.3 takes for granted, checked before it reads a text: keys have at most `most_names` names, and the name of a
// table begins like one.
namespace actio::io {

struct Guarded {
  std::string error;  // "" when there is none
  std::size_t offset = 0;
};
Guarded guard(std::string_view text, std::size_t most_names);

}  // namespace actio::io
