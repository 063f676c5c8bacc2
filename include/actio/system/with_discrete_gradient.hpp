#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/system/discrete_gradient.hpp>
#include <actio/system/discrete_gradient_system.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

// The discrete gradient of a system of your own that has V, its gradient and its Hessian, on a dense space: V is one element.
//
//   actio::system::WithDiscreteGradient system(actio::system::Mechanical{Oscillator{}});
//   actio::method::EnergyMomentumStepper stepper(system);
//
// Symmetries xi(q) = A q + b that leave V as it is may be given; their momenta are kept too. Without constraints.
namespace actio::system {

template <Separable S>
class WithDiscreteGradient : public S {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  static_assert(
      requires(Matrix & K) { K(0, 0) = 1.0; }, "the rank-one part of the tangent fills the matrix: a dense space is needed");

  explicit WithDiscreteGradient(S system, std::vector<AffineField> symmetries = {})
      : S(std::move(system)),
        element_(this->space().n, std::move(symmetries)),
        q0_(this->space().vector()),
        f0_(q0_),
        f1_(q0_),
        b_(q0_),
        middle_(q0_),
        H_(this->space().matrix()),
        T_(Eigen::MatrixXd::Zero(this->space().n, this->space().n)) {}

  void begin_step(double t, const Vector& q0) {
    t_ = t;
    q0_ = q0;
    V0_ = this->potential(t, q0);
    this->force(t, q0, f0_);
  }
  void discrete_force(const Vector& q1, Vector& f) {
    evaluate(q1);
    if (element_.projects())
      b_ = 0.5 * f0_ + 0.5 * f1_;
    else
      this->force(t_, middle_, b_);
    element_.gradient(q0_.data(), q1.data(), {-V0_, -V1_, rounding(), b_.data(), f1_.data(), nullptr}, f.data());
  }
  void discrete_stiffness(const Vector& q1, double wM, double wV, Vector& f, Matrix& K) {
    evaluate(q1);
    if (element_.projects()) {
      this->stiffness(t_, q1, 0, -0.5, f1_, H_);  // db/dq1 of U = -V
      b_ = 0.5 * f0_ + 0.5 * f1_;
    } else {
      this->stiffness(t_, middle_, 0, -0.5, b_, H_);
    }
    element_.tangent(q0_.data(), q1.data(), {-V0_, -V1_, rounding(), b_.data(), f1_.data(), H_.data()}, f.data(), T_.data());
    this->stiffness(t_, q1, wM, 0, b_, K);
    for (Eigen::Index j = 0; j < T_.cols(); ++j)
      for (Eigen::Index i = 0; i < T_.rows(); ++i) K(i, j) -= wV * T_(i, j);
  }
  void discrete_roundoff(Vector& f) const {
    f = 0.0 * q0_;
    f[0] = element_.roundoff();
  }

 private:
  // Only the sizes of V and of its gradient are known.
  double rounding() const {
    const double work = algebra::dot(b_, b_) * algebra::dot(middle_, middle_);
    return 4 * std::numeric_limits<double>::epsilon() * (std::abs(V0_) + std::abs(V1_) + std::sqrt(work));
  }
  void evaluate(const Vector& q1) {
    middle_ = 0.5 * q0_ + 0.5 * q1;
    V1_ = this->potential(t_, q1);
    this->force(t_, q1, f1_);
  }

  ElementGradient element_;
  double t_ = 0, V0_ = 0, V1_ = 0;
  Vector q0_, f0_, f1_, b_, middle_;
  Matrix H_;
  Eigen::MatrixXd T_;
};

}  // namespace actio::system
