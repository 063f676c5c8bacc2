#include <actio/discrete/galerkin.hpp>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

namespace actio::discrete {
namespace {

using Real = long double;

// P_n(x) and P_n'(x)
std::pair<Real, Real> legendre(int n, Real x) {
  Real before = 1, now = x;
  for (int k = 2; k <= n; ++k) before = std::exchange(now, ((2 * k - 1) * x * now - (k - 1) * before) / k);
  if (n == 0) return {1, 0};
  return {now, n * (before - x * now) / (1 - x * x)};
}

struct Rule {
  std::vector<Real> nodes, weights;  // in [0, 1]
};

Rule gauss_rule(int n) {
  Rule rule{std::vector<Real>(n), std::vector<Real>(n)};
  for (int k = 0; k < n; ++k) {
    Real x = -std::cos(std::numbers::pi_v<Real> * (k + 0.75L) / (n + 0.5L));
    for (int again = 0; again < 20; ++again) {
      const auto [p, d] = legendre(n, x);
      x -= p / d;
    }
    const Real d = legendre(n, x).second;
    rule.nodes[k] = (1 + x) / 2;
    rule.weights[k] = 1 / ((1 - x * x) * d * d);
  }
  return rule;
}

// Both ends, and the roots of P_m', between which P_m is not 0.
Rule lobatto_rule(int m) {
  Rule rule{std::vector<Real>(m + 1), std::vector<Real>(m + 1)};
  for (int k = 0; k <= m; ++k) {
    Real x = -std::cos(std::numbers::pi_v<Real> * k / m);
    if (k > 0 && k < m)
      for (int again = 0; again < 40; ++again) {
        const auto [p, d] = legendre(m, x);
        x -= d / ((2 * x * d - m * (m + 1) * p) / (1 - x * x));  // Legendre's equation gives P''
      }
    const Real p = k == 0 || k == m ? 1 : legendre(m, x).first;
    rule.nodes[k] = (1 + x) / 2;
    rule.weights[k] = 1 / (m * (m + 1) * p * p);
  }
  rule.nodes[0] = 0;
  rule.nodes[m] = 1;
  return rule;
}

template <class T>
T lagrange(const std::vector<T>& nodes, int j, T s) {
  T out = 1;
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i)
    if (i != j) out *= (s - nodes[i]) / (nodes[j] - nodes[i]);
  return out;
}

// Of a path's m Gauss nodes and a quadrature.
Galerkin with(int m, const Rule& quadrature) {
  const Rule path = gauss_rule(m);
  const int r = static_cast<int>(quadrature.nodes.size());
  Galerkin g;
  g.degree = m;
  g.A.assign(r, std::vector<double>(m));
  g.values = g.A;
  g.E.assign(m, std::vector<double>(r));
  g.Abar = g.E;
  for (int j = 0; j < m; ++j) {
    g.path_nodes.push_back(static_cast<double>(path.nodes[j]));
    g.beta.push_back(static_cast<double>(path.weights[j]));
  }
  for (int k = 0; k < r; ++k) {
    const Real c = quadrature.nodes[k], b = quadrature.weights[k];
    g.nodes.push_back(static_cast<double>(c));
    g.weights.push_back(static_cast<double>(b));
    for (int j = 0; j < m; ++j) {
      Real integral = 0;  // of l_j from 0 to c: exact by m nodes
      for (int i = 0; i < m; ++i) integral += c * path.weights[i] * lagrange(path.nodes, j, c * path.nodes[i]);
      const Real value = lagrange(path.nodes, j, c);
      g.A[k][j] = static_cast<double>(integral);
      g.values[k][j] = static_cast<double>(value);
      g.E[j][k] = static_cast<double>(b * value / path.weights[j]);
      g.Abar[j][k] = static_cast<double>(b * (1 - integral / path.weights[j]));
    }
  }
  return g;
}

Galerkin::Matrix inverse(Galerkin::Matrix A) {
  const int n = static_cast<int>(A.size());
  Galerkin::Matrix out(n, std::vector<double>(n, 0.0));
  for (int i = 0; i < n; ++i) out[i][i] = 1;
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[i][k]) > std::abs(A[p][k])) p = i;
    std::swap(A[k], A[p]);
    std::swap(out[k], out[p]);
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double l = A[i][k] / A[k][k];
      for (int j = 0; j < n; ++j) {
        A[i][j] -= l * A[k][j];
        out[i][j] -= l * out[k][j];
      }
    }
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) out[i][j] /= A[i][i];
  return out;
}

// The least absolute eigenvalue of A, to the power 2, for m = 1 ... 6.
constexpr std::array<double, Galerkin::most> gamma_squared{0.25, 1.0 / 12, 0.038703, 0.021762, 0.013769, 0.009429};

}  // namespace

Galerkin Galerkin::gauss(int degree) {
  assert(degree >= 1 && degree <= most);
  Galerkin g = with(degree, gauss_rule(degree));
  g.collocated = true;
  for (int j = 0; j < degree; ++j)  // to the bit, so that nothing is added
    for (int k = 0; k < degree; ++k) g.values[k][j] = g.E[j][k] = j == k ? 1 : 0;
  g.gamma = std::sqrt(gamma_squared[degree - 1]);
  g.scaled_inverse = inverse(g.A);
  for (auto& row : g.scaled_inverse) {
    double sum = 0;
    for (double& x : row) sum += std::abs(x *= g.gamma);
    g.amplification = std::max(g.amplification, sum);
  }
  return g;
}

Galerkin Galerkin::lobatto(int degree) {
  assert(degree >= 1 && degree <= most);
  Galerkin g = with(degree, lobatto_rule(degree));
  double trace = 0;  // of Abar A
  for (int j = 0; j < degree; ++j)
    for (int k = 0; k <= degree; ++k) trace += g.Abar[j][k] * g.A[k][j];
  g.gamma = std::sqrt(std::max(trace / degree, 0.0));
  Galerkin::Matrix C(g.Abar);
  for (auto& row : C) {
    for (int k = 0; k < degree; ++k) row[k] /= g.weights[k];
    row.pop_back();
  }
  g.node_inverse = inverse({g.A.begin() + 1, g.A.end()});
  g.force_inverse = inverse(std::move(C));
  return g;
}

double Galerkin::basis(int j, double s) const { return lagrange(path_nodes, j, s); }
double Galerkin::node_basis(int k, double s) const { return lagrange(nodes, k, s); }

}  // namespace actio::discrete
