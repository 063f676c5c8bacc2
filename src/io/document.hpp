#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <actio/core/error.hpp>

// A problem file and the overrides of the command line as one tree of values, each with its place in its text.
namespace actio::io {

// Bytes [offset, offset + length) of text number `text`: 0 is the file, k the k-th override.
struct Place {
  std::uint32_t offset = 0, length = 1;
  int text = 0;
};

enum class Kind : std::uint8_t { boolean, integer, number, string, array, table, date };
std::string_view noun(Kind kind);  // "a number", "a string", ...

struct Entry;
struct Value {
  Kind kind = Kind::table;
  Place place;
  long integer = 0;           // also 0 or 1 of a boolean
  double number = 0;          // also of an integer
  std::string string;         // decoded
  std::vector<Value> items;   // of an array
  std::vector<Entry> fields;  // of a table, in the order of their names
  bool is_number() const { return kind == Kind::number || kind == Kind::integer; }
  const Value* find(std::string_view key) const;
  const Entry* find_entry(std::string_view key) const;
  // The entry of that name, made when there is none.
  Entry& entry(const std::string& key, const Place& place);
};
struct Entry {
  std::string key;
  Place place;  // of the key
  Value value;
  bool added = false;   // by an override: the file has no such key
  Place first = place;  // where the key stood before overrides
};

class Document {
 public:
  // Throws core::InputError for wrong TOML, or TOML that is too large or too deep.
  Document(std::string text, std::string path);
  // "run.end=1e4": sets the value at a dotted path; a value that is not TOML is a string.
  void override_with(const std::string& assignment);

  Value root;
  const std::string& path() const { return texts_.front().name; }
  const std::string& text() const { return texts_.front().content; }
  core::Source source(const Place& place) const;
  // `length` decoded bytes from `offset` of a string value, as they stand in the text.
  Place inside(const Value& string, std::size_t offset, std::size_t length) const;
  [[noreturn]] void fail(const Place& place, const std::string& message, std::string_view hint = {}) const;
  // Another text values may point into. Returns its number.
  int add_text(std::string name, std::string content);

  // Whether `word` stands in an override other than number `text`.
  bool is_mentioned_elsewhere(const std::string& word, int text) const;

 private:
  struct Text {
    std::string name, content;
    std::vector<std::uint32_t> lines;  // offset of each line
  };
  std::vector<Text> texts_;
};

}  // namespace actio::io
