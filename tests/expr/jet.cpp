#include <gtest/gtest.h>

#include <actio/expr/jet.hpp>
#include <functional>

namespace actio::expr {
namespace {

using J = Jet<2>;

struct Function {
  const char* name;
  std::function<J(const J&, const J&)> of;
};

const Function functions[] = {{"product", [](const J& x, const J& y) { return x * x * y - 3 * y + 1; }},
                              {"quotient", [](const J& x, const J& y) { return (1 + x) / (y * y + x); }},
                              {"by a number", [](const J& x, const J& y) { return (x - y) / 4 + 2 / x; }},
                              {"sqrt", [](const J& x, const J& y) { return sqrt(x * y); }},
                              {"exp", [](const J& x, const J& y) { return exp(x * y); }},
                              {"log", [](const J& x, const J& y) { return log(x + y * y); }},
                              {"sin", [](const J& x, const J& y) { return sin(x * y); }},
                              {"cos", [](const J& x, const J& y) { return cos(x - 2 * y); }},
                              {"tan", [](const J& x, const J& y) { return tan(x * y); }},
                              {"asin", [](const J& x, const J& y) { return asin(x * y); }},
                              {"acos", [](const J& x, const J& y) { return acos(x * y); }},
                              {"atan2", [](const J& x, const J& y) { return atan2(x, y) + atan2(y, x) + atan2(-x, -2 * y); }},
                              {"hypot", [](const J& x, const J& y) { return hypot(x, 2 * y); }},
                              {"a power that varies", [](const J& x, const J& y) { return pow(x, y); }},
                              {"atan", [](const J& x, const J& y) { return atan(x / y); }},
                              {"sinh", [](const J& x, const J& y) { return sinh(x * y); }},
                              {"cosh", [](const J& x, const J& y) { return cosh(x * y); }},
                              {"tanh", [](const J& x, const J& y) { return tanh(x * y); }},
                              {"abs", [](const J& x, const J& y) { return abs(x - 2 * y) * y; }},
                              {"pow", [](const J& x, const J& y) { return pow(x + y, 2.5) + pow(x, 2) + pow(y, 1) + pow(x, 0); }},
                              {"in place", [](const J& x, const J& y) {
                                 J z = x;
                                 z += y * y;
                                 z -= x * y;
                                 z *= y;
                                 return z /= x;
                               }}};

class JetOf : public testing::TestWithParam<Function> {};

// First derivatives against differences of values, second ones against differences of first ones.
TEST_P(JetOf, has_the_derivatives_that_differences_have) {
  const double x[] = {0.7, 0.45}, d = 1e-5;
  const auto at = [&](int k, double by) {
    return GetParam().of(J::variable(x[0] + (k == 0 ? by : 0), 0), J::variable(x[1] + (k == 1 ? by : 0), 1));
  };
  const J f = at(0, 0);
  for (int k = 0; k < 2; ++k) {
    const J plus = at(k, d), minus = at(k, -d);
    EXPECT_NEAR(f.gradient[static_cast<std::size_t>(k)], (plus.value - minus.value) / (2 * d), 1e-8);
    for (int i = 0; i < 2; ++i) {
      const auto entry = static_cast<std::size_t>(i);
      EXPECT_NEAR(f.second(i, k), (plus.gradient[entry] - minus.gradient[entry]) / (2 * d), 1e-8);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Functions, JetOf, testing::ValuesIn(functions));

TEST(Jets, fill_the_vectors_of_Eigen) {
  const Eigen::Matrix<Jet<3>, 3, 1> x{Jet<3>::variable(1, 0), Jet<3>::variable(2, 1), Jet<3>::variable(3, 2)};
  const Eigen::Matrix<Jet<3>, 3, 1> y = 0.5 * x + x * 2;
  const Jet<3> f = x.dot(y) + (x / 2).squaredNorm();  // 2.75 |x|^2
  EXPECT_DOUBLE_EQ(f.value, 2.75 * 14);
  EXPECT_DOUBLE_EQ(f.gradient[2], 5.5 * 3);
  EXPECT_DOUBLE_EQ(f.second(1, 1), 5.5);
  EXPECT_DOUBLE_EQ(f.second(0, 2), 0);
  EXPECT_TRUE(f > 1 && f >= f.value && Jet<3>(1) < f && f == f);
}

}  // namespace
}  // namespace actio::expr
