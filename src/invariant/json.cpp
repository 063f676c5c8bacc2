#include <actio/invariant/json.hpp>

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <actio/core/utf8.hpp>

namespace actio::invariant {

void Json::separate() {
  if (!first_) text_ += ',';
  first_ = false;
}

Json& Json::open(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
  return *this;
}

Json& Json::close(char bracket) {
  text_ += bracket;
  first_ = false;
  return *this;
}

void Json::quote(std::string_view s) {
  text_ += '"';
  while (!s.empty()) {
    const core::Character c = core::first_character(s);
    if (c.code == '"' || c.code == '\\')
      text_ += {'\\', s[0]};
    else if (c.code == '\n')
      text_ += "\\n";
    else if (c.code == '\t')
      text_ += "\\t";
    else if (c.code == '\r')
      text_ += "\\r";
    else if (!c.sound)
      text_ += "\\ufffd";
    else if (core::is_control(c) || core::misleads(c))
      fmt::format_to(std::back_inserter(text_), "\\u{:04x}", c.code);
    else
      text_ += s.substr(0, c.bytes);
    s.remove_prefix(c.bytes);
  }
  text_ += '"';
}

Json& Json::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ':';
  first_ = true;
  return *this;
}

Json& Json::value(double x) {
  if (!std::isfinite(x)) return null();
  separate();
  fmt::format_to(std::back_inserter(text_), "{}", x);  // the shortest text that reads back the same
  return *this;
}

Json& Json::value(long x) {
  separate();
  fmt::format_to(std::back_inserter(text_), "{}", x);
  return *this;
}

Json& Json::value(bool x) {
  separate();
  text_ += x ? "true" : "false";
  return *this;
}

Json& Json::value(std::string_view x) {
  separate();
  quote(x);
  return *this;
}

Json& Json::value(const Eigen::VectorXd& x) {
  begin_array();
  for (double e : x) value(e);
  return end_array();
}

Json& Json::null() {
  separate();
  text_ += "null";
  return *this;
}

Json& Json::raw(std::string_view json) {
  separate();
  text_ += json;
  return *this;
}

}  // namespace actio::invariant
