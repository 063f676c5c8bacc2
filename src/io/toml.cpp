#include "toml.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "guard.hpp"
#include "text.hpp"

// What the parser takes for granted is checked in every build; that it does not hold is an error of the text.
namespace {
[[noreturn]] void broken_assumption() { throw std::logic_error("not TOML; the parser cannot say where"); }
}  // namespace
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? void() : broken_assumption())
#define TOML_MAX_NESTED_VALUES 64
#include <toml++/toml.h>

namespace actio::io {
namespace {

// toml++ counts lines and characters; we count bytes.
class Offsets {
 public:
  explicit Offsets(std::string_view content) : content_(content) {
    std::size_t characters = 0;
    for (std::size_t i = 0; i < content.size(); ++i) {
      if (continues(content[i])) continue;
      if (characters % stride == 0) every_.push_back(i);
      if (i == 0 || content[i - 1] == '\n') lines_.push_back(characters);
      ++characters;
    }
    if (content.ends_with('\n') || content.empty()) lines_.push_back(characters);
    characters_ = characters;
  }
  std::size_t operator()(const toml::source_position& at) const {
    if (at.line == 0 || at.line > lines_.size()) return content_.size();
    const std::size_t character = lines_[at.line - 1] + at.column - 1;
    if (character >= characters_) return content_.size();
    std::size_t i = every_[character / stride];
    for (std::size_t n = character % stride; n > 0; --n) do
        ++i;
      while (i < content_.size() && continues(content_[i]));
    return i;
  }

 private:
  static constexpr std::size_t stride = 256;
  static bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }
  std::string_view content_;
  std::vector<std::size_t> lines_;  // number of the first character of each line
  std::vector<std::size_t> every_;  // byte of every 256th character
  std::size_t characters_ = 0;
};

class Converter {
 public:
  // Bytes before `shift` are not in `content` but count in the places.
  Converter(const std::string& content, long shift, int text) : offsets_(content), shift_(shift), text_(text) {}

  Place place(const toml::source_region& region) const {
    const std::size_t begin = offsets_(region.begin), end = offsets_(region.end);
    return {static_cast<std::uint32_t>(static_cast<long>(begin) + shift_),
            static_cast<std::uint32_t>(std::max(end, begin + 1) - begin), text_};
  }

  Value convert(const toml::node& node) const {
    Value value;
    value.place = place(node.source());
    if (const auto* table = node.as_table()) {
      value.kind = Kind::table;
      value.fields.reserve(table->size());
      for (auto&& [key, child] : *table)
        value.fields.push_back({std::string(key.str()), place(key.source()), convert(child), false});
    } else if (const auto* array = node.as_array()) {
      value.kind = Kind::array;
      value.items.reserve(array->size());
      for (auto&& child : *array) value.items.push_back(convert(child));
    } else if (const auto* string = node.as_string()) {
      value.kind = Kind::string;
      value.string = string->get();
    } else if (const auto* integer = node.as_integer()) {
      value.kind = Kind::integer;
      value.integer = static_cast<long>(integer->get());
      value.number = static_cast<double>(integer->get());
    } else if (const auto* number = node.as_floating_point()) {
      value.kind = Kind::number;
      value.number = number->get();
    } else if (const auto* boolean = node.as_boolean()) {
      value.kind = Kind::boolean;
      value.integer = boolean->get() ? 1 : 0;
    } else {
      value.kind = Kind::date;
    }
    return value;
  }

 private:
  Offsets offsets_;
  long shift_;
  int text_;
};

std::string sentence(std::string_view description) {
  std::string text(description);
  const std::string prefix = "Error while parsing ";
  if (text.starts_with(prefix)) text = "in " + text.substr(prefix.size());
  return "not TOML: " + printable(text);
}

// The error stands in a value that would be sound in quotes: name = newmark.
std::string missing_quotes(std::string_view content, std::size_t at) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  at = std::min(at, content.size());
  const std::size_t before = at == 0 ? std::string_view::npos : content.rfind('\n', at - 1);
  const std::size_t line = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t equals = content.substr(0, std::min(at + 1, content.size())).rfind('=');
  if (equals == std::string_view::npos || equals < line) {  // a function: lj(r, eps) = "..."
    const std::string_view rest = content.substr(line, std::min(content.find('\n', line), content.size()) - line);
    const std::size_t close = rest.find(')');
    const bool function = at < content.size() && content[at] == '(' && close != std::string_view::npos && close < 100;
    return function ? fmt::format("a name with brackets needs quotes: \"{}\" = ...", printable(rest.substr(0, close + 1))) : "";
  }
  std::size_t begin = equals + 1, end = begin;
  while (begin < content.size() && blank(content[begin])) ++begin;
  int open = 0;  // a comma in brackets belongs to the text: atan2(y, x)
  for (end = begin; end < content.size() && content[end] != '\n' && content[end] != '#'; ++end) {
    open += (content[end] == '(') - (content[end] == ')');
    if (open <= 0 && (content[end] == ',' || content[end] == ']' || content[end] == '}')) break;
  }
  while (end > begin && blank(content[end - 1])) --end;
  std::size_t key = equals;
  while (key > line && blank(content[key - 1])) --key;
  const std::size_t key_end = key;
  while (key > line && content[key - 1] != ',' && content[key - 1] != '{' && !blank(content[key - 1])) --key;
  const std::string_view value = content.substr(begin, end - begin), name = content.substr(key, key_end - key);
  const bool words = value.find_first_of("abcdfghijklmnopqrstuvwxyzABCDFGHIJKLMNOPQRSTUVWXYZ*/^(") != std::string_view::npos;
  if (!words || name.empty() || value.size() > 100 || value.find_first_of("\"'[{=") != std::string_view::npos) return "";
  return fmt::format("a word or an expression needs quotes: {} = \"{}\"", printable(name), printable(value));
}

TomlResult parse(const std::string& content, long shift, int text) {
  TomlResult result;
  if (const Guarded guarded = guard(content, most_names); !guarded.error.empty()) {
    result.error = guarded.error;
    result.error_place = {static_cast<std::uint32_t>(std::max(0L, static_cast<long>(guarded.offset) + shift)), 1, text};
    return result;
  }
  const Converter converter(content, shift, text);
  try {
    result.root = converter.convert(toml::parse(std::string_view(content)));
  } catch (const toml::parse_error& error) {
    result.error = sentence(error.description());
    result.error_place = converter.place(error.source());
    if (shift == 0) result.hint = missing_quotes(content, result.error_place.offset);
  } catch (const std::logic_error& error) {
    result.error = error.what();
    result.error_place = {0, 1, text};
  }
  return result;
}

}  // namespace

TomlResult parse_toml(const std::string& content, int text) { return parse(content, 0, text); }

TomlResult parse_toml_value(const std::string& content, std::size_t begin, int text) {
  while (begin < content.size() && content[begin] == ' ') ++begin;
  std::size_t end = content.size();
  while (end > begin && content[end - 1] == ' ') --end;
  const std::string bare = content.substr(begin, end - begin);
  TomlResult result = parse("v=" + bare, static_cast<long>(begin) - 2, text);
  if (result.error.empty() && result.root.fields.size() == 1) {
    Value value = std::move(result.root.fields.front().value);
    if (value.kind != Kind::date) {
      result.root = std::move(value);
      return result;
    }
  }
  const bool meant_as_toml = !bare.empty() && (bare[0] == '[' || bare[0] == '{' || bare[0] == '"' || bare[0] == '\'');
  if (!result.error.empty() && meant_as_toml) return result;
  TomlResult string;
  string.root.kind = Kind::string;
  string.root.string = bare;
  string.root.place = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::max<std::size_t>(bare.size(), 1)),
                       text};
  return string;
}

}  // namespace actio::io
