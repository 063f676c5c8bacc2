#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <actio/expr/operations.hpp>

#include "support.hpp"

using namespace actio::expr;
using namespace actio::expr::test;

namespace {

using Point = std::vector<Precise>;
const std::vector<Precise> uniforms{0, Precise("1.5")};

std::vector<Id> xyz(Graph& g) { return {g.column(0), g.column(1), g.column(2)}; }
Precise at(const Graph& g, Id f, const Point& p) { return evaluate<Precise>(g, f, p, uniforms); }

// Central difference of f along x_k with a step of 1e-12 in 50 digits, or nothing where f has a kink or grows too fast there for
// the difference to be trusted: where a step ten times as long, or those of one side, say something else.
std::optional<Precise> difference(const Graph& g, Id f, Point p, std::size_t k) {
  const Precise here = at(g, f, p), x = p[k];
  const auto move = [&](double h) {
    p[k] = x + Precise(h);
    return at(g, f, p);
  };
  const auto central = [&](double h) { return Precise((move(h) - move(-h)) / (2 * Precise(h))); };
  const Precise forward = (move(1e-12) - here) / Precise(1e-12), d = central(1e-12), longer = central(1e-11);
  const Precise scale = 1 + abs(here) + abs(d);
  if (!isfinite(d) || abs(d - longer) > 1e-15 * scale || abs(d - forward) > 1e-8 * scale) return {};
  return d;
}

// |derivative - difference| within what rounding makes of the constants that the graphs were folded to, in double precision.
bool agree(const Precise& derivative, const Precise& expected, const Precise& value, double rounding = 1e-14) {
  return isfinite(derivative) && abs(derivative - expected) <= rounding * (1 + abs(value) + abs(expected));
}

struct Case {
  std::vector<std::uint8_t> bytes;
  Point point;
};
Case any_case() {
  Case c;
  c.bytes = *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>());
  for (int k = 0; k < 3; ++k) c.point.push_back(Precise(*rc::gen::inRange(-3000, 3000)) / 1117);
  return c;
}

}  // namespace

TEST(Gradient, agrees_with_differences_in_fifty_digits_for_any_expression) {
  int compared = 0;
  EXPECT_TRUE(rc::check([&] {
    const Case c = any_case();
    Graph g;
    const Id f = from_bytes(g, c.bytes);
    const std::vector<Id> d = gradient(g, f, xyz(g));
    for (std::size_t k = 0; k < 3; ++k)
      if (const auto expected = difference(g, f, c.point, k)) {
        ++compared;
        RC_ASSERT(agree(at(g, d[k], c.point), *expected, at(g, f, c.point)));
      }
  }));
  EXPECT_GT(compared, 200);
}

TEST(Hessian, agrees_with_differences_of_the_gradient_for_any_expression) {
  int compared = 0;
  EXPECT_TRUE(rc::check([&] {
    const Case c = any_case();
    Graph g;
    const Id f = from_bytes(g, c.bytes);
    const std::vector<Id> d = gradient(g, f, xyz(g)), dd = hessian(g, f, xyz(g));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        if (const auto expected = difference(g, d[i], c.point, j)) {
          ++compared;
          RC_ASSERT(agree(at(g, dd[i * (i + 1) / 2 + j], c.point), *expected, at(g, d[i], c.point)));
        }
  }));
  EXPECT_GT(compared, 400);
}

TEST(Third, agrees_with_differences_of_the_hessian_for_any_expression) {
  int compared = 0;
  EXPECT_TRUE(rc::check([&] {
    const Case c = any_case();
    Graph g;
    const Id f = from_bytes(g, c.bytes);
    const std::vector<Id> a{g.constant(0.5), g.constant(-1), g.constant(0.75)};
    const std::vector<Id> dd = hessian(g, f, xyz(g)), t = third(g, f, xyz(g), a);
    Id along = g.constant(0);  // a' H a
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        along = g.add(along, g.mul(g.mul(a[i], a[j]), dd[i < j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j]));
    for (std::size_t k = 0; k < 3; ++k)
      if (const auto expected = difference(g, along, c.point, k)) {
        ++compared;
        // Terms of a third derivative are up to a thousand times what is left of them.
        RC_ASSERT(agree(at(g, t[k], c.point), *expected, at(g, along, c.point), 1e-11));
      }
  }));
  EXPECT_GT(compared, 200);
}

// Values of SymPy 1.11, evaluated to 20 digits at (5/4, 3/4, 5/2), c = 3/2, a = (1/2, -1, 3/4).
TEST(Derivatives, agree_with_sympy) {
  struct Expected {
    const char* text;
    double value;
    std::array<double, 3> first;
    std::array<double, 6> second;
    std::array<double, 3> third;
  };
  const Expected cases[] = {
      {"c*(x^2+y^2)*(x^2+y^2-1)^2",
       4.0341796875000000,
       {22.675781250000000, 13.605468750000000, 0},
       {100.17187500000000, 49.218750000000000, 47.671875000000000, 0, 0, 0},
       {76.875000000000000, 63.187500000000000, 0}},
      {"x^y*sin(x*y)/(1+z^2)",
       0.13143869729543637,
       {0.15123753095496074, 0.14995355199078195, -0.090647377445128531},
       {-0.0028577358108966217, 0.18454825488579097, -0.14499536117986223, -0.10430174548617982, -0.10341624275226341,
        0.088771914463505182},
       {0.061082990438801637, -0.23646841428853283, 0.091342886908368662}},
      {"atan2(x,y*z)+acos(x/4)*asin(y/7)-atan(z)/x",
       -0.22972410322836824,
       {1.1027641765070621, -0.43535219429556682, -0.29496021220159151},
       {-1.4030781309078483, -0.22716402855156439, 1.1388822733343660, 0.031471128341154866, 0.094674556213017751,
        0.17834840180399496},
       {0.25688002164762376, -2.6030685354370431, 0.050749607321461788}},
      {"tanh(x-y)*cosh(z/3)+log(sinh(x)+z)",
       2.0435327957108875,
       {1.5360687266654254, -1.0756930244166812, 0.38753585424564674},
       {-0.81560901582518146, 0.99419240505571797, -0.99419240505571797, 0.13240052617191878, -0.24463474952841203,
        0.010798124121620802},
       {-2.1150169259957800, 2.1809371794764784, -0.17144157256920929}},
      {"-c/sqrt((x-y)^2+z^2)+(x^2+y*z)^-1.5",
       -0.43144371015037939,
       {-0.12591118882273335, -0.21642632811727982, 0.17493722069536421},
       {0.25435200247547614, 0.23114483973036072, 0.39128700925148141, 0.041144504677345660, 0.077117546629204345,
        -0.14257679085092392},
       {-0.52988144280272668, 0.041272441351980608, 0.10850108223300903}},
      {"exp(-x*y/9)*tan(z/4)+cos(x)^3",
       0.68146360140370675,
       {-0.33724344787177728, -0.090293287353075754, 0.34253013994241957},
       {1.6142814465852139, -0.064710189269704290, 0.012540734354593855, -0.028544178328534964, -0.047573630547558274,
        0.12356508326944642},
       {-0.73192756854183527, -0.063044386946303550, 0.12101088923271328}},
      {"hypot(x,y)*erf(z/3)+erfc(x*y)/hypot(y,z)-log10(x+z)",
       0.60674079057922600,
       {0.40245410426914366, 0.15954970749502296, 0.13198328998705010},
       {0.35847549244531521, -0.079575757886821842, 0.95156340143817149, 0.24134440539199544, 0.18756395671386651,
        -0.10300193943817645},
       {-0.097893048820133498, -1.2870610750368226, 0.038164094339870648}},
  };
  const Point p{Precise(1.25), Precise(0.75), Precise(2.5)};
  for (const Expected& e : cases) {
    Graph g;
    const Id f = parsed(g, e.text);
    const std::vector<Id> x = xyz(g), a{g.constant(0.5), g.constant(-1), g.constant(0.75)};
    const auto expect = [&](Id id, double expected) {
      EXPECT_NEAR(static_cast<double>(at(g, id, p)), expected, 4e-16 * (1 + std::abs(expected))) << e.text;
    };
    expect(f, e.value);
    for (std::size_t k = 0; k < 3; ++k) expect(gradient(g, f, x)[k], e.first[k]);
    for (std::size_t k = 0; k < 6; ++k) expect(hessian(g, f, x)[k], e.second[k]);
    for (std::size_t k = 0; k < 3; ++k) expect(third(g, f, x, a)[k], e.third[k]);
  }
}

TEST(Derivatives, structural_zeros_are_the_constant_zero) {
  Graph g;
  const Id f = parsed(g, "x^2 + sin(y)");
  EXPECT_TRUE(g.is_constant(gradient(g, f, xyz(g))[2], 0));
  const std::vector<Id> dd = hessian(g, f, xyz(g));
  EXPECT_TRUE(g.is_constant(dd[0], 2));
  for (const std::size_t k : {1U, 3U, 4U, 5U}) EXPECT_TRUE(g.is_constant(dd[k], 0)) << k;
  const std::vector<Id> t = third(g, f, xyz(g), std::array{g.column(5), g.column(6), g.column(7)});
  EXPECT_TRUE(g.is_constant(t[0], 0));
  EXPECT_FALSE(g.is_constant(t[1], 0));
  EXPECT_TRUE(g.is_constant(t[2], 0));
}

TEST(Derivatives, of_a_number_and_of_a_coordinate) {
  Graph g;
  EXPECT_EQ(gradient(g, g.constant(3), xyz(g)), std::vector<Id>(3, g.constant(0)));
  EXPECT_EQ(gradient(g, g.column(1), xyz(g)), (std::vector<Id>{g.constant(0), g.constant(1), g.constant(0)}));
  EXPECT_EQ(hessian(g, g.column(1), xyz(g)), std::vector<Id>(6, g.constant(0)));
}

TEST(Derivatives, pick_the_branch) {
  Graph g;
  const auto slope = [&](std::string_view text, double x) {
    return evaluate<double>(g, gradient(g, parsed(g, text), xyz(g))[0], {x, 2, 0});
  };
  EXPECT_EQ(slope("where(x < 1, x^2, 3*x)", 0.5), 1);
  EXPECT_EQ(slope("where(x < 1, x^2, 3*x)", 1.5), 3);
  EXPECT_EQ(slope("min(x, 2*x)", -1), 2);
  EXPECT_EQ(slope("min(x, 2*x)", 1), 1);
  EXPECT_EQ(slope("max(x, y)", 3), 1);
  EXPECT_EQ(slope("max(x, y)", 1), 0);
  EXPECT_EQ(slope("abs(x)", -3), -1);
  EXPECT_EQ(slope("x*sign(x)", -3), -1);
  EXPECT_EQ(slope("(x < 1)*x", 0.5), 1);
  EXPECT_EQ(slope("x*floor(x)", 2.5), 2);
  EXPECT_EQ(slope("x*round(x)", 2.75), 3);
  EXPECT_EQ(slope("mod(x, 3)^2", -2.5), 1);  // -2.5 is 0.5 past -3
  EXPECT_EQ(slope("mod(x, y)", 7), 1);
}

TEST(Derivatives, nan_of_the_branch_not_taken_stays_there) {
  const std::vector<double> p{0, 2, 0};
  for (const char* text :
       {"where(x > 0, x*log(x), y)", "y*where(x > 0, sqrt(x), x)", "where(x <= 0, y*x, where(x > 0, log(x), 1/x))",
        "max(y, log(x))^2", "exp(where(x > 0, x^1.5, 3*x*y))", "where(x > 0, acos(1 + 1/x), x^2)*where(x > 0, 1/x, x + y)"}) {
    Graph g;
    const Id f = parsed(g, text);
    const std::vector<Id> x = xyz(g), a{g.column(0), g.column(1), g.column(2)};
    const auto expect_finite = [&](Id id) { EXPECT_TRUE(std::isfinite(evaluate<double>(g, id, p))) << text; };
    expect_finite(f);
    for (const Id id : gradient(g, f, x)) expect_finite(id);
    for (const Id id : hessian(g, f, x)) expect_finite(id);
    for (const Id id : third(g, f, x, a)) expect_finite(id);
    for (const Id first : gradient(g, f, x))
      for (const Id second : gradient(g, first, x)) expect_finite(second);
  }
}

// A mod whose divisor varies: d/db (a - b floor(a/b)) = -floor(a/b).
TEST(Derivatives, of_mod_by_its_divisor) {
  Graph g;
  const Id d = gradient(g, parsed(g, "mod(x, y)"), xyz(g))[1];
  EXPECT_EQ(evaluate<double>(g, d, {7.5, 2, 0}), -3);
  EXPECT_EQ(evaluate<double>(g, d, {-7.5, 2, 0}), 4);
}

TEST(Pieces, are_found_where_they_depend_on_the_columns_that_are_asked_for) {
  Graph g;
  EXPECT_TRUE(has_pieces(g, parsed(g, "x^2 + abs(y)"), 0, 2));
  EXPECT_FALSE(has_pieces(g, parsed(g, "x^2 + abs(y)"), 0, 1));
  EXPECT_FALSE(has_pieces(g, parsed(g, "x^2 + abs(y)"), 0, 2, Shape::jump));
  for (const char* text : {"floor(x)", "round(x*y)", "mod(x, c)", "sign(x)", "x*(x < y)", "where(x < 1, x, y)"})
    EXPECT_TRUE(has_pieces(g, parsed(g, text), 0, 1, Shape::jump)) << text;
  EXPECT_FALSE(has_pieces(g, parsed(g, "x*floor(c) + sin(x)"), 0, 3));
}

TEST(Derivatives, nan_that_min_meets_is_not_hidden) {
  Graph g;
  const Id d = gradient(g, parsed(g, "min(x^2, 1)"), xyz(g))[0];
  EXPECT_TRUE(std::isnan(evaluate<double>(g, d, {std::nan(""), 0, 0})));
}

TEST(Derivatives, of_a_power_whose_exponent_is_a_parameter_are_finite_at_zero) {
  Graph g;
  const Id f = parsed(g, "x^c");
  const std::vector<Id> x{g.column(0)};
  for (const double c : {1.0, 2.0, 3.0, 4.0}) {
    const auto value = [&](Id id) { return evaluate<double>(g, id, {0}, {0, c}); };
    EXPECT_EQ(value(gradient(g, f, x)[0]), c == 1 ? 1 : 0) << c;
    EXPECT_EQ(value(hessian(g, f, x)[0]), c == 2 ? 2 : 0) << c;
    EXPECT_EQ(value(third(g, f, x, std::array{g.constant(1)})[0]), c == 3 ? 6 : 0) << c;
  }
}

TEST(Third, holds_a_fixed_even_where_it_depends_on_x) {
  Graph g;
  const std::vector<Id> x{g.column(0)};
  const Id f = parsed(g, "x^3");
  EXPECT_EQ(third(g, f, x, std::array{parsed(g, "2*x")})[0], parsed(g, "6*(2*x)^2"));
}

TEST(Derivatives, with_respect_to_a_node_take_it_as_independent) {
  Graph g;
  const Id r2 = parsed(g, "x^2 + y^2"), f = parsed(g, "sqrt(x^2 + y^2) + x");
  EXPECT_EQ(gradient(g, f, std::array{r2})[0], parsed(g, "0.5*(1/sqrt(x^2 + y^2))"));
  EXPECT_EQ(gradient(g, f, std::array{g.uniform(0)})[0], g.constant(0));
}

// A sum of n springs: work and size grow linearly, and the deep sum needs no deep recursion.
TEST(Derivatives, of_a_long_sum_stay_small) {
  Graph g;
  Id f = g.constant(0);
  std::vector<Id> x;
  const int n = 3000;
  for (int i = 0; i < n; ++i) {
    x.push_back(g.column(i));
    if (i > 0) f = g.add(f, g.pow(g.sub(x[static_cast<std::size_t>(i)], x[static_cast<std::size_t>(i) - 1]), g.constant(4)));
  }
  const std::size_t before = g.size();
  const std::vector<Id> d = gradient(g, f, x);
  EXPECT_LT(g.size() - before, 8U * n);
  EXPECT_EQ(evaluate<double>(g, d[1], {0, 1, 3}), 4 - 32);
  x.resize(100);
  EXPECT_EQ(evaluate<double>(g, hessian(g, f, x)[2], {0, 1, 3}), 12 + 48);
}
