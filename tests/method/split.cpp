#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/split_scheme.hpp>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <common.hpp>
#include <method/count_allocations.hpp>
#include <string>
#include <vector>

// Methods that solve a part of the motion exactly: their errors in eps and h, what the corrector gains, and what they refuse.
namespace actio::method {
namespace {

using Eigen::VectorXd;

io::Problem problem_of(const std::string& text, const std::string& method) {
  return io::load_text(text + "[method]\n" + method + "\n[run]\nstep = 0.1\nsteps = 1\n", "split.toml");
}

// Two oscillators, and eps times what is not quadratic.
std::string oscillators(double eps) {
  return fmt::format(R"toml(
[system]
coordinates = ["x", "y"]
mass = 1
parameters = {{ eps = {} }}
[[system.term]]
potential = "0.5*x^2 + 0.7*y^2 + 0.2*x*y - 0.1*y"
stiff = true
[[system.term]]
potential = "eps*(x^2*y + 0.3*y^3 + 0.2*x^4 + 0.1*sin(x))"
[system.split]
fast = "linear"
[initial]
position = [0.7, -0.3]
velocity = [0.1, 0.5]
)toml",
                     eps);
}

// A sun and two planets of masses eps and eps/2.
std::string planets(double eps, const std::string& split = "") {
  return fmt::format(R"toml(
[system]
coordinates = ["x[3]", "y[3]", "z[3]"]
tables = {{ m = [1, {0}, {1}] }}
mass = {{ x = "m[i]", y = "m[i]", z = "m[i]" }}
points = {{ body = ["x", "y", "z"] }}
[[system.term]]
over = "i = 0..2, j = i+1..2"
potential = "-m[i]*m[j]/distance(body[i], body[j])"
[system.split]
fast = "kepler"
{2}
[initial.position]
x = [0, 1, -1.9]
y = [0, 0, 0.2]
z = [0, 0.03, 0.05]
[initial.velocity]
y = [0, 1.02, -0.7]
x = [0, 0, 0.08]
)toml",
                     eps, eps / 2, split.empty() ? "gravitational_constant = 1" : split);
}

VectorXd end_of(const std::string& text, const std::string& method, double end, long steps) {
  const io::Problem p = problem_of(text, method);
  const auto integrator = make_integrator(p.model, p.method);
  integrator->start(0, p.q0, p.v0);
  EXPECT_TRUE(integrator->advance(steps, end / static_cast<double>(steps)).ok);
  Snapshot s;
  integrator->snapshot(s);
  VectorXd both(2 * s.q.size());
  both << s.q, s.v;
  return both;
}
constexpr const char* exact = "name = \"aba\"";

double error_of(const std::string& text, const std::string& method, double end, long steps, const VectorXd& right) {
  return (end_of(text, method, end, steps) - right).norm();
}

double order(double coarse, double fine) { return std::log2(coarse / fine); }

std::string named(const char* name, const char* field, int value) {
  return fmt::format("name = \"{}\"\n{} = {}", name, field, value);
}

struct Linear {
  const char *name, *field;
  int value, order;  // of the error eps h^order
  long steps;        // over a time of 12, where it stands alone
};

// eps h^r: halving h and eps.
TEST(Split, errors_are_of_eps_times_a_high_power_of_the_step) {
  for (const Linear& of :
       {Linear{"saba", "stages", 1, 2, 48}, Linear{"saba", "stages", 2, 4, 24}, Linear{"saba", "stages", 3, 6, 16},
        Linear{"sbab", "stages", 1, 2, 48}, Linear{"sbab", "stages", 2, 4, 24}, Linear{"wisdom-holman", "corrector", 0, 2, 48},
        Linear{"wisdom-holman", "corrector", 1, 4, 24}, Linear{"wisdom-holman", "corrector", 2, 6, 24},
        Linear{"wisdom-holman", "corrector", 3, 8, 16}}) {
    const std::string method = named(of.name, of.field, of.value);
    SCOPED_TRACE(method);
    const double eps = 1e-6;
    const VectorXd right = end_of(oscillators(eps), exact, 12, 480), half_right = end_of(oscillators(eps / 2), exact, 12, 480);
    const double coarse = error_of(oscillators(eps), method, 12, of.steps, right);
    const double fine = error_of(oscillators(eps), method, 12, 2 * of.steps, right);
    const double half = error_of(oscillators(eps / 2), method, 12, of.steps, half_right);
    EXPECT_NEAR(order(coarse, fine), of.order, 0.35) << coarse << " " << fine;
    EXPECT_NEAR(coarse / half, 2, 0.05);
  }
}

// eps^2 h^2, where that is all that is left: of many stages, or a corrector.
TEST(Split, what_is_left_is_of_the_square_of_eps) {
  for (const std::string& method :
       {named("saba", "stages", 6), named("sbab", "stages", 6), named("wisdom-holman", "corrector", 8)}) {
    SCOPED_TRACE(method);
    const double eps = 0.02;
    const VectorXd right = end_of(oscillators(eps), exact, 12, 960), half_right = end_of(oscillators(eps / 2), exact, 12, 960);
    const double coarse = error_of(oscillators(eps), method, 12, 48, right);
    const double fine = error_of(oscillators(eps), method, 12, 96, right);
    const double half = error_of(oscillators(eps / 2), method, 12, 48, half_right);
    EXPECT_NEAR(order(coarse, fine), 2, 0.1) << coarse << " " << fine;
    EXPECT_NEAR(order(coarse, half), 2, 0.15);
  }
}

TEST(Split, aba_has_no_error_in_the_square_of_eps_but_of_high_order) {
  for (const char* orders : {"8-6-4", "10-6-4"}) {
    const std::string method = fmt::format("name = \"aba\"\norders = \"{}\"", orders);
    SCOPED_TRACE(method);
    const double eps = 0.1;
    const VectorXd right = end_of(oscillators(eps), exact, 12, 1920);
    const double coarse = error_of(oscillators(eps), method, 12, 12, right);
    const double fine = error_of(oscillators(eps), method, 12, 24, right);
    EXPECT_GT(order(coarse, fine), 3.8) << coarse << " " << fine;
    EXPECT_LT(coarse, 0.1 * error_of(oscillators(eps), named("saba", "stages", 6), 12, 12, right));
  }
}

// The energy of planets, at equal numbers of forces.
TEST(Split, a_corrector_gains_an_order_of_eps_on_planets) {
  const auto error_of_energy = [](const std::string& method, double eps, long steps) {
    const io::Problem p = problem_of(planets(eps), method);
    const auto integrator = make_integrator(p.model, p.method);
    integrator->start(0, p.q0, p.v0);
    const double before = integrator->energy();
    double worst = 0;
    for (int look = 0; look < 10; ++look) {
      EXPECT_TRUE(integrator->advance(steps / 10, 60.0 / static_cast<double>(steps)).ok);
      worst = std::max(worst, std::abs(integrator->energy() - before) / eps);
    }
    return worst;
  };
  for (const double eps : {1e-3, 1e-4}) {
    const double plain = error_of_energy(named("wisdom-holman", "corrector", 0), eps, 300);
    const double corrected = error_of_energy(named("wisdom-holman", "corrector", 8), eps, 300);
    EXPECT_LT(corrected, 30 * eps * plain) << plain;
    EXPECT_GT(corrected, 0.001 * eps * plain) << plain;
  }
}

// Nothing is left to kick by but rounding: any step.
TEST(Split, two_bodies_are_solved_exactly) {
  std::string text = planets(0.4);
  const auto replace = [&](const std::string& from, const std::string& to) { text.replace(text.find(from), from.size(), to); };
  for (const char* c : {"\"x[3]\"", "\"y[3]\"", "\"z[3]\""}) replace(c, fmt::format("\"{}[2]\"", c[1]));
  replace("[1, 0.4, 0.2]", "[1, 0.4]");
  replace("i = 0..2, j = i+1..2", "i = 0..1, j = i+1..1");
  for (const char* list : {"0, 1, -1.9", "0, 0, 0.2", "0, 0.03, 0.05", "0, 1.02, -0.7", "0, 0, 0.08"}) {
    const std::string three = list;
    replace(fmt::format("[{}]", three), fmt::format("[{}]", three.substr(0, three.rfind(','))));
  }
  const VectorXd once = end_of(text, named("wisdom-holman", "corrector", 0), 17, 1);
  const VectorXd often = end_of(text, named("saba", "stages", 3), 17, 400);
  EXPECT_LT((once - often).norm(), 1e-12);
}

// The two parts add up to the system, whatever the split says.
TEST(Split, a_wrong_constant_or_sun_is_less_accurate_and_the_same_system) {
  const VectorXd right = end_of(planets(1e-3), exact, 5, 400);
  for (const char* split : {"gravitational_constant = 0.9", "gravitational_constant = 1\nsun = 1"}) {
    SCOPED_TRACE(split);
    const double coarse = error_of(planets(1e-3, split), named("saba", "stages", 1), 5, 1600, right);
    const double fine = error_of(planets(1e-3, split), named("saba", "stages", 1), 5, 3200, right);
    EXPECT_NEAR(order(coarse, fine), 2, 0.1);
  }
}

// Between steps of one size the state is kept in other coordinates: batches, looks and a change of the step do not matter.
TEST(Split, looks_and_batches_change_no_bit) {
  for (const std::string& text : {oscillators(0.1), planets(0.01)}) {
    const io::Problem p = problem_of(text, named("wisdom-holman", "corrector", 3));
    const auto whole = make_integrator(p.model, p.method), pieces = make_integrator(p.model, p.method);
    Snapshot a, b;
    for (const auto& one : {whole.get(), pieces.get()}) one->start(0, p.q0, p.v0);
    ASSERT_TRUE(whole->advance(30, 0.1).ok);
    for (const long steps : {1, 7, 2, 20}) {
      ASSERT_TRUE(pieces->advance(steps, 0.1).ok);
      pieces->snapshot(b);
      EXPECT_TRUE(std::isfinite(pieces->energy()));
    }
    whole->snapshot(a);
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.p, b.p);
    whole->start(0, p.q0, p.v0);
    whole->snapshot(a);
    EXPECT_EQ(a.q, p.q0);  // a start is read as it was written
  }
}

TEST(Split, a_step_allocates_nothing) {
  for (const std::string& text : {oscillators(0.1), planets(0.01)})
    for (const std::string& method :
         {named("wisdom-holman", "corrector", 8), named("saba", "stages", 4), named("sbab", "stages", 2), std::string(exact)}) {
      const io::Problem p = problem_of(text, method);
      const auto integrator = make_integrator(p.model, p.method);
      integrator->start(0, p.q0, p.v0);
      ASSERT_TRUE(integrator->advance(5, 0.1).ok);
      const long before = tests::allocations();
      const bool ok = integrator->advance(20, 0.1).ok;
      EXPECT_EQ(tests::allocations() - before, 0) << method;
      EXPECT_TRUE(ok);
    }
}

TEST(Split, points_that_meet_end_the_step_and_leave_the_state) {
  std::string text = planets(1e-3);
  text.replace(text.find("y = [0, 0, 0.2]"), 15, "y = [0, 0, 0.0]");
  const io::Problem p = problem_of(text, named("saba", "stages", 2));
  const auto integrator = make_integrator(p.model, p.method);
  VectorXd q = p.q0;
  q.segment(0, 3).setZero();  // all at one place
  q.segment(3, 3).setZero();
  q.segment(6, 3).setZero();
  integrator->start(0, q, p.v0);
  const auto report = integrator->advance(1, 0.1);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.what.find("two points meet"), std::string::npos);
  Snapshot s;
  integrator->snapshot(s);
  EXPECT_EQ(s.q, q);
}

TEST(Split, what_does_not_fit_is_refused_with_the_reason) {
  const auto why = [](std::string text, const std::string& from, const std::string& to) {
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    try {
      const io::Problem p = problem_of(text, "name = \"saba\"");
      (void)make_integrator(p.model, p.method);
    } catch (const core::InputError& error) { return std::string(error.what()); }
    return std::string();
  };
  const auto says = [](const std::string& text, const char* part) { EXPECT_NE(text.find(part), std::string::npos) << text; };
  EXPECT_EQ(why(planets(0.1), "", ""), "");
  says(why(oscillators(0.1), "[system.split]\nfast = \"linear\"\n", ""), "saba needs a part of the system whose motion is known");
  says(why(oscillators(0.1), "stiff = true", ""), "and there are none");
  says(why(oscillators(0.1), "0.2*x*y", "0.2*x^2*y"), "takes quadratic stiff terms");
  says(why(oscillators(0.1), "0.2*x*y", "0.2*x*y*t"), "depends on time");
  says(why(planets(0.1), "z = \"m[i]\"", "z = \"2*m[i]\""), "those of x[0] and z[0] differ");
  says(why(planets(0.1), "coordinates = [", "coordinates = [\"w\", "), "");
  says(why(planets(0.1, "gravitational_constant = -1"), "", ""), "it must be positive");
  says(why(planets(0.1, "gravitational_constant = 1\nsun = 3"), "", ""), "system.split.sun");
  says(why(planets(0.1, "points = \"bodies\"\ngravitational_constant = 1"), "", ""), "there are no points \"bodies\"");
  says(why(oscillators(0.1), "\"linear\"", "\"linaer\""), "did you mean \"linear\"?");
  says(why(oscillators(0.1), "\"linear\"", "\"linear\"\nsun = 0"), "belongs to fast = \"kepler\"");
}

}  // namespace
}  // namespace actio::method
