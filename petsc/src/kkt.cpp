#include <actio/petsc/kkt.hpp>
#include <algorithm>
#include <utility>

namespace actio::petsc {
namespace {

// f(row, columns, values) for the rows of this rank
template <class F>
void for_each_row(const Matrix& A, F&& f) {
  PetscInt first = 0, end = 0, count = 0;
  const PetscInt* columns = nullptr;
  const double* values = nullptr;
  check(MatGetOwnershipRange(A.get(), &first, &end));
  for (PetscInt i = first; i < end; ++i) {
    check(MatGetRow(A.get(), i, &count, &columns, &values));
    f(i, std::span(columns, static_cast<std::size_t>(count)), std::span(values, static_cast<std::size_t>(count)));
    check(MatRestoreRow(A.get(), i, &count, &columns, &values));
  }
}

// Where coordinates and multipliers are in the system of both: those of rank r behind those of the ranks before it.
class Numbering {
 public:
  explicit Numbering(const Matrix& G) {
    int ranks = 1;
    MPI_Comm_size(PetscObjectComm(reinterpret_cast<PetscObject>(G.get())), &ranks);
    const PetscInt *of_rows = nullptr, *of_columns = nullptr;
    check(MatGetOwnershipRanges(G.get(), &of_rows));
    check(MatGetOwnershipRangesColumn(G.get(), &of_columns));
    constraints_ = {of_rows, static_cast<std::size_t>(ranks) + 1};
    coordinates_ = {of_columns, static_cast<std::size_t>(ranks) + 1};
  }
  PetscInt coordinate(PetscInt i) const { return i + constraints_[rank_of(coordinates_, i)]; }
  PetscInt constraint(PetscInt j) const { return j + coordinates_[rank_of(constraints_, j) + 1]; }

 private:
  static std::size_t rank_of(std::span<const PetscInt> ranges, PetscInt i) {
    return static_cast<std::size_t>(std::upper_bound(ranges.begin(), ranges.end(), i) - ranges.begin()) - 1;
  }
  std::span<const PetscInt> constraints_, coordinates_;
};

}  // namespace

KktSolver::KktSolver(const Space& space, PetscInt owned, std::span<const Entry> places) {
  const Vector q = space.vector();
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(q.get()));
  PetscInt coordinates = 0;
  check(VecGetLocalSize(q.get(), &coordinates));
  shape_ = std::make_shared<const Shape>(Shape{zero(comm, owned), zero(comm, owned, coordinates, places)});
}

void KktSolver::add_transposed(double w, const Jacobian& G, const Multipliers& y, Vector& x) {
  const Multipliers scaled = w * y;
  check(MatMultTransposeAdd(G.get(), scaled.get(), x.get(), x.get()));
}

bool KktSolver::factor(const Matrix& K, const Jacobian& G1, const Jacobian& G0) {
  if (!system_ || system_.use_count() > 1) system_ = std::make_shared<System>(K, G1);
  system_->set(K, G1, G0);
  return system_->solver.factor(system_->A);
}

// The places of [K, -G'; G, .], in the order of `set`
KktSolver::System::System(const Matrix& K, const Jacobian& G) {
  check(MatGetLocalSize(G.get(), &constraints, &coordinates));
  const Numbering number(G);
  std::vector<Entry> places;
  for_each_row(K, [&](PetscInt i, auto columns, auto) {
    for (const PetscInt j : columns) places.push_back({number.coordinate(i), number.coordinate(j)});
  });
  for_each_row(G, [&](PetscInt i, auto columns, auto) {
    for (const PetscInt j : columns) places.push_back({number.constraint(i), number.coordinate(j)});
  });
  for_each_row(G, [&](PetscInt i, auto columns, auto) {
    for (const PetscInt j : columns) places.push_back({number.coordinate(j), number.constraint(i)});
  });
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(K.get()));
  const PetscInt owned = coordinates + constraints;
  A = zero(comm, owned, owned, places);
  right = zero(comm, owned);
  solution = right;
  values.resize(places.size());
}

void KktSolver::System::set(const Matrix& K, const Jacobian& G1, const Jacobian& G0) {
  double* next = values.data();
  const auto add = [&](double sign) {
    return [&next, sign](PetscInt, auto, auto entries) {
      for (const double x : entries) *next++ = sign * x;
    };
  };
  for_each_row(K, add(1));
  for_each_row(G1, add(1));
  for_each_row(G0, add(-1));
  check(MatSetValuesCOO(A.get(), values.data(), INSERT_VALUES));
}

void KktSolver::solve(const Vector& r, const Multipliers& g, Vector& x, Multipliers& y) const {
  const System& s = *system_;
  stack(r, g, s.right);
  s.solver.solve(s.right, s.solution);
  unstack(s.solution, x, y);
}

}  // namespace actio::petsc
