#pragma once
#include <actio/system/constrained.hpp>
#include <array>
#include <cmath>

#include "petsc/homes.hpp"

// A chain of bodies hanging from a support that moves, written once for every home:
//
//   L = m/2 |v|^2 - sum of m g y - sum of k/4 (|d|^2 - l^2)^2,   phi = c/4 sum of |v|^4
//
// with springs k between neighbours, softer ones between second neighbours, which resist bending. `Pendula` has rigid links in
// place of the former. The support is at (A (1 - cos 3 t), 0).
namespace actio::test {

struct ChainData {
  double m = 0.7, gravity = 9.81, length = 0.3, c = 0.2;
  double stretching = 400, bending = 20;
  double amplitude = 0.1, frequency = 3;
};

template <class Home>
class Chain {
 public:
  using Space = typename Home::Space;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  using Point = std::array<double, 2>;

  Chain(Home home, const ChainData& data) : home_(std::move(home)), data_(data) {}
  const Space& space() const { return home_.space(); }
  const Home& home() const { return home_; }

  static constexpr bool separable() { return true; }
  double potential(double t, const Vector& q) {
    const auto x = home_.read(q);
    return home_.sum([&](auto&& add) {
      for_each_body([&](int i) { add(data_.m * data_.gravity * x(2 * i + 1)); });
      for_each_spring([&](int i, int j, double k, double l) {
        const double s = stretch(difference(t, x, i, j), l);
        add(k / 4 * s * s);
      });
    });
  }
  void force(double t, const Vector& q, Vector& f) {
    f = 0.0 * q;
    const auto x = home_.read(q);
    home_.add_to(f, [&](auto&& add) {
      for_each_body([&](int i) { add(2 * i + 1, -data_.m * data_.gravity); });
      for_each_spring([&](int i, int j, double k, double l) {
        const Point d = difference(t, x, i, j);
        const double s = stretch(d, l);
        for (int a = 0; a < 2; ++a) {
          add(2 * i + a, -k * s * d[a]);
          if (j >= 0) add(2 * j + a, k * s * d[a]);
        }
      });
    });
  }
  void stiffness(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K) {
    force(t, q, f);
    Space::clear(K);
    add_mass(wM, K);
    add_hessian(t, q, wV, K);
  }
  void momentum(const Vector& v, Vector& p) { p = data_.m * v; }
  void velocity(const Vector& p, Vector& v) { v = (1 / data_.m) * p; }

  double lagrangian(double t, const Vector& q, const Vector& v) { return data_.m / 2 * dot(v, v) - potential(t, q); }
  void derivatives(double t, const Vector& q, const Vector& v, Vector& f, Vector& p) {
    force(t, q, f);
    momentum(v, p);
  }
  void tangent(double t, const Vector& q, const Vector& v, system::Weights w, Vector& f, Vector& p, Matrix& K) {
    derivatives(t, q, v, f, p);
    add_mass(w.vv, K);
    add_hessian(t, q, -w.qq, K);
  }

  // Friction -dphi/dv, nothing external
  bool forced() const { return data_.c != 0; }
  bool dissipative() const { return forced(); }
  static constexpr bool force_needs_velocity() { return true; }
  void external(double, const Vector& q, const Vector&, Vector& F) { F = 0.0 * q; }
  void external_tangent(double t, const Vector& q, const Vector& v, double, double, Vector& F, Matrix&) { external(t, q, v, F); }
  void applied(double, const Vector&, const Vector& v, Vector& F) { friction(-1, v, F); }
  void applied_tangent(double t, const Vector& q, const Vector& v, double, double wv, Vector& F, Matrix& K) {
    applied(t, q, v, F);
    add_friction_hessian(v, -wv, K);
  }
  double dissipation(double, const Vector&, const Vector& v) {
    const auto x = home_.read(v);
    return home_.sum([&](auto&& add) {
      for_each_body([&](int i) { add(data_.c / 4 * std::pow(x(2 * i) * x(2 * i) + x(2 * i + 1) * x(2 * i + 1), 2)); });
    });
  }
  void dissipation_tangent(double, const Vector& q, const Vector& v, system::Weights w, Vector& phi_q, Vector& phi_v, Matrix& K) {
    phi_q = 0.0 * q;
    friction(1, v, phi_v);
    add_friction_hessian(v, w.vv, K);
  }

 protected:
  template <class F>
  void for_each_body(F&& f) const {
    for (int i = home_.bodies().first; i < home_.bodies().end; ++i) f(i);
  }
  // Between bodies i and j < i, where -1 is the support.
  template <class F>
  void for_each_spring(F&& f) const {
    for_each_body([&](int i) {
      if (data_.stretching != 0) f(i, i - 1, data_.stretching, data_.length);
      if (i > 0) f(i, i - 2, data_.bending, 1.8 * data_.length);
    });
  }
  template <class Read>
  Point difference(double t, const Read& x, int i, int j) const {
    if (j < 0) return {x(2 * i) - data_.amplitude * (1 - std::cos(data_.frequency * t)), x(2 * i + 1)};
    return {x(2 * i) - x(2 * j), x(2 * i + 1) - x(2 * j + 1)};
  }
  static double stretch(const Point& d, double l) { return d[0] * d[0] + d[1] * d[1] - l * l; }

  void add_mass(double w, Matrix& K) const {
    home_.add_to(K, [&](auto&& add) {
      for_each_body([&](int i) {
        for (int a = 0; a < 2; ++a) add(2 * i + a, 2 * i + a, w * data_.m);
      });
    });
  }
  void add_hessian(double t, const Vector& q, double w, Matrix& K) const {
    const auto x = home_.read(q);
    home_.add_to(K, [&](auto&& add) {
      for_each_spring([&](int i, int j, double k, double l) {
        const Point d = difference(t, x, i, j);
        for (int a = 0; a < 2; ++a)
          for (int b = 0; b < 2; ++b) {
            const double h = w * k * (2 * d[a] * d[b] + (a == b ? stretch(d, l) : 0));
            add(2 * i + a, 2 * i + b, h);
            if (j < 0) continue;
            add(2 * j + a, 2 * j + b, h);
            add(2 * i + a, 2 * j + b, -h);
            add(2 * j + a, 2 * i + b, -h);
          }
      });
    });
  }
  void friction(double w, const Vector& v, Vector& F) const {
    F = 0.0 * v;
    const auto x = home_.read(v);
    home_.add_to(F, [&](auto&& add) {
      for_each_body([&](int i) {
        const double s = w * data_.c * (x(2 * i) * x(2 * i) + x(2 * i + 1) * x(2 * i + 1));
        for (int a = 0; a < 2; ++a) add(2 * i + a, s * x(2 * i + a));
      });
    });
  }
  void add_friction_hessian(const Vector& v, double w, Matrix& K) const {
    const auto x = home_.read(v);
    home_.add_to(K, [&](auto&& add) {
      for_each_body([&](int i) {
        const Point u{x(2 * i), x(2 * i + 1)};
        for (int a = 0; a < 2; ++a)
          for (int b = 0; b < 2; ++b)
            add(2 * i + a, 2 * i + b, w * data_.c * (2 * u[a] * u[b] + (a == b ? u[0] * u[0] + u[1] * u[1] : 0)));
      });
    });
  }

  Home home_;
  ChainData data_;
};

// g_i = (|q_i - q_{i-1}|^2 - l^2)/2 = 0 in place of the springs between neighbours
template <class Home>
class Pendula : public Chain<Home> {
 public:
  using typename Chain<Home>::Vector;
  using typename Chain<Home>::Point;
  using KktSolver = typename Home::KktSolver;
  using Multipliers = typename KktSolver::Multipliers;
  using Jacobian = typename KktSolver::Jacobian;

  Pendula(Home home, ChainData data) : Chain<Home>(std::move(home), without_stretching(data)) {}
  long constraints() const { return this->home_.bodies().all; }
  static constexpr bool moving() { return true; }
  KktSolver kkt_solver() const { return this->home_.kkt_solver(); }

  void constraint(double t, const Vector& q, Multipliers& g) {
    g = 0.0 * g;
    const auto x = this->home_.read(q);
    this->home_.add_to(g, [&](auto&& add) {
      this->for_each_body([&](int i) { add(i, this->stretch(this->difference(t, x, i, i - 1), this->data_.length) / 2); });
    });
  }
  void constraint_tangent(double t, const Vector& q, Multipliers& g, Multipliers& g_t, Jacobian& G) {
    constraint(t, q, g);
    const auto x = this->home_.read(q);
    g_t = 0.0 * g_t;
    this->home_.add_to(g_t, [&](auto&& add) {
      this->for_each_body([&](int i) {
        const double w = this->data_.frequency;
        if (i == 0) add(0, -this->difference(t, x, 0, -1)[0] * this->data_.amplitude * w * std::sin(w * t));
      });
    });
    this->home_.clear(G);
    this->home_.add_to(G, [&](auto&& add) {
      this->for_each_body([&](int i) {
        const Point d = this->difference(t, x, i, i - 1);
        for (int a = 0; a < 2; ++a) {
          add(i, 2 * i + a, d[a]);
          if (i > 0) add(i, 2 * i - 2 + a, -d[a]);
        }
      });
    });
  }

 private:
  static ChainData without_stretching(ChainData data) {
    data.stretching = 0;
    return data;
  }
};

// The chain at rest, its links alternately at two angles to the vertical.
inline std::vector<double> zigzag(int bodies, const ChainData& data) {
  std::vector<double> q;
  double x = 0, y = 0;
  for (int i = 0; i < bodies; ++i) {
    const double angle = i % 2 == 0 ? 0.8 : 0.3;
    q.push_back(x += data.length * std::sin(angle));
    q.push_back(y -= data.length * std::cos(angle));
  }
  return q;
}

}  // namespace actio::test
