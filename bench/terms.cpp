// Nanoseconds per element of a compiled batch of terms against the interpreter of the same graph, and of building a module.
//   g++ -std=c++20 -O3 -DNDEBUG -Iinclude bench/terms.cpp src/expr/*.cpp src/core/error.cpp -o terms -lfmt -lbenchmark -ldl
//   -lpthread
#include <array>
#include <filesystem>
#include <random>

#include <benchmark/benchmark.h>
#include <actio/expr/kernel.hpp>

namespace {

using namespace actio::expr;

Id square(Graph& g, Id x) { return g.pow(x, g.constant(2)); }

// V = c (x^2 + y^2) (x^2 + y^2 - 1)^2: gradient, 2 coordinates.
KernelSource oscillator(Graph& g, bool batch = true) {
  const Id x = g.column(0), y = g.column(1), c = g.uniform(1);
  const Id r2 = g.add(square(g, x), square(g, y));
  const Id V = g.mul(g.mul(c, r2), square(g, g.sub(r2, g.constant(1))));
  return {"oscillator", &g, gradient(g, V, std::array{x, y}), batch, 2, 2};
}

// vol psi(F), F = Ds B, psi = (I - 3)/2 - log J + (log J)^2/2: gradient and Hessian, 12 coordinates, data B (9) and vol.
KernelSource tetrahedron(Graph& g) {
  std::vector<Id> x;
  for (int k = 0; k < 12; ++k) x.push_back(g.column(k));
  Id F[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      F[i][j] = g.constant(0);
      for (int k = 0; k < 3; ++k) {
        const Id edge = g.sub(x[static_cast<std::size_t>(3 * (k + 1) + i)], x[static_cast<std::size_t>(i)]);
        F[i][j] = g.add(F[i][j], g.mul(edge, g.column(12 + 3 * k + j)));
      }
    }
  Id I = g.constant(0);
  for (const auto& row : F)
    for (const Id f : row) I = g.add(I, square(g, f));
  const auto minor = [&](int p, int q) { return g.sub(g.mul(F[1][p], F[2][q]), g.mul(F[1][q], F[2][p])); };
  const Id J = g.add(g.sub(g.mul(F[0][0], minor(1, 2)), g.mul(F[0][1], minor(0, 2))), g.mul(F[0][2], minor(0, 1)));
  const Id L = g.unary(Op::log, J), half = g.constant(0.5);
  const Id psi = g.add(g.sub(g.mul(half, g.sub(I, g.constant(3))), L), g.mul(half, square(g, L)));
  const Id V = g.mul(g.column(21), psi);
  std::vector<Id> outputs = gradient(g, V, x);
  for (const Id h : hessian(g, V, x)) outputs.push_back(h);
  return {"tetrahedron", &g, outputs, true, 22, 22};
}

struct Batch {
  Batch(const KernelSource& source, long n) {
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 0.05);
    inputs.assign(static_cast<std::size_t>(source.columns), std::vector<double>(static_cast<std::size_t>(n)));
    for (std::size_t k = 0; k < inputs.size(); ++k)
      for (double& v : inputs[k]) v = rest(k) + noise(random);
    outputs.assign(source.outputs.size(), std::vector<double>(static_cast<std::size_t>(n)));
    for (auto& column : inputs) x.push_back(column.data());
    for (auto& column : outputs) y.push_back(column.data());
  }
  // The corners of a unit tetrahedron, then B = 1 and vol = 1/6.
  static double rest(std::size_t k) {
    if (k < 12) return k == 3 || k == 7 || k == 11 ? 1 : 0;
    return k == 21 ? 1.0 / 6 : (k - 12) % 4 == 0 ? 1 : 0;
  }
  std::vector<std::vector<double>> inputs, outputs;
  std::vector<const double*> x;
  std::vector<double*> y;
};

void per_element(benchmark::State& state, KernelSource (*make)(Graph&), const char* compiler) {
  Graph g;
  const KernelSource source = make(g);
  const Module module = Module::build(std::span(&source, 1), {.compiler = compiler, .cache = {}});
  if (module.compiled() != std::string_view(compiler).empty()) state.SkipWithError(module.why_interpreted().c_str());
  const long n = state.range(0);
  Batch batch(source, n);
  const double u[] = {0, 1};
  const BatchKernel kernel = module.batch(0);
  for (auto _ : state) {
    kernel(n, u, batch.x.data(), batch.y.data());
    benchmark::ClobberMemory();
  }
  state.counters["element"] =
      benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void build(benchmark::State& state, bool cold) {
  const std::filesystem::path cache = std::filesystem::temp_directory_path() / "actio-bench-terms";
  Graph g;
  const std::array sources{oscillator(g), oscillator(g, false)};
  for (auto _ : state) {
    if (cold) {
      state.PauseTiming();
      std::filesystem::remove_all(cache);
      state.ResumeTiming();
    }
    if (!Module::build(sources, {.compiler = {}, .cache = cache}).compiled()) state.SkipWithError("not compiled");
  }
}

KernelSource oscillator_batch(Graph& g) { return oscillator(g); }

BENCHMARK_CAPTURE(per_element, oscillator_compiled, oscillator_batch, "")->Arg(64)->Arg(4096);
BENCHMARK_CAPTURE(per_element, oscillator_interpreted, oscillator_batch, "none")->Arg(64)->Arg(4096);
BENCHMARK_CAPTURE(per_element, tetrahedron_compiled, tetrahedron, "")->Arg(64)->Arg(4096);
BENCHMARK_CAPTURE(per_element, tetrahedron_interpreted, tetrahedron, "none")->Arg(64)->Arg(4096);
BENCHMARK_CAPTURE(build, cold, true)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(build, warm, false)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
