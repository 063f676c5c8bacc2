#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace actio::io {

// The bytes of a Gmsh file from front to back. Lines and words are text; numbers are words or, once binary() was called, bytes.
class GmshInput {
 public:
  GmshInput(std::string_view bytes, std::string path) : bytes_(bytes), path_(std::move(path)) {}

  // Numbers from here on are bytes. `size_bytes` of a count: 4 or 8; `swapped`: not this machine's byte order.
  void binary(int size_bytes) { binary_ = true, size_bytes_ = size_bytes; }
  void swap() { swapped_ = !swapped_; }
  bool is_binary() const { return binary_; }

  // The next line without blanks at its ends, and without its end. False at the end of the file.
  bool line(std::string_view& out);
  // The same, skipping empty ones. Throws where the file ends: "the file ends before <wanted>".
  std::string_view line_with(std::string_view wanted);
  // Moves behind the line "$End<name>".
  void skip_to_end_of(std::string_view name);
  // Demands that line.
  void expect_end_of(std::string_view name);

  std::int64_t integer(std::string_view what);  // 4 bytes
  std::int64_t count(std::string_view what);    // 4 or 8 bytes; not negative
  double real(std::string_view what);           // 8 bytes
  void skip_integers(std::int64_t n, std::string_view what);
  // Throws unless n items can follow, each of `numbers` > 0 numbers, or `bytes` bytes where the file is binary.
  void must_hold(std::int64_t n, std::int64_t numbers, std::int64_t bytes, std::string_view what) const;

  // An error at the number or line that was read last.
  [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const;

 private:
  std::string_view word(std::string_view what);
  template <class T>
  T bytes(std::string_view what);
  std::int64_t left() const { return static_cast<std::int64_t>(bytes_.size() - at_); }

  std::string_view bytes_;
  std::string path_;
  std::size_t at_ = 0, last_ = 0, last_size_ = 1;  // where to go on; what was read last
  bool binary_ = false, swapped_ = false;
  int size_bytes_ = 8;
};

}  // namespace actio::io
