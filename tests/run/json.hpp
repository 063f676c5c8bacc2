#pragma once
#include <cctype>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// A strict reader of JSON for the tests: throws on anything that is not one JSON text.
namespace actio::test {

class Json {
 public:
  static Json parse(std::string_view text) {
    Reader r{text};
    Json j = r.value();
    r.space();
    if (r.at != text.size()) r.fail("text after the end");
    return j;
  }
  bool is_null() const { return kind_ == 'n'; }
  double number() const { return need('d'), number_; }
  const std::string& text() const { return need('s'), text_; }
  bool boolean() const { return need('b'), number_ != 0; }
  std::size_t size() const { return list_.size() + map_.size(); }
  bool has(const std::string& key) const { return map_.count(key) > 0; }
  const std::map<std::string, Json>& members() const { return need('o'), map_; }
  const Json& operator[](const std::string& key) const {
    need('o');
    if (!has(key)) throw std::runtime_error("no key " + key);
    return map_.at(key);
  }
  const Json& operator[](const char* key) const { return (*this)[std::string(key)]; }
  const Json& operator[](int i) const { return need('a'), list_.at(static_cast<std::size_t>(i)); }

 private:
  void need(char kind) const {
    if (kind_ != kind) throw std::runtime_error(std::string("expected ") + kind + ", found " + kind_);
  }
  struct Reader {
    std::string_view s;
    std::size_t at = 0;
    [[noreturn]] void fail(const std::string& what) const {
      throw std::runtime_error(what + " at " + std::to_string(at) + ": " + std::string(s.substr(at, 40)));
    }
    void space() {
      while (at < s.size() && (s[at] == ' ' || s[at] == '\n' || s[at] == '\t' || s[at] == '\r')) ++at;
    }
    char peek() {
      if (at >= s.size()) fail("the text ends too soon");
      return s[at];
    }
    void expect(std::string_view word) {
      if (s.substr(at, word.size()) != word) fail("expected " + std::string(word));
      at += word.size();
    }
    std::string string() {
      expect("\"");
      std::string out;
      while (peek() != '"') {
        char c = s[at++];
        if (static_cast<unsigned char>(c) < 0x20) fail("control character in a string");
        if (c == '\\') {
          c = peek();
          ++at;
          if (c == 'u') {
            const long code = std::strtol(std::string(s.substr(at, 4)).c_str(), nullptr, 16);
            if (code >= 0x800) out += static_cast<char>(0xE0 | (code >> 12));
            if (code >= 0x80) out += static_cast<char>(code < 0x800 ? 0xC0 | (code >> 6) : 0x80 | ((code >> 6) & 0x3F));
            out += static_cast<char>(code < 0x80 ? code : 0x80 | (code & 0x3F));
            at += 4;
            continue;
          }
          const std::string_view from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
          const auto k = from.find(c);
          if (k == std::string_view::npos) fail("unknown escape");
          c = to[k];
        }
        out += c;
      }
      ++at;
      return out;
    }
    Json value() {
      space();
      Json j;
      const char c = peek();
      if (c == '{' || c == '[') {
        ++at;
        j.kind_ = c == '{' ? 'o' : 'a';
        const char end = c == '{' ? '}' : ']';
        space();
        if (peek() == end) return ++at, j;
        while (true) {
          space();
          if (c == '{') {
            std::string key = string();
            space();
            expect(":");
            if (!j.map_.emplace(std::move(key), value()).second) fail("a key twice");
          } else {
            j.list_.push_back(value());
          }
          space();
          if (peek() == end) return ++at, j;
          expect(",");
        }
      }
      if (c == '"') {
        j.kind_ = 's';
        j.text_ = string();
      } else if (c == 'n') {
        expect("null");
      } else if (c == 't' || c == 'f') {
        expect(c == 't' ? "true" : "false");
        j.kind_ = 'b';
        j.number_ = c == 't';
      } else {
        if (c != '-' && std::isdigit(static_cast<unsigned char>(c)) == 0) fail("not a value");
        const std::string rest(s.substr(at, 400));
        char* end = nullptr;
        j.number_ = std::strtod(rest.c_str(), &end);
        j.kind_ = 'd';
        at += static_cast<std::size_t>(end - rest.c_str());
      }
      return j;
    }
  };
  char kind_ = 'n';
  double number_ = 0;
  std::string text_;
  std::vector<Json> list_;
  std::map<std::string, Json> map_;
};

}  // namespace actio::test

namespace test = actio::test;
