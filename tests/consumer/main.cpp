// Builds and runs against an install tree: the spring's force from its energy.
#include <array>
#include <cstdio>

#include <actio/expr/graph.hpp>

int main() {
  using namespace actio::expr;
  Graph g;
  const Id x = g.column(0), k = g.uniform(1);
  const Id V = g.mul(g.mul(g.constant(0.5), k), g.pow(x, g.constant(2)));
  const Id slope = gradient(g, V, std::array{x}).front();
  const bool right = columns_of(g, slope) == std::vector<int>{0} && depends_on_uniform(g, slope, 1);
  std::puts(right ? "dV/dx depends on x and k" : "dV/dx is wrong");
  return right ? 0 : 1;
}
