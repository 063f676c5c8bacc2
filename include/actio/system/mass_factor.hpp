#pragma once
#include <actio/algebra/sparse.hpp>
#include <functional>
#include <mutex>

// The factorisation of a sparse mass matrix, made when it is first asked for and shared by all copies of the model it belongs to:
// reading a problem, the steppers of a run, their clones.
namespace actio::system {

class MassFactor {
 public:
  // Throws what a user should read when the mass is not positive definite: the coordinate where its Cholesky factorisation
  // fails and the pivot it meets there, [kg]; or -1.
  using Refuse = std::function<void(long coordinate, double pivot)>;
  explicit MassFactor(Refuse refuse = {}) : refuse_(std::move(refuse)) {}

  // The factor of M; one is kept, so M should always be the same. Throws as `refuse` does, by default core::InputError.
  algebra::SparseSolver of(const algebra::SparseMatrix& M);
  // For another mass in its place.
  const Refuse& refuse() const { return refuse_; }

 private:
  void factor(const algebra::SparseMatrix& M);
  Refuse refuse_;
  std::mutex one_at_a_time_;
  algebra::SparsePattern of_;  // the M that is factored
  algebra::SparseSolver solver_;
};

}  // namespace actio::system
