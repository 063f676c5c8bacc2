#pragma once
#include <Eigen/Cholesky>
#include <actio/algebra/dense.hpp>
#include <actio/system/lagrangian.hpp>

// A C++ system of your own: a struct with value, gradient and Hessian, and a mass.
//
//   struct Oscillator {                                       // V = |q|^2 (|q|^2 - 1)^2
//     using Space = actio::algebra::DenseSpace<2>;
//     using Vector = Space::Vector;                           // up to 4: SmallVector<2>, SmallMatrix<2>
//     using Matrix = Space::Matrix;                           // above, or Eigen::Dynamic: Eigen's
//     double value(const Vector& q) const;
//     void gradient(const Vector& q, Vector& g) const;
//     void hessian(const Vector& q, Matrix& H) const;
//   };
//   actio::system::Mechanical system{Oscillator{}};           // unit mass
//
// Eigen::Vector2d and Eigen::Matrix2d in place of Vector and Matrix work too; the copies cost some nanoseconds a call.
namespace actio::system {

template <class P, class Vector, class Matrix>
concept PotentialOf = requires(P& p, const typename P::Space::Vector& q, Vector& g, Matrix& H) {
  { p.value(q) } -> std::convertible_to<double>;  // V(q) [J]
  p.gradient(q, g);                               // g = grad V [N] (n)
  p.hessian(q, H);                                // H = V'' (n x n); a sparse H comes with the space's pattern
};
// Written for the space's own vectors, or for Eigen's of the same size.
template <class P>
concept NativePotential = PotentialOf<P, typename P::Space::Vector, typename P::Space::Matrix>;
template <class P>
concept EigenPotential = PotentialOf<P, algebra::EigenVector<typename P::Space>, algebra::EigenMatrix<typename P::Space>>;
// Optional: third derivatives along one direction, out = V'''(q)[a, a] [N] for a in units of q (n); zhang-skeel asks for them.
template <class P, class Vector>
concept ThirdOf = requires(P& p, const Vector& q, Vector& out) {
  p.third(q, q, out);
};
template <class P>
concept Potential = NativePotential<P> || EigenPotential<P>;

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
  using Vector = algebra::DenseVector<N>;
  using Matrix = algebra::DenseMatrix<N>;
  explicit FullMass(const Eigen::Matrix<double, N, N>& M) : M_(M), inverse_(M_) {
    const Eigen::LLT<Eigen::Matrix<double, N, N>> cholesky(M);
    require_positive_definite(cholesky.info() == Eigen::Success);
    const Eigen::Matrix<double, N, N> half = 0.5 * cholesky.solve(Eigen::Matrix<double, N, N>::Identity(M.rows(), M.cols()));
    inverse_ = half + half.transpose();
  }
  void momentum(const Vector& v, Vector& p) const { algebra::DenseSpace<N>::multiply(M_, v, p); }
  void velocity(const Vector& p, Vector& v) const { algebra::DenseSpace<N>::multiply(inverse_, p, v); }
  void add_to(double w, Matrix& K) const { K += w * M_; }

 private:
  static void require_positive_definite(bool yes);
  Matrix M_, inverse_;
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
    gradient(q, f);
    f = -f;
  }
  void stiffness(double, const Vector& q, double wM, double wV, Vector& f, Matrix& K) {
    gradient(q, f);
    f = -f;
    hessian(q, K);
    K *= wV;
    mass_.add_to(wM, K);
  }
  void third(double, const Vector& q, const Vector& a, Vector& out) requires ThirdOf<P, Vector> { potential_.third(q, a, out); }
  void third(double, const Vector& q, const Vector& a,
             Vector& out) requires(!ThirdOf<P, Vector> && ThirdOf<P, algebra::EigenVector<Space>>) {
    const algebra::EigenVector<Space> eq = q, ea = a;
    algebra::EigenVector<Space> e;
    potential_.third(eq, ea, e);
    out = e;
  }
  void momentum(const Vector& v, Vector& p) { mass_.momentum(v, p); }
  void velocity(const Vector& p, Vector& v) { mass_.velocity(p, v); }

  double lagrangian(double, const Vector& q, const Vector& v) {
    using algebra::dot;
    mass_.momentum(v, p_);
    return 0.5 * dot(v, p_) - potential_.value(q);
  }
  void derivatives(double t, const Vector& q, const Vector& v, Vector& f, Vector& p) {
    force(t, q, f);
    mass_.momentum(v, p);
  }
  void tangent(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector& p, Matrix& K) {
    derivatives(t, q, v, f, p);
    hessian(q, H_);
    Space::add(-w.qq, H_, K);
    mass_.add_to(w.vv, K);
  }

 private:
  void gradient(const Vector& q, Vector& g) {
    if constexpr (NativePotential<P>) {
      potential_.gradient(q, g);
    } else {
      algebra::EigenVector<Space> e;
      potential_.gradient(q, e);
      g = e;
    }
  }
  void hessian(const Vector& q, Matrix& H) {
    if constexpr (NativePotential<P>) {
      potential_.hessian(q, H);
    } else {
      algebra::EigenMatrix<Space> e;
      potential_.hessian(q, e);
      H = e;
    }
  }

  P potential_;
  Mass mass_;
  Space space_;
  Matrix H_;
  Vector p_;
};

}  // namespace actio::system
