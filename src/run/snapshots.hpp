#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include <actio/core/archive.hpp>
#include <actio/core/error.hpp>
#include <actio/method/integrator.hpp>

// Of two states; of one.
namespace actio::run {

// Zeros of two signs are not the same.
inline bool same_bits(const method::Snapshot& a, const method::Snapshot& b) {
  const auto same = [](const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
    return x.size() == y.size() && std::equal(x.data(), x.data() + x.size(), y.data(), [](double one, double other) {
             return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
           });
  };
  return a.t == b.t && same(a.q, b.q) && same(a.v, b.v) && same(a.p, b.p);
}

// 0 x is 0 of every finite x, and so is the sum: without a choice an entry.
inline bool finite(const method::Snapshot& s) {
  const auto all = [](const Eigen::VectorXd& x) { return (0 * x).sum() == 0; };
  return all(s.q) && all(s.v) && all(s.p);
}

// `s`, in short where it is the same as `other`: many are the state seen last. `other` may be null.
inline void archive(core::Archive& a, method::Snapshot& s, const method::Snapshot* other) {
  bool same = other != nullptr && !a.reading() && same_bits(s, *other);
  a(same);
  if (!same) {
    a(s.t, s.q, s.v, s.p);
  } else if (a.reading()) {
    if (!other) throw core::InputError("the saved state has another layout");
    s = *other;
  }
}

}  // namespace actio::run
