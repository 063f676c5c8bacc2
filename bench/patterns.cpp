// Factor and solve once: the solvers written for patterns, by SparseSolver, against the general L D L' in an order of least
// degree, and for bands LAPACK's dpbtrf and dpbtrs.
#include <actio/algebra/sparse.hpp>
#include <cmath>
#include <random>

#include "../src/algebra/ldl.hpp"
#include "harness.hpp"

extern "C" {
void dpbtrf_(const char*, const int* n, const int* b, double* A, const int* stride, int* info);
void dpbtrs_(const char*, const int* n, const int* b, const int* columns, const double* A, const int* stride, double* x,
             const int* stride_x, int* info);
}

namespace {

using actio::algebra::SparseMatrix;
using Couplings = std::vector<std::pair<int, int>>;

SparseMatrix matrix(int n, const Couplings& couplings) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd diagonal = Eigen::VectorXd::Constant(n, 0.5);
  for (const auto& [i, j] : couplings) {
    const double k = uniform(random);
    diagonal[i] += std::abs(k), diagonal[j] += std::abs(k);
    entries.emplace_back(i, j, k);
    entries.emplace_back(j, i, k);
  }
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, diagonal[i]);
  SparseMatrix K(n, n);
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

void compare(const std::string& title, int n, const Couplings& couplings, int band = 0) {
  const SparseMatrix K = matrix(n, couplings);
  const Eigen::VectorXd b = Eigen::VectorXd::Random(n);
  Eigen::VectorXd x(n);
  actio::algebra::SparseSolver solver(K, true);
  solver.factor(K);
  const actio::algebra::MinimumDegree order(K);
  actio::algebra::Ldl ldl(std::make_shared<actio::algebra::LdlAnalysis>(K, order));
  std::vector<double> work(static_cast<std::size_t>(n)), given(static_cast<std::size_t>(n * (band + 1))), A;
  for (int j = 0; j < n; ++j)
    for (SparseMatrix::InnerIterator it(K, j); it; ++it)
      if (const auto below = it.row() - j; below >= 0 && below <= band) given[j * (band + 1) + below] = it.value();
  const long pieces = std::max(1, 20000 / n);
  const auto times = [&](auto&& f) {
    return [&, f] {
      for (long k = 0; k < pieces; ++k) f();
    };
  };
  std::vector<bench::Program> programs{{solver.method(), times([&] {
                                          solver.factor(K);
                                          solver.solve(b, x);
                                        })},
                                       {"general L D L'", times([&] {
                                          ldl.factor(K);
                                          ldl.solve(b.data(), x.data(), work.data());
                                        })}};
  if (band > 0)
    programs.push_back({"dpbtrf, dpbtrs", times([&] {
                          A = given;
                          x = b;
                          const int stride = band + 1, one = 1;
                          int info = 0;
                          dpbtrf_("L", &n, &band, A.data(), &stride, &info);
                          dpbtrs_("L", &n, &band, &one, A.data(), &stride, x.data(), &n, &info);
                        })});
  bench::measure(programs, pieces, 100);
  bench::print(title, programs);
}

Couplings band(int n, int b) {
  Couplings all;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j <= std::min(i + b, n - 1); ++j) all.emplace_back(i, j);
  return all;
}
Couplings blocks(int count, int size) {
  Couplings all;
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < i; ++j) all.emplace_back(k * size + j, k * size + i);
  return all;
}
Couplings chain_in_the_plane(int n) {
  Couplings all;
  for (int i = 0; i < n; ++i) {
    all.emplace_back(i, n + i);
    if (i + 1 == n) break;
    for (const int a : {i, n + i})
      for (const int c : {i + 1, n + i + 1}) all.emplace_back(a, c);
  }
  return all;
}

}  // namespace

int main() {
  for (const int n : {200, 20000}) {
    Couplings ring = band(n, 1);
    ring.emplace_back(0, n - 1);
    compare("a ring of " + std::to_string(n), n, ring);
  }
  for (const int b : {1, 2, 3, 5, 8, 16}) compare("1000 coordinates, a band of " + std::to_string(b), 1000, band(1000, b), b);
  for (const int n : {10, 100, 1000, 10000, 100000})
    compare("a chain of " + std::to_string(n) + " pendula in the plane", 2 * n, chain_in_the_plane(n));
  for (const int n : {7, 100}) compare(std::to_string(n) + " blocks of 9", 9 * n, blocks(n, 9));
}
