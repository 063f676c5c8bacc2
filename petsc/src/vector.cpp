#include <actio/petsc/vector.hpp>
#include <algorithm>
#include <string>

namespace actio::petsc {

Vector& Vector::operator=(const Vector& other) {
  if (this == &other) return *this;
  if (!other.v_) {
    v_ = {};
    return *this;
  }
  if (!v_) check(VecDuplicate(other.get(), v_.out()));
  check(VecCopy(other.get(), get()));
  return *this;
}

long Vector::size() const {
  PetscInt n = 0;
  if (v_) check(VecGetSize(get(), &n));
  return n;
}

void Vector::add(double self, PetscInt n, const double* c, Vec* x) {
  if (!v_) {
    check(VecDuplicate(x[0], v_.out()));
    self = 0;
  }
  if (self == 0 && n > 0) {
    check(VecAXPBY(get(), c[0], 0, x[0]));
    ++c;
    ++x;
    --n;
  } else if (self != 1) {
    check(VecScale(get(), self));
  }
  if (n > 0) check(VecMAXPY(get(), n, c, x));
}

double dot(const Vector& x, const Vector& y) {
  double sum = 0;
  check(VecDot(x.get(), y.get(), &sum));
  return sum;
}

Vector like(const Vector& x) {
  Vec y = nullptr;
  check(VecDuplicate(x.get(), &y));
  Vector zero(y);
  check(VecZeroEntries(y));
  return zero;
}

PetscInt local_size(const Vector& x) {
  PetscInt n = 0;
  check(VecGetLocalSize(x.get(), &n));
  return n;
}

namespace {

const double* read(const Vector& x) {
  const double* data = nullptr;
  check(VecGetArrayRead(x.get(), &data));
  return data;
}
void done(const Vector& x, const double* data) { check(VecRestoreArrayRead(x.get(), &data)); }
double* write(Vector& x) {
  double* data = nullptr;
  check(VecGetArrayWrite(x.get(), &data));
  return data;
}
void done(Vector& x, double* data) { check(VecRestoreArrayWrite(x.get(), &data)); }

}  // namespace

void stack(const Vector& upper, const Vector& lower, Vector& both) {
  double* b = write(both);
  const double *u = read(upper), *l = read(lower);
  std::copy_n(l, local_size(lower), std::copy_n(u, local_size(upper), b));
  done(upper, u);
  done(lower, l);
  done(both, b);
}

void unstack(const Vector& both, Vector& upper, Vector& lower) {
  const double* b = read(both);
  double *u = write(upper), *l = write(lower);
  std::copy_n(b, local_size(upper), u);
  std::copy_n(b + local_size(upper), local_size(lower), l);
  done(upper, u);
  done(lower, l);
  done(both, b);
}

Range range(MPI_Comm comm, PetscInt owned) {
  Range r;
  MPI_Scan(&owned, &r.end, 1, MPIU_INT, MPI_SUM, comm);
  MPI_Allreduce(&owned, &r.all, 1, MPIU_INT, MPI_SUM, comm);
  r.first = r.end - owned;
  return r;
}

Vector zero(MPI_Comm comm, PetscInt owned, std::vector<PetscInt> ghosts) {
  const Range r = range(comm, owned);
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  collectively(comm, [&] {
    for (const PetscInt i : ghosts)
      if (i < 0 || i >= r.all || (i >= r.first && i < r.end))
        throw Error("coordinate " + std::to_string(i) + " cannot be a ghost: this rank owns it, or it does not exist");
  });
  Vec v = nullptr;
  check(VecCreateGhost(comm, owned, r.all, static_cast<PetscInt>(ghosts.size()), ghosts.data(), &v));
  Vector x(v);
  check(VecZeroEntries(v));
  return x;
}

}  // namespace actio::petsc
