#include <models/frame.hpp>
#include <models/vibration.hpp>
#include <stdexcept>

namespace models {
namespace {

using std::numbers::pi;

TEST(Beam, cantilever_bends_twists_and_stretches_as_theory_says) {
  const double L = 4;
  const int n = 4;
  const Section s = heb600();
  const Structure beam = make_beam(s, L, n, true);
  const double h = L / n;
  const auto square = [&](int k) {  // of the modes that coordinate k of the tip takes part in
    Eigen::VectorXd u = Eigen::VectorXd::Zero(beam.size());
    u[beam.size() - 6 + k] = 1;
    return tests::lowest_square(beam, u);
  };
  // cubic elements: omega_h^2 / omega^2 = 1 + (beta h)^4 / 720, linear ones: 1 + (k h)^2 / 12, to leading order
  const double beta = 1.8751040687 / L, k = pi / 2 / L;
  const double bending = std::pow(beta, 4) / (s.rho * s.A) * s.E, bending_error = std::pow(beta * h, 4) / 720;
  EXPECT_NEAR(square(2) / (bending * s.Iy) - 1, bending_error, 0.2 * bending_error);
  EXPECT_NEAR(square(1) / (bending * s.Iz) - 1, bending_error, 0.2 * bending_error);
  const double linear_error = k * k * h * h / 12;
  EXPECT_NEAR(square(0) / (k * k * s.E / s.rho) - 1, linear_error, 0.2 * linear_error);
  EXPECT_NEAR(square(3) / (k * k * s.G * s.J / (s.rho * (s.Iy + s.Iz))) - 1, linear_error, 0.2 * linear_error);
}

// P L^3 / 3 E I, exact for cubic elements, and a turn of the tip by P L^2 / 2 E I: positive about y where it goes down.
TEST(Beam, tip_load_bends_it_by_the_textbook_formula) {
  const double L = 3;
  const Section s = heb600();
  const Structure beam = make_beam(s, L, 3, true);
  actio::algebra::SparseSolver solver(beam.stiffness, true);
  ASSERT_TRUE(solver.factor_positive(beam.stiffness));
  const long tip = beam.size() - 6;
  Eigen::VectorXd p = Eigen::VectorXd::Zero(beam.size()), u = p;
  p[tip + 2] = -1000;
  solver.solve(p, u);
  EXPECT_NEAR(u[tip + 2] / (-1000 * L * L * L / (3 * s.E * s.Iy)), 1, 1e-10);
  EXPECT_NEAR(u[tip + 4] / (1000 * L * L / (2 * s.E * s.Iy)), 1, 1e-10);
  p.setZero();
  p[tip + 1] = 1000;
  solver.solve(p, u);
  EXPECT_NEAR(u[tip + 1] / (1000 * L * L * L / (3 * s.E * s.Iz)), 1, 1e-10);
  EXPECT_NEAR(u[tip + 5] / (1000 * L * L / (2 * s.E * s.Iz)), 1, 1e-10);
}

TEST(Frame, rigid_motions_cost_no_energy_and_carry_the_whole_mass) {
  const Frame frame{.bays_x = 2, .bays_y = 3, .storeys = 2, .members = 2, .clamped = false};
  const double columns = 2 * 12 * 3.5 * frame.column.A, beams = 2 * (2 * 4 + 3 * 3) * 6.0 * frame.beam.A;
  const double mass = 7850 * (columns + beams) + 2 * 600 * 12 * 18;  // two floors of 12 m x 18 m
  tests::expect_rigid_motions_cost_nothing(make(frame), mass);
}

// The same building turned by a quarter: members along x and along y are the same beams.
TEST(Frame, does_not_know_x_from_y) {
  const Structure a = make(Frame{.bays_x = 3, .bays_y = 2, .storeys = 4}),
                  b = make(Frame{.bays_x = 2, .bays_y = 3, .storeys = 4});
  for (int k = 0; k < 2; ++k) {
    const std::array<double, 3> x = {1, 0, 0}, y = {0, 1, 0};
    const double along = tests::lowest_square(a, a.rigid(k ? x : y, {0, 0, 0}));
    EXPECT_NEAR(along / tests::lowest_square(b, b.rigid(k ? y : x, {0, 0, 0})), 1, 1e-9);
  }
}

// Stiff beams make each storey two clamped-clamped columns: k = 2 * 12 E I / h^3 a column row, floors of mass m:
// omega = 2 sqrt(k/m) sin(pi / (2 (2 N + 1))) for N storeys (a chain with one end held).
TEST(Frame, with_rigid_beams_sways_as_a_shear_building) {
  Frame frame{.bays_x = 1, .bays_y = 1, .storeys = 5, .floor = 2000};
  frame.column = steel_box(0.3, 0.01);
  frame.column.rho = 1e-3;
  frame.column.A *= 1e4;  // no shortening of columns
  frame.beam = steel_box(1, 0.1);
  frame.beam.E *= 1e5;
  frame.beam.G *= 1e5;
  frame.beam.rho = 1e-3;
  const Structure s = make(frame);
  const double k = 4 * 12 * frame.column.E * frame.column.Iy / std::pow(frame.storey, 3), m = 2000 * 36;
  const double omega = 2 * std::sqrt(k / m) * std::sin(pi / (2 * 11));
  EXPECT_NEAR(tests::lowest_square(s, s.rigid({1, 0, 0}, {0, 0, 0})) / (omega * omega), 1, 1e-3);
}

// 50 storeys: 1e4 coordinates and more, both matrices positive definite, a period near the rule of thumb of 0.1 s a storey.
TEST(Frame, tower_is_a_realistic_building) {
  const Structure s = make(Frame{});
  EXPECT_EQ(s.size(), 6 * 7 * 5 * 50);
  EXPECT_GE(s.size(), 10000);
  const double period = 2 * pi / std::sqrt(tests::lowest_square(s, s.rigid({1, 0, 0}, {0, 0, 0})));
  EXPECT_GT(period, 3);
  EXPECT_LT(period, 8);
  actio::algebra::SparseSolver solver(s.mass, true);
  EXPECT_TRUE(solver.factor_positive(s.mass));
}

TEST(Frame, senseless_numbers_are_refused) {
  EXPECT_THROW(make(Frame{.bays_x = 0}), std::invalid_argument);
  EXPECT_THROW(make(Frame{.storeys = 100000000}), std::invalid_argument);
  EXPECT_THROW(make(Frame{.bay = -1}), std::invalid_argument);
  EXPECT_THROW(make(Frame{.column = Section{}}), std::invalid_argument);
}

}  // namespace
}  // namespace models
