#include <gtest/gtest.h>

#include <fmt/format.h>

#include <models/mesh.hpp>

#include <atomic>
#include <cmath>
#include <numbers>

#include <io/support.hpp>

#include <actio/session/modes.hpp>

// Modes of systems whose modes are known.
namespace actio {
namespace {

using std::numbers::pi;

session::Modes modes_of(const std::string& text, std::optional<long> count = {}) {
  const std::atomic<bool> stop = false;
  session::OneProcess here(stop);
  return session::modes(session::linear_problem(io::load_text(text, "p.toml"), {}, here), count);
}

std::string error_of_modes(const std::string& text, std::optional<long> count = {}) {
  try {
    (void)modes_of(text, count);
  } catch (const core::InputError& e) { return e.what(); }
  return "";
}

constexpr const char* method_and_run = R"toml(
[method]
name = "newmark"
[run]
step = 0.1
steps = 1
)toml";

// n masses m, springs c to the left of each, the ground shaken at the left end:
//   w_k = 2 sqrt(c/m) sin a_k,  a_k = (2 k - 1) pi / (4 n + 2),  shape sin(2 a_k i), i = 1 ... n
std::string fixed_free_chain(int n) {
  return fmt::format(R"toml([system]
coordinates = ["u[{0}]"]
parameters = {{ m = 0.5, c = 3, n = {0} }}
mass = {{ u = "m" }}
[[system.term]]
over = "i = 0..n-2"
potential = "c/2*(u[i+1] - u[i])^2"
[[system.term]]
potential = "c/2*u[0]^2"
[system.base]
acceleration = "sin(t)"
direction = 1
[initial]
position = {{ u = 0 }}
{1})toml",
                     n, method_and_run);
}

TEST(Modes, of_a_fixed_free_chain_are_those_of_the_closed_formulas) {
  for (const int n : {30, 600}) {
    const session::Modes m = modes_of(fixed_free_chain(n), 8);
    ASSERT_EQ(m.directions.size(), 1U);
    const session::Direction& base = m.directions[0];
    EXPECT_EQ(base.name, "base acceleration");
    EXPECT_NEAR(base.mass, 0.5 * n, 1e-12 * n);
    EXPECT_EQ(m.not_proved, "");
    for (int k = 0; k < 8; ++k) {
      const double a = (2 * k + 1) * pi / (4 * n + 2), exact = 2 * std::sqrt(3 / 0.5) * std::sin(a);
      EXPECT_NEAR(m.omega[k], exact, 2e-8 * exact);  // 1e-16 of the highest w^2, which is 6e4 times the lowest, and twice that
      EXPECT_NEAR(m.period(k), 2 * pi / exact, 1e-7 / exact);
      EXPECT_EQ(m.number(k), k + 1);
      double sum = 0, squares = 0;
      for (int i = 1; i <= n; ++i) {
        sum += std::sin(2 * a * i);
        squares += std::pow(std::sin(2 * a * i), 2);
      }
      EXPECT_NEAR(base.effective_mass[k], 0.5 * sum * sum / squares, 1e-6 * n);
      EXPECT_NEAR(std::abs(m.shape(n - 1, k)), std::sqrt(std::pow(std::sin(2 * a * n), 2) / (0.5 * squares)), 1e-7);
    }
  }
}

struct Block {
  io::test::Folder folder;
  std::string text;
};
void make_block(Block& out, std::array<int, 3> elements, std::array<double, 3> size, const char* fixed, const char* more = "") {
  models::write_msh(models::mesh_of({system::Cell::hexahedron20, elements, size}), out.folder / "b.msh");
  out.text = fmt::format(R"toml([system.solid]
mesh = "{}"
{}
material = {{ model = "neo-hookean", E = 3, nu = 0, density = 2 }}
{}
{})toml",
                         out.folder / "b.msh", fixed, more, method_and_run);
}

// Bending by Euler and Bernoulli, w = 1.8751^2 and 4.6941^2 sqrt(E I / (rho A L^4)), each in two planes; from there down by what
// shear (k = 5/6) and rotary inertia take, in Timoshenko's beam of L/H = 20 less than 0.4 % of the first, 4 % of the second.
// The bar along its axis: w = pi/2 sqrt(E/rho)/L, with nu = 0 exactly but for the elements.
TEST(Modes, of_a_cantilever_are_those_of_beam_theory) {
  Block b;
  make_block(b, {16, 1, 1}, {20, 1, 1}, "fixed = [\"x0\"]");
  const session::Modes m = modes_of(b.text, 12);
  const double unit = std::sqrt(3.0 / 12 / (2 * std::pow(20.0, 4)));
  const double first = std::pow(1.8751040687, 2) * unit, second = std::pow(4.6940911330, 2) * unit;
  for (const int k : {0, 1}) {
    EXPECT_GT(m.omega[k], 0.997 * first);
    EXPECT_LT(m.omega[k], 1.001 * first);
    EXPECT_GT(m.omega[k + 2], 0.965 * second);
    EXPECT_LT(m.omega[k + 2], 1.002 * second);
  }
  EXPECT_NEAR(m.omega[0], m.omega[1], 1e-9 * first);
  const double along = pi / 2 * std::sqrt(3.0 / 2) / 20;
  EXPECT_LE((m.omega.array() - along).abs().minCoeff(), 1e-5 * along);
  EXPECT_EQ(m.rigid, 0);
  EXPECT_EQ(m.not_proved, "");
  long bar = 0;
  (m.omega.array() - along).abs().minCoeff(&bar);
  EXPECT_NEAR(m.directions[0].share(bar), 8 / (pi * pi), 0.02);  // of a bar; the clamped nodes have mass that does not move
}

TEST(Modes, of_a_free_solid_begin_with_six_rigid_ones) {
  for (const int elements : {2, 10}) {  // decomposed, and by Lanczos
    Block b;
    make_block(b, {elements, 1, 1}, {elements * 1.0, 1, 1}, "");
    const session::Modes m = modes_of(b.text, 9);
    EXPECT_EQ(m.rigid, 6);
    EXPECT_EQ(m.growing, 0);
    EXPECT_EQ(m.not_proved, "");
    for (int k = 0; k < 6; ++k) EXPECT_EQ(m.omega[k], 0);
    EXPECT_GT(m.omega[6], 0);
    EXPECT_EQ(m.number(5), 0);
    EXPECT_EQ(m.number(6), 1);
    for (const session::Direction& d : m.directions) {
      EXPECT_NEAR(d.mass, 2.0 * elements, 1e-12 * elements);
      EXPECT_NEAR(d.effective_mass.head(6).sum(), d.mass, 1e-9 * d.mass);  // a free body moves as a whole
    }
  }
}

TEST(Modes, have_all_of_the_moving_mass_together) {
  Block b;
  make_block(b, {2, 1, 1}, {3, 1, 0.5}, "fixed = [\"x0\"]");
  const session::Modes few = modes_of(b.text, 5), all = modes_of(b.text, few.moving);
  EXPECT_EQ(all.directions.size(), 3U);
  for (const session::Direction& d : all.directions) {
    EXPECT_NEAR(d.effective_mass.sum(), d.mass, 1e-11 * d.mass);
    EXPECT_LT(d.mass, 3.0);  // density 2, volume 1.5; the clamped nodes do not move
    EXPECT_GT(d.mass, 2.0);
  }
}

TEST(Modes, of_two_equal_pendulums_and_one_upright) {
  const session::Modes m = modes_of(fmt::format(R"toml([system]
coordinates = ["a", "b", "up", "x"]
mass = [2, 2, 2, 1]
potential = "-2*9.81*(cos(a) + cos(b) - cos(up))"
[initial]
position = [0, 0, 0, 0]
[[symmetry]]
name = "shift"
generator = {{ x = 1 }}
{})toml",
                                                method_and_run));
  ASSERT_EQ(m.size(), 4);
  EXPECT_EQ(m.growing, 1);
  EXPECT_EQ(m.rigid, 1);
  EXPECT_NEAR(m.growth[0], std::sqrt(9.81), 1e-12);
  EXPECT_TRUE(std::isnan(m.omega[0]));
  EXPECT_EQ(m.omega[1], 0);
  EXPECT_NEAR(m.omega[2], std::sqrt(9.81), 1e-12);
  EXPECT_NEAR(m.omega[3], std::sqrt(9.81), 1e-12);
  ASSERT_EQ(m.directions.size(), 1U);  // a translation among the symmetries
  EXPECT_EQ(m.directions[0].mass, 1);
  EXPECT_NEAR(m.directions[0].share(1), 1, 1e-12);
}

// A string under its own weight: small motions about its equilibrium, not about where the file puts it.
TEST(Modes, are_those_of_the_equilibrium_where_the_start_is_one) {
  const std::string text = fmt::format(R"toml([system]
coordinates = ["x"]
mass = 2
potential = "x^2/2 + x^4/4 - 10*x"
[initial]
position = [1]
static = true
{})toml",
                                       method_and_run);
  const session::Modes m = modes_of(text);
  EXPECT_TRUE(m.equilibrium);
  EXPECT_NEAR(m.omega[0], std::sqrt((1 + 3 * 4) / 2.0), 1e-6);  // x + x^3 = 10 at x = 2
}

TEST(Modes, refuse_what_they_cannot_take) {
  const std::string chain = fixed_free_chain(4);
  EXPECT_NE(error_of_modes(chain, 0).find("0 modes are asked for"), std::string::npos);
  EXPECT_NE(error_of_modes(chain, 5).find("5 modes are asked for; p.toml has 4"), std::string::npos);
  EXPECT_EQ(modes_of(chain).size(), 4);
  const std::string held = io::test::with(chain, "[initial]", "[[system.constraint]]\nexpression = \"u[0] - u[1]\"\n[initial]");
  const std::string error = error_of_modes(io::test::with(held, "\"newmark\"", "\"midpoint\""));
  EXPECT_NE(error.find("there are no modes: the system has constraints"), std::string::npos) << error;
}

}  // namespace
}  // namespace actio
