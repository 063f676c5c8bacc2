#pragma once
#include <actio/core/function_ref.hpp>
#include <span>
#include <vector>

namespace actio::run {

// Where a function changes its sign inside a step.
struct Crossing {
  double s = 0;  // of the step, from 0 to 1
  bool up = false;
};

// Finds all changes of sign of g in a step, two of them close together too. The Chebyshev interpolant of degree 4, then 8, then
// those of halves, until it is smooth, tells where there is none, and where g turns; between two turns g itself is asked, and its
// root found to the digits that s has. What no sample shows is missed: five in a step, more where the last coefficients are
// large.
class Crossings {
 public:
  using Function = core::FunctionRef<double(double)>;
  // `rough` is g(s), perhaps a little off, and asked often; `g` is asked where it may change its sign, and for roots. `g0`, `g1`:
  // at the ends. `sign` is that of g until now, 0 where it has been 0 from the start, and becomes that at the end of the step: a
  // value of 0 has the sign of those before it, so what only touches 0 is no crossing; NaN has none, and ends it.
  std::span<const Crossing> operator()(Function rough, Function g, double g0, double g1, int& sign);

 private:
  void look_at(Function rough, double from, double to, double at_from, double at_to, int halvings);
  void find(Function g, double g0, double g1, int& sign);
  std::vector<double> nodes_, values_;  // between which g does not turn, (0, 1], and g there
  std::vector<Crossing> found_;
};

}  // namespace actio::run
