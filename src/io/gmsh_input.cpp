#include "gmsh_input.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "number.hpp"
#include "place.hpp"

namespace actio::io {

namespace {
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
}  // namespace

bool GmshInput::line(std::string_view& out) {
  if (at_ == bytes_.size()) return false;
  const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
  std::size_t from = at_, to = end;
  while (from < to && is_blank(bytes_[from])) ++from;
  while (to > from && is_blank(bytes_[to - 1])) --to;
  out = bytes_.substr(from, to - from);
  last_ = from;
  last_size_ = out.size();
  at_ = std::min(end + 1, bytes_.size());
  return true;
}

std::string_view GmshInput::line_with(std::string_view wanted) {
  std::string_view out;
  do {
    if (!line(out)) {
      last_ = bytes_.size(), last_size_ = 1;
      fail(fmt::format("the file ends before {}", wanted));
    }
  } while (out.empty());
  return out;
}

void GmshInput::skip_to_end_of(std::string_view name) {
  const std::string end = fmt::format("$End{}", name);
  const std::size_t found = bytes_.find(end, at_);
  if (found == std::string_view::npos) fail(fmt::format("${} has no {}", name, end));
  at_ = found + end.size();
}

void GmshInput::expect_end_of(std::string_view name) {
  const std::string end = fmt::format("$End{}", name);
  if (line_with(end) != end) fail(fmt::format("{} expected", end), fmt::format("is a count in ${} wrong?", name));
}

std::string_view GmshInput::word(std::string_view what) {
  while (at_ < bytes_.size() && is_blank(bytes_[at_])) ++at_;
  last_ = at_;
  while (at_ < bytes_.size() && !is_blank(bytes_[at_])) ++at_;
  last_size_ = at_ - last_;
  if (last_size_ == 0) fail(fmt::format("the file ends before {}", what));
  return bytes_.substr(last_, last_size_);
}

template <class T>
T GmshInput::bytes(std::string_view what) {
  last_ = at_;
  last_size_ = sizeof(T);
  if (bytes_.size() - at_ < sizeof(T)) fail(fmt::format("the file ends before {}", what));
  char raw[sizeof(T)];
  std::memcpy(raw, bytes_.data() + at_, sizeof(T));
  if (swapped_) std::reverse(raw, raw + sizeof(T));
  T out;
  std::memcpy(&out, raw, sizeof(T));
  at_ += sizeof(T);
  return out;
}

std::int64_t GmshInput::integer(std::string_view what) {
  if (binary_) return bytes<std::int32_t>(what);
  const std::string_view text = word(what);
  const auto n = to_number<std::int64_t>(text);
  if (!n) fail(fmt::format("{} must be an integer", what));
  return *n;
}

std::int64_t GmshInput::count(std::string_view what) {
  const std::int64_t n = !binary_           ? integer(what)
                         : size_bytes_ == 4 ? static_cast<std::int64_t>(bytes<std::uint32_t>(what))
                                            : bytes<std::int64_t>(what);
  if (n < 0) fail(fmt::format("{} is {}", what, n));
  return n;
}

double GmshInput::real(std::string_view what) {
  if (binary_) return bytes<double>(what);
  const std::string_view text = word(what);
  const auto x = to_number<double>(text);
  if (!x) fail(fmt::format("{} must be a number", what));
  return *x;
}

void GmshInput::skip_integers(std::int64_t n, std::string_view what) {
  must_hold(n, 1, 4, what);
  for (std::int64_t k = 0; k < n; ++k) (void)integer(what);
}

void GmshInput::must_hold(std::int64_t n, std::int64_t numbers, std::int64_t bytes, std::string_view what) const {
  const std::int64_t least = binary_ ? bytes : 2 * numbers;  // "0 "
  if (n < 0 || n > left() / least + 1) fail(fmt::format("{} {} do not fit in the rest of the file, {} bytes", n, what, left()));
}

void GmshInput::fail(const std::string& message, const std::string& hint) const {
  if (binary_) throw core::InputError(core::Source{fmt::format("{}: byte {}", path_, last_), 0, 0, 1, ""}, message, hint);
  throw core::InputError(place_in(bytes_, path_, last_, last_size_), message, hint);
}

}  // namespace actio::io
