#include "place.hpp"

#include <algorithm>

#include "text.hpp"

namespace actio::io {

core::Source place_in(std::string_view text, const std::string& path, std::size_t at, std::size_t length) {
  constexpr std::size_t widest = 1000;  // bytes of the line after the place that a message could need
  at = std::min(at, text.size());
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min({text.find('\n', at), at + widest, text.size()});
  const std::size_t column = at - begin + 1;
  return {path, static_cast<int>(line), static_cast<int>(column), static_cast<int>(std::clamp<std::size_t>(length, 1, widest)),
          printable(text.substr(begin, end - begin))};
}

}  // namespace actio::io
