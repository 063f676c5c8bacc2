#include <run/observing.hpp>

#include <algorithm>
#include <numbers>

using observing::Result;

namespace {

constexpr double pi = std::numbers::pi;

// A building of four storeys that the ground shakes, with friction: the foot u[0] is held.
std::string building(const std::string& outputs, const std::string& end = "3") {
  return R"toml([system]
coordinates = ["u[5]"]
parameters = { k = 300, c = 0.7 }
tables = { m = [5, 4, 3, 2, 1] }
mass = { u = "m[i]" }
fixed = "u[0]"
[system.signals]
ag = { time = [0, 0.5, 1, 2], value = [0, 3, -2, 0] }
[system.base]
acceleration = "ag"
direction = { u = 1 }
[[system.term]]
over = "i = 0..3"
potential = "0.5*k*(u[i+1] - u[i])^2 + 20*(u[i+1] - u[i])^4"
[[system.term]]
over = "i = 0..3"
dissipation = "0.5*c*(u[i+1]' - u[i]')^2"
)toml" + outputs +
         "[initial]\nposition = { u = 0 }\nvelocity = { u = 0 }\n[method]\nname = \"newmark\"\n[run]\nstep = 0.01\nevery = "
         "7\nend = " +
         end + "\n";
}

const std::string drift = "[output]\nroof = \"u[4] - u[0]\"\nvelocity = \"u[4]'\"\n";

const actio::run::Observed& output_of(const Result& r, const std::string& name) {
  return *std::ranges::find(r.observed, name, &actio::run::Observed::name);
}

// The last column over the observations.
std::vector<double> column_of(const Result& r, std::size_t k) {
  std::vector<double> out;
  for (const auto& row : r.seen.columns) out.push_back(row.at(k));
  return out;
}

// A wheel on an axis that is oblique in it and in the frame that carries it, which turns too.
std::string wheel(const std::string& method, double step, long steps, long every) {
  return R"toml([system]
bodies = [{ name = "frame", inertia = 2 }, { name = "wheel", inertia = [1, 1, 1.5] }]
[[system.joint]]
name = "bearing"
type = "revolute"
between = ["frame.point(0, 0, 0)", "ground.point(0, 0, 0)"]
axes = ["frame.axis(0, 0, 1)", "ground.axis(0, 0, 1)"]
[[system.joint]]
name = "hinge"
type = "revolute"
between = ["wheel.point(0, 0, 0)", "frame.point(0, 0, 0)"]
axes = ["wheel.axis(0, 0, 1)", "frame.axis(0, 0, 1)"]
[output]
spin = "angle(hinge)"
of_frame = "angle(bearing)"
[initial.bodies.frame]
angular_velocity = [0, 0, -1]
[initial.bodies.wheel]
orientation = { axis = [0, 0, 1], angle = 0.25 }
angular_velocity = [0, 0, 3]
[method]
name = ")toml" +
         method + "\"\n[run]\nstep = " + std::to_string(step) + "\nsteps = " + std::to_string(steps) +
         "\nevery = " + std::to_string(every) + "\n";
}

}  // namespace

TEST(Outputs, have_the_extremes_of_what_was_written) {
  const Result r = observing::run(building(drift));
  const auto roof = column_of(r, 0);
  const auto [least, most] = std::ranges::minmax_element(roof);
  double squares = 0;
  for (const double x : roof) squares += x * x;
  const auto& c = *output_of(r, "roof").column;
  EXPECT_EQ(c.largest, *most);
  EXPECT_EQ(c.smallest, *least);
  EXPECT_EQ(c.largest_time, r.seen.states[static_cast<std::size_t>(most - roof.begin())].t);
  EXPECT_EQ(c.smallest_time, r.seen.states[static_cast<std::size_t>(least - roof.begin())].t);
  EXPECT_EQ(c.last, roof.back());
  EXPECT_NEAR(c.rms, std::sqrt(squares / static_cast<double>(roof.size())), 4 * actio::test::eps * c.rms);
  EXPECT_EQ(output_of(r, "roof").times, static_cast<long>(roof.size()));
  EXPECT_LT(c.smallest, 0);
}

TEST(Outputs, are_the_same_bits_after_a_resume) {
  for (const std::string& text : {building(drift), wheel("rattle", 0.1, 400, 50)}) {
    const long middle = text.find("wheel") == std::string::npos ? 123 : 217;
    const Result whole = observing::run(text, middle), resumed = observing::run(text, -1, whole.saved);
    ASSERT_FALSE(whole.saved.empty());
    ASSERT_EQ(whole.observed.size(), resumed.observed.size());
    for (std::size_t k = 0; k < whole.observed.size(); ++k)
      for (const auto& figure : actio::run::summary_figures)
        EXPECT_EQ(*whole.observed[k].column.*figure.value, *resumed.observed[k].column.*figure.value) << figure.name;
    EXPECT_EQ(whole.seen.columns.back(), resumed.seen.columns.back());
  }
}

// dL/dt = 0 about the axis: both turn evenly. 4 rad/s against each other, through 100 turns, seen 8 turns apart.
TEST(Angles, count_the_turns_between_observations) {
  for (const std::string method : {"rattle", "lie-group"}) {
    // RATTLE turns by asin(h w) in a step about a fixed axis
    const auto of_step = [&](double w) { return method == "rattle" ? std::asin(0.125 * w) : 0.125 * w; };
    const double allowed = method == "rattle" ? 1e-10 : 1e-2;
    const double h = 0.125, turns = 100, steps = turns * 2 * pi / (4 * h);
    const Result r = observing::run(wheel(method, h, std::lround(steps), 100));
    const auto angle = column_of(r, 0), frame = column_of(r, 1);
    for (std::size_t k = 0; k < angle.size(); ++k) {
      const double t = r.seen.states[k].t;
      EXPECT_NEAR(angle[k], 0.25 + (of_step(3) + of_step(1)) * t / h, allowed * (1 + t)) << method;
      EXPECT_NEAR(std::remainder(angle[k] - (std::atan2(r.seen.states[k].q[12], r.seen.states[k].q[9]) - frame[k]), 2 * pi), 0,
                  1e-9 * (1 + std::abs(angle[k])));
      EXPECT_NEAR(frame[k], -of_step(1) * t / h, allowed * (1 + t)) << method;
    }
    EXPECT_GT(angle.back(), 199 * pi);
  }
}

TEST(Angles, change_nothing_of_the_motion_and_the_certificate) {
  for (const std::string method : {"rattle", "lie-group"}) {
    const std::string text = wheel(method, 0.125, ACTIO_TEST_SHORT ? 200 : 2000, 100);
    std::string bare = text;
    bare.erase(text.find("[output]"), text.find("[initial.bodies.frame]") - text.find("[output]"));
    const Result with = observing::run(text), without = observing::run(bare);
    ASSERT_EQ(with.seen.states.size(), without.seen.states.size());
    for (std::size_t k = 0; k < with.seen.states.size(); ++k) EXPECT_EQ(with.seen.states[k].q, without.seen.states[k].q);
    EXPECT_EQ(with.certificate.energy.max_error, without.certificate.energy.max_error);
    EXPECT_EQ(with.certificate.energy.drift_per_step, without.certificate.energy.drift_per_step);
    EXPECT_EQ(with.certificate.constraints->distance, without.certificate.constraints->distance);
  }
}

// M a + dV/dq + friction - F of the foot, beside the sum over the building: the ground's force is d/dt of the momentum in space.
TEST(Reactions, of_the_ground_accelerate_the_building) {
  const Result r = observing::run(building(R"toml([output]
shear = "reaction(u[0])"
inertia = { value = "m[i]*(u[i]'' + ag)", over = "i = 0..4", combine = "sum" }
spring = "5*ag - k*(u[1] - u[0]) - 80*(u[1] - u[0])^3 - c*(u[1]' - u[0]')"
)toml"));
  for (const auto& row : r.seen.columns) {
    EXPECT_NEAR(row[0], row[1], 500 * actio::test::eps * (1 + std::abs(row[0])));
    EXPECT_NEAR(row[0], row[2], 500 * actio::test::eps * (1 + std::abs(row[0])));
  }
  EXPECT_GT(output_of(r, "shear").column->largest, 1);
}

// d/dt of the momentum: by the trapezium, as gamma = 1/2 says, the reaction and the load -sum m ag make it, step by step.
TEST(Reactions, and_loads_make_the_momentum) {
  std::string text = building(R"toml([output]
force = "reaction(u[0]) - 15*ag"
momentum = { value = "m[i]*u[i]'", over = "i = 0..4", combine = "sum" }
)toml");
  text.replace(text.find("every = 7"), 9, "every = 1");
  const Result r = observing::run(text);
  ASSERT_EQ(r.seen.columns.size(), 301);
  for (std::size_t k = 1; k < r.seen.columns.size(); ++k) {
    const auto &one = r.seen.columns[k - 1], &next = r.seen.columns[k];
    EXPECT_NEAR(next[1] - one[1], 0.005 * (one[0] + next[0]), 1e-12 * (1 + std::abs(next[1])));
  }
}

// At rest under its load, a bar between two supports: they carry the load by the lever.
TEST(Reactions, carry_the_load_at_rest) {
  const Result r = observing::run(R"toml([system]
coordinates = ["u[5]"]
mass = 1
fixed = ["u[0]", "u[4]"]
[[system.term]]
over = "i = 0..3"
potential = "50*(u[i+1] - u[i])^2"
[system.force]
"u[1]" = 8
[initial]
position = { u = [0, 0.06, 0.04, 0.02, 0] }
velocity = { u = 0 }
[output]
left = "reaction(u[0])"
sum = { value = "reaction(u[4*i])", over = "i = 0..1", combine = "sum", unit = "N" }
[method]
name = "newmark"
[run]
step = 0.01
steps = 20
)toml");
  for (const auto& row : r.seen.columns) {
    EXPECT_NEAR(row[0], -6, 1e-11);
    EXPECT_NEAR(row[1], -8, 1e-11);
  }
}

// L = m/2 (r'^2 + r^2 theta'^2) with r held: the centripetal force -m r theta'^2.
TEST(Reactions, of_any_lagrangian_are_its_equations) {
  const Result r = observing::run(R"toml([system]
coordinates = ["r", "theta"]
lagrangian = "1.5*(r'^2 + r^2*theta'^2) + 0.3*theta"
fixed = "r"
[initial]
position = { r = 2, theta = 0.1 }
velocity = { r = 0, theta = 0.7 }
[output]
rope = "reaction(r)"
rate = "theta'"
[method]
name = "midpoint"
[run]
step = 0.01
steps = 100
every = 10
)toml");
  for (const auto& row : r.seen.columns) EXPECT_NEAR(row[0], -3 * 2 * row[1] * row[1], 1e-12);
  EXPECT_GT(output_of(r, "rate").column->largest, 0.7);
}
