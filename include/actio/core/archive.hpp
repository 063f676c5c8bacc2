#pragma once
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <actio/core/error.hpp>

// Numbers to bytes and back, to the bit; one list of fields says both.
//
//   struct State {
//     double t; Eigen::VectorXd q; long steps;
//     void archive(core::Archive& a) { a(t, q, steps); }
//   };
//   core::Archive out;           out(state);   // out.bytes()
//   core::Archive in(bytes);     in(state);
//
// A field begins with a letter for its kind, a list with its length, so that bytes of another layout are refused: reading throws
// core::InputError, and takes no memory for what is not there. Bytes are those of this machine.
namespace actio::core {

class Archive {
 public:
  Archive() = default;                                                        // writes
  explicit Archive(std::string_view bytes) : left_(bytes), reading_(true) {}  // reads; the bytes outlive it
  bool reading() const { return reading_; }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }
  bool finished() const { return left_.empty(); }

  template <class... T>
  Archive& operator()(T&... fields) {
    (field(fields), ...);
    return *this;
  }
  // A part that may have nothing to say.
  template <class T>
  Archive& part(T& x) {
    if constexpr (requires { x.archive(*this); }) x.archive(*this);
    return *this;
  }

  // The beginning of a text of that size, which whoever writes the bytes adds himself.
  void begin_text(std::size_t size) {
    kind('s');
    (void)length(size, 1);
  }

 private:
  template <class T>
  static constexpr bool numbers = requires(T& x) {
    { x.data() } -> std::same_as<double*>;
    x.size();
  };
  template <class T>
  static constexpr bool one_size = []() {  // its size is not to be changed
    if constexpr (requires { T::SizeAtCompileTime; })
      return T::SizeAtCompileTime >= 0;
    else
      return !requires(T & x) { x.resize(std::size_t{}); };
  }();

  template <class T>
  void field(T& x) {
    if constexpr (requires { x.archive(*this); }) {
      x.archive(*this);
    } else if constexpr (std::is_same_v<T, double>) {
      kind('d');
      raw(&x, sizeof x);
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      kind('i');
      std::int64_t wide = static_cast<std::int64_t>(x);
      raw(&wide, sizeof wide);
      x = static_cast<T>(wide);
      if (static_cast<std::int64_t>(x) != wide) refuse();
    } else if constexpr (std::is_same_v<T, std::string>) {
      kind('s');
      x.resize(length(x.size(), 1));
      raw(x.data(), x.size());
    } else if constexpr (numbers<T>) {
      kind('v');
      const std::size_t n = length(static_cast<std::size_t>(x.size()), sizeof(double));
      if (n != static_cast<std::size_t>(x.size())) {
        if constexpr (one_size<T>)
          refuse();
        else if constexpr (requires { T::SizeAtCompileTime; })
          x.resize(static_cast<std::ptrdiff_t>(n));
        else
          x.resize(n);
      }
      raw(x.data(), n * sizeof(double));
    } else {
      kind('l');  // a list of anything
      x.resize(length(x.size(), 1));
      for (auto& entry : x) field(entry);
    }
  }

  void kind(char c) {
    const char given = c;
    raw(&c, 1);
    if (c != given) refuse();
  }
  std::size_t length(std::size_t n, std::size_t bytes_each) {
    std::uint64_t wide = n;
    raw(&wide, sizeof wide);
    if (reading_ && wide > left_.size() / bytes_each) refuse();
    return static_cast<std::size_t>(wide);
  }
  void raw(void* x, std::size_t size) {
    if (size == 0) return;
    if (!reading_) {
      bytes_.append(static_cast<const char*>(x), size);
      return;
    }
    if (size > left_.size()) refuse();
    std::memcpy(x, left_.data(), size);
    left_.remove_prefix(size);
  }
  [[noreturn]] static void refuse() { throw InputError("the saved state has another layout"); }

  std::string bytes_;
  std::string_view left_;
  bool reading_ = false;
};

}  // namespace actio::core
