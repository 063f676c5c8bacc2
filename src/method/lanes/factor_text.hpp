#pragma once
#include <fmt/format.h>
#include <string>
#include <vector>

namespace actio::method::lanes {

// The C of a factorisation: the lower triangle of L D L' = K of those entries that are not zero by structure, and K d = r.
// Entries are k<i>_<j>, right-hand sides r<i>, solutions d<i>. Lines has line(format, ...).
template <class Lines>
class FactorText {
 public:
  FactorText(Lines& to, long n) : to_(to), n_(n), there_(static_cast<std::size_t>(n * (n + 1) / 2), false) {}
  void mark(long i, long j) { there_[place(i, j)] = true; }
  bool is_there(long i, long j) const { return there_[place(i, j)]; }

  // Entries k<i>_<j> become those of L; i<j> = 1/D_j.
  void factor() {
    for (long j = 0; j < n_; ++j) {
      std::string pivot = fmt::format("k{0}_{0}", j);
      for (long k = 0; k < j; ++k)
        if (is_there(j, k)) pivot += fmt::format(" - k{0}_{1} * b{0}_{1}", j, k);
      to_.line("const double i{} = 1.0 / ({});", j, pivot);
      for (long i = j + 1; i < n_; ++i) {
        std::string entry = is_there(i, j) ? fmt::format("k{}_{}", i, j) : "";
        bool filled = is_there(i, j);
        for (long k = 0; k < j; ++k)
          if (is_there(i, k) && is_there(j, k)) {
            entry += fmt::format(" - k{}_{} * b{}_{}", i, k, j, k);
            filled = true;
          }
        if (!filled) continue;
        if (!is_there(i, j)) {
          to_.line("double k{}_{};", i, j);
          mark(i, j);
        }
        to_.line("const double b{}_{} = {};", i, j, entry);  // L_ij D_j
        to_.line("k{0}_{1} = b{0}_{1} * i{1};", i, j);
      }
    }
  }
  void solve() {  // d0, d1, ... are declared
    for (long i = 0; i < n_; ++i) {
      std::string y = fmt::format("r{}", i);
      for (long j = 0; j < i; ++j)
        if (is_there(i, j)) y += fmt::format(" - k{}_{} * y{}", i, j, j);
      to_.line("const double y{} = {};", i, y);
    }
    for (long i = n_ - 1; i >= 0; --i) {
      std::string d = fmt::format("y{0} * i{0}", i);
      for (long j = i + 1; j < n_; ++j)
        if (is_there(j, i)) d += fmt::format(" - k{}_{} * d{}", j, i, j);
      to_.line("d{} = {};", i, d);
    }
  }

 private:
  static std::size_t place(long i, long j) { return static_cast<std::size_t>(i * (i + 1) / 2 + j); }
  Lines& to_;
  long n_;
  std::vector<bool> there_;
};

}  // namespace actio::method::lanes
