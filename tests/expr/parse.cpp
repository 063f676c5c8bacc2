#include <actio/expr/parse.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "support.hpp"

using namespace actio::expr;
using namespace actio::expr::test;

namespace {

double value(std::string_view text) {
  Graph g;
  return evaluate<double>(g, parsed(g, text), {2, 3, 5}, {7, 11});
}

struct Failure {
  std::string message, hint;
  std::size_t offset = 0, length = 0;
};
Failure failure_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const SyntaxError& e) { return {e.what(), e.hint, e.offset, e.length}; }
  return {"no error", "", 0, 0};
}
Failure failure(std::string_view text) {
  return failure_of([text] {
    Graph g;
    parsed(g, text);
  });
}
void expect_failure(std::string_view text, std::size_t offset, std::string_view message, std::string_view hint = "") {
  const Failure f = failure(text);
  EXPECT_EQ(f.message, message) << text;
  EXPECT_EQ(f.offset, offset) << text;
  EXPECT_EQ(f.hint, hint) << text;
  EXPECT_GE(f.length, 1U) << text;
}

std::string nested(std::size_t depth, char inside = 'x') {
  return fmt::format("{}{}{}", std::string(depth, '('), inside, std::string(depth, ')'));
}

}  // namespace

TEST(Parse, operators_bind_as_in_mathematics) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("24/4/2"), 3);
  EXPECT_EQ(value("-x^2"), -4);
  EXPECT_EQ(value("(-x)^2"), 4);
  EXPECT_EQ(value("x^-1"), 0.5);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("x^y^x"), 512);
  EXPECT_EQ(value("2*-x"), -4);
  EXPECT_EQ(value("- -x"), 2);
  EXPECT_EQ(value("+x"), 2);
  EXPECT_EQ(value("-x*y"), -6);
  EXPECT_EQ(value("x^2*y"), 12);
  EXPECT_EQ(value("-x^-x"), -0.25);
}

TEST(Parse, comparisons_and_logic_give_one_or_zero) {
  EXPECT_EQ(value("x < y"), 1);
  EXPECT_EQ(value("x > y"), 0);
  EXPECT_EQ(value("x <= 2"), 1);
  EXPECT_EQ(value("x >= 3"), 0);
  EXPECT_EQ(value("x == 2"), 1);
  EXPECT_EQ(value("x != 2"), 0);
  EXPECT_EQ(value("x + 1 < y*2 and y < z"), 1);
  EXPECT_EQ(value("x > y or y > z or z > x"), 1);
  EXPECT_EQ(value("not x > y and x > y"), 0);
  EXPECT_EQ(value("not not 3"), 1);
  EXPECT_EQ(value("1 or 1 and 0"), 1);
  EXPECT_EQ(value("where(x < y, 10, 20) + 1"), 11);
  EXPECT_EQ(value("where(x > y, 10, 20)"), 20);
}

TEST(Parse, numbers) {
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("2."), 2);
  EXPECT_EQ(value("2.5E+2"), 250);
  EXPECT_EQ(value("0.1"), 0.1);
  EXPECT_EQ(value("4.9406564584124654e-324"), 4.9406564584124654e-324);
  EXPECT_EQ(value("1e-400"), 0);
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value(" x\n + \t1 "), 3);
  expect_failure("1 + 1e400", 4, "number 1e400 is too large");
}

TEST(Parse, every_function_has_its_value) {
  EXPECT_DOUBLE_EQ(value("sqrt(z)"), std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(value("exp(x)"), std::exp(2.0));
  EXPECT_DOUBLE_EQ(value("log(x)"), std::log(2.0));
  EXPECT_DOUBLE_EQ(value("sin(x)"), std::sin(2.0));
  EXPECT_DOUBLE_EQ(value("cos(x)"), std::cos(2.0));
  EXPECT_DOUBLE_EQ(value("tan(x)"), std::tan(2.0));
  EXPECT_DOUBLE_EQ(value("asin(x/4)"), std::asin(0.5));
  EXPECT_DOUBLE_EQ(value("acos(x/4)"), std::acos(0.5));
  EXPECT_DOUBLE_EQ(value("atan(x)"), std::atan(2.0));
  EXPECT_DOUBLE_EQ(value("atan2(x, y)"), std::atan2(2.0, 3.0));
  EXPECT_DOUBLE_EQ(value("sinh(x)"), std::sinh(2.0));
  EXPECT_DOUBLE_EQ(value("cosh(x)"), std::cosh(2.0));
  EXPECT_DOUBLE_EQ(value("tanh(x)"), std::tanh(2.0));
  EXPECT_EQ(value("abs(-x)"), 2);
  EXPECT_EQ(value("sign(-x)"), -1);
  EXPECT_EQ(value("min(y, x, z)"), 2);
  EXPECT_EQ(value("max(y, x, z)"), 5);
  EXPECT_EQ(value("pow(x, y)"), 8);
  EXPECT_EQ(value("log10(1000)"), 3);
  EXPECT_EQ(value("log10(z)"), std::log10(5.0));
  EXPECT_EQ(value("hypot(x, y)"), std::hypot(2.0, 3.0));
  EXPECT_DOUBLE_EQ(value("hypot(x, y, z)"), std::sqrt(38.0));
  EXPECT_DOUBLE_EQ(value("hypot(3e200, 4e200)"), 5e200);
  EXPECT_EQ(value("erf(x/4)"), std::erf(0.5));
  EXPECT_EQ(value("erfc(x/4)"), std::erfc(0.5));
  EXPECT_EQ(value("switch(x, 3, 4)"), 1);
  EXPECT_EQ(value("switch(z, 3, 4)"), 0);
  EXPECT_DOUBLE_EQ(value("switch(y, 2, 4)"), 0.5);
  EXPECT_EQ(value("floor(x/4)"), 0);
  EXPECT_EQ(value("floor(-x/4)"), -1);
  EXPECT_EQ(value("round(-x/4)"), 0);  // halves go to the even neighbour
  EXPECT_EQ(value("round(y/2)"), 2);
  EXPECT_EQ(value("round(z/2)"), 2);
  EXPECT_EQ(value("round(-z/3)"), -2);
  EXPECT_EQ(value("mod(z, x)"), 1);
  EXPECT_EQ(value("mod(-z, x)"), 1);  // of the sign of the divisor, as % in an index
  EXPECT_EQ(value("mod(z, -x)"), -1);
  EXPECT_EQ(function_names().size(), 27U);
}

TEST(Parse, names_primes_and_indices_go_to_the_scope) {
  Graph g;
  EXPECT_EQ(parsed(g, "t"), g.uniform(0));
  EXPECT_EQ(parsed(g, "x'"), g.column(100));
  EXPECT_EQ(parsed(g, "x''"), g.column(200));
  EXPECT_EQ(parsed(g, "q[i]"), g.column(12));
  EXPECT_EQ(parsed(g, "q[2*i + j - 1]"), g.column(18));
  EXPECT_EQ(parsed(g, "q[(j + 3) % N]"), g.column(11));
  EXPECT_EQ(parsed(g, "q[(i - 3) % N]"), g.column(16));
  EXPECT_EQ(parsed(g, "q[(i - 5)/2 + 2]"), g.column(10));
  EXPECT_EQ(parsed(g, "q[-(-3)]"), g.column(13));
  EXPECT_EQ(parsed(g, "q'[3]"), g.column(113));
  EXPECT_EQ(parsed(g, "q[3]'"), g.column(113));
}

TEST(Parse, a_symbol_carries_its_place_in_the_text) {
  struct Recorder : Names {
    Id resolve(Graph& g, const Symbol& s) override {
      if (s.name == "q") offset = s.offset, length = s.length;
      return Names::resolve(g, s);
    }
    std::size_t offset = 0, length = 0;
  } scope;
  Graph g;
  parse(g, "1 + q[ i + 1 ]' * x", scope);
  EXPECT_EQ(scope.offset, 4U);
  EXPECT_EQ(scope.length, 11U);
}

TEST(Parse, errors_say_what_where_and_what_to_do) {
  expect_failure("", 0, "expected an expression");
  expect_failure("x *", 3, "expected an operand after '*'");
  expect_failure("x * )", 4, "expected an operand after '*'");
  expect_failure("* x", 0, "expected an operand, found '*'");
  expect_failure("x + sni(y)", 4, "unknown function \"sni\"", "did you mean \"sin\"?");
  expect_failure("ln(x)", 0, "unknown function \"ln\"", "the natural logarithm is log");
  expect_failure("2 x", 2, "expected an operator before 'x'", "multiplication is written with *");
  expect_failure("2x", 1, "expected an operator before 'x'", "multiplication is written with *");
  expect_failure("(x)(y)", 3, "expected an operator before '('", "multiplication is written with *");
  expect_failure("x(y)", 0, "'x' is not a function", "multiplication is written with *");
  expect_failure("sin", 0, "sin is a function", "write sin(...)");
  expect_failure("sin x", 0, "sin is a function", "write sin(...)");
  expect_failure("sin(x, y)", 0, "sin takes 1 argument, not 2");
  expect_failure("where(x, y)", 0, "where takes 3 arguments, not 2");
  expect_failure("1 + min(x)", 4, "min takes at least 2 arguments, not 1");
  expect_failure("cos()", 0, "cos takes 1 argument, not 0");
  expect_failure("(x + (y)", 0, "'(' is never closed");
  expect_failure("x + y)", 5, "')' closes nothing");
  expect_failure("q[i", 1, "'[' is never closed");
  expect_failure("x = 1", 2, "'=' does not compare", "equality is written with ==");
  expect_failure("x < y < z", 6, "comparisons do not chain", "write a < b and b < c");
  expect_failure("x ** 2", 2, "'**' is not an operator", "powers are written with ^");
  expect_failure("x && y", 2, "'&&' is not an operator", "write `and`");
  expect_failure("x $ y", 2, "unexpected character '$'");
  expect_failure("x % y", 2, "'%' is allowed in an index only");
  expect_failure("x + foo", 4, "unknown name \"foo\"");
  expect_failure("q[k]", 2, "unknown index 'k'");
  expect_failure("q[1.5]", 2, "an index is an integer, not '1.5'");
  expect_failure("q[99999999999999999999]", 2, "index is too large");
  expect_failure("x + and", 4, "expected an operand, found 'and'");
  expect_failure("\xCE\xB8 + 1", 0, "unexpected character '\xCE\xB8'", "names are made of the letters a-z, A-Z, digits and _");
  expect_failure(std::string_view("x\0y", 3), 1, "unexpected byte 0x00");
}

TEST(Parse, hostile_text_ends_in_an_error_not_a_crash) {
  for (const char* unit : {"(", "-", "sin(", "not ", "2^", "where(x,", "q[", "q[(", "- +"}) {
    std::string text;
    while (text.size() + std::string_view(unit).size() < 100000) text += unit;
    EXPECT_NE(failure(text).message, "no error") << unit;
    EXPECT_LT(failure(text).message.size(), 200U) << unit;
  }
  EXPECT_EQ(failure(std::string(1000000, 'x')).message, "expression is longer than 100000 characters");
  EXPECT_EQ(failure(nested(1000)).message, "expression is nested more than 200 deep");
  const std::string name(99999, 'n');
  EXPECT_LT(failure(name + "(x)").message.size(), 200U);
}

TEST(Parse, as_deep_as_the_limit_allows) {
  Graph g;
  Names names;
  const Limits most{.length = 100000, .depth = 1000000, .nodes = 1000};
  EXPECT_EQ(parse(g, nested(999), names, most), g.column(0));
  EXPECT_THROW(parse(g, nested(1001), names, most), SyntaxError);
}

TEST(Parse, long_sums_are_not_deep) {
  std::string text = "x";
  for (int i = 0; i < 20000; ++i) text += "+x";
  EXPECT_EQ(value(text), 40002);
}

TEST(Parse, the_number_of_operations_is_bounded) {
  std::string text = "x";
  for (int i = 1; i < 2000; ++i) text += fmt::format("+{}*y", i);
  Names names;
  const Failure f = failure_of([&] {
    Graph g;
    parse(g, text, names, {.length = 100000, .depth = 200, .nodes = 100});
  });
  EXPECT_EQ(f.message, "expression has more than 100 operations");
}

TEST(Ranges, nest_and_include_both_ends) {
  const std::vector<std::pair<std::string, long>> integers{{"N", 4}};
  const std::vector<Range> ranges = parse_ranges("i = 0..N-1, j = i+1..N-1", integers);
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].name, "i");
  EXPECT_EQ(ranges[0].first({}), 0);
  EXPECT_EQ(ranges[0].last({}), 3);
  EXPECT_EQ(ranges[1].first(std::array{2L}), 3);
  EXPECT_EQ(ranges[1].last(std::array{2L}), 3);
}

TEST(Ranges, errors_point_at_the_place) {
  const auto expect = [](std::string_view text, std::size_t offset, std::string_view message) {
    const Failure f = failure_of([text] { parse_ranges(text); });
    EXPECT_EQ(f.message, message) << text;
    EXPECT_EQ(f.offset, offset) << text;
  };
  expect("", 0, "expected an index range, found the end");
  expect("i", 1, "expected '=' after 'i'");
  expect("i = 0", 5, "expected '..', found the end");
  expect("i = 0 . 6", 6, "unexpected character '.'");
  expect("i = j..6", 4, "unknown index 'j'");
  expect("i = i..6", 4, "unknown index 'i'");
  expect("i = 0..6, i = 0..2", 10, "index 'i' is used twice");
  expect("i = 0..6 j = 0..2", 9, "expected ',' or the end, found 'j'");
  expect("i = 0..", 7, "expected an index, found the end");
}

TEST(Index, overflow_and_division_by_zero_are_errors) {
  const auto index = [](std::string_view text) { return parse_ranges(fmt::format("a = 0..1, b = {}..1", text))[1].first; };
  const std::array big{std::numeric_limits<long>::max()}, least{std::numeric_limits<long>::min()}, zero{0L};
  EXPECT_THROW(index("a + 1")(big), std::range_error);
  EXPECT_THROW(index("a*2")(big), std::range_error);
  EXPECT_THROW(index("a - 1")(least), std::range_error);
  EXPECT_THROW(index("-a")(least), std::range_error);
  EXPECT_THROW(index("a/(-1)")(least), std::range_error);
  EXPECT_EQ(index("a % (-1)")(least), 0);
  EXPECT_THROW(index("1/a")(zero), std::range_error);
  EXPECT_THROW(index("1 % a")(zero), std::range_error);
}

TEST(Index, division_rounds_down_and_remainder_wraps) {
  const auto index = [](std::string_view text) { return parse_ranges(fmt::format("a = 0..1, b = {}..1", text))[1].first; };
  for (long a = -9; a <= 9; ++a) {
    EXPECT_EQ(index("a/4")(std::array{a}), static_cast<long>(std::floor(static_cast<double>(a) / 4)));
    EXPECT_EQ(index("a % 4")(std::array{a}), ((a % 4) + 4) % 4);
    EXPECT_EQ(index("a/4*4 + a % 4")(std::array{a}), a);
  }
}

TEST(Index, is_bounded_in_depth_and_length) {
  const auto ranges = [](const std::string& text) {
    return failure_of([&] { parse_ranges(fmt::format("a = {}..1", text)); }).message;
  };
  EXPECT_EQ(ranges(nested(40, '1')), "index expression is nested too deeply");
  std::string sum = "1";
  for (int i = 0; i < 300; ++i) sum += "+1";
  EXPECT_EQ(ranges(sum), "index expression is too long");
  std::string deepest = "1";  // the fullest stack the limits allow
  for (int i = 0; i < 31; ++i) deepest = fmt::format("1+1*({})", deepest);
  EXPECT_EQ(parse_ranges(fmt::format("a = {}..1", deepest))[0].first({}), 32);
}
