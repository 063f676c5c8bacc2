// Chains and rings of many sites: nanoseconds a site of velocity Verlet on a chain of a million, beside loops by hand, with one
// thread and two; and how Newmark's method on a ring grows from a thousand sites to a million.
#include <actio/core/parallel.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "harness.hpp"
#include "lattice_hand.h"

namespace {

using actio::method::Integrator;
using Eigen::VectorXd;

constexpr double beta = 0.25;

std::unique_ptr<Integrator> lattice(long n, bool ring, const std::string& method) {
  const std::string N = std::to_string(n), last = "q[" + std::to_string(n - 1) + "]";
  const auto spring = [](const std::string& i, const std::string& j) {
    return "potential = \"1/2*(" + j + " - " + i + ")^2 + beta/4*(" + j + " - " + i + ")^4\"\n";
  };
  const auto problem = actio::io::load_text(
      "[system]\ncoordinates = [\"q[" + N + "]\"]\nmass = 1\nparameters = { beta = " + std::to_string(beta) +
          " }\n[[system.term]]\nover = \"i = 0.." + std::to_string(n - 2) + "\"\n" + spring("q[i]", "q[i+1]") +
          (ring ? "[[system.term]]\n" + spring(last, "q[0]") : "") + "[initial]\nposition = { q = 0 }\n[method]\nname = \"" +
          method + "\"\n[run]\nstep = 0.1\nsteps = 1\n",
      "lattice.toml");
  return make_integrator(problem.model, problem.method);
}

struct Start {
  VectorXd q, v;
};
Start start_of(long n) {
  Start s{VectorXd(n), VectorXd(n)};
  for (long i = 0; i < n; ++i) {
    const double x = static_cast<double>(i);
    s.q[i] = 0.3 * std::sin(0.1 * x) + 0.1 * std::cos(1.7 * x);
    s.v[i] = 0.2 * std::cos(0.3 * x);
  }
  return s;
}

void advance(Integrator& integrator, long steps, double h) {
  if (!integrator.advance(steps, h).ok) {
    std::printf("a step failed\n");
    std::exit(1);
  }
}

void verlet(long n) {
  const double h = 0.1;
  const long steps = std::max(1L, 4'000'000 / n);
  const Start s = start_of(n);
  VectorXd q = s.q, p = s.v, f(n), Q = q, P = p, F(n);
  lattice_force(n, beta, q.data(), f.data());
  F = f;
  const auto chain = lattice(n, false, "verlet");
  chain->start(0, s.q, s.v);
  {  // all three are at the same place after the same steps
    lattice_verlet(n, beta, 5, h, q.data(), p.data(), f.data());
    lattice_leapfrog(n, beta, 5, h, Q.data(), P.data(), F.data());
    advance(*chain, 5, h);
    actio::method::Snapshot end;
    chain->snapshot(end);
    if (!((q - Q).norm() < 1e-12 * q.norm() && (q - end.q).norm() < 1e-12 * q.norm())) {
      std::printf("the programs end in different states\n");
      std::exit(1);
    }
  }
  for (const int threads : {1, 2}) {
    actio::core::set_threads(threads);
    std::vector<bench::Program> programs{
        {"by hand, three sweeps, one thread", [&] { lattice_verlet(n, beta, steps, h, q.data(), p.data(), f.data()); }},
        {"by hand, one sweep, one thread", [&] { lattice_leapfrog(n, beta, steps, h, Q.data(), P.data(), F.data()); }},
        {"Actio", [&] { advance(*chain, steps, h); }}};
    bench::measure(programs, n * steps, 20);
    bench::print("Verlet, " + std::to_string(n) + " sites, threads: " + std::to_string(threads), programs);
  }
}

void newmark() {
  for (const int threads : {1, 2}) {
    actio::core::set_threads(threads);
    for (const long n : {1000L, 10'000L, 100'000L, 1'000'000L}) {
      const auto ring = lattice(n, true, "newmark");
      const Start s = start_of(n);
      ring->start(0, s.q, s.v);
      VectorXd q = s.q, v = s.v, a(n), work(4 * n);
      lattice_force(n, beta, q.data(), a.data());
      const double d = q[0] - q[n - 1], around = d + beta * d * d * d;  // the spring that closes the ring
      a[0] -= around;
      a[n - 1] += around;
      const long steps = std::max(1L, 1'000'000 / n);
      lattice_newmark(n, beta, 5, 0.1, q.data(), v.data(), a.data(), work.data());
      advance(*ring, 5, 0.1);
      actio::method::Snapshot end;
      ring->snapshot(end);
      if (!((q - end.q).norm() < 1e-12 * q.norm())) {
        std::printf("the programs end in different states, %g\n", (q - end.q).norm() / q.norm());
        std::exit(1);
      }
      std::vector<bench::Program> programs{
          {"by hand, one thread", [&] { lattice_newmark(n, beta, steps, 0.1, q.data(), v.data(), a.data(), work.data()); }},
          {"Actio", [&] { advance(*ring, steps, 0.1); }}};
      bench::measure(programs, n * steps, 10);
      bench::print("Newmark, beta = 1/4, ring of " + std::to_string(n) + " sites, ns a site, threads: " + std::to_string(threads),
                   programs);
    }
  }
}

}  // namespace

int main() {
  for (const long n : {2000L, 20'000L, 100'000L, 1'000'000L}) verlet(n);
  newmark();
}
