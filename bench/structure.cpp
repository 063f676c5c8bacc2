// A clamped steel brick of 8-node hexahedra under a swinging load at its free face, Rayleigh damping, Newmark 1/4 1/2: steps of
// Actio's own stepper on a model with the matrices M, D, S, and the same steps written directly on CHOLMOD, in turn.
//   bench_structure [elements along an edge ...]
#include <sys/resource.h>

#include <actio/method/newmark.hpp>
#include <actio/system/assembled.hpp>
#include <cmath>
#include <cstdlib>
#include <models/brick.hpp>
#include <numbers>
#include <string>

#include "direct.hpp"
#include "harness.hpp"
#include "triad.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using System = actio::system::Assembled<actio::algebra::SparseSpace>;

constexpr double h = 1e-5, a_M = 20, b_S = 1e-6, frequency = 500;  // [s], [1/s], [s], [1/s]

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }
double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// 1000 N spread over the face x = 1, in z.
Eigen::VectorXd load_pattern(const models::Structure& s) {
  Eigen::VectorXd p = Eigen::VectorXd::Zero(s.size());
  for (std::size_t node = 0; node < s.nodes.size(); ++node)
    if (s.nodes[node][0] > 1 - 1e-9) p[s.coordinate[3 * node + 2]] = 1;
  return p * (1000 / p.sum());
}

actio::system::Model model_of(const models::Structure& s, const Eigen::SparseMatrix<double>& D, const Eigen::VectorXd& pattern) {
  using namespace actio;
  system::Model model;
  model.families = {{"u", s.size(), 0, true}};
  model.mass.kind = system::MassMatrix::Kind::full;
  model.mass.full = s.mass;
  model.stiffness = s.stiffness;
  model.damping = D;
  system::Force load;  // p(t) = pattern sin(2 pi f t)
  load.name = "load";
  load.data.emplace_back();
  for (long i = 0; i < s.size(); ++i)
    if (pattern[i] != 0) {
      load.rows.push_back(static_cast<std::int32_t>(i));
      load.data[0].push_back(pattern[i]);
    }
  load.elements = static_cast<long>(load.rows.size());
  expr::Graph& g = load.graph;
  load.value = g.mul(g.column(0), g.unary(expr::Op::sin, g.mul(g.constant(2 * std::numbers::pi * frequency), g.uniform(0))));
  model.forces.push_back(std::move(load));
  return model;
}

int measure(int edge) {
  models::Structure s = make(models::Brick{.elements = {edge, edge, edge}});
  const Eigen::VectorXd pattern = load_pattern(s), rest = Eigen::VectorXd::Zero(s.size());
  Eigen::SparseMatrix<double> D = s.mass;  // D = a M + b S
  D.coeffs() = a_M * s.mass.coeffs() + b_S * s.stiffness.coeffs();

  auto begin = Clock::now();
  const auto compiled = actio::system::compile(model_of(s, D, pattern));
  actio::method::NewmarkStepper<System> actio(
      System(compiled, actio::system::layout<actio::algebra::SparseSpace>(*compiled, true)), {.beta = 0.25, .gamma = 0.5});
  auto state = actio.start(0, rest, rest);
  const double set_up = seconds_since(begin);
  begin = Clock::now();
  bool ok = actio.step(state, h).converged;
  const double first_step = seconds_since(begin), actio_peak = peak_megabytes();

  const Eigen::SparseMatrix<double> S = std::move(s.stiffness), M = std::move(s.mass);
  bench::Direct direct(M, std::move(D), S, 0.25, 0.5, h);
  double t = 0;
  Eigen::VectorXd p(pattern.size());
  const auto step_directly = [&] {
    t += h;
    p = std::sin(2 * std::numbers::pi * frequency * t) * pattern;
    direct.step(p);
  };
  step_directly();
  const double peak = peak_megabytes();

  bench::Triad triad;
  std::vector<bench::Program> programs{{"CHOLMOD directly", step_directly},
                                       {"Actio", [&] { ok = actio.step(state, h).converged && ok; }}};
  std::vector<double> ratios;  // of steps made one after the other
  for (int round = 0; round < 41; ++round) {
    std::vector<bench::Program> once{{"", programs[0].run}, {"", programs[1].run}};
    bench::measure(once, 1, 1);
    for (std::size_t k = 0; k < 2; ++k) programs[k].best = std::min(programs[k].best, once[k].best);
    ratios.push_back(once[1].best / once[0].best);
    triad.run(static_cast<int>(std::thread::hardware_concurrency()));
  }
  std::nth_element(ratios.begin(), ratios.begin() + 20, ratios.end());
  const double nonzeros = direct.nonzeros(), bytes = direct.bytes();
  std::printf("%ld degrees of freedom (%d^3 elements), %ld entries in S, %.4g in L (%.0f MB)\n", S.rows(), edge,
              static_cast<long>(S.nonZeros()), nonzeros, bytes / 1e6);
  std::printf("  set up                  Actio %.2f s (kernels, layout)\n", set_up);
  std::printf("  analysis + factor       Actio %.2f s (its first step), directly %.2f + %.2f s\n", first_step,
              direct.analysis_seconds(), direct.factor_seconds());
  for (const auto& program : programs)
    std::printf("  step                    %-18s %9.2f ms  %.3f ns per entry of L  %5.2f GB/s of L  %.3f x\n",
                program.name.c_str(), program.best * 1e-6, program.best / nonzeros, 2 * bytes / program.best,
                program.best / programs.front().best);
  std::printf("  median of 41 ratios     Actio %.3f x\n", ratios[20]);
  std::printf("  triad                   %5.2f GB/s, %u threads\n", triad.gigabytes_a_second(),
              std::thread::hardware_concurrency());
  std::printf("  peak memory             Actio %.0f MB, both %.0f MB\n", actio_peak, peak);
  std::printf("  the two differ by       %.1e of the largest displacement after %.0f steps\n\n",
              (state.q - direct.u()).lpNorm<Eigen::Infinity>() / direct.u().lpNorm<Eigen::Infinity>(), t / h);
  if (!ok) std::fprintf(stderr, "a step did not converge\n");
  return ok ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) return measure(std::atoi(argv[1]));
  // each size in a process of its own, so that its peak of memory is its own
  std::vector<std::string> edges(argv + 1, argv + argc);
  if (edges.empty()) edges = {"21", "31", "46"};
  for (const std::string& edge : edges)
    if (std::system((std::string(argv[0]) + " " + edge).c_str()) != 0) return 1;
}
