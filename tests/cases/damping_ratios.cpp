#include <gtest/gtest.h>

#include <fmt/format.h>

#include <models/mesh.hpp>

#include <atomic>
#include <cmath>
#include <numbers>

#include <io/support.hpp>

#include <actio/method/integrator.hpp>
#include <actio/session/modes.hpp>

// Friction by damping ratios: what a mode that swings by itself loses.
namespace actio {
namespace {

using io::test::with;
using std::numbers::pi;

session::Modes shapes_of(const io::Problem& problem, long count) {
  const std::atomic<bool> stop = false;
  session::OneProcess here(stop);
  return session::modes(session::linear_problem(problem, {}, here), count);
}

// xi from the logarithmic decrement of four periods of mode k, from rest in its shape: ln(y_0/y_4) = 8 pi xi / sqrt(1 - xi^2).
double measured_ratio(const io::Problem& problem, const session::Modes& modes, long k, double amplitude) {
  const long of_a_period = 200;
  const auto integrator = method::make_integrator(problem.model, problem.method);
  const Eigen::VectorXd shape = modes.shape.col(k), q = problem.q0 + amplitude * shape;
  integrator->start(0, q, Eigen::VectorXd::Zero(q.size()));
  method::Snapshot state;
  std::array<double, 3> y{0, 0, amplitude * shape.squaredNorm()};
  std::vector<double> peaks{y[2]};
  const double damped = modes.omega[k], h = 2 * pi / damped / of_a_period;
  for (long step = 1; peaks.size() < 5 && step < 6 * of_a_period; ++step) {
    EXPECT_TRUE(integrator->advance(1, h).ok);
    integrator->snapshot(state);
    y = {y[1], y[2], shape.dot(state.q - problem.q0)};
    if (step < 2 || !(y[1] > y[0] && y[1] >= y[2])) continue;
    const double slope = (y[2] - y[0]) / 2, bend = y[2] - 2 * y[1] + y[0];
    peaks.push_back(y[1] - slope * slope / (2 * bend));
  }
  if (peaks.size() < 5) return std::nan("");
  const double decrement = std::log(peaks[0] / peaks[4]) / 4;
  return decrement / std::hypot(2 * pi, decrement);
}

constexpr double of_steps = 1e-3;  // (h w)^2/12 = 8e-5 of a period, and a parabola for the peak

std::string damped_chain(const std::string& rayleigh) {
  return fmt::format(R"toml([system]
coordinates = ["u[5]"]
mass = [1, 2, 1, 2, 1]
stiffness = [[3, -1, 0, 0, 0], [-1, 2, -1, 0, 0], [0, -1, 3, -2, 0], [0, 0, -2, 5, -3], [0, 0, 0, -3, 3]]
rayleigh = {}
[initial]
position = {{ u = 0 }}
[method]
name = "newmark"
[run]
step = 0.1
steps = 1
)toml",
                     rayleigh);
}

TEST(DampingRatios, of_two_modes_are_what_those_modes_lose) {
  const io::Problem problem = io::load_text(damped_chain("{ ratio = [0.02, 0.05], modes = [1, 3] }"), "p.toml");
  const session::Modes modes = shapes_of(problem, 3);
  EXPECT_NEAR(measured_ratio(problem, modes, 0, 1), 0.02, 0.02 * of_steps);
  EXPECT_NEAR(measured_ratio(problem, modes, 2, 1), 0.05, 0.05 * of_steps);
  ASSERT_EQ(problem.rayleigh.size(), 1U);
  const io::Rayleigh& of = problem.rayleigh[0];
  for (const std::size_t k : {0, 1}) {
    const double w = 2 * pi * of.frequency[k];
    EXPECT_NEAR((of.mass / w + of.stiffness * w) / 2, of.ratio[k], 1e-12);
    EXPECT_NEAR(w, modes.omega[k == 0 ? 0 : 2], 1e-12);
  }
}

TEST(DampingRatios, by_modes_and_by_their_frequencies_are_one_damping) {
  const io::Problem a = io::load_text(damped_chain("{ ratio = 0.03, modes = [2, 1] }"), "p.toml");
  const std::string frequencies = fmt::format("[{}, {}]", a.rayleigh[0].frequency[0], a.rayleigh[0].frequency[1]);
  const io::Problem b = io::load_text(damped_chain("{ ratio = 0.03, frequencies = " + frequencies + " }"), "p.toml");
  EXPECT_LE((Eigen::MatrixXd(a.model.damping) - Eigen::MatrixXd(b.model.damping)).cwiseAbs().maxCoeff(), 1e-15);
}

// Rigid motions are not counted: mode 1 of a chain that is free is its first that bends.
TEST(DampingRatios, count_modes_from_the_first_that_meets_stiffness) {
  const std::string text = with(damped_chain("{ ratio = 0.03, modes = [1, 2] }"), "[[3, -1", "[[1, -1");
  const io::Problem problem = io::load_text(text, "p.toml");
  const session::Modes modes = shapes_of(problem, 3);
  EXPECT_EQ(modes.rigid, 1);
  EXPECT_NEAR(measured_ratio(problem, modes, 1, 1), 0.03, 0.03 * of_steps);
}

TEST(DampingRatios, of_a_solid_are_what_its_modes_lose) {
  const io::test::Folder folder;
  models::write_msh(models::mesh_of({system::Cell::hexahedron20, {2, 1, 1}, {5, 1, 0.7}}), folder / "b.msh");
  const io::Problem problem = io::load_text(fmt::format(R"toml([system.solid]
mesh = "{}"
fixed = ["x0"]
material = {{ model = "neo-hookean", E = 3, nu = 0.3, density = 2 }}
damping = {{ rayleigh = {{ ratio = 0.04, modes = [1, 3] }} }}
[method]
name = "newmark"
[run]
step = 0.1
steps = 1
)toml",
                                                        folder / "b.msh"),
                                            "p.toml");
  const session::Modes modes = shapes_of(problem, 3);
  for (const long k : {0, 2}) {
    if (ACTIO_TEST_SHORT && k == 0) continue;
    EXPECT_NEAR(measured_ratio(problem, modes, k, 1e-6), 0.04, 0.04 * of_steps) << k;
  }
}

TEST(DampingRatios, that_make_no_sense_are_refused_with_their_place) {
  const auto error = [](const std::string& rayleigh) { return io::test::error_of(damped_chain(rayleigh)); };
  const auto says = [&](const std::string& rayleigh, const std::string& what) {
    const std::string words = error(rayleigh);
    EXPECT_TRUE(words.starts_with("p.toml:5:")) << words;
    EXPECT_NE(words.find(what), std::string::npos) << words;
  };
  says("{ ratio = -0.01, modes = [1, 2] }", "system.rayleigh.ratio is -0.01; it must lie between 0 and 1");
  says("{ ratio = [0.1, 1], modes = [1, 2] }", "system.rayleigh.ratio[1] is 1; it must lie between 0 and 1");
  says("{ ratio = [0.1], modes = [1, 2] }", "system.rayleigh.ratio are two numbers, or it is one");
  says("{ ratio = 0.1, modes = [0, 2] }", "system.rayleigh.modes[0]");
  says("{ ratio = 0.1, modes = [1, 6] }", "system.rayleigh.modes[1]");
  says("{ ratio = 0.1, modes = [2, 2] }", "system.rayleigh.modes names one twice");
  says("{ ratio = 0.1, modes = [1] }", "system.rayleigh.modes are two numbers of modes");
  says("{ ratio = 0.1 }", "system.rayleigh needs modes or frequencies");
  says("{ ratio = 0.1, modes = [1, 2], frequencies = [1, 2] }", "gives both modes and frequencies");
  says("{ modes = [1, 2] }", "ratio");
  says("{ mass = 1, ratio = 0.1, modes = [1, 2] }", "gives both a ratio and factors");
  says("{ ratio = [0.5, 0.01], modes = [1, 2] }", "no a M + b K with a, b >= 0 has the ratios 0.5 and 0.01");
  const std::string free = io::test::error_of(with(damped_chain("{ ratio = 0.1, modes = [1, 5] }"), "[[3, -1", "[[1, -1"));
  EXPECT_NE(free.find("p.toml:5:35: error: system.rayleigh needs mode 5: there are 4 modes with stiffness"), std::string::npos)
      << free;
}

}  // namespace
}  // namespace actio
