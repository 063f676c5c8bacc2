#pragma once
#include <string>

namespace actio::io::test {

// A pendulum in the plane and a chain of four links of length k + 1 beside it.
inline const std::string constrained = R"toml([system]
coordinates = ["x", "y", "q[5]"]
parameters = { L = 2.0, N = 4 }
tables = { d = [1, 4, 9, 16] }
mass = 1
constraints = ["x^2 + y^2 - L^2"]
[[system.constraint]]
name = "link"
over = "k = 0..N-1"
expression = "(q[k+1] - q[k])^2 - d[k]"
[initial]
position = { x = 2, y = 0, q = [0, 1, 3, 6, 10] }
[method]
name = "midpoint"
[run]
step = 0.1
steps = 7
)toml";

}  // namespace actio::io::test
