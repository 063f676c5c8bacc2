#include <Eigen/Eigenvalues>
#include <actio/petsc/rigid_motions.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

namespace actio::petsc {
namespace {

// Motion k of a node at x: e_k, or e_{k-3} x x
double motion(int k, const double* x, int axis) {
  if (k < 3) return axis == k ? 1 : 0;
  const int turn = k - 3;
  if (axis == turn) return 0;
  return axis == (turn + 1) % 3 ? -x[(turn + 2) % 3] : x[(turn + 1) % 3];
}

}  // namespace

NullSpace rigid_motions(const Vector& places, std::span<const PetscInt> fixed) {
  std::vector<Vector> motions;
  for (int k = 0; k < 6; ++k) {
    Vector u = like(places);
    const double* x = nullptr;
    double* data = nullptr;
    PetscInt n = 0;
    check(VecGetLocalSize(places.get(), &n));
    check(VecGetArrayRead(places.get(), &x));
    check(VecGetArrayWrite(u.get(), &data));
    for (PetscInt i = 0; i < n; ++i) data[i] = motion(k, x + i / 3 * 3, static_cast<int>(i % 3));
    for (const PetscInt i : fixed) data[i] = 0;
    check(VecRestoreArrayWrite(u.get(), &data));
    check(VecRestoreArrayRead(places.get(), &x));
    const double whole = std::sqrt(dot(u, u));
    for (int twice = 0; twice < 2; ++twice)
      for (const Vector& other : motions) u -= dot(other, u) * other;
    const double size = std::sqrt(dot(u, u));
    if (!(size > 1e-8 * whole)) continue;
    u *= 1 / size;
    motions.push_back(std::move(u));
  }
  std::vector<Vec> all;
  for (const Vector& u : motions) all.push_back(u.get());
  NullSpace space;
  check(MatNullSpaceCreate(PetscObjectComm(reinterpret_cast<PetscObject>(places.get())), PETSC_FALSE,
                           static_cast<PetscInt>(all.size()), all.data(), space.out()));
  return space;
}

namespace {

double least_energy(const Matrix& K, std::span<const Vec> motions) {
  if (motions.empty()) return 1;
  const long count = static_cast<long>(motions.size());
  Eigen::MatrixXd of_K(count, count), of_D(count, count);
  Vec diagonal = nullptr, image = nullptr;
  check(VecDuplicate(motions[0], &diagonal));
  const Vector D(diagonal);
  check(VecDuplicate(motions[0], &image));
  const Vector y(image);
  check(MatGetDiagonal(K.get(), diagonal));
  for (long j = 0; j < count; ++j) {
    const Vec z = motions[static_cast<std::size_t>(j)];
    check(MatMult(K.get(), z, image));
    check(VecMDot(image, static_cast<PetscInt>(count), motions.data(), of_K.col(j).data()));
    check(VecPointwiseMult(image, diagonal, z));
    check(VecMDot(image, static_cast<PetscInt>(count), motions.data(), of_D.col(j).data()));
  }
  const double size = of_D.diagonal().cwiseAbs().maxCoeff();
  if (!of_K.allFinite() || !(size > 0)) return 1;
  const Eigen::MatrixXd symmetric = 0.5 * (of_K + of_K.transpose());
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues().cwiseAbs().minCoeff() /
         size;
}

}  // namespace

double least_energy(const Matrix& K) {
  MatNullSpace rigid = nullptr;
  check(MatGetNearNullSpace(K.get(), &rigid));
  if (!rigid) return 1;
  PetscBool constant = PETSC_FALSE;
  PetscInt count = 0;
  const Vec* motions = nullptr;
  check(MatNullSpaceGetVecs(rigid, &constant, &count, &motions));
  return least_energy(K, std::span(motions, static_cast<std::size_t>(count)));
}

double least_energy(const Matrix& K, const Vector& z) {
  const Vec one = z.get();
  return least_energy(K, std::span(&one, 1));
}

}  // namespace actio::petsc
