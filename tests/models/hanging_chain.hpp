#pragma once
#include <string>

#include <fmt/format.h>

namespace models {

// N rigid links on spherical hinges, hanging straight down: each turns about its own axis and swings a little. The first part of
// a problem file, before [method].
inline std::string hanging_chain(long N) {
  return fmt::format("[system]\nparameters = {{ N = {}, d = 0.1, g = 9.81 }}\n", N) + R"toml(
bodies = [{ name = "link[N]", mass = 0.1, inertia = [1e-4, 1.1e-4, 2e-5] }]
[[system.term]]
over = "k = 0..N-1"
potential = "0.1*g*link[k].z"
[[system.joint]]
type = "spherical"
between = ["link[0].point(0, 0, d/2)", "ground.point(0, 0, 0)"]
[[system.joint]]
type = "spherical"
over = "k = 1..N-1"
between = ["link[k].point(0, 0, d/2)", "link[k-1].point(0, 0, -d/2)"]
[initial.bodies.link]
position = [0, 0, "-d*(i + 0.5)"]
velocity = ["0.2*d*(i + 0.5)", 0, 0]
angular_velocity = [0, -0.2, 3]
)toml";
}

}  // namespace models
