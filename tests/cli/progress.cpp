#include <gtest/gtest.h>

#include <cli/program.hpp>

// A pseudo-terminal for standard error, by script(1) of util-linux.
TEST(Progress, is_silent_unless_standard_error_is_a_terminal) {
  const test::Folder here;
  const auto r = here.run("run examples/oscillator.toml method.name=verlet run.end=2e5 run.every=1000");
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.err, "");
}

TEST(Progress, shows_percent_rate_and_time_left_on_a_terminal) {
  if (std::system("script --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no script(1)";
  const test::Folder here;
  const std::string command =
      fmt::format("script -qec \"'{}' run examples/oscillator.toml run.end=4e5 run.every=1000\" '{}' >/dev/null 2>&1",
                  test::program(), (here / "screen").string());
  EXPECT_EQ(std::system(command.c_str()), 0);
  const std::string screen = test::read(here / "screen");
  for (const char* part : {"steps/s", " left", " %", "\r"}) EXPECT_NE(screen.find(part), std::string::npos) << part;
}
