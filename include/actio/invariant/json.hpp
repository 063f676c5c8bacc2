#pragma once
#include <string>
#include <string_view>

#include <Eigen/Core>

// Writes one JSON text. Numbers read back to the same bits; NaN and infinities, which JSON lacks, become null.
//
//   Json j;
//   j.begin().field("t", 1.5).key("energy").begin().field("initial", 2.0).end().end();
//   j.text();  // {"t":1.5,"energy":{"initial":2}}
namespace actio::invariant {

class Json {
 public:
  Json& begin() { return open('{'); }
  Json& end() { return close('}'); }
  Json& begin_array() { return open('['); }
  Json& end_array() { return close(']'); }
  Json& key(std::string_view name);
  Json& value(double x);
  Json& value(long x);
  Json& value(bool x);
  Json& value(std::string_view x);
  Json& value(const char* x) { return value(std::string_view(x)); }
  Json& value(const Eigen::VectorXd& x);
  Json& null();
  Json& raw(std::string_view json);  // a value that is JSON already
  template <class T>
  Json& field(std::string_view name, const T& x) {
    return key(name).value(x);
  }
  const std::string& text() const { return text_; }

 private:
  Json& open(char bracket);
  Json& close(char bracket);
  void separate();
  void quote(std::string_view s);
  std::string text_;
  bool first_ = true;  // nothing stands before in this object or array, or a key does
};

}  // namespace actio::invariant
