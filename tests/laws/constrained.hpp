#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <laws/systems.hpp>
#include <string>
#include <vector>

// Systems with holonomic constraints, each with g, G = dg/dq and g_t written by hand beside the problem file.
namespace actio::laws {

struct ConstrainedSystem {
  using Vector = Eigen::VectorXd;
  std::string name;
  io::Problem problem;
  std::function<Vector(double t, const Vector& q)> g;
  std::function<Eigen::MatrixXd(double t, const Vector& q)> G;
  std::function<Vector(double t)> g_t;  // at any q of the systems below that depend on t
  bool conservative = true;             // no friction, nothing depends on t: symplectic, reversible
  long n() const { return problem.model.size(); }
};

inline io::Problem constrained_problem(const std::string& text) {
  return io::load_text(text + "\n[method]\nname = \"rattle\"\n[run]\nstep = 0.1\nsteps = 1\n", "laws.toml");
}

inline Eigen::VectorXd two_rods(double, const Eigen::VectorXd& q) {
  const double x = q[2] - q[0], y = q[3] - q[1];
  return Eigen::Vector2d(q[0] * q[0] + q[1] * q[1] - 1, x * x + y * y - 2);
}
inline Eigen::MatrixXd two_rods_slope(double, const Eigen::VectorXd& q) {
  const double x = q[2] - q[0], y = q[3] - q[1];
  return 2 * (Eigen::MatrixXd(2, 4) << q[0], q[1], 0, 0, -x, -y, x, y).finished();
}
template <int M>
Eigen::VectorXd at_rest(double) {
  return Eigen::VectorXd::Zero(M);
}

// TO 4.1, gravity down
inline const ConstrainedSystem& double_pendulum_on_rods() {
  static const ConstrainedSystem system{"double_pendulum", constrained_problem(R"toml(
[system]
coordinates = ["x1", "y1", "x2", "y2"]
mass = 1.0
potential = "y1 + y2"
constraints = ["x1^2 + y1^2 - 1", "(x2 - x1)^2 + (y2 - y1)^2 - 2"]
[initial]
position = [0, -1, 1, -2]
velocity = [0.3, 0, 0.4, 0.1]
)toml"),
                                        two_rods, two_rods_slope, at_rest<2>};
  return system;
}

// with drag and a wind
inline const ConstrainedSystem& double_pendulum_in_wind() {
  static const ConstrainedSystem system{"double_pendulum_in_wind",
                                        constrained_problem(R"toml(
[system]
coordinates = ["x1", "y1", "x2", "y2"]
mass = 1.0
potential = "y1 + y2"
dissipation = "0.05*(x1'^2 + y1'^2) + 0.02*(x2'^2 + y2'^2)^2"
force = { x1 = "0.3*cos(3*t)", y2 = "-0.1*x2'" }
constraints = ["x1^2 + y1^2 - 1", "(x2 - x1)^2 + (y2 - y1)^2 - 2"]
[initial]
position = [0, -1, 1, -2]
velocity = [0.3, 0, 0.4, 0.1]
)toml"),
                                        two_rods,
                                        two_rods_slope,
                                        at_rest<2>,
                                        false};
  return system;
}

// A spring pulls a spherical pendulum to the axis and up; angular momentum about z.
inline const ConstrainedSystem& spherical_pendulum() {
  static const ConstrainedSystem system{
      "spherical_pendulum", constrained_problem(R"toml(
[system]
coordinates = ["x", "y", "z"]
mass = 2.0
potential = "2*z + 0.4*(x^2 + y^2)^2"
constraints = ["x^2 + y^2 + z^2 - 1"]
[[symmetry]]
name = "angular momentum"
generator = ["-y", "x", "0"]
[initial]
position = [0.6, 0, -0.8]
velocity = [0.4, 0.7, 0.3]
)toml"),
      [](double, const Eigen::VectorXd& q) { return Eigen::VectorXd::Constant(1, q.squaredNorm() - 1).eval(); },
      [](double, const Eigen::VectorXd& q) { return Eigen::MatrixXd(2 * q.transpose()); }, at_rest<1>};
  return system;
}

// A bead on a wire x = sin y that is shaken along x
inline const ConstrainedSystem& shaken_wire() {
  static const ConstrainedSystem system{
      "shaken_wire",
      constrained_problem(R"toml(
[system]
coordinates = ["x", "y"]
mass = [1.0, 1.0]
potential = "y"
constraints = ["x - 0.3*sin(2*t) - sin(y)"]
[initial]
position = [0.479425538604203, 0.5]
velocity = [1.477582561890373, 1.0]
)toml"),
      [](double t, const Eigen::VectorXd& q) {
        return Eigen::VectorXd::Constant(1, q[0] - 0.3 * std::sin(2 * t) - std::sin(q[1])).eval();
      },
      [](double, const Eigen::VectorXd& q) { return (Eigen::MatrixXd(1, 2) << 1, -std::cos(q[1])).finished(); },
      [](double t) { return Eigen::VectorXd::Constant(1, -0.6 * std::cos(2 * t)).eval(); },
      false};
  return system;
}

// On a surface, with a full mass matrix
inline const ConstrainedSystem& on_a_surface() {
  static const ConstrainedSystem system{
      "on_a_surface", constrained_problem(R"toml(
[system]
coordinates = ["x", "y", "z"]
mass = [[2.0, 0.3, -0.2], [0.3, 1.0, 0.4], [-0.2, 0.4, 1.5]]
potential = "0.5*x^2 + 0.25*y^4 + z + 0.3*x*y*z"
constraints = ["z - 0.3*cos(x) - 0.2*y^2"]
[initial]
position = [0, 0.5, 0.35]
velocity = [0.4, 0.5, 0.1]
)toml"),
      [](double, const Eigen::VectorXd& q) {
        return Eigen::VectorXd::Constant(1, q[2] - 0.3 * std::cos(q[0]) - 0.2 * q[1] * q[1]).eval();
      },
      [](double, const Eigen::VectorXd& q) { return (Eigen::MatrixXd(1, 3) << 0.3 * std::sin(q[0]), -0.4 * q[1], 1).finished(); },
      at_rest<1>};
  return system;
}

// Its mass depends on position, and it is gyroscopic
inline const ConstrainedSystem& bead_of_changing_mass() {
  static const ConstrainedSystem system{
      "bead_of_changing_mass", constrained_problem(R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "0.5*(1 + 0.3*y^2)*x'^2 + 0.5*(1 + 0.2*x)*y'^2 + 0.2*x'*y' + 0.4*x^2*y' - y - 0.2*x^4"
constraints = ["x^2 + 2*y^2 + 0.3*x*y - 1"]
[initial]
position = [1, 0]
velocity = [-0.12, 0.8]
)toml"),
      [](double, const Eigen::VectorXd& q) {
        return Eigen::VectorXd::Constant(1, q[0] * q[0] + 2 * q[1] * q[1] + 0.3 * q[0] * q[1] - 1).eval();
      },
      [](double, const Eigen::VectorXd& q) {
        return (Eigen::MatrixXd(1, 2) << 2 * q[0] + 0.3 * q[1], 4 * q[1] + 0.3 * q[0]).finished();
      },
      at_rest<1>};
  return system;
}

inline std::vector<const ConstrainedSystem*> constrained_systems() {
  return {&double_pendulum_on_rods(), &double_pendulum_in_wind(), &spherical_pendulum(), &shaken_wire(), &on_a_surface(),
          &bead_of_changing_mass()};
}

inline std::vector<method::Spec> constrained_methods() {
  using namespace method;
  return and_all_that([](const Traits& of) { return of.constraints == Constraints::kept && !of.on_groups; },
                      {{Variational{0.3, true}, false, {}},
                       {Variational{0, false}, false, {}},
                       {Variational{1, false}, false, {}},
                       {Rattle{}, false, {}},
                       {Shake{}, false, {}},
                       {Midpoint{}, false, {}},
                       {Lobatto{3}, false, {}},
                       {Rattle{}, true, {4, "yoshida"}},
                       {Shake{}, true, {4, "suzuki"}},
                       {Midpoint{}, true, {4, "yoshida"}}});
}

}  // namespace actio::laws
