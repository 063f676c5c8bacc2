#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "wrong.hpp"

// Parameters that are expressions of parameters, in any order and to any depth.
namespace actio::io::test {
namespace {

double value_of_parameter(const Problem& problem, const std::string& name) {
  for (std::size_t k = 0; k < problem.model.parameter_names.size(); ++k)
    if (problem.model.parameter_names[k] == name) return problem.model.parameters[k];
  ADD_FAILURE() << "no parameter " << name;
  return 0;
}

TEST(DerivedParameters, may_use_one_another_whatever_their_order) {
  const double w = 2 * std::numbers::pi * 2;
  for (const char* parameters :
       {R"({ f = 2, w = "2*pi*f", c = "w^2" })", R"({ c = "w^2", f = 2, w = "2*pi*f" })",
        R"({ c = "w^2", f = "half + 1e0", half = 1, w = "2*pi*f" })", R"({ a = "c", c = "w^2", w = "2*pi*f", f = "2" })"}) {
    SCOPED_TRACE(parameters);
    const Problem problem = load_text(with(oscillator, "{ c = 1.0 }", parameters), "p.toml");
    EXPECT_EQ(value_of_parameter(problem, "w"), w);
    EXPECT_EQ(value_of_parameter(problem, "c"), w * w);
  }
}

TEST(DerivedParameters, follow_an_override) {
  const Problem problem =
      load_text(with(oscillator, "{ c = 1.0 }", R"({ f = 2, w = "2*f", c = "w^2" })"), "p.toml", {{"system.parameters.f=3"}, {}});
  EXPECT_EQ(value_of_parameter(problem, "c"), 36);
}

TEST(DerivedParameters, may_be_sizes_and_indices) {
  const Problem problem =
      load_text(with(with(chain, "N = 4", "N = \"M+1\", M = \"L*3\", L = 1"), "theta[5]", "theta[N+1]"), "p.toml");
  EXPECT_EQ(problem.model.size(), 6);
}

TEST(DerivedParameters, a_cycle_is_named_where_it_closes) {
  expect_errors(oscillator, {{"{ c = 1.0 }", R"({ c = "w^2", f = "1 + c", w = "2*pi*f" })", "4:36",
                              "the parameter c depends on itself: c -> w -> f -> c", "c", "give one of them as a number"},
                             {"{ c = 1.0 }", R"({ c = "2*c" })", "4:23", "the parameter c depends on itself: c -> c", "c"},
                             {"{ c = 1.0 }", R"({ a = "b", b = "d", c = "1", d = "b" })", "4:48",
                              "the parameter b depends on itself: b -> d -> b", "b"},
                             {"{ c = 1.0 }", R"({ c = "w^2", w = "2*omga", omega = 1 })", "4:34",
                              "unknown name \"omga\" in system.parameters.w", "omga", "did you mean \"omega\"?"}});
}

// A chain of 20000 needs no deep stack; a long cycle is not printed in full.
TEST(DerivedParameters, long_chains_and_cycles_are_read) {
  constexpr int length = 20000;
  std::string table = "[system.parameters]\nc = \"p0\"\n";
  for (int k = 0; k + 1 < length; ++k) table += fmt::format("p{} = \"p{} + 1\"\n", k, k + 1);
  const std::string start = with(with(oscillator, "parameters = { c = 1.0 }\n", ""), "[initial]", table + "last = 0\n[initial]");
  const std::string end = fmt::format("p{} = ", length - 1);
  EXPECT_EQ(value_of_parameter(load_text(with(start, "last = 0", end + "5"), "p.toml"), "c"), length - 1 + 5);
  const std::string message = error_of(with(start, "last = 0", end + "\"p7\""));
  EXPECT_NE(message.find("the parameter p7 depends on itself: p7 -> p8 -> "), std::string::npos) << message;
  EXPECT_NE(message.find("19984 more -> p19999 -> p7\n"), std::string::npos) << message;
}

}  // namespace
}  // namespace actio::io::test
