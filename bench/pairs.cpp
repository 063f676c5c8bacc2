// All pairs: nanoseconds a pair of the force and of the energy of n bodies that attract each other, from a problem file, by its
// loops and by tables of the pairs, beside loops by hand. And what the pairs take of memory.
#include <actio/core/parallel.hpp>
#include <actio/io/problem.hpp>
#include <actio/system/assembled.hpp>
#include <cmath>
#include <memory>
#include <random>

#include "harness.hpp"
#include "pairs_hand.h"

namespace {

using Eigen::VectorXd;
using Space = actio::algebra::DenseSpace<Eigen::Dynamic>;
using System = actio::system::Assembled<Space>;
using actio::system::Model;

const char* const gravity = "-m[i]*m[j]/sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2)";
const char* const flat = "-m[i]*m[j]/sqrt((q[3*i] - q[3*j])^2 + (q[3*i+1] - q[3*j+1])^2 + (q[3*i+2] - q[3*j+2])^2)";
const char* const lennard_jones =
    "4*((m[i]/sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2))^12"
    " - (m[i]/sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2))^6)";

Model model_of(long n, const std::string& potential, bool one_family = false) {
  const std::string N = std::to_string(n);
  std::string masses;
  for (long i = 0; i < n; ++i) masses += std::to_string(1 + static_cast<double>(i % 7)) + ", ";
  const std::string families =
      one_family ? "[\"q[" + std::to_string(3 * n) + "]\"]" : "[\"x[" + N + "]\", \"y[" + N + "]\", \"z[" + N + "]\"]";
  return actio::io::load_text("[system]\ncoordinates = " + families + "\ntables = { m = [" + masses + "] }\nmass = 1\n" +
                                  "[[system.term]]\nover = \"i = 0.." + std::to_string(n - 1) + ", j = i+1.." +
                                  std::to_string(n - 1) + "\"\npotential = \"" + potential + "\"\n[initial]\nposition = { " +
                                  (one_family ? "q = 0" : "x = 0, y = 0, z = 0") +
                                  " }\n[method]\nname = \"verlet\"\n[run]\nstep = 0.1\nsteps = 1\n",
                              "pairs.toml")
      .model;
}

std::unique_ptr<System> system_of(Model model, bool tables) {
  if (tables)
    for (auto& term : model.terms) tabulate(term);
  const auto compiled = actio::system::compile(model, {}, false);
  return std::make_unique<System>(compiled, actio::system::layout<Space>(*compiled, actio::system::Entries::none));
}

void compare(long n) {
  const long pairs = n * (n - 1) / 2, calls = std::max(1L, 1'000'000 / pairs);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, 10);
  VectorXd q(3 * n), f(3 * n), of_one(3 * n), m(n);
  for (double& x : q) x = uniform(random);
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < 3; ++k) of_one[3 * i + k] = q[k * n + i];
  for (long i = 0; i < n; ++i) m[i] = 1 + static_cast<double>(i % 7);
  const auto loops = system_of(model_of(n, gravity), false), tables = system_of(model_of(n, gravity), true),
             together = system_of(model_of(n, flat, true), false), molecules = system_of(model_of(n, lennard_jones), false),
             molecules_of_tables = system_of(model_of(n, lennard_jones), true);
  double V = 0;
  const auto times = [calls](auto&& g) {
    return [calls, g] {
      for (long k = 0; k < calls; ++k) g();
    };
  };
  const auto force = [&](System& system) { return times([&] { system.force(0, q, f); }); };
  std::vector<bench::Program> programs{{"plain C", times([&] { gravity_plain(n, q.data(), m.data(), f.data()); })}};
  if (gravity_wide) programs.push_back({gravity_wide_name, times([&] { gravity_wide(n, q.data(), m.data(), f.data()); })});
  programs.push_back({"Actio", force(*loops)});
  programs.push_back({"Actio, one family q[3*i]", times([&] { together->force(0, of_one, f); })});
  programs.push_back({"Actio, tables of the pairs", force(*tables)});
  programs.push_back({"Actio, Lennard-Jones", force(*molecules)});
  programs.push_back({"Actio, Lennard-Jones, tables", force(*molecules_of_tables)});
  programs.push_back({"energy, plain C", times([&] { V += gravity_energy_plain(n, q.data(), m.data()); })});
  programs.push_back({"energy, Actio", times([&] { V += loops->potential(0, q); })});
  programs.push_back({"energy, Actio, tables", times([&] { V += tables->potential(0, q); })});
  const int rounds = n > 2000 ? 5 : 30;
  actio::core::set_threads(1);
  bench::measure(programs, calls * pairs, rounds);
  bench::print("n = " + std::to_string(n) + ", " + std::to_string(pairs) + " pairs, one thread", programs);
  if (n < 1000 || !std::isfinite(V)) return;
  actio::core::set_threads(2);
  std::vector<bench::Program> both{{"plain C, one thread", programs[0].run}, {"Actio", force(*loops)}};
  bench::measure(both, calls * pairs, rounds);
  bench::print("n = " + std::to_string(n) + ", two threads", both);
}

void print_memory(long n) {
  const Model model = model_of(n, gravity);
  const auto bytes = [](const Model& of) {
    double sum = 0;
    for (const auto& term : of.terms) {
      sum += static_cast<double>(term.dofs.capacity() * sizeof(std::int32_t));
      for (const auto& column : term.data) sum += static_cast<double>(column.capacity() * sizeof(double));
    }
    return sum;
  };
  Model tables = model;
  for (auto& term : tables.terms) tabulate(term);
  const double pairs = static_cast<double>(model.terms[0].elements);
  std::printf("n = %ld: %.3f bytes a pair in the model, %.1f with tables\n", n, bytes(model) / pairs, bytes(tables) / pairs);
}

}  // namespace

int main() {
  for (const long n : {7L, 20L, 100L, 1000L, 5000L}) compare(n);
  print_memory(5000);
}
