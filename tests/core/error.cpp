#include <gtest/gtest.h>

#include <array>

#include <actio/core/error.hpp>

using namespace actio::core;

TEST(InputError, shows_the_place_the_line_a_caret_and_the_hint) {
  const Source where{"oscillator.toml", 7, 14, 2, "potential = \"xx^2\""};
  EXPECT_STREQ(InputError(where, "unknown name \"xx\" in system.potential", "did you mean \"x\"?").what(),
               "oscillator.toml:7:14: error: unknown name \"xx\" in system.potential\n"
               "  7 | potential = \"xx^2\"\n"
               "    |              ^~\n"
               "  did you mean \"x\"?");
}

TEST(InputError, without_a_place_is_one_line) {
  EXPECT_STREQ(InputError("no such file").what(), "error: no such file");
  EXPECT_STREQ(InputError(Source{"a.toml", 0, 0, 1, ""}, "cannot be read").what(), "a.toml: error: cannot be read");
}

TEST(InputError, caret_counts_characters_and_keeps_tabs) {
  const Source where{"f", 12, 6, 1, "\t\xC3\xA9\xC3\xA9x"};  // tab, two two-byte letters, x at byte 6
  EXPECT_STREQ(InputError(where, "m").what(), "f:12:6: error: m\n  12 | \t\xC3\xA9\xC3\xA9x\n     | \t  ^");
}

TEST(InputError, caret_points_past_the_end_and_no_further) {
  EXPECT_STREQ(InputError(Source{"f", 1, 4, 9, "a +"}, "m").what(), "f:1:4: error: m\n  1 | a +\n    |    ^");
  EXPECT_STREQ(InputError(Source{"f", 1, 99, 9, "a +"}, "m").what(), "f:1:99: error: m\n  1 | a +\n    |    ^");
}

TEST(InputError, cuts_a_long_line_around_the_caret) {
  std::string line(100000, ' ');
  line[70000] = '!';
  const std::string what = InputError(Source{"f", 1, 70001, 1, line}, "m").what();
  EXPECT_LT(what.size(), 500U);
  const std::size_t second = what.find('\n'), third = what.find('\n', second + 1);
  EXPECT_EQ(what.find('!') - second, what.find('^') - third);
}

TEST(InputError, has_its_parts) {
  const Source where{"a.toml", 3, 5, 1, "x = y"};
  const InputError error(where, "unknown name \"y\"", "did you mean \"x\"?");
  EXPECT_EQ(error.diagnostic().message, "unknown name \"y\"");
  EXPECT_EQ(error.diagnostic().hint, "did you mean \"x\"?");
  ASSERT_TRUE(error.diagnostic().place.has_value());
  EXPECT_EQ(error.diagnostic().place->line, 3);
  EXPECT_EQ(text(error.diagnostic()), error.what());
  EXPECT_FALSE(InputError("no such file").diagnostic().place.has_value());
}

TEST(Diagnostic, in_words_has_no_error_before_it_but_its_place) {
  EXPECT_EQ(words({"no such file", "is it in another folder?"}), "no such file\n  is it in another folder?");
  EXPECT_EQ(words({"cannot be read", "", Source{"a.toml", 0, 0, 1, ""}}), "a.toml: error: cannot be read");
}

TEST(RunError, says_step_time_and_advice) {
  const RunError error(120, 2.5, "Newton's method did not converge", "try a smaller run.step");
  EXPECT_STREQ(error.what(), "error: step 120, t = 2.5: Newton's method did not converge\n  try a smaller run.step");
  EXPECT_EQ(error.diagnostic().message, "Newton's method did not converge");
  EXPECT_EQ(error.diagnostic().hint, "try a smaller run.step");
  EXPECT_EQ(error.step, 120);
  EXPECT_EQ(error.t, 2.5);
}

TEST(DidYouMean, finds_slips_and_rejects_strangers) {
  const std::array<std::string, 5> names{"x", "y", "theta", "potential", "sin"};
  EXPECT_EQ(nearest("xx", names), "x");
  EXPECT_EQ(nearest("tehta", names), "theta");
  EXPECT_EQ(nearest("THETA", names), "theta");
  EXPECT_EQ(nearest("sni", names), "sin");
  EXPECT_EQ(nearest("potentail", names), "potential");
  EXPECT_EQ(nearest("z", names), "");
  EXPECT_EQ(nearest("velocity", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest(std::string(1000000, 'a'), names), "");
  EXPECT_EQ(did_you_mean("sni", names), "did you mean \"sin\"?");
  EXPECT_EQ(did_you_mean("velocity", names), "");
}
