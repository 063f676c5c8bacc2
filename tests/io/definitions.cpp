#include <cmath>

#include "evaluate.hpp"
#include "wrong.hpp"

// [system.define]: a file with definitions says what the file without them says.
namespace actio::io::test {
namespace {

const Eigen::VectorXd q5 = (Eigen::VectorXd(6) << 0.1, 0.4, -0.3, 0.8, 0.25, 1.5).finished();

Problem defined(const std::string& text, const std::string& definitions) {
  return load_text(with(text, "[initial]", "[system.define]\n" + definitions + "\n[initial]"), "p.toml");
}

// The energies of both are the same to the bit: the same graph.
void expect_same_energy(const Problem& a, const Problem& b, const Eigen::VectorXd& q) {
  const Eigen::VectorXd v = Eigen::VectorXd::Constant(q.size(), 0.5);
  EXPECT_EQ(energy(a.model, q, v, 0.7), energy(b.model, q, v, 0.7));
}

TEST(Definitions, stand_for_their_text) {
  const Problem plain = load_text(oscillator, "p.toml");
  const Eigen::Vector2d q(0.3, -0.8);
  for (const auto& [potential, definitions] :
       {std::pair{"c*r2", "r2 = \"x^2 + y^2\""},
        {"c*r2", "r2 = \"square(x) + square(y)\"\n\"square(a)\" = \"a^2\""},
        {"V(x, y)", "\"V(a, b)\" = \"c*(square( a ) + square(b))\"\n\"square( u )\" = \"u^2\""},
        {"c*sum", "sum = \"x^2 + other\"\nother = \"y^2\""}}) {
    SCOPED_TRACE(definitions);
    const Problem problem = defined(with(oscillator, "c*(x^2 + y^2)", potential), definitions);
    expect_same_energy(plain, problem, q);
    EXPECT_EQ(problem.model.terms[0].graph.size(), plain.model.terms[0].graph.size());
  }
}

TEST(Definitions, take_indices_where_their_text_has_them_in_brackets) {
  const Problem plain = load_text(chain, "p.toml");
  for (const auto& [potential, definitions] :
       {std::pair{"spring(k, k+1)", "\"spring(a, b)\" = \"c*m[a]*(theta[b] - theta[a])^2\""},
        {"spring(k)", "\"spring(a)\" = \"c*m[a]*length(a, 1)^2\"\n\"length(a, step)\" = \"theta[a+step] - theta[a]\""},
        {"c*m[k]*step(2*k - k)^2", "\"step(n)\" = \"theta[n+1] - theta[n]\""}}) {
    SCOPED_TRACE(definitions);
    expect_same_energy(plain, defined(with(chain, "c*m[k]*(theta[k+1] - theta[k])^2", potential), definitions), q5);
  }
}

// An index is a number too: / rounds down and % wraps, as in [ ].
TEST(Definitions, use_an_index_as_a_number) {
  const auto with_potential = [](const std::string& text) {
    return defined(with(chain, "c*m[k]*(theta[k+1] - theta[k])^2", text), "\"f(n)\" = \"(n + 1)*theta[n]\"");
  };
  expect_same_energy(with_potential("f(k)"), with_potential("(k + 1)*theta[k]"), q5);
  expect_same_energy(with_potential("f((k + 3) % N)"), with_potential("(mod(k + 3, N) + 1)*theta[(k + 3) % N]"), q5);
  expect_same_energy(with_potential("f((k - 1)/2 + 1)"), with_potential("(floor((k - 1)/2) + 2)*theta[(k - 1)/2 + 1]"), q5);
}

TEST(Definitions, hold_in_every_expression_of_the_file) {
  const std::string text = with(with(with(oscillator, "mass = [1.0, 1.0]", "mass = [\"twice(1)\", \"m\"]"),
                                     "position = [1.2, 0.0]", "position = [\"twice(c)\", \"m - 1\"]"),
                                "{ c = 1.0 }", "{ c = \"twice(half)\", half = 0.5 }");
  const Problem problem = defined(text, "\"twice(a)\" = \"2*a\"\nm = \"c + 2\"");
  EXPECT_EQ(problem.model.mass.diagonal[0], 2);
  EXPECT_EQ(problem.model.mass.diagonal[1], 3);
  EXPECT_EQ(problem.q0[0], 2);
  EXPECT_EQ(problem.q0[1], 2);
}

TEST(Definitions, of_parameters_order_the_parameters_that_use_them) {
  const Problem problem = defined(with(oscillator, "{ c = 1.0 }", "{ c = \"k\", b = \"3*a\", a = 2 }"), "k = \"b + 1\"");
  EXPECT_EQ(problem.model.parameters.back(), 7);
}

TEST(Definitions, grow_with_their_number_and_not_with_their_uses) {
  std::string definitions = "d0 = \"x^2 + y^2\"\n";
  for (int k = 1; k < 60; ++k)
    definitions += "d" + std::to_string(k) + " = \"d" + std::to_string(k - 1) + "*(1 + d" + std::to_string(k - 1) + ")\"\n";
  EXPECT_LT(defined(with(oscillator, "c*(x^2 + y^2)", "d59"), definitions).model.terms[0].graph.size(), 300U);
}

TEST(Definitions, that_are_wrong_are_errors_where_they_are_written) {
  const std::string text =
      with(oscillator, "[initial]", "[system.define]\nr2 = \"x^2 + y^2\"\n\"lj(r, s)\" = \"(s/r)^12\"\n[initial]");
  expect_errors(
      text,
      {{"r2 = \"x^2 + y^2\"", "r2 = \"x^2 + z^2\"", "8:13", "unknown name \"z\" in system.define.r2", "z"},
       {"(s/r)^12", "(s/q)^12", "9:18", "unknown name \"q\" in system.define.lj", "q"},
       {"(s/r)^12", "(sig/r)^12", "9:16", "unknown name \"sig\" in system.define.lj", "sig"},
       {"(s/r)^12", "(s/r)^1 2", "9:23", "expected an operator before '2' in system.define.lj", "2"},
       {"c*(x^2 + y^2)\"", "lj(r2)\"", "6:14", "lj takes 2 arguments, not 1 in system.potential", "lj",
        "it is defined as lj(r, s)"},
       {"c*(x^2 + y^2)\"", "lj\"", "6:14", "lj is a function in system.potential", "lj", "write lj(r, s)"},
       {"c*(x^2 + y^2)\"", "lk(r2, 1)\"", "6:14", "unknown function \"lk\" in system.potential", "lk", "did you mean \"lj\"?"},
       {"c*(x^2 + y^2)\"", "r2(1)\"", "6:14", "'r2' is not a function in system.potential", "r2"},
       {"c*(x^2 + y^2)\"", "r2[1]\"", "6:14", "r2 is a definition and takes no index in system.potential", "r2[1]"},
       {"c*(x^2 + y^2)\"", "r2'\"", "6:14", "r2 has no velocity in system.potential", "r2'"},
       {"mass = [1.0, 1.0]", "mass = \"r2\"", "8:7", "x is a coordinate, not allowed in system.define.r2, used in system.mass",
        "x"},
       {"r2 = \"x^2 + y^2\"", "c = \"x^2\"", "4:16", "\"c\" cannot be a parameter: it is already a definition", "c"},
       {"r2 = \"x^2 + y^2\"", "sin = \"x^2\"", "8:1", "\"sin\" cannot be a definition: it is already a word", "sin"},
       {"\"lj(r, s)\" =", "lj(r, s) =", "9:3", "not TOML", "", "a name with brackets needs quotes: \"lj(r, s)\" = ..."},
       {"lj(r, s)", "lj(r, r)", "9:1", "lj has two arguments \"r\"", ""},
       {"lj(r, s)", "lj(r, c)", "9:1", "\"c\" cannot be an argument of lj: it is already a parameter", ""},
       {"lj(r, s)", "lj(r, 2)", "9:1", "\"2\" is not a name", ""},
       {"lj(r, s)", "lj(r, s", "9:1", "\"lj(r, s\" is not a function with its arguments", "", "for example \"f(x, y)\""},
       {"\"lj(r, s)\" = \"(s/r)^12\"", "\"lj()\" = \"1\"", "9:1", "lj() has no arguments", ""},
       {"r2 = \"x^2 + y^2\"", "r2 = 2", "8:6", "system.define.r2 must be a string, not a number", ""}});
}

TEST(Definitions, that_depend_on_themselves_are_named) {
  const std::string text =
      with(oscillator, "[initial]", "[system.define]\na = \"b + 1\"\nb = \"x*f(y)\"\n\"f(u)\" = \"u^2\"\n[initial]");
  EXPECT_EQ(load_text(text, "p.toml").model.size(), 2);
  expect_errors(text, {{"u^2", "u*a", "10:13", "the definition a depends on itself: a -> b -> f -> a", "a"},
                       {"b + 1", "a + 1", "8:6", "the definition a depends on itself: a -> a", "a"}});
}

// Out of its family: the place is in the definition, the loop that of the term.
TEST(Definitions, say_where_an_index_leaves_its_family) {
  const std::string text = with(with(chain, "c*m[k]*(theta[k+1] - theta[k])^2", "step(k+1)^2"), "[initial]",
                                "[system.define]\n\"step(n)\" = \"theta[n+1] - theta[n]\"\n[initial]");
  expect_errors(text, {{"c = 1.5", "c = 2.5", "10:14",
                        "theta[n+1] is theta[5] at k = 3 in system.term[0].potential, but theta has 5 entries", "theta[n+1]"}});
}

}  // namespace
}  // namespace actio::io::test
