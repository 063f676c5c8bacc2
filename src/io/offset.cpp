#include "offset.hpp"

#include <cstdlib>
#include <optional>

#include <fmt/format.h>

namespace actio::io {
namespace {

constexpr long largest = 1'000'000'000;  // of a factor; with loops below 1e9 nothing overflows

struct Affine {
  long constant = 0;
  std::vector<long> factors;
  bool is_constant() const {
    for (long f : factors)
      if (f != 0) return false;
    return true;
  }
  bool is_small() const {
    for (long f : factors)
      if (std::labs(f) > largest) return false;
    return std::labs(constant) <= largest;
  }
};

Affine combine(const Affine& a, long factor, const Affine& b) {
  Affine sum = a;
  sum.constant += factor * b.constant;
  for (std::size_t k = 0; k < sum.factors.size(); ++k) sum.factors[k] += factor * b.factors[k];
  return sum;
}

std::optional<Affine> affine(const expr::Index& index, std::size_t loops) {
  std::vector<Affine> stack;
  const Affine zero{0, std::vector<long>(loops, 0)};
  for (const auto& step : index.steps) {
    Affine result = zero;
    if (step.op == 'c') {
      result.constant = step.value;
    } else if (step.op == 'v') {
      if (static_cast<std::size_t>(step.value) >= loops) return {};
      result.factors[static_cast<std::size_t>(step.value)] = 1;
    } else if (step.op == 'n') {
      if (stack.empty()) return {};
      result = combine(zero, -1, stack.back());
      stack.pop_back();
    } else {
      if (stack.size() < 2) return {};
      const Affine b = std::move(stack.back());
      stack.pop_back();
      const Affine a = std::move(stack.back());
      stack.pop_back();
      if (step.op == '+')
        result = combine(a, 1, b);
      else if (step.op == '-')
        result = combine(a, -1, b);
      else if (step.op == '*' && a.is_constant())
        result = combine(zero, a.constant, b);
      else if (step.op == '*' && b.is_constant())
        result = combine(zero, b.constant, a);
      else
        return {};
    }
    if (!result.is_small()) return {};
    stack.push_back(std::move(result));
  }
  if (stack.size() != 1) return {};
  return stack.back();
}

}  // namespace

Offset::Offset(const expr::Index& index, std::size_t loops) {
  if (auto form = affine(index, loops)) {
    constant_ = form->constant;
    factors_ = std::move(form->factors);
  } else {
    affine_ = false;
    general_ = index;
  }
}

std::optional<expr::Affine> Offset::in_two_loops(std::span<const long> others) const {
  if (!affine_ || factors_.size() > 2 + others.size()) return {};
  expr::Affine out{constant_, factors_.empty() ? 0 : factors_[0], factors_.size() < 2 ? 0 : factors_[1]};
  for (std::size_t k = 2; k < factors_.size(); ++k) out.constant += factors_[k] * others[k - 2];
  return out;
}

std::string Offset::key() const {
  if (affine_) return fmt::format("{}:{}", constant_, fmt::join(factors_, ","));
  std::string text = "general";
  for (const auto& step : general_.steps) text += fmt::format(" {}{}", step.op, step.value);
  return text;
}

}  // namespace actio::io
