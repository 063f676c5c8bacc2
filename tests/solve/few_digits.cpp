#include <gtest/gtest.h>

#include <actio/solve/chord.hpp>
#include <cmath>

// Increments of few digits by a factor that is kept: taken while they serve, never at the price of a factorisation.
namespace actio::solve {
namespace {

using algebra::Digits;

// x = 1; increments by a factor that is off by 1 in 100, with few digits by `loses`.
struct Equations {
  Chord& chord;
  double loses;
  double x = 3, start = 3, r = 0, dx = 0;
  int factors = 0, few = 0, all = 0;
  void evaluate() { r = x - 1; }
  bool residual() {
    evaluate();
    return true;
  }
  bool factor() {
    ++factors;
    chord.keep(100);
    return true;
  }
  double increment(Digits digits) {
    ++(digits == Digits::few ? few : all);
    dx = (digits == Digits::few ? 1.01 - loses : 1.01) * r;
    return dx * dx;
  }
  void take() { x -= dx; }
  void restart() { x = start; }
  double size() const { return x * x; }
};

NewtonReport solve(Equations& e) {
  e.x = e.start;
  return e.chord.solve(e, [] { return 0.0; });
}

TEST(FewDigits, are_taken_by_the_factor_of_an_earlier_call) {
  Chord chord;
  Equations e{chord, 1e-4};
  EXPECT_TRUE(solve(e).converged);
  EXPECT_EQ(e.few, 0);  // a factor of this call leaves less than they do
  const int all = e.all;
  EXPECT_TRUE(solve(e).converged);
  EXPECT_NEAR(e.x, 1, 1e-15);
  EXPECT_GT(e.few, 2);
  EXPECT_EQ(e.all, all);
  EXPECT_EQ(e.factors, 1);
}

TEST(FewDigits, are_given_up_where_all_of_them_serve_and_they_do_not) {
  Chord chord;
  Equations e{chord, 0.9};
  EXPECT_TRUE(solve(e).converged);
  for (int call = 0; call < 3; ++call) {
    EXPECT_TRUE(solve(e).converged);
    EXPECT_NEAR(e.x, 1, 1e-15);
    EXPECT_EQ(e.few, 2);  // of the first of these calls
  }
  EXPECT_EQ(e.factors, 1);
}

}  // namespace
}  // namespace actio::solve
