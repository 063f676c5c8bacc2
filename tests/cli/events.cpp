#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <cli/program.hpp>
#include <run/json.hpp>

// run.at, run.every_time and [[event]], from the file to what a user reads.
namespace {

using test::Folder;
using test::Json;
namespace fs = std::filesystem;

const std::string henon_heiles = R"toml(title = "Henon-Heiles"
[system]
coordinates = ["x", "y"]
mass = 1
potential = "(x^2 + y^2)/2 + x^2*y - y^3/3"
[initial]
position = { x = 0, y = -0.25 }
velocity = { x = 0.420812705765, y = 0 }
[method]
name = "verlet"
compose = { order = 8 }
[run]
step = 0.1
end = 700
)toml";
const std::string section = R"toml([[event]]
name = "section"
when = "x"
direction = "up"
record = ["y", "y'", "x", "energy"]
)toml";
const std::string ball = R"toml([system]
coordinates = ["z"]
mass = 1
potential = "9.81*z"
[initial]
position = { z = 1 }
velocity = { z = 0 }
[method]
name = "verlet"
[run]
step = 0.01
end = 10
)toml";

fs::path put(const Folder& here, const std::string& text, const std::string& name = "p.toml") {
  std::ofstream(here / name) << text;
  return here / name;
}

// To p.csv, and the tables of events beside it.
test::Result run_with_output(const Folder& here, const fs::path& file, const std::string& words = "") {
  return here.run(fmt::format("run '{}' {} -o '{}'", file.string(), words, (here / "p.csv").string()));
}

std::vector<std::vector<double>> table(const fs::path& path, std::string* head = nullptr) {
  std::ifstream in(path);
  std::string line;
  EXPECT_TRUE(std::getline(in, line)) << path;
  if (head) *head = line;
  std::vector<std::vector<double>> rows;
  while (std::getline(in, line)) {
    std::vector<double>& row = rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
  }
  return rows;
}

TEST(Events, make_a_section_whose_points_are_on_it) {
  const Folder here;
  const auto run = run_with_output(here, put(here, henon_heiles + section));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(test::contains(run.out, "section         event 103 times, from t = 7.349")) << run.out;
  std::string head;
  const auto rows = table(here / "p.section.csv", &head);
  EXPECT_EQ(head, "t,y,y',x,energy");
  ASSERT_EQ(rows.size(), 103U);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_LT(std::abs(rows[k][3]), 1e-12) << k;
    EXPECT_NEAR(rows[k][4], 0.125, 1e-8) << k;  // of the interpolated state
    if (k > 0) { EXPECT_GT(rows[k][0], rows[k - 1][0]); }
  }
}

// Steps that are halved meet the section at the same points, and the interpolation is no worse than the method.
TEST(Events, converge_with_the_order_of_the_quintic) {
  const Folder here;
  const fs::path file = put(here, henon_heiles + section);
  const auto first = [&](double h) {
    const auto run = run_with_output(here, file, fmt::format("run.step={} run.end=30", h));
    EXPECT_EQ(run.code, 0) << run.err;
    return table(here / "p.section.csv").at(3);
  };
  const auto exact = first(0.0125), fine = first(0.1), coarse = first(0.2), coarser = first(0.4);
  EXPECT_NEAR(fine[1], exact[1], 1e-8);
  EXPECT_GT(std::abs(coarser[1] - exact[1]) / std::abs(coarse[1] - exact[1]), 20);
}

TEST(Events, change_no_step) {
  const Folder here;
  const fs::path file = put(here, henon_heiles), with = put(here, henon_heiles + "every_time = 0.37\n" + section, "q.toml");
  const std::string plain = (here / "a.csv").string(), within = (here / "b.csv").string();
  ASSERT_EQ(here.run(fmt::format("run '{}' -o '{}' run.every=7000", file.string(), plain)).code, 0);
  ASSERT_EQ(here.run(fmt::format("run '{}' -o '{}'", with.string(), within)).code, 0);
  EXPECT_EQ(table(plain).back(), table(within).back());  // at t = 700, to the bit
}

TEST(Events, miss_no_crossing_and_no_double_one) {
  const Folder here;
  // Verlet's own frequency is (2/h) asin(h/2): x = 0 twice a period, and the top is above 0.9999 for half a step.
  constexpr int end = ACTIO_TEST_SHORT ? 1000 : 31416;
  const fs::path file = put(here, R"toml([system]
coordinates = ["x"]
mass = 1
potential = "x^2/2"
[initial]
position = { x = 1 }
velocity = { x = 0 }
[method]
name = "verlet"
[run]
step = 0.05
end = 31416
every = 100000
[[event]]
name = "zero"
when = "x"
do = "count"
[[event]]
name = "top"
when = "x - 0.9999"
direction = "up"
do = "count"
[[event]]
name = "turn"
when = "x'"
do = "count"
)toml");
  const auto run = here.run(fmt::format("run '{}' run.end={} --json", file.string(), end));
  ASSERT_EQ(run.code, 0) << run.err;
  const double turns = end * std::asin(0.025) / 0.025 / std::numbers::pi;  // half periods
  const Json json = Json::parse(run.out);
  const Json& events = json["events"];
  EXPECT_EQ(events["zero"]["times"].number(), std::floor(turns + 0.5));
  EXPECT_EQ(events["top"]["times"].number(), std::floor(turns / 2));
  EXPECT_EQ(events["turn"]["times"].number(), std::floor(turns));
}

TEST(Events, end_a_run_where_they_happen) {
  const Folder here;
  const std::string stop = "[[event]]\nname = \"ground\"\nwhen = \"z\"\ndo = \"stop\"\n";
  const auto run = run_with_output(here, put(here, ball + stop));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(test::contains(run.out, "ground          event 1 time, t = 0.451523641; it ended the run")) << run.out;
  const auto rows = table(here / "p.csv"), found = table(here / "p.ground.csv");
  ASSERT_EQ(rows.size(), 47U);
  EXPECT_NEAR(rows.back()[0], std::sqrt(2 / 9.81), 1e-14);
  EXPECT_NEAR(rows.back()[1], 0, 1e-15);
  EXPECT_NEAR(rows.back()[2], -std::sqrt(2 * 9.81), 1e-13);
  EXPECT_EQ(found[0][0], rows.back()[0]);
}

TEST(Events, end_a_run_after_so_many) {
  const Folder here;
  const fs::path file = put(here, henon_heiles + section + "do = \"stop\"\ncount = 5\nafter = 10\n");
  const auto run = run_with_output(here, file, "--json");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(table(here / "p.section.csv").size(), 5U);
  EXPECT_GT(table(here / "p.section.csv")[0][0], 10);
  EXPECT_EQ(table(here / "p.csv").back()[0], table(here / "p.section.csv").back()[0]);
}

TEST(Events, at_the_very_end_of_a_run_are_events) {
  const Folder here;
  const auto count = [&](const std::string& when) {
    const auto run = here.run(
        fmt::format("run '{}' --json", put(here, ball + "[[event]]\nname = \"end\"\nwhen = \"" + when + "\"\n").string()));
    EXPECT_EQ(run.code, 0) << run.err;
    return Json::parse(run.out)["events"]["end"]["times"].number();
  };
  EXPECT_EQ(count("t - 10"), 1);
  EXPECT_EQ(count("t - 10.001"), 0);
  EXPECT_EQ(count("t"), 0);  // a start at 0
}

TEST(Events, that_stop_at_the_end_of_a_step_show_its_state_once) {
  const Folder here;
  const fs::path file = put(here, ball + "[[event]]\nwhen = \"t - 0.25\"\ndo = \"stop\"\n");
  ASSERT_EQ(run_with_output(here, file, "run.step=0.125").code, 0);
  const auto rows = table(here / "p.csv");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2][0], 0.25);
}

TEST(Events, of_constrained_motion_are_on_the_constraints) {
  const Folder here;
  const fs::path file = put(here, R"toml([system]
coordinates = ["x", "y"]
mass = 1
potential = "y"
constraints = ["x^2 + y^2 - 1"]
[initial]
position = { x = 1, y = 0 }
velocity = { x = 0, y = 0 }
[method]
name = "rattle"
[run]
step = 0.01
end = 20
at = [0, 0.005, 0.01, 7.123]
[[event]]
name = "bottom"
when = "x"
record = ["x", "x^2 + y^2 - 1", "x*x' + y*y'", "energy"]
)toml");
  const auto run = run_with_output(here, file, "--json");
  ASSERT_EQ(run.code, 0) << run.err;
  const double energy = Json::parse(run.out)["energy"]["max_error"].number();  // at the ends of steps
  const auto rows = table(here / "p.bottom.csv");
  EXPECT_EQ(rows.size(), 5U);
  for (const auto& row : rows) {
    EXPECT_LT(std::abs(row[1]), 1e-12);
    EXPECT_LT(std::abs(row[2]), 1e-13);
    EXPECT_LT(std::abs(row[3]), 1e-13);
    EXPECT_NEAR(row[4], 0, 4 * energy);
  }
  std::string head;
  const auto at = table(here / "p.csv", &head);
  ASSERT_EQ(at.size(), 4U);
  EXPECT_EQ(at[3][0], 7.123);
  // x, y, x', y', p(x), p(y), energy, lambda
  for (const auto& row : at) {
    EXPECT_NEAR(std::hypot(row[1], row[2]), 1, 1e-14);
    EXPECT_NEAR(2 * row[8], 3 * row[2], 0.03);  // y - v^2 = 3 y
  }
  EXPECT_NEAR(at[1][2], -0.005 * 0.005 / 2, 1e-9);
}

TEST(Observations, are_at_the_times_that_are_asked_for) {
  const Folder here;
  const fs::path file = put(here, ball);
  const auto rows_of = [&](const std::string& words) {
    const auto run = run_with_output(here, file, words);
    EXPECT_EQ(run.code, 0) << run.err;
    return table(here / "p.csv");
  };
  const auto listed = rows_of("'run.at=[0, 0.015, 0.02, 3.14159, 10]'");
  ASSERT_EQ(listed.size(), 5U);
  for (const auto& row : listed) EXPECT_NEAR(row[1], 1 - 9.81 / 2 * row[0] * row[0], 1e-11 * (1 + std::abs(row[1])));
  EXPECT_EQ(listed[1][0], 0.015);
  EXPECT_EQ(listed[3][0], 3.14159);
  EXPECT_EQ(listed[4][0], 10);
  // Those of whole steps are the rows of every step, to the bit.
  EXPECT_EQ(rows_of("run.every_time=0.5 run.end=5"), rows_of("run.every=50 run.end=5"));
  const auto spaced = rows_of("run.every_time=0.3 run.end=1");  // and the end
  ASSERT_EQ(spaced.size(), 5U);
  EXPECT_EQ(spaced[4][0], 1);
}

TEST(Observations, at_times_of_their_own_have_a_ledger_that_is_between_those_of_the_steps) {
  const Folder here;
  const fs::path file = put(here, R"toml([system]
coordinates = ["x"]
mass = 1
potential = "x^2/2"
dissipation = "0.05*x'^2"
force = { x = "cos(t)" }
[initial]
position = { x = 1 }
velocity = { x = 0 }
[method]
name = "midpoint"
[run]
step = 0.1
end = 10
)toml");
  const auto rows_of = [&](const std::string& words, std::string& head) {
    const auto run = run_with_output(here, file, words);
    EXPECT_EQ(run.code, 0) << run.err;
    return table(here / "p.csv", &head);
  };
  std::string head;
  const auto at = rows_of("'run.at=[4.95]'", head), steps = rows_of("", head);
  ASSERT_EQ(at.size(), 1U);
  const auto column =
      static_cast<std::size_t>(std::count(head.begin(), head.begin() + static_cast<long>(head.find("ledger/external")), ','));
  EXPECT_NEAR(at[0][column], 0.5 * (steps[49][column] + steps[50][column]), 1e-13);
  EXPECT_NE(steps[49][column], steps[50][column]);
}

TEST(Observations, within_steps_go_on_from_a_checkpoint_to_the_bit) {
  const Folder here;
  const fs::path file = put(here, henon_heiles + "every_time = 0.37\n" + section);
  const std::string whole = (here / "a.csv").string(), parts = (here / "b.csv").string(), saved = (here / "c.actio").string();
  ASSERT_EQ(here.run(fmt::format("run '{}' -o '{}'", file.string(), whole)).code, 0);
  // A limit on the size of files ends the run in the middle.
  const auto cut =
      here.run(fmt::format("run '{}' -o '{}' --checkpoint every=300,file={}", file.string(), parts, saved), "ulimit -f 60;");
  EXPECT_NE(cut.code, 0);
  ASSERT_TRUE(fs::exists(saved)) << cut.err;
  const auto resumed = here.run(fmt::format("resume '{}'", saved));
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(test::read(whole), test::read(parts));
  EXPECT_EQ(test::read(here / "a.section.csv"), test::read(here / "b.section.csv"));
}

TEST(Observations, say_what_is_wrong_with_their_times) {
  const Folder here;
  const fs::path file = put(here, ball);
  const auto error = [&](const std::string& words, const std::string& part) {
    const auto run = here.run(fmt::format("run '{}' {}", file.string(), words));
    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(test::contains(run.err, part)) << run.err;
  };
  error("'run.at=[0, 11]'", "run.at[1] is 11, and the run is from 0 to 10");
  error("'run.at=[1, 0.5]'", "run.at[1] is 0.5, which is not later than the time before it, 1");
  error("'run.at=[]'", "run.at is empty");
  error("run.every_time=0", "run.every_time is 0; it must be positive");
  error("run.every_time=1e-9", "at most 4e+06 are taken");
  error("run.every_time=1 run.every=2", "run.every_time and run.every are both given");
}

TEST(Events, say_what_is_wrong_with_them) {
  const Folder here;
  const auto error = [&](const std::string& event, const std::string& part) {
    const auto run = here.run(fmt::format("run '{}'", put(here, ball + event).string()));
    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(test::contains(run.err, part)) << run.err;
  };
  error("[[event]]\nname = \"a\"\n", "event[0].when is missing");
  error("[[event]]\nwhen = \"q\"\n", "unknown name \"q\" in event[0].when");
  error("[[event]]\nwhen = \"z\"\ndirection = \"upwards\"\n", "event[0].direction is \"upwards\", which is not known");
  error("[[event]]\nwhen = \"z\"\ncount = 2\n", "do = \"stop\"");
  error("[[event]]\nwhen = \"z\"\ndo = \"count\"\nrecord = [\"z\"]\n", "do = \"count\" records nothing");
  error("[[event]]\nwhen = \"z\"\n[[event]]\nwhen = \"z - 1\"\n", "event[0].name is missing");
  error("[[event]]\nname = \"a\"\nwhen = \"z\"\n[[event]]\nname = \"a\"\nwhen = \"z\"\n", "two events are named \"a\"");
  error("[[event]]\nwhen = \"z\"\nrecord = [\"z\", \"z\"]\n", "there is a column \"z\" already");
  error("[[event]]\nwhen = \"z\"\nrecord = [\"t\"]\n", "the time is the first column");
  error("[[event]]\nwhen = \"z > 0\"\n", "is true or false");
  error("[[event]]\nname = \"observed\"\nwhen = \"z\"\n", "cannot be named \"observed\"");
  error("[[event]]\nwhen = 1\n", "event[0].when must be an expression");
  error("[event]\nwhen = \"z\"\n", "a list of tables, each headed [[event]]");
}

}  // namespace
