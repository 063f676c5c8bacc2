#pragma once
#include <string>

#include <fmt/format.h>

#include "models/hanging_chain.hpp"

// The systems of the suite, as the first part of a problem file.
namespace certificate {

using models::hanging_chain;

// `how`: the fields of [method] beside its name.
inline std::string problem(const std::string& system, const std::string& method, double h, long steps, long every = 1,
                           const std::string& how = "") {
  return fmt::format("{}\n[method]\nname = \"{}\"\n{}\n[run]\nstep = {}\nsteps = {}\nevery = {}\n", system, method, how, h, steps,
                     every);
}

// x'' = -k/m x
inline const std::string harmonic = R"toml([system]
coordinates = ["x"]
parameters = { m = 1.0, k = 1.0 }
mass = "m"
potential = "0.5*k*x^2"
[initial]
position = [1.0]
velocity = [0.0]
)toml";
// Nonlinear, in the plane, with an angular momentum.
inline const std::string ring = R"toml([system]
coordinates = ["x", "y"]
parameters = { m = 1.0, c = 1.0 }
mass = "m"
potential = "c*(x^2 + y^2)*(x^2 + y^2 - 1)^2"
[[symmetry]]
name = "angular momentum"
generator = ["-y", "x"]
[initial]
position = [1.2, 0.0]
velocity = [0.0, 0.2]
)toml";
inline const std::string kepler = R"toml([system]
coordinates = ["x", "y"]
parameters = { m = 1.0, c = 1.0 }
mass = "m"
potential = "-c/sqrt(x^2 + y^2)"
[[symmetry]]
name = "angular momentum"
generator = ["-y", "x"]
[initial]
position = [0.4, 0.0]
velocity = [0.0, 2.0]
)toml";
inline const std::string henon_heiles = R"toml([system]
coordinates = ["x", "y"]
parameters = { m = 1.0, c = 1.0 }
mass = "m"
potential = "0.5*(x^2 + y^2) + c*(x^2*y - y^3/3)"
[initial]
position = [0.1, 0.0]
velocity = [0.0, 0.5]
)toml";
// The angle of a pendulum, by its Lagrangian.
inline const std::string pendulum = R"toml([system]
coordinates = ["theta"]
parameters = { m = 1.0, c = 9.81 }
lagrangian = "0.5*m*theta'^2 + c*cos(theta)"
[initial]
position = [1.5]
velocity = [0.0]
)toml";
// Mass depends on position: two rods in their angles.
inline const std::string angles = R"toml([system]
coordinates = ["a", "b"]
parameters = { m = 1.0, c = 1.0 }
lagrangian = "m*(a'^2 + b'^2 + sqrt(2)*a'*b'*cos(a - b)) + c*(2*cos(a) + sqrt(2)*cos(b))"
[initial]
position = [0.9, -0.4]
velocity = [0.2, 0.3]
)toml";
// A charge in a magnetic field that varies.
inline const std::string charge = R"toml([system]
coordinates = ["x", "y"]
mass = [1.0, 1.0]
lagrangian = "0.4*(1 + x^2 + y^2)*(x*y' - y*x') - 0.3*(x^2 + y^2)^2 - 0.2*(x^2 + y^2)"
[[symmetry]]
name = "angular momentum"
generator = ["-y", "x"]
[initial]
position = [0.8, 0.1]
velocity = [-0.2, 0.6]
)toml";
inline const std::string full_mass = R"toml([system]
coordinates = ["x", "y", "z"]
parameters = { c = 1.0 }
mass = [[2.0, 0.3, -0.2], [0.3, 1.0, 0.4], [-0.2, 0.4, 1.5]]
potential = "0.5*(x - y)^2 + 0.25*c*(x - y)^4 + c*(1 - cos(y - z)) + 0.3*(z - x)^3 + exp(x - z)"
[[symmetry]]
name = "momentum"
generator = ["1", "1", "1"]
[initial]
position = [0.4, -0.3, 0.2]
velocity = [0.1, 0.5, -0.3]
)toml";
// Twenty masses on hardening springs, free at both ends.
inline const std::string chain = R"toml([system]
coordinates = ["x[N]"]
parameters = { N = 20, m = 1.0, c = 1.0 }
mass = "m"
[[system.term]]
over = "i = 0..N-2"
potential = "0.5*c*(x[i+1] - x[i] - 1)^2 + 0.25*c*(x[i+1] - x[i] - 1)^4"
[[symmetry]]
name = "momentum"
generator = { x = 1 }
[initial.position]
x = "i + 0.3*sin(i)"
[initial.velocity]
x = "0.2*cos(2*i)"
)toml";
// Two rods in Cartesian coordinates.
inline const std::string rods = R"toml([system]
coordinates = ["x1", "y1", "x2", "y2"]
parameters = { m = 1.0, c = 1.0 }
mass = "m"
potential = "c*(y1 + y2)"
constraints = ["x1^2 + y1^2 - 1", "(x2 - x1)^2 + (y2 - y1)^2 - 2"]
[initial]
position = [0, -1, 1, -2]
)toml";
inline const std::string sphere = R"toml([system]
coordinates = ["x", "y", "z"]
parameters = { m = 1.0, c = 9.81 }
mass = "m"
potential = "c*z"
constraints = ["x^2 + y^2 + z^2 - 1"]
[[symmetry]]
name = "angular momentum"
generator = ["-y", "x", "0"]
[initial]
position = [0.6, 0.0, -0.8]
velocity = [0.0, 1.5, 0.0]
)toml";
// A magnetised body that turns about a point (TO 4.5).
inline const std::string magnet = R"toml([system]
parameters = { c = 1.0 }
bodies = [{ name = "magnet", inertia = [1.0, 1.0, 1.5] }]
potential = "c*magnet.R33"
[[symmetry]]
name = "momentum about the field"
rotation = [0, 0, 1]
[[symmetry]]
name = "momentum about the dipole"
body = "magnet"
axis = [0, 0, 1]
[initial.bodies.magnet]
angular_velocity = [1, 0.2, 0.1]
)toml";
inline const std::string heavy_top = R"toml([system]
parameters = { m = 1.0, c = 9.81, L = 0.1 }
bodies = [{ name = "top", mass = "m", inertia = [0.002, 0.002, 0.0008] }]
potential = "m*c*top.z"
[[system.joint]]
type = "spherical"
between = ["top.point(0, 0, -L)", "ground.point(0, 0, 0)"]
[[symmetry]]
name = "about the vertical"
rotation = [0, 0, 1]
[[symmetry]]
name = "about the axis of the top"
body = "top"
axis = [0, 0, 1]
[initial.bodies.top]
orientation = { axis = [1, 0, 0], angle = 0.3 }
position = [0, "-L*sin(0.3)", "L*cos(0.3)"]
angular_velocity = [0, 0, 100]
)toml";

}  // namespace certificate
