#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace actio::expr {

struct Token {
  enum class Kind { number, name, symbol, end } kind = Kind::end;
  std::string_view text;   // in the source; empty at the end
  std::size_t offset = 0;  // of its first character
  double value = 0;        // of a number
  bool integer = false;    // a number of digits alone
};

// Tokens one at a time. Symbols are single characters but for == <= >= != and "..". Throws SyntaxError.
class Lexer {
 public:
  explicit Lexer(std::string_view text);
  const Token& now() const { return now_; }
  Token next();  // returns now() and moves on
  bool at(std::string_view symbol) const { return now_.kind == Token::Kind::symbol && now_.text == symbol; }
  bool at_name(std::string_view name) const { return now_.kind == Token::Kind::name && now_.text == name; }
  bool at_end() const { return now_.kind == Token::Kind::end; }
  bool accept(std::string_view symbol);
  bool accept_name(std::string_view name);
  std::size_t end_of_last() const { return end_of_last_; }  // offset just after the last token taken

 private:
  Token scan();
  Token number();
  std::string_view text_;
  std::size_t at_ = 0, end_of_last_ = 0;
  Token now_;
};

[[noreturn]] void fail(const Token& at, const std::string& message, std::string hint = {});
// "'*'" or "the end": a token as a message names it.
std::string quoted(const Token& token);

}  // namespace actio::expr
