#pragma once
#include <actio/petsc/matrix.hpp>
#include <utility>

// How a model reads and writes: by the numbers of the whole system, those its rank owns and its ghosts. What the ghosts' owners
// know comes before, what is added to ghosts goes back after; the model sends no messages. Everything is collective, and the
// model computes every force once, on one rank.
//
//   const Reader x(q);
//   add_to(f, [&](auto&& add) { for (link of this rank) add(i, s * (x(j) - x(i))); });
//   add_to(K, [&](auto&& add) { for (link of this rank) add(i, j, k); });
namespace actio::petsc {

// The numbers of a vector on this rank, ghosts last.
class Local {
 public:
  explicit Local(const Vector& x);
  ~Local();
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;
  // Throws Error when i is neither owned nor a ghost.
  double& operator[](long i) const {
    if (i >= first_ && i < end_) [[likely]]
      return data_[i - first_];
    return ghost(i);
  }
  void clear_ghosts() const;

 private:
  double& ghost(long i) const;
  Vec whole_, local_ = nullptr;
  double* data_ = nullptr;
  PetscInt first_ = 0, end_ = 0, ghosts_ = 0;
  const PetscInt* numbers_ = nullptr;  // of the ghosts, ascending
};

// x(i)
class Reader {
 public:
  explicit Reader(const Vector& x) : local_(updated(x)) {}
  double operator()(long i) const { return local_[i]; }

 private:
  static const Vector& updated(const Vector& x);  // ghosts as their owners have them
  Local local_;
};

void send_ghosts_home(Vector& y);
void finish(Matrix& A);

// y += what f(add) adds by add(i, value). Error on all ranks when f throws on one.
template <class F>
void add_to(Vector& y, F&& f) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(y.get()));
  {
    const Local local(y);
    local.clear_ghosts();
    collectively(comm, [&] { f([&](long i, double value) { local[i] += value; }); });
  }
  send_ghosts_home(y);
}
// A += what f(add) adds by add(i, j, value). Error on all ranks when f throws on one, or names a place that A has not.
template <class F>
void add_to(Matrix& A, F&& f) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(A.get()));
  const auto message = failure_of(comm, [&] {
    f([&](long i, long j, double value) {
      check(MatSetValue(A.get(), static_cast<PetscInt>(i), static_cast<PetscInt>(j), value, ADD_VALUES));
    });
  });
  finish(A);
  if (message) throw Error(*message);
}

// The sum over all ranks of what f(add) adds by add(value), the same on all.
template <class F>
double sum(MPI_Comm comm, F&& f) {
  double mine = 0, all = 0;
  collectively(comm, [&] { f([&](double value) { mine += value; }); });
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  return all;
}

// All of x, on every rank.
std::vector<double> gathered(const Vector& x);

}  // namespace actio::petsc
