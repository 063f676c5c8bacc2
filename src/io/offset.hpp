#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <actio/expr/pairs.hpp>
#include <actio/expr/parse.hpp>

// An index such as k+1 or N-1-i in normal form: constant + sum of factor * loop, so that k+1 and 1+k are the same and walking
// many elements is cheap. What is not affine stays as it was parsed.
namespace actio::io {

class Offset {
 public:
  Offset() = default;
  Offset(const expr::Index& index, std::size_t loops);
  long operator()(std::span<const long> loops) const {
    if (!affine_) return general_(loops);
    long value = constant_;
    for (std::size_t k = 0; k < factors_.size(); ++k) value += factors_[k] * loops[k];
    return value;
  }
  std::string key() const;  // equal for equal normal forms
  // In the first two loops, or fewer, the others having these values; nothing where it is not affine.
  std::optional<expr::Affine> in_two_loops(std::span<const long> others = {}) const;

 private:
  bool affine_ = true;
  long constant_ = 0;
  std::vector<long> factors_;
  expr::Index general_;
};

}  // namespace actio::io
