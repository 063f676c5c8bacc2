// Built and run against an install tree: a system of one's own, stepped inline, and the same energy as an expression.
#include <array>
#include <cmath>
#include <cstdio>

#include <actio/discrete/quadrature.hpp>
#include <actio/expr/kernel.hpp>
#include <actio/method/variational.hpp>
#include <actio/system/mechanical.hpp>

struct Spring {  // V = 1/2 k (|q| - 1)^2, free to turn
  using Space = actio::algebra::DenseSpace<2>;
  using Vector = Space::Vector;
  using Matrix = Space::Matrix;
  double k = 4;

  double value(const Vector& q) const { return 0.5 * k * (length(q) - 1) * (length(q) - 1); }
  void gradient(const Vector& q, Vector& g) const { g = k * (1 - 1 / length(q)) * q; }
  void hessian(const Vector& q, Matrix& H) const {
    const double l = length(q), a = k * (1 - 1 / l), b = k / (l * l * l);
    H = {a + b * q[0] * q[0], b * q[0] * q[1], b * q[0] * q[1], a + b * q[1] * q[1]};
  }
  static double length(const Vector& q) { return std::sqrt(q[0] * q[0] + q[1] * q[1]); }
};

int main() {
  using System = actio::system::Mechanical<Spring>;
  using Ld = actio::discrete::Quadrature<System>;
  actio::method::VariationalStepper midpoint(Ld(System(Spring{}), actio::discrete::Nodes::one(0.5)));
  auto state = midpoint.start(0, {1.2, 0.0}, {0.0, 0.5});
  const auto momentum = [&] { return state.q[0] * state.p[1] - state.q[1] * state.p[0]; };
  const double before = momentum();
  for (int k = 0; k < 1000; ++k)
    if (!midpoint.step(state, 0.05).converged) return 1;
  const bool kept = std::abs(momentum() - before) < 1000 * 1e-15;  // round-off of a thousand steps

  using namespace actio::expr;
  Graph g;
  const Id x = g.column(0), y = g.column(1), k = g.uniform(0);
  const Id stretch = g.sub(g.unary(Op::sqrt, g.add(g.mul(x, x), g.mul(y, y))), g.constant(1));
  const Id V = g.mul(g.mul(g.constant(0.5), k), g.mul(stretch, stretch));
  const std::array sources{KernelSource{"slope", &g, gradient(g, V, std::array{x, y}), false, 2, 2}};
  const Module module = Module::build(sources);
  const double stiffness = 4, at[2] = {state.q[0], state.q[1]};
  double slope[2];
  module.single(0)(&stiffness, at, nullptr, slope);
  Spring::Vector force;
  Spring{}.gradient(state.q, force);
  const bool same = std::hypot(slope[0] - force[0], slope[1] - force[1]) < 1e-13;

  std::printf("momentum %s, gradient %s\n", kept ? "kept" : "lost", same ? "right" : "wrong");
  return kept && same ? 0 : 1;
}
