#pragma once
#include <petscvec.h>

#include <actio/algebra/vector.hpp>
#include <actio/core/archive.hpp>
#include <actio/petsc/error.hpp>
#include <actio/petsc/handle.hpp>
#include <array>
#include <cstddef>
#include <vector>

// Vectors distributed over processes, with what a method may do with a vector (algebra/vector.hpp): linear combinations, an inner
// product, a new one of the same shape. A linear combination is an expression of its coefficients and terms, computed where it is
// assigned by one VecMAXPY; the vector it is assigned to may be among the terms.
namespace actio::petsc {

// sum c_i x_i, while the x_i live
template <std::size_t N>
struct Combination {
  std::array<double, N> c;
  std::array<Vec, N> x;
};

class Vector {
 public:
  Vector() = default;  // of no shape: takes that of what is assigned to it
  explicit Vector(Vec owned) noexcept : v_(owned) {}
  Vector(const Vector& other) { *this = other; }
  Vector(Vector&&) noexcept = default;
  template <std::size_t N>
  Vector(const Combination<N>& sum) {
    *this = sum;
  }
  Vector& operator=(const Vector& other);
  Vector& operator=(Vector&&) noexcept = default;

  template <std::size_t N>
  Vector& operator=(const Combination<N>& sum) {
    return combine(0, sum, 1);
  }
  template <std::size_t N>
  Vector& operator+=(const Combination<N>& sum) {
    return combine(1, sum, 1);
  }
  template <std::size_t N>
  Vector& operator-=(const Combination<N>& sum) {
    return combine(1, sum, -1);
  }
  Vector& operator+=(const Vector& x) { return *this += Combination<1>{{1}, {x.get()}}; }
  Vector& operator-=(const Vector& x) { return *this -= Combination<1>{{1}, {x.get()}}; }
  Vector& operator*=(double s) {
    check(VecScale(get(), s));
    return *this;
  }

  Vec get() const { return v_.get(); }
  void archive(core::Archive& a);  // order.hpp
  long size() const;               // on all ranks together

 private:
  // y = self y + sign sum
  template <std::size_t N>
  Vector& combine(double self, Combination<N> sum, double sign) {
    PetscInt n = 0;
    for (std::size_t i = 0; i < N; ++i) {
      if (sum.x[i] == get()) {
        self += sign * sum.c[i];
      } else {
        sum.c[n] = sign * sum.c[i];
        sum.x[n++] = sum.x[i];
      }
    }
    add(self, n, sum.c.data(), sum.x.data());
    return *this;
  }
  // y = self y + sum of c_i x_i, none of them y
  void add(double self, PetscInt n, const double* c, Vec* x);

  Handle<Vec, VecDestroy> v_;
};

template <std::size_t N>
const Combination<N>& combination(const Combination<N>& sum) {
  return sum;
}
inline Combination<1> combination(const Vector& x) { return {{1}, {x.get()}}; }

template <std::size_t N>
Combination<N> operator*(double s, Combination<N> sum) {
  for (double& c : sum.c) c *= s;
  return sum;
}
inline Combination<1> operator*(double s, const Vector& x) { return {{s}, {x.get()}}; }

template <class A>
auto operator-(const A& a) -> decltype(-1.0 * combination(a)) {
  return -1.0 * combination(a);
}
template <std::size_t N, std::size_t M>
Combination<N + M> joined(const Combination<N>& a, const Combination<M>& b, double sign) {
  Combination<N + M> sum;
  for (std::size_t i = 0; i < N; ++i) {
    sum.c[i] = a.c[i];
    sum.x[i] = a.x[i];
  }
  for (std::size_t i = 0; i < M; ++i) {
    sum.c[N + i] = sign * b.c[i];
    sum.x[N + i] = b.x[i];
  }
  return sum;
}
template <class A, class B>
auto operator+(const A& a, const B& b) -> decltype(joined(combination(a), combination(b), 1)) {
  return joined(combination(a), combination(b), 1);
}
template <class A, class B>
auto operator-(const A& a, const B& b) -> decltype(joined(combination(a), combination(b), -1)) {
  return joined(combination(a), combination(b), -1);
}

// The same number on all ranks.
double dot(const Vector& x, const Vector& y);
// Zero, of the shape of x, ghosts included.
Vector like(const Vector& x);

// Zero, with `owned` coordinates on this rank; `ghosts` are coordinates of other ranks that are read and added to here
// (access.hpp). Collective. Throws Error when a ghost is out of range or owned here.
Vector zero(MPI_Comm comm, PetscInt owned, std::vector<PetscInt> ghosts = {});

// Coordinates of this rank.
PetscInt local_size(const Vector& x);
// Every rank's numbers of `upper`, then those of `lower`; and back.
void stack(const Vector& upper, const Vector& lower, Vector& both);
void unstack(const Vector& both, Vector& upper, Vector& lower);

// Numbers first to end - 1 belong to this rank when every rank has `owned` of them. Collective.
struct Range {
  PetscInt first = 0, end = 0, all = 0;
};
Range range(MPI_Comm comm, PetscInt owned);

static_assert(algebra::Vector<Vector>);

}  // namespace actio::petsc
