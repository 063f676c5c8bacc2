#pragma once
#include <actio/algebra/dense_kkt.hpp>
#include <actio/algebra/sparse_kkt.hpp>
#include <actio/petsc/access.hpp>
#include <actio/petsc/kkt.hpp>
#include <algorithm>
#include <concepts>
#include <memory>
#include <vector>

// Where a chain of bodies in the plane lives: its vectors and matrices, which bodies this process has, and how a model reads and
// adds by the numbers of the whole chain. Body i has the coordinates 2 i and 2 i + 1, and constraint i.
namespace actio::test {

using petsc::Entry;
using Entries = std::vector<Entry>;

// first to end - 1 of all
struct Bodies {
  int first = 0, end = 0, all = 0;
};

// The coordinates that a body's forces involve: of itself and the two before it; its constraint those of itself and the one
// before.
inline Entries hessian_places(Bodies bodies) {
  Entries places;
  for (int i = bodies.first; i < bodies.end; ++i)
    for (int j = std::max(0, i - 2); j <= i; ++j)
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) {
          places.push_back({2 * i + a, 2 * j + b});
          places.push_back({2 * j + b, 2 * i + a});
          places.push_back({2 * j + a, 2 * j + b});
        }
  return places;
}
inline Entries jacobian_places(Bodies bodies) {
  Entries places;
  for (int i = bodies.first; i < bodies.end; ++i)
    for (int k = std::max(0, 2 * i - 2); k < 2 * i + 2; ++k) places.push_back({i, k});
  return places;
}

// One process, vectors of Eigen's or our own.
template <class S, class T>
class OneProcess {
 public:
  using Space = S;
  using KktSolver = T;
  OneProcess(int bodies, Space space, KktSolver kkt)
      : space_(std::move(space)), kkt_(std::move(kkt)), bodies_{0, bodies, bodies} {}
  const Space& space() const { return space_; }
  const KktSolver& kkt_solver() const { return kkt_; }
  Bodies bodies() const { return bodies_; }

  template <class V>
  static auto read(const V& x) {
    return [&x](int i) { return x[i]; };
  }
  template <class V, class F>
  static void add_to(V& x, F&& f) {
    if constexpr (std::same_as<V, typename Space::Vector> || std::same_as<V, typename KktSolver::Multipliers>)
      f([&x](int i, double value) { x[i] += value; });
    else if constexpr (requires { x.coeffRef(0, 0); })
      f([&x](int i, int j, double value) { x.coeffRef(i, j) += value; });
    else
      f([&x](int i, int j, double value) { x(i, j) += value; });
  }
  template <class A>
  static void clear(A& G) {
    if constexpr (requires { G.coeffs(); })
      G.coeffs().setZero();
    else
      G.setZero();
  }
  template <class F>
  static double sum(F&& f) {
    double total = 0;
    f([&total](double value) { total += value; });
    return total;
  }
  template <class V>
  static std::vector<double> values(const V& x) {
    return {x.data(), x.data() + x.size()};
  }

 private:
  Space space_;
  KktSolver kkt_;
  Bodies bodies_;
};

template <int bodies>
auto fixed_home() {
  using KktSolver = algebra::DenseKkt<2 * bodies, bodies>;
  return OneProcess<algebra::DenseSpace<2 * bodies>, KktSolver>(bodies, {}, KktSolver());
}

inline auto sparse_home(int bodies) {
  const auto pattern = [](const Entries& places, auto matrix) {
    std::vector<Eigen::Triplet<double>> entries;
    for (const Entry& e : places) entries.emplace_back(e.row, e.column, 0.0);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  };
  const Bodies all{0, bodies, bodies};
  const auto K =
      std::make_shared<const algebra::SparseMatrix>(pattern(hessian_places(all), algebra::SparseMatrix(2 * bodies, 2 * bodies)));
  const algebra::SparseSpace space{2 * bodies, K, true};
  const algebra::SparseKkt kkt(space, pattern(jacobian_places(all), algebra::SparseJacobian(bodies, 2 * bodies)));
  return OneProcess<algebra::SparseSpace, algebra::SparseKkt>(bodies, space, kkt);
}

// Distributed over all processes.
class Distributed {
 public:
  using Space = petsc::Space;
  using KktSolver = petsc::KktSolver;
  explicit Distributed(int bodies) : Distributed(share(bodies)) {}
  const Space& space() const { return space_; }
  const KktSolver& kkt_solver() const { return kkt_; }
  Bodies bodies() const { return bodies_; }

  static petsc::Reader read(const petsc::Vector& x) { return petsc::Reader(x); }
  template <class A, class F>
  static void add_to(A& x, F&& f) {
    petsc::add_to(x, f);
  }
  static void clear(petsc::Matrix& G) { petsc::Space::clear(G); }
  template <class F>
  static double sum(F&& f) {
    return petsc::sum(PETSC_COMM_WORLD, f);
  }
  static std::vector<double> values(const petsc::Vector& x) { return petsc::gathered(x); }

 private:
  explicit Distributed(Bodies bodies)
      : space_(PETSC_COMM_WORLD, 2 * (bodies.end - bodies.first), ghosts(bodies), hessian_places(bodies)),
        kkt_(space_, bodies.end - bodies.first, jacobian_places(bodies)),
        bodies_(bodies) {}
  static Bodies share(int all) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    return {rank * all / ranks, (rank + 1) * all / ranks, all};
  }
  static std::vector<PetscInt> ghosts(Bodies bodies) {
    std::vector<PetscInt> before;
    if (bodies.first < bodies.end)
      for (int i = std::max(0, 2 * bodies.first - 4); i < 2 * bodies.first; ++i) before.push_back(i);
    return before;
  }
  Space space_;
  KktSolver kkt_;
  Bodies bodies_;
};

}  // namespace actio::test
