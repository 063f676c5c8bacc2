#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

// Constraints g(q) = 0 with a diagonal mass that fall into many small groups which share no coordinate, as those of rigid
// molecules do. Groups of one shape stand side by side, coordinate by coordinate: the kernels of g read them and write G in
// place, and each vector instruction solves eight groups, by elimination with partial pivoting. With G0 and G at q0 and q, p, w =
// M^-1 p:
//
//   G M^-1 G0' y = g/h,   eta -= y,   p -= G0' y,   q = q0 + h w       an increment of the positions
//   G M^-1 G' mu = -G M^-1 p,   p += G' mu                              momenta along the constraints
//
// This is what SparseKkt does with sparse matrices; the results differ by rounding.
namespace actio::system {

struct CompiledModel;

class ConstraintGroups {
 public:
  using Vector = Eigen::VectorXd;

  // None where the constraints are not of this kind, or too few groups are of one shape. inverse_mass: (n), or null for 1.
  static std::optional<ConstraintGroups> of(std::shared_ptr<const CompiledModel> model, const double* inverse_mass);
  ConstraintGroups(const ConstraintGroups&);
  ConstraintGroups(ConstraintGroups&&) noexcept;
  ConstraintGroups& operator=(const ConstraintGroups&);
  ConstraintGroups& operator=(ConstraintGroups&&) noexcept;
  ~ConstraintGroups();

  // q0 and G0; they are not evaluated again where project() has just been there.
  void start(const Vector& q0);
  // p = p0 + s f + G0' eta, and q.
  void drift(double h, const Vector& p0, double s, const Vector& f, const Vector& eta);
  // An increment, |dw|^2 and |w|^2. False: a matrix is singular.
  bool correct(double h, double& increment, double& size);
  // p of the coordinates that are constrained, and eta.
  void finish(Vector& p, Vector& eta);
  // p becomes tangent to the constraints at q. False: a matrix is singular; p and mu are as they were.
  bool project(const Vector& q, Vector& p, Vector& mu);

 private:
  struct Family;
  struct Task {
    std::int32_t family, block;
  };
  struct Sums {
    double increment, size;
    bool sound;
  };
  ConstraintGroups();
  template <class F>
  void for_each_block(F&& f);

  std::shared_ptr<const CompiledModel> model_;
  std::vector<double> uniforms_;
  std::vector<Family> families_;
  std::vector<Task> tasks_;
  std::vector<Sums> sums_;          // of each task
  std::vector<std::int32_t> free_;  // coordinates in no group
  std::vector<double> free_inverse_;
  double free_size_ = 0;      // |w|^2 of those
  Vector at_start_, at_end_;  // where G0 and G are those of; empty, or NaN at its front: nowhere
};

}  // namespace actio::system
