#include "pendulum_file.hpp"

#include <actio/io/problem.hpp>
#include <cstdlib>
#include <memory>

namespace {

using namespace actio;

constexpr const char* problem = R"toml(
[system]
coordinates = ["x1", "y1", "x2", "y2"]
parameters = { w = 20 }
mass = 1.0
potential = "y1 + y2 + 0.5*w^2*((x1^2 + y1^2 - 1)^2 + ((x2 - x1)^2 + (y2 - y1)^2 - 2)^2)"
[initial]
position = [0, -1, 1, -2]
[method]
name = "zhang-skeel"
[run]
step = 0.1
steps = 1
)toml";

}  // namespace

std::function<DoublePendulum::Vector(double, long)> bench::pendulum_from_file(const method::AnyMethod& choice) {
  const io::Problem read = io::load_text(problem, "pendulum.toml");
  std::shared_ptr<method::Integrator> integrator = method::make_integrator(read.model, {choice, false, {}});
  return [integrator, read](double h, long count) {
    integrator->start(0, read.q0, read.v0);
    if (!integrator->advance(count, h).ok) std::exit(1);
    method::Snapshot s;
    integrator->snapshot(s);
    return DoublePendulum::Vector(s.q);
  };
}
