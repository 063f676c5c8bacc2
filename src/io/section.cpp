#include "section.hpp"

#include <actio/core/meanings.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace actio::io {
namespace {

// What was meant by a key that [path] does not take.
std::string hint_for(const std::string& key, const std::string& path, const std::vector<std::string>& keys) {
  constexpr std::array<std::string_view, 7> own{"", "system", "initial", "method", "run", "certificate", "ensemble"};
  std::string hint = core::same_meaning(key, keys);
  // other tables have keys that the file itself names
  if (hint.empty() && std::find(own.begin(), own.end(), path) != own.end()) hint = core::meant_elsewhere(key);
  if (hint.empty()) hint = core::did_you_mean(key, keys);
  if (hint.empty() && keys.size() <= 12) hint = fmt::format("it takes {}", fmt::join(keys, ", "));
  return hint;
}

}  // namespace

Section::Section(const Document& document, const Value& table, std::string path, std::vector<std::string> keys)
    : document_(&document), table_(&table), path_(std::move(path)) {
  need_kind(document, table, path_, Kind::table);
  std::sort(keys.begin(), keys.end());
  for (const Entry& entry : table.fields) {
    if (std::binary_search(keys.begin(), keys.end(), entry.key)) continue;
    const std::string where = path_.empty() ? "" : fmt::format(" in [{}]", path_);
    document.fail(entry.place, fmt::format("unknown key \"{}\"{}", entry.key, where), hint_for(entry.key, path_, keys));
  }
}

const Value& Section::need(std::string_view key) const {
  if (const Value* value = find(key)) return *value;
  if (path_.empty())
    document_->fail(table_->place, fmt::format("[{}] is missing", key), "a problem has [system], [initial], [method] and [run]");
  document_->fail(table_->place, fmt::format("{} is missing", path(key)));
}

std::string Section::path(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const Place& Section::place_of(std::string_view key) const {
  const Entry* entry = table_->find_entry(key);
  return entry ? entry->place : table_->place;
}

void wrong_type(const Document& document, const Value& value, const std::string& path, std::string_view wanted) {
  document.fail(value.place, fmt::format("{} must be {}, not {}", path, wanted, noun(value.kind)));
}

void need_kind(const Document& document, const Value& value, const std::string& path, Kind kind) {
  if (value.kind != kind) wrong_type(document, value, path, noun(kind));
}

double finite(const Document& document, const Value& value, const std::string& path) {
  if (!value.is_number()) wrong_type(document, value, path, "a number");
  if (!std::isfinite(value.number)) document.fail(value.place, fmt::format("{} is {}; it must be finite", path, value.number));
  return value.number;
}

double positive(const Document& document, const Value& value, const std::string& path) {
  const double x = finite(document, value, path);
  if (!(x > 0)) document.fail(value.place, fmt::format("{} is {}; it must be positive", path, x));
  return x;
}

long integer(const Document& document, const Value& value, const std::string& path, long least, long most) {
  // 1e6 is a number in TOML, but an integer to everybody else
  const bool whole = value.kind == Kind::number && std::abs(value.number) < 9e15 && value.number == std::floor(value.number);
  if (value.kind != Kind::integer && !whole) {
    if (value.kind == Kind::number)
      document.fail(value.place, fmt::format("{} is {}; it must be an integer", path, value.number));
    wrong_type(document, value, path, "an integer");
  }
  const long n = whole ? static_cast<long>(value.number) : value.integer;
  if (n < least || n > most)
    document.fail(value.place, fmt::format("{} is {}; it must lie between {} and {}", path, n, least, most));
  return n;
}

std::string_view plural(long count, std::string_view one, std::string_view many) { return count == 1 ? one : many; }

}  // namespace actio::io
