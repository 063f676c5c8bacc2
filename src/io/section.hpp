#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <actio/io/vocabulary.hpp>

#include "document.hpp"

// Typed, checked access to the tables of a problem file. Every error names the key's path and points at its place.
namespace actio::io {

// A table with known keys. Throws for an unknown one, with a "did you mean".
class Section {
 public:
  Section(const Document& document, const Value& table, std::string path, std::vector<std::string> keys);
  const Value* find(std::string_view key) const { return table_->find(key); }
  const Value& need(std::string_view key) const;  // throws when it is missing
  std::string path(std::string_view key) const;   // "run.step"
  const std::string& path() const { return path_; }
  const Document& document() const { return *document_; }
  const Value& table() const { return *table_; }
  const Place& place_of(std::string_view key) const;

 private:
  const Document* document_;
  const Value* table_;
  std::string path_;
};

// "run.step must be a number, not a string"
[[noreturn]] void wrong_type(const Document& document, const Value& value, const std::string& path, std::string_view wanted);
void need_kind(const Document& document, const Value& value, const std::string& path, Kind kind);
double finite(const Document& document, const Value& value, const std::string& path);    // a finite number
double positive(const Document& document, const Value& value, const std::string& path);  // finite and > 0
long integer(const Document& document, const Value& value, const std::string& path, long least, long most);

std::string_view plural(long count, std::string_view one, std::string_view many);  // "entry", "entries"

}  // namespace actio::io
