#pragma once
#include <Eigen/Cholesky>
#include <actio/algebra/dense.hpp>
#include <actio/system/lagrangian.hpp>

// A C++ system of your own: a struct with value, gradient and Hessian, and a mass.
//
//   struct Oscillator {                                       // V = |q|^2 (|q|^2 - 1)^2
//     using Space = actio::algebra::DenseSpace<2>;
//     double value(const Eigen::Vector2d& q) const;
//     void gradient(const Eigen::Vector2d& q, Eigen::Vector2d& g) const;
//     void hessian(const Eigen::Vector2d& q, Eigen::Matrix2d& H) const;
//   };
//   actio::system::Mechanical system{Oscillator{}};          // unit mass
namespace actio::system {

template <class P>
concept Potential = requires(P& p, const typename P::Space::Vector& q, typename P::Space::Vector& g,
                             typename P::Space::Matrix& H) {
  { p.value(q) } -> std::convertible_to<double>;  // V(q) [J]
  p.gradient(q, g);                               // g = grad V [N] (n)
  p.hessian(q, H);                                // H = V'' (n x n); a sparse H comes with the space's pattern
};

// M = 1
struct UnitMass {
  template <class V>
  void momentum(const V& v, V& p) const {
    p = v;
  }
  template <class V>
  void velocity(const V& p, V& v) const {
    v = p;
  }
  template <class M>
  void add_to(double w, M& K) const {
    for (Eigen::Index i = 0; i < K.rows(); ++i) K.coeffRef(i, i) += w;
  }
};

// Symmetric positive definite M (n x n). Throws core::InputError otherwise.
template <int N>
class FullMass {
 public:
  using Vector = Eigen::Matrix<double, N, 1>;
  using Matrix = Eigen::Matrix<double, N, N>;
  explicit FullMass(const Matrix& M) : M_(M), cholesky_(M) { require_positive_definite(cholesky_.info() == Eigen::Success); }
  void momentum(const Vector& v, Vector& p) const { p.noalias() = M_ * v; }
  void velocity(const Vector& p, Vector& v) const {
    v = p;
    cholesky_.solveInPlace(v);
  }
  void add_to(double w, Matrix& K) const { K += w * M_; }

 private:
  static void require_positive_definite(bool yes);
  Matrix M_;
  Eigen::LLT<Matrix> cholesky_;
};

void throw_not_positive_definite();
template <int N>
void FullMass<N>::require_positive_definite(bool yes) {
  if (!yes) throw_not_positive_definite();
}

// L = 1/2 v'Mv - V(q)
template <Potential P, class Mass = UnitMass>
class Mechanical {
 public:
  using Space = typename P::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  explicit Mechanical(P potential, Mass mass = {}, Space space = {})
      : potential_(std::move(potential)),
        mass_(std::move(mass)),
        space_(std::move(space)),
        H_(space_.matrix()),
        p_(space_.vector()) {}

  const Space& space() const { return space_; }
  static constexpr bool separable() { return true; }

  double potential(double, const Vector& q) { return potential_.value(q); }
  void force(double, const Vector& q, Vector& f) {
    potential_.gradient(q, f);
    f = -f;
  }
  void stiffness(double, const Vector& q, double wM, double wV, Vector& f, Matrix& K) {
    potential_.gradient(q, f);
    f = -f;
    potential_.hessian(q, K);
    K *= wV;
    mass_.add_to(wM, K);
  }
  void momentum(const Vector& v, Vector& p) { mass_.momentum(v, p); }
  void velocity(const Vector& p, Vector& v) { mass_.velocity(p, v); }

  double lagrangian(double, const Vector& q, const Vector& v) {
    mass_.momentum(v, p_);
    return 0.5 * algebra::dot(v, p_) - potential_.value(q);
  }
  void derivatives(double t, const Vector& q, const Vector& v, Vector& f, Vector& p) {
    force(t, q, f);
    mass_.momentum(v, p);
  }
  void tangent(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector& p, Matrix& K) {
    derivatives(t, q, v, f, p);
    potential_.hessian(q, H_);
    K -= w.qq * H_;
    mass_.add_to(w.vv, K);
  }

 private:
  P potential_;
  Mass mass_;
  Space space_;
  Matrix H_;
  Vector p_;
};

}  // namespace actio::system
