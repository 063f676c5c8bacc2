#pragma once
#include <string>
#include <string_view>

#include <actio/core/error.hpp>

namespace actio::io {

// The line and column of byte `at` of a text, with `length` bytes underlined.
core::Source place_in(std::string_view text, const std::string& path, std::size_t at, std::size_t length);

}  // namespace actio::io
