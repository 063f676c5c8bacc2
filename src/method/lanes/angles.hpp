#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../../expr/statement.hpp"

namespace actio::method::lanes {

// The C of a program's sines and cosines in an iteration that closes in: exactly at arguments x, where both are kept, and then
// near them, without calls, by
//
//   sin(x + e) = s + e (c - e/2 (s + e/3 c)),   cos(x + e) = c - e (s + e/2 (c - e/3 s))
//
// which leave out e^4/24 of themselves and e^5/120 of each other. The definitions stand in loops over lanes l.
class Angles {
 public:
  // Of the sum of e^2 over angles and lanes: what is left out is then below a thousandth of the rounding, e^4/24 < 2^-62.
  static constexpr const char* nearest = "0x1p-29";

  Angles(const expr::Program& program, const expr::Statements& statements) : statements_(statements) {
    for (const expr::Node& node : program.code)
      if (is_angle(node) && std::ranges::find(arguments_, node.a) == arguments_.end()) arguments_.push_back(node.a);
  }
  bool empty() const { return arguments_.empty(); }

  std::string arrays(long lanes) const {
    std::string out = fmt::format("double moved[{}];\n", lanes);
    for (std::size_t k = 0; k < arguments_.size(); ++k)
      out += fmt::format("double angle{0}[{1}], sine{0}[{1}], cosine{0}[{1}];\n", k, lanes);
    return out;
  }
  // After the definition of position i: keeps it, where it is an argument.
  std::string keep(expr::Id i) const {
    return of_argument(i, "angle{0}[l] = {1}; sine{0}[l] = sin({1}); cosine{0}[l] = cos({1});\n");
  }
  std::string turn(expr::Id i) const {
    return of_argument(
        i, "const double turn{0} = {1} - angle{0}[l], half{0} = 0.5 * turn{0}, third{0} = turn{0} * 0x1.5555555555555p-2;\n");
  }
  // The definition of position i, a sine or cosine where its argument was kept or turned.
  std::string exact(expr::Id i) const { return definition(i, "sine{0}[l]", "cosine{0}[l]"); }
  std::string near(expr::Id i) const {
    return definition(i, "sine{0}[l] + turn{0} * (cosine{0}[l] - half{0} * (sine{0}[l] + third{0} * cosine{0}[l]))",
                      "cosine{0}[l] - turn{0} * (sine{0}[l] + half{0} * (cosine{0}[l] - third{0} * sine{0}[l]))");
  }
  // e^2
  std::string moved() const {
    std::string out;
    for (std::size_t k = 0; k < arguments_.size(); ++k) out += fmt::format("{0}turn{1} * turn{1}", k == 0 ? "" : " + ", k);
    return out;
  }

 private:
  static bool is_angle(const expr::Node& node) { return node.op == expr::Op::sin || node.op == expr::Op::cos; }
  std::string of_argument(expr::Id i, const char* text) const {
    const auto it = std::ranges::find(arguments_, i);
    if (it == arguments_.end()) return {};
    return fmt::format(fmt::runtime(text), it - arguments_.begin(), statements_.number(i));
  }
  std::string definition(expr::Id i, const char* sine, const char* cosine) const {
    const expr::Node& node = statements_.node(i);
    if (!is_angle(node)) return statements_.definition(i);
    const auto k = std::ranges::find(arguments_, node.a) - arguments_.begin();
    return fmt::format("const double t{} = {};\n", i, fmt::format(fmt::runtime(node.op == expr::Op::sin ? sine : cosine), k));
  }

  const expr::Statements& statements_;
  std::vector<expr::Id> arguments_;  // of sines and cosines: positions
};

}  // namespace actio::method::lanes
