#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Core>

// d f(x) / dx at 0 by central differences at d, d/2, d/4, ... extrapolated to zero (Ridders, Adv. Eng. Softw. 4 (1982) 75).
namespace actio::invariant {

struct Derivative {
  double first = 0;  // the largest d taken
  Eigen::VectorXd value;
  double error = std::numeric_limits<double>::infinity();  // estimate, 2-norm; infinite when no difference was finite
  Eigen::VectorXd errors;                                  // of each entry: |errors| >= error; as `value`, or empty
  Eigen::VectorXd coarser;                                 // the estimate before `value` in the table, as good as its error
};

struct Differences {
  int levels = 7;   // of d, at most
  double good = 0;  // an error below this times the value ends them early
  // Above 0: d is shortened until f(d) - 2 f(0) + f(-d) is this share of f(d) - f(-d), or of 2 d `size`, or less.
  double bend = 0, size = 0;
};

// f(x, out) is a vector-valued function; false when it cannot be evaluated there, then a smaller d is tried.
template <class F>
Derivative differentiate(F&& f, double d, Differences how = {}) {
  constexpr int most = 7;
  std::array<Eigen::VectorXd, most> before, row;
  Derivative best;
  Eigen::VectorXd plus, minus;
  int known = 0;  // entries in `before`
  double last = std::numeric_limits<double>::infinity();
  Eigen::VectorXd here;
  bool at_d = false;            // plus and minus are f(d), f(-d)
  double longer = 0, bent = 0;  // the d before, and how much f bends over it
  if (how.bend > 0 && f(0.0, here))
    for (int tries = 0; tries < 4 && !at_d; ++tries) {
      if (!f(d, plus) || !f(-d, minus)) {
        d /= 16;
        continue;
      }
      const double bends = (plus - 2 * here + minus).stableNorm(),
                   moves = std::max((plus - minus).stableNorm(), 2 * std::abs(d) * how.size);
      at_d = !(bends > how.bend * moves);
      if (!at_d && longer > 0 && bends > 0.5 * bent * (d / longer)) {  // falls as d, not as d^2: round-off
        d = longer;
        break;
      }
      longer = d;
      bent = bends;
      if (!at_d) d *= std::max(0.5 * how.bend * moves / bends, 1e-3);
    }
  for (int level = 0; level < std::min(how.levels, most); ++level, d /= 2, at_d = false) {
    if (!at_d && (!f(d, plus) || !f(-d, minus))) continue;
    row[0] = (plus - minus) / (2 * d);
    if (best.first == 0) best.first = d;
    if (!row[0].allFinite()) continue;
    double scale = 1;
    for (int j = 1; j <= known; ++j) {
      scale *= 4;
      row[j] = (scale * row[j - 1] - before[j - 1]) / (scale - 1);
      const double error = std::max((row[j] - row[j - 1]).stableNorm(), (row[j] - before[j - 1]).stableNorm());
      if (error <= best.error) {
        best.error = error;
        best.value = row[j];
        best.errors = (row[j] - row[j - 1]).cwiseAbs().cwiseMax((row[j] - before[j - 1]).cwiseAbs());
        best.coarser = before[j - 1];
      }
    }
    if (best.value.size() == 0) best.value = row[0];
    if (best.error <= how.good * best.value.stableNorm()) break;
    // Round-off has taken over: smaller differences are worse.
    const double change = known > 0 ? (row[known] - before[known - 1]).stableNorm() : last;
    if (known > 1 && change >= 2 * best.error && change > last) break;
    last = change;
    ++known;
    std::swap(before, row);
  }
  return best;
}

}  // namespace actio::invariant
