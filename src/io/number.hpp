#pragma once
#include <charconv>
#include <optional>
#include <string_view>

// The whole of `word` as a number, or nothing. A leading + is allowed.
namespace actio::io {

template <class T>
std::optional<T> to_number(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return {};
  return value;
}

}  // namespace actio::io
