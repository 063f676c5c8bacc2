#pragma once
#include <Eigen/Cholesky>
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/system/lagrangian.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

// M q'' + D q' + S q = p(t) with a load p(t) = pattern g(t), on any space (Karow 11).
namespace actio::tests {

// K(i, j), symmetric, zero beyond the first off-diagonals.
using Entries = std::function<double(long i, long j)>;

template <class Space>
Space band_space(long n) {
  if constexpr (std::is_same_v<Space, algebra::SparseSpace>) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; ++i)
      for (int j = std::max(0, i - 1); j < std::min<int>(static_cast<int>(n), i + 2); ++j) entries.emplace_back(i, j, 0.0);
    auto pattern = std::make_shared<algebra::SparseMatrix>(n, n);
    pattern->setFromTriplets(entries.begin(), entries.end());
    pattern->makeCompressed();
    Space space;
    space.n = n;
    space.pattern = std::move(pattern);
    return space;
  } else {
    return {n};
  }
}

template <class SpaceType>
class Structure {
 public:
  using Space = SpaceType;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  Structure(long n, const Entries& m, const Entries& d, const Entries& s, Vector pattern, std::function<double(double)> load,
            bool says_linear = true)
      : space_(band_space<Space>(n)),
        M(band(n, m)),
        D(band(n, d)),
        S(band(n, s)),
        pattern_(std::move(pattern)),
        load_(std::move(load)),
        says_linear_(says_linear),
        mass_(space_.solver()),
        x_(space_.vector()),
        friction_(n > 0 && D_norm(n, d) > 0) {
    (void)mass_.factor(M);
  }
  Structure(const Structure& o)
      : space_(o.space_),
        M(o.M),
        D(o.D),
        S(o.S),
        pattern_(o.pattern_),
        load_(o.load_),
        says_linear_(o.says_linear_),
        mass_(space_.solver()),
        x_(o.x_),
        friction_(o.friction_) {
    (void)mass_.factor(M);
  }
  Structure(Structure&&) = default;

  const Space& space() const { return space_; }
  bool separable() const { return true; }
  bool linear() const { return says_linear_; }
  bool forced() const { return true; }
  bool dissipative() const { return friction_; }
  bool force_needs_velocity() const { return friction_; }

  double potential(double, const Vector& q) { return 0.5 * form(S, q, q); }
  void force(double, const Vector& q, Vector& f) {
    Space::multiply(S, q, f);
    f *= -1.0;
  }
  void stiffness(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K) {
    force(t, q, f);
    Space::clear(K);
    Space::add(wM, M, K);
    Space::add(wV, S, K);
  }
  void momentum(const Vector& v, Vector& p) { Space::multiply(M, v, p); }
  void velocity(const Vector& p, Vector& v) { mass_.solve(p, v); }
  double lagrangian(double t, const Vector& q, const Vector& v) { return 0.5 * form(M, v, v) - potential(t, q); }
  void derivatives(double t, const Vector& q, const Vector& v, Vector& f, Vector& p) {
    force(t, q, f);
    momentum(v, p);
  }
  void tangent(double t, const Vector& q, const Vector& v, system::Weights w, Vector& f, Vector& p, Matrix& K) {
    derivatives(t, q, v, f, p);
    Space::add(-w.qq, S, K);
    Space::add(w.vv, M, K);
  }

  void external(double t, const Vector&, const Vector&, Vector& F) { F = load_(t) * pattern_; }
  void external_tangent(double t, const Vector& q, const Vector& v, double, double, Vector& F, Matrix&) { external(t, q, v, F); }
  void applied(double t, const Vector& q, const Vector& v, Vector& F) {
    external(t, q, v, F);
    Space::multiply(D, v, x_);
    F -= 1.0 * x_;
  }
  void applied_tangent(double t, const Vector& q, const Vector& v, double, double wv, Vector& F, Matrix& K) {
    applied(t, q, v, F);
    Space::add(-wv, D, K);
  }
  double dissipation(double, const Vector&, const Vector& v) { return 0.5 * form(D, v, v); }
  void dissipation_tangent(double, const Vector& q, const Vector& v, system::Weights w, Vector& phi_q, Vector& phi_v, Matrix& K) {
    phi_q = 0.0 * q;
    Space::multiply(D, v, phi_v);
    Space::add(w.vv, D, K);
  }

  double energy(const Vector& q, const Vector& v) { return 0.5 * form(M, v, v) + 0.5 * form(S, q, q); }
  double form(const Matrix& K, const Vector& x, const Vector& y) {
    using algebra::dot;
    Space::multiply(K, y, x_);
    return dot(x, x_);
  }
  // |x| . |K| |x|, what rounding of x'Kx is relative to
  static double size(const Matrix& K, const Vector& x) {
    double sum = 0;
    for (long i = 0; i < x.size(); ++i)
      for (long j = std::max<long>(0, i - 1); j < std::min<long>(x.size(), i + 2); ++j)
        sum += std::abs(x[i] * at(K, i, j) * x[j]);
    return sum;
  }

 private:
  static double at(const Matrix& K, long i, long j) {
    if constexpr (std::is_same_v<Space, algebra::SparseSpace>)
      return K.coeff(i, j);
    else
      return K(i, j);
  }
  Matrix band(long n, const Entries& entries) const {
    Matrix K = space_.matrix();
    for (long i = 0; i < n; ++i)
      for (long j = std::max(0L, i - 1); j < std::min(n, i + 2); ++j) K.coeffRef(i, j) = entries(i, j);
    return K;
  }
  static double D_norm(long n, const Entries& d) {
    double sum = 0;
    for (long i = 0; i < n; ++i) sum += std::abs(d(i, i));
    return sum;
  }

  Space space_;

 public:
  Matrix M, D, S;

 private:
  Vector pattern_;
  std::function<double(double)> load_;
  bool says_linear_;
  typename Space::Solver mass_;
  Vector x_;
  bool friction_;
};

// A rod of n elements, clamped at one end: consistent mass, Rayleigh damping D = 0.1 M + 0.002 S, a swinging load on it all.
template <class Space>
Structure<Space> rod(long n, bool says_linear = true) {
  const Entries m = [](long i, long j) { return i == j ? 4.0 / 6 : 1.0 / 6; };
  const Entries s = [n](long i, long j) { return i == j ? (i + 1 == n && n > 1 ? 1.0 : 2.0) : -1.0; };
  const Entries d = [=](long i, long j) { return 0.1 * m(i, j) + 0.02 * s(i, j); };
  auto pattern = band_space<Space>(n).vector();
  for (long i = 0; i < n; ++i) pattern[i] = 0.3 + std::sin(0.1 * static_cast<double>(i));
  return Structure<Space>(
      n, m, d, s, pattern, [](double t) { return std::sin(1.7 * t) + 0.2; }, says_linear);
}

}  // namespace actio::tests
