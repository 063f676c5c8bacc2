#include "lexer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <actio/expr/parse.hpp>

namespace actio::expr {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
// Bytes of the character that starts with c in UTF-8.
std::size_t width(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
}

}  // namespace

void fail(const Token& at, const std::string& message, std::string hint) {
  throw SyntaxError(at.offset, std::max<std::size_t>(at.text.size(), 1), message, std::move(hint));
}

std::string quoted(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end";
  return fmt::format("'{}{}'", token.text.substr(0, 40), token.text.size() > 40 ? "..." : "");
}

Lexer::Lexer(std::string_view text) : text_(text) { now_ = scan(); }

Token Lexer::next() {
  const Token taken = now_;
  end_of_last_ = taken.offset + taken.text.size();
  now_ = scan();
  return taken;
}

bool Lexer::accept(std::string_view symbol) {
  if (!at(symbol)) return false;
  next();
  return true;
}
bool Lexer::accept_name(std::string_view name) {
  if (!at_name(name)) return false;
  next();
  return true;
}

Token Lexer::number() {
  std::size_t end = at_;
  const auto digits = [&] {
    const std::size_t first = end;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    return end > first;
  };
  bool integer = digits();
  if (end < text_.size() && text_[end] == '.' && text_.substr(end, 2) != "..") {  // 0..6 is a range
    integer = false;
    ++end;
    digits();
  }
  if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
    const std::size_t mantissa = end++;
    if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
    if (digits())
      integer = false;
    else
      end = mantissa;
  }
  Token token{Token::Kind::number, text_.substr(at_, end - at_), at_, 0, integer};
  const auto parsed = std::from_chars(token.text.data(), token.text.data() + token.text.size(), token.value);
  if (parsed.ec == std::errc::result_out_of_range) {
    // Too large, or so small that it is 0: the exponent tells, or without one the leading digit.
    const std::size_t e = token.text.find_first_of("eE");
    const bool small = e != token.text.npos ? token.text[e + 1] == '-' : token.text[0] == '0' || token.text[0] == '.';
    if (!small) fail(token, fmt::format("number {} is too large", token.text.substr(0, 40)));
    token.value = 0;
  }
  at_ = end;
  return token;
}

Token Lexer::scan() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  if (at_ == text_.size()) return {Token::Kind::end, {}, at_};
  const char c = text_[at_];
  if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
  const auto take = [this](Token::Kind kind, std::size_t length) {
    const Token token{kind, text_.substr(at_, length), at_};
    at_ += length;
    return token;
  };
  if (is_letter(c)) {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    return take(Token::Kind::name, end - at_);
  }
  const std::string_view two = text_.substr(at_, 2);
  for (const std::string_view symbol : {"==", "<=", ">=", "!=", ".."})
    if (two == symbol) return take(Token::Kind::symbol, 2);
  const bool member = c == '.' && at_ + 1 < text_.size() && is_letter(text_[at_ + 1]);  // top.x
  if (member || std::string_view("+-*/^()[],<>'%=").find(c) != std::string_view::npos) {
    if (two == "**") fail(take(Token::Kind::symbol, 2), "'**' is not an operator", "powers are written with ^");
    return take(Token::Kind::symbol, 1);
  }
  const Token bad = take(Token::Kind::symbol, std::min(width(c), text_.size() - at_));
  if (two == "&&") fail(bad, "'&&' is not an operator", "write `and`");
  if (two == "||") fail(bad, "'||' is not an operator", "write `or`");
  if (c == '!') fail(bad, "'!' is not an operator", "write `not`");
  if (c == ';' || c == '{' || c == '}' || width(c) > 1 || (c > ' ' && c < 127))
    fail(bad, fmt::format("unexpected character '{}'", bad.text),
         width(c) > 1 ? "names are made of the letters a-z, A-Z, digits and _" : "");
  fail(bad, fmt::format("unexpected byte 0x{:02x}", static_cast<unsigned char>(c)));
}

}  // namespace actio::expr
