#pragma once
#include <limits>
#include <vector>

#include <actio/core/sum.hpp>

namespace actio::run {

// The sizes h_0, h_1, ... of a run's steps [s]: one for all, or a cycle that is gone through again and again. Equal neighbours
// are one entry, so a cycle takes the memory of its changes.
//
//   Steps one = 0.1;                            // 0.1, 0.1, ...
//   Steps two;                                  // 0.1, 0.1, 0.3, 0.1, 0.1, 0.3, ...
//   if (two.append(0.1, 2) && two.append(0.3)) ...
class Steps {
 public:
  static constexpr long most_changes = 4'000'000;  // of the size, in a cycle: 128 MB
  Steps() = default;
  Steps(double h) { (void)append(h); }

  // `count` more steps of h at the end of the cycle. False when it has changed too often already.
  [[nodiscard]] bool append(double h, long count = 1);
  // Keeps the first `count` steps of the cycle.
  void truncate(long count);

  bool equal() const { return entries_.size() <= 1; }
  long cycle() const { return length_; }
  // h_k; 0 when there are no steps at all
  double operator[](long k) const { return equal() ? first() : entry(k % length_).h; }
  // The first step after k whose size may be another.
  long change_after(long k) const;
  // start + h_0 + ... + h_{k-1}: a product where the steps are equal, else right to about an eps.
  double time(double start, long k) const;

  double smallest() const;
  double largest() const;
  long different() const;  // how many sizes

  friend bool operator==(const Steps& a, const Steps& b);

 private:
  struct Entry {
    double h = 0;
    long first = 0;    // steps of the cycle before these
    core::Sum before;  // and their time
  };
  double first() const { return entries_.empty() ? 0 : entries_.front().h; }
  const Entry& entry(long k) const;  // of step k < length_ of the cycle
  std::vector<Entry> entries_;
  long length_ = 0;
  core::Sum period_;
};

}  // namespace actio::run
