#pragma once
#include <string>

namespace actio::io::test {

// Two kinds of bodies beside a coordinate: one with a position, three that turn about the origin.
inline const std::string bodies = R"toml([system]
coordinates = ["s"]
parameters = { m = 2.0, L = 0.5, N = 3 }
tables = { a = [0.1, 0.2, 0.3] }
mass = 7
bodies = [
  { name = "top", mass = "m", inertia = [[2, 0.1, 0], [0.1, 3, -0.2], [0, -0.2, 1.5]] },
  { name = "rotor[N]", inertia = [1.0, "2 + 0.1*i", 2.5] },
]
potential = "s*top.z + rotor[1].R23"
[initial]
position = { s = 1 }
[initial.bodies.top]
orientation = { axis = [0, 0, 2], angle = 0.3 }
position = [1, "L", 3]
angular_velocity = [0.1, 0.2, 0.3]
velocity = [4, 5, "6*m"]
[method]
name = "rattle"
[run]
step = 0.1
steps = 7
)toml";

}  // namespace actio::io::test
