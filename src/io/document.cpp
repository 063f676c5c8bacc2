#include "document.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "literal.hpp"
#include "text.hpp"
#include "toml.hpp"

namespace actio::io {
namespace {

constexpr std::size_t longest_text = std::size_t{16} << 20;  // bytes; large tables belong in CSV files
bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

std::string_view noun(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return "a boolean";
    case Kind::integer:
    case Kind::number:
      return "a number";
    case Kind::string:
      return "a string";
    case Kind::array:
      return "a list";
    case Kind::table:
      return "a table";
    case Kind::date:
      return "a date";
  }
  return "";
}

const Entry* Value::find_entry(std::string_view key) const {
  const auto at =
      std::lower_bound(fields.begin(), fields.end(), key, [](const Entry& e, std::string_view k) { return e.key < k; });
  return at != fields.end() && at->key == key ? &*at : nullptr;
}

const Value* Value::find(std::string_view key) const {
  const Entry* found = find_entry(key);
  return found ? &found->value : nullptr;
}

Entry& Value::entry(const std::string& key, const Place& where) {
  const auto at =
      std::lower_bound(fields.begin(), fields.end(), key, [](const Entry& e, const std::string& k) { return e.key < k; });
  if (at != fields.end() && at->key == key) return *at;
  Value table;
  table.place = where;
  return *fields.insert(at, Entry{key, where, std::move(table), true});
}

int Document::add_text(std::string name, std::string content) {
  Text text{std::move(name), std::move(content), {0}};
  for (std::size_t i = 0; i < text.content.size(); ++i)
    if (text.content[i] == '\n') text.lines.push_back(static_cast<std::uint32_t>(i + 1));
  texts_.push_back(std::move(text));
  return static_cast<int>(texts_.size()) - 1;
}

Document::Document(std::string text, std::string path) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  const bool fits = text.size() <= longest_text;
  add_text(std::move(path), fits ? std::move(text) : std::string());
  if (!fits)
    throw core::InputError(core::Source{this->path(), 0, 0, 1, ""}, fmt::format("more than {} MiB of text", longest_text >> 20),
                           "large tables belong in CSV files");
  TomlResult result = parse_toml(this->text(), 0);
  if (!result.error.empty()) fail(result.error_place, result.error, result.hint);
  root = std::move(result.root);
}

core::Source Document::source(const Place& place) const {
  const Text& text = texts_[static_cast<std::size_t>(place.text)];
  const std::size_t offset = std::min<std::size_t>(place.offset, text.content.size());
  const auto after = std::upper_bound(text.lines.begin(), text.lines.end(), offset);
  const std::size_t begin = *(after - 1);
  std::size_t end = std::min(text.content.find('\n', begin), text.content.size());
  if (end > begin && text.content[end - 1] == '\r') --end;
  const std::size_t room = end > offset ? end - offset : 1;
  return {text.name, static_cast<int>(after - text.lines.begin()), static_cast<int>(offset - begin) + 1,
          static_cast<int>(std::clamp<std::size_t>(place.length, 1, room)), printable(text.content.substr(begin, end - begin))};
}

Place Document::inside(const Value& string, std::size_t offset, std::size_t length) const {
  const std::string& content = texts_[static_cast<std::size_t>(string.place.text)].content;
  const std::vector<std::uint32_t> at = literal_map(content, string.place.offset, string.string);
  if (at.empty()) return string.place;
  offset = std::min(offset, string.string.size());
  const std::uint32_t begin = at[offset], end = at[std::min(offset + length, string.string.size())];
  return {begin, std::max(end, begin + 1) - begin, string.place.text};
}

void Document::fail(const Place& place, const std::string& message, std::string_view hint) const {
  throw core::InputError(source(place), message, hint);
}

bool Document::is_mentioned_elsewhere(const std::string& word, int text) const {
  for (std::size_t k = 1; k < texts_.size(); ++k)
    if (static_cast<int>(k) != text && texts_[k].content.find(word) != std::string::npos) return true;
  return false;
}

void Document::override_with(const std::string& assignment) {
  const int number = add_text("command line", assignment);
  const auto fail_at = [&](std::size_t offset, std::size_t length, const std::string& message, std::string_view hint = {}) {
    fail({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length), number}, message, hint);
  };
  if (assignment.size() > longest_text) fail_at(0, 1, "the override is too long");
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) fail_at(0, assignment.size(), "an override has the form key=value", "for example run.end=1e4");

  TomlResult value = parse_toml_value(assignment, equals + 1, number);
  if (!value.error.empty()) fail(value.error_place, value.error);

  Value* table = &root;
  std::size_t begin = 0, names = 0;
  for (;;) {
    while (begin < equals && assignment[begin] == ' ') ++begin;
    std::size_t end = begin;
    while (end < equals && is_bare(assignment[end])) ++end;
    std::size_t next = end;
    while (next < equals && assignment[next] == ' ') ++next;
    const std::string key = assignment.substr(begin, end - begin);
    if (key.empty() || (next < equals && assignment[next] != '.') || ++names > most_names)
      fail_at(begin, std::max<std::size_t>(1, equals - begin), "an override's key is names with dots between",
              "for example run.end=1e4");
    const bool last = next >= equals;
    const Place place{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin), number};

    if (table->kind == Kind::array) {  // system.term.0.potential
      const bool digits = key.size() < 10 && std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
      const std::size_t k = digits ? std::stoul(key) : table->items.size();
      if (k >= table->items.size())
        fail(place, fmt::format("\"{}\" is not one of the {} entries of {}, counted from 0", key, table->items.size(),
                                assignment.substr(0, begin - 1)));
      table = &table->items[k];
    } else if (table->kind == Kind::table) {
      Entry& found = table->entry(key, place);
      if (last) found.place = place;
      table = &found.value;
    } else {
      fail(place, fmt::format("{} is {}, not a table", assignment.substr(0, begin - 1), noun(table->kind)));
    }
    if (last) break;
    begin = next + 1;
  }
  *table = std::move(value.root);
}

}  // namespace actio::io
