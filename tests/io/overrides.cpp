#include "support.hpp"

// key=value on the command line, and LoadOptions::method.
namespace actio::io::test {
namespace {

LoadOptions options(std::vector<std::string> overrides, std::string method = "") {
  return {std::move(overrides), std::move(method)};
}

Problem changed(const std::string& text, std::vector<std::string> overrides, std::string method = "") {
  return load_text(text, "p.toml", options(std::move(overrides), std::move(method)));
}

TEST(Override, replaces_a_value_or_adds_a_key) {
  const Problem problem = changed(oscillator, {"run.step=0.5", "run.every = 7", "certificate.energy=1e-3",
                                               "system.parameters.c=2", "initial.position=[3, 4]"});
  EXPECT_EQ(problem.schedule.step, 0.5);
  EXPECT_EQ(problem.schedule.every, 7);
  EXPECT_EQ(problem.bounds.energy, 1e-3);
  EXPECT_EQ(problem.model.parameters.at(0), 2);
  EXPECT_EQ(problem.q0[1], 4);
  ASSERT_EQ(problem.overrides.size(), 5U);
  EXPECT_EQ(problem.overrides[0], "run.step=0.5");
  EXPECT_EQ(problem.text, oscillator);
}

TEST(Override, later_ones_win) { EXPECT_EQ(changed(oscillator, {"run.step=0.5", "run.step=0.25"}).schedule.step, 0.25); }

TEST(Override, bare_words_are_strings) {
  const Problem problem = changed(oscillator, {"title=a \"quoted\" title", "system.potential=x^2 + 3*y^2"});
  EXPECT_EQ(problem.model.title, "a \"quoted\" title");
  EXPECT_EQ(problem.model.terms.at(0).locals, 2);
  EXPECT_EQ(changed(oscillator, {"title=\"true\""}).model.title, "true");
}

TEST(Override, reaches_into_lists_by_number) {
  EXPECT_EQ(changed(chain, {"system.term.0.over=k = 0..1"}).model.terms.at(0).elements, 2);
  EXPECT_EQ(changed(oscillator, {"initial.position.1=9"}).q0[1], 9);
}

TEST(Override, of_end_takes_the_place_of_steps_and_the_other_way_round) {
  EXPECT_EQ(changed(oscillator, {"run.steps=3"}).schedule.steps, 3);
  EXPECT_EQ(changed(chain, {"run.end=1"}).schedule.steps, 10);
}

TEST(Override, of_a_size_changes_the_system) {
  EXPECT_EQ(changed(with(chain, "theta[5]", "theta[N+1]"), {"system.parameters.N=3"}).model.size(), 5);
}

TEST(Override, errors_point_into_the_override) {
  const auto message = [](const std::string& text) { return error_of(oscillator, options({"run.step=1", text})); };
  const auto expect = [&](const std::string& text, const std::string& start, const std::string& hint) {
    const std::string got = message(text);
    EXPECT_TRUE(got.starts_with("command line:" + start)) << got;
    EXPECT_NE(got.find("1 | " + text), std::string::npos) << got;
    EXPECT_TRUE(hint.empty() || got.ends_with(hint)) << got;
  };
  expect("run.sep=1", "1:5: error: unknown key \"sep\" in [run]", "did you mean \"step\"?");
  expect("rn.step=1", "1:1: error: unknown key \"rn\"", "did you mean \"run\"?");
  expect("run.step=abc", "1:10: error: unknown name \"abc\" in run.step", "");
  expect("run.step=-1", "1:10: error: run.step is -1", "");
  expect("run.step.a=1", "1:10: error: run.step is a number, not a table", "");
  expect("run.end=[1,", "1:12: error: not TOML", "");
  expect("run.end=\"a", "1:11: error: not TOML", "");
  expect("system.potential=c*xx", "1:20: error: unknown name \"xx\"", "did you mean \"x\"?");
  expect("system.parameters.d=1", "1:19: error: the file has no parameter \"d\"", "");
  expect("system.term.1.over=1", "1:8: error: ", "");
  expect("initial.position.2=1", "1:18: error: \"2\" is not one of the 2 entries of initial.position, counted from 0", "");
  expect("method.name=verlt", "1:13: error: unknown method \"verlt\"", "did you mean \"verlet\"?");
  expect("run", "1:1: error: an override has the form key=value", "for example run.end=1e4");
  expect("=1", "1:1: error: an override's key is names with dots between", "");
  expect("run..end=1", "1:5: error: an override's key is names with dots between", "");
  expect("run.=1", "1:5: error: an override's key is names with dots between", "");
  expect("ru n.end=1", "1:1: error: an override's key is names with dots between", "");
  EXPECT_NE(message("").find("an override has the form key=value"), std::string::npos);
}

TEST(Override, a_new_parameter_needs_a_new_expression_that_uses_it) {
  EXPECT_EQ(changed(oscillator, {"system.potential=k*x^2", "system.parameters.k=5"}).model.parameters.size(), 2U);
  const std::string message =
      error_of(with(oscillator, "c = 1.0", "c = 1.0, stiffness = 1"), options({"system.parameters.stifness=5"}));
  EXPECT_TRUE(message.ends_with("did you mean \"stiffness\"?")) << message;
}

TEST(MethodOption, drops_the_fields_of_the_files_method) {
  EXPECT_TRUE(std::holds_alternative<method::Verlet>(changed(oscillator, {}, "verlet").method.choice));
  EXPECT_TRUE(std::holds_alternative<method::Verlet>(changed(oscillator, {"method.name=verlet"}).method.choice));
  EXPECT_EQ(changed(oscillator, {}, "verlet").overrides, std::vector<std::string>{"method.name=verlet"});
}

TEST(MethodOption, keeps_the_fields_both_have) {
  const std::string text = with(oscillator, "name = \"newmark\"\nbeta = 0.25", "name = \"mclachlan-atela\"\norder = 3");
  EXPECT_EQ(std::get<method::McLachlanAtela>(changed(text, {}, "mclachlan-atela").method.choice).stages_order, 3);
}

TEST(MethodOption, drops_compose_where_it_cannot_be) {
  const std::string text = with(oscillator, "beta = 0.25", "compose = { order = 6 }");
  EXPECT_TRUE(changed(text, {}, "verlet").method.composed);
  EXPECT_FALSE(changed(text, {}, "rk4").method.composed);
  EXPECT_FALSE(changed(text, {"method.name=rk4"}).method.composed);
  EXPECT_FALSE(changed(text, {}, "cvode-adams").method.composed);
}

TEST(MethodOption, lets_overrides_of_other_methods_pass_but_not_slips) {
  EXPECT_TRUE(std::holds_alternative<method::Verlet>(changed(oscillator, {"method.beta=0.3"}, "verlet").method.choice));
  EXPECT_EQ(std::get<method::Newmark>(changed(oscillator, {"method.beta=0.3"}, "newmark").method.choice).beta, 0.3);
  EXPECT_NE(error_of(oscillator, options({"method.name=verlet", "method.beta=0.3"})).find("unknown key \"beta\""),
            std::string::npos);
  EXPECT_NE(error_of(oscillator, options({"method.betta=0.3"}, "verlet")).find("unknown key \"betta\""), std::string::npos);
  EXPECT_NE(error_of(oscillator, options({}, "verlt")).find("did you mean \"verlet\"?"), std::string::npos);
}

TEST(MethodOption, works_without_a_method_in_the_file) {
  const std::string text = with(oscillator, "[method]\nname = \"newmark\"\nbeta = 0.25\n", "");
  EXPECT_TRUE(std::holds_alternative<method::RungeKutta4>(changed(text, {}, "rk4").method.choice));
  EXPECT_TRUE(std::holds_alternative<method::RungeKutta4>(changed(text, {"method.name=rk4"}).method.choice));
}

}  // namespace
}  // namespace actio::io::test
