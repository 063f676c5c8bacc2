#include <actio/method/split_scheme.hpp>

#include <cmath>

#include <Eigen/Dense>

#include <actio/discrete/galerkin.hpp>

namespace actio::method {
namespace {

// (1/z) ((z/2)/sinh(z/2) - 1) = sum_j g_j z^(2j - 1), j = 1..n
std::vector<long double> series_of_corrector(int n) {
  // (z/2)/sinh(z/2) is 1 over sum_j (z/2)^(2j)/(2j + 1)!
  std::vector<long double> sinh(static_cast<std::size_t>(n) + 1), inverse(sinh.size(), 0.0L);
  sinh[0] = inverse[0] = 1;
  for (std::size_t j = 1; j < sinh.size(); ++j) {
    sinh[j] = sinh[j - 1] / (4.0L * static_cast<long double>(2 * j) * static_cast<long double>(2 * j + 1));
    for (std::size_t k = 1; k <= j; ++k) inverse[j] -= sinh[k] * inverse[j - k];
  }
  return {inverse.begin() + 1, inverse.end()};
}

// Leapfrog is e^{h (A + g)}, g = (z/2)/sinh(z/2) B to first order in eps with z = h ad_A, and C = h sum_i 2 b_i sinh(a_i z) B
// takes that to B up to z^(2n + 1):
//
//   sum_i 2 b_i a_i^(2j - 1)/(2j - 1)! = g_j,   j = 1..n,   a_i = i sqrt(7/40)      (Wisdom, Holman and Touma, 1996)
std::vector<SplitScheme::Turn> corrector_of(int n) {
  using Real = long double;
  if (n == 0) return {};
  const std::vector<Real> g = series_of_corrector(n);
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> M(n, n);
  Eigen::Matrix<Real, Eigen::Dynamic, 1> r(n);
  const Real unit = std::sqrt(7.0L / 40);
  for (int j = 0; j < n; ++j) {
    Real factorial = 1;
    for (int k = 2; k <= 2 * j + 1; ++k) factorial *= static_cast<Real>(k);
    for (int i = 0; i < n; ++i) M(j, i) = std::pow(static_cast<Real>(i + 1), static_cast<Real>(2 * j + 1));
    r[j] = g[static_cast<std::size_t>(j)] * factorial / (2 * std::pow(unit, static_cast<Real>(2 * j + 1)));
  }
  const Eigen::Matrix<Real, Eigen::Dynamic, 1> b = M.fullPivLu().solve(r);
  std::vector<SplitScheme::Turn> turns;
  for (int i = 0; i < n; ++i) {
    const double a = static_cast<double>(static_cast<Real>(i + 1) * unit), of_it = static_cast<double>(b[i]);
    turns.push_back({a, of_it});
    turns.push_back({-a, -of_it});
  }
  return turns;
}

// Kicks of weights b at nodes c, between them the way from node to node.
SplitScheme by_quadrature(const std::vector<double>& c, const std::vector<double>& b, bool ends) {
  SplitScheme scheme;
  scheme.drift_first = !ends;
  double at = 0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (k > 0 || !ends) scheme.part.push_back(c[k] - at);
    scheme.part.push_back(b[k]);
    at = c[k];
  }
  if (!ends) scheme.part.push_back(1 - at);
  // equal from both ends, to the bit
  for (std::size_t k = 0; k < scheme.part.size() / 2; ++k) scheme.part[scheme.part.size() - 1 - k] = scheme.part[k];
  return scheme;
}

// The first half of a's and b's; the other is its mirror image. `kicks`: how many b's there are in all.
SplitScheme mirrored_parts(const std::vector<double>& a, const std::vector<double>& b, std::size_t kicks) {
  SplitScheme scheme;
  for (std::size_t k = 0; k < 2 * kicks + 1; ++k) {
    const std::size_t from_end = k <= kicks ? k : 2 * kicks - k;
    scheme.part.push_back(from_end % 2 == 0 ? a[from_end / 2] : b[from_end / 2]);
  }
  return scheme;
}

}  // namespace

SplitScheme scheme_of(const WisdomHolman& method) { return {true, {0.5, 1, 0.5}, corrector_of(method.corrector)}; }

SplitScheme scheme_of(const Saba& method) {
  const discrete::Galerkin rule = discrete::Galerkin::gauss(method.stages);
  return by_quadrature(rule.nodes, rule.weights, false);
}
SplitScheme scheme_of(const Sbab& method) {
  const discrete::Galerkin rule = discrete::Galerkin::lobatto(method.stages);
  return by_quadrature(rule.nodes, rule.weights, true);
}

// Blanes et al. (2013), tables 2 and 3
SplitScheme scheme_of(const Aba& method) {
  if (method.orders == "8-6-4")
    return mirrored_parts({0.0711334264982231177779387300061549964174, 0.241153427956640098736487795326289649618,
                           0.521411761772814789212136078067994229991, -0.333698616227678005726562603400438876027},
                          {0.183083687472197221961703757166430291072, 0.310782859898574869507522291054262796375,
                           -0.0265646185119588006972121379164987592663, 0.0653961422823734184559721791911134363710},
                          7);
  return mirrored_parts({0.03809449742241219545697532230863756534060, 0.1452987161169137492940200726606637497442,
                         0.2076276957255412507162056113249882065158, 0.4359097036515261592231548624010651844006,
                         -0.6538612258327867093807117373907094120024},
                        {0.09585888083707521061077150377145884776921, 0.2044461531429987806805077839164344779763,
                         0.2170703479789911017143385924306336714532, -0.01737538195906509300561788011852699719871},
                        8);
}

}  // namespace actio::method
