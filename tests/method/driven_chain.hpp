#pragma once
#include <actio/system/forced.hpp>
#include <actio/system/mechanical.hpp>
#include <cmath>
#include <method/structure.hpp>
#include <type_traits>

// A nonlinear chain with friction phi(q, v) and a force F(q, v, t) that is not symmetric, made so that q_i = sin(t + i/2) solves
// its equations: a manufactured solution, on any space.
namespace actio::tests {

inline double exact_position(double t, long i) { return std::sin(t + 0.5 * static_cast<double>(i)); }
inline double exact_velocity(double t, long i) { return std::cos(t + 0.5 * static_cast<double>(i)); }

// V = sum q_i^4/4 + q_i^2/2 + (q_{i+1} - q_i)^2/2 + (q_{i+1} - q_i)^4/8
template <class SpaceType>
struct ChainPotential {
  using Space = SpaceType;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  long n;

  double value(const Vector& q) const {
    double sum = 0;
    for (long i = 0; i < n; ++i) {
      sum += q[i] * q[i] * q[i] * q[i] / 4 + q[i] * q[i] / 2;
      if (i + 1 < n) {
        const double d = q[i + 1] - q[i];
        sum += d * d / 2 + d * d * d * d / 8;
      }
    }
    return sum;
  }
  void gradient(const Vector& q, Vector& g) const {
    for (long i = 0; i < n; ++i) g[i] = q[i] * q[i] * q[i] + q[i];
    for (long i = 0; i + 1 < n; ++i) {
      const double d = q[i + 1] - q[i], f = d + d * d * d / 2;
      g[i] -= f;
      g[i + 1] += f;
    }
  }
  void hessian(const Vector& q, Matrix& H) const {
    Space::clear(H);
    for (long i = 0; i < n; ++i) H.coeffRef(i, i) += 3 * q[i] * q[i] + 1;
    for (long i = 0; i + 1 < n; ++i) {
      const double d = q[i + 1] - q[i], k = 1 + 1.5 * d * d;
      H.coeffRef(i, i) += k;
      H.coeffRef(i + 1, i + 1) += k;
      H.coeffRef(i, i + 1) -= k;
      H.coeffRef(i + 1, i) -= k;
    }
  }
};

// phi = sum 1/10 (1 + q_i^2) v_i^2
template <class Space>
struct ChainFriction {
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  long n;
  double value(double, const Vector& q, const Vector& v) const {
    double sum = 0;
    for (long i = 0; i < n; ++i) sum += 0.1 * (1 + q[i] * q[i]) * v[i] * v[i];
    return sum;
  }
  void gradient(double, const Vector& q, const Vector& v, Vector& phi_q, Vector& phi_v) const {
    for (long i = 0; i < n; ++i) phi_q[i] = 0.2 * q[i] * v[i] * v[i], phi_v[i] = 0.2 * (1 + q[i] * q[i]) * v[i];
  }
  void hessian(double, const Vector& q, const Vector& v, system::Weights w, Matrix& K) const {
    for (long i = 0; i < n; ++i)
      K.coeffRef(i, i) += w.qq * 0.2 * v[i] * v[i] + (w.qv + w.vq) * 0.4 * q[i] * v[i] + w.vv * 0.2 * (1 + q[i] * q[i]);
  }
};

// F_i = 0.3 cos(q_i) v_{i+1} - 0.1 v_i^3 + s_i(t), where s makes the solution one; v_n = v_0
template <class Space, class Mass>
struct ChainForce {
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  long n;
  Mass mass;

  void value(double t, const Vector& q, const Vector& v, Vector& F) const {
    Vector x = q, u = v, a = v, g = q, phi_q = q, phi_v = q, given = q;
    for (long i = 0; i < n; ++i) x[i] = exact_position(t, i), u[i] = exact_velocity(t, i), a[i] = -exact_position(t, i);
    mass.momentum(a, F);
    ChainPotential<Space>{n}.gradient(x, g);
    ChainFriction<Space>{n}.gradient(t, x, u, phi_q, phi_v);
    own(x, u, given);
    F += 1.0 * g + 1.0 * phi_v - 1.0 * given;
    own(q, v, given);
    F += 1.0 * given;
  }
  void tangent(double, const Vector& q, const Vector& v, double wq, double wv, Matrix& K) const {
    for (long i = 0; i < n; ++i) {
      if (i + 1 < n) {
        K.coeffRef(i, i) -= wq * 0.3 * std::sin(q[i]) * v[i + 1];
        K.coeffRef(i, i + 1) += wv * 0.3 * std::cos(q[i]);
      }
      K.coeffRef(i, i) -= wv * 0.3 * v[i] * v[i];
    }
  }

 private:
  void own(const Vector& q, const Vector& v, Vector& F) const {
    for (long i = 0; i < n; ++i) F[i] = (i + 1 < n ? 0.3 * std::cos(q[i]) * v[i + 1] : 0) - 0.1 * v[i] * v[i] * v[i];
  }
};

// The mass couples neighbours where the space is dense, and is 1 where it is sparse.
template <class Space>
auto driven_chain(long n) {
  const auto mass = [&] {
    if constexpr (std::is_same_v<Space, algebra::SparseSpace>) {
      return system::UnitMass{};
    } else {
      Eigen::MatrixXd M = 1.5 * Eigen::MatrixXd::Identity(n, n);
      for (long i = 0; i + 1 < n; ++i) M(i, i + 1) = M(i + 1, i) = 0.4;
      constexpr int N = Space::static_size ? Space::size : Eigen::Dynamic;
      return system::FullMass<N>(Eigen::Matrix<double, N, N>(M));
    }
  }();
  auto space = band_space<Space>(n);
  if constexpr (std::is_same_v<Space, algebra::SparseSpace>) space.symmetric = false;  // F_v is not
  using Mass = std::remove_const_t<decltype(mass)>;
  return system::WithForces(system::Mechanical(ChainPotential<Space>{n}, mass, space), ChainFriction<Space>{n},
                            ChainForce<Space, Mass>{n, mass});
}

}  // namespace actio::tests
