#include "crossings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace actio::run {
namespace {

constexpr std::size_t degree = 8;
constexpr int most_halvings = 6;
constexpr double decayed = 0.02;  // the same, of one that is away from 0
constexpr double smooth = 1e-6;   // the last coefficients beside all, of an interpolant that is believed
using Coefficients = std::array<double, degree + 1>;

int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// cos(pi j/8)
const std::array<double, 2 * degree> cosines = [] {
  std::array<double, 2 * degree> out{};
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = std::cos(std::numbers::pi * static_cast<double>(j) / degree);
  return out;
}();

// Of the interpolant through values at cos(pi j/N), j = 0..N: sum over k of c_k T_k. N divides 8.
Coefficients chebyshev(const double* values, std::size_t N) {
  Coefficients c{};
  for (std::size_t k = 0; k <= N; ++k) {
    double sum = 0.5 * (values[0] + (k % 2 == 0 ? values[N] : -values[N]));
    for (std::size_t j = 1; j < N; ++j) sum += values[j] * cosines[(j * k * (degree / N)) % (2 * degree)];
    c[k] = sum * (k == 0 || k == N ? 1.0 : 2.0) / static_cast<double>(N);
  }
  return c;
}

// No root on [-1, 1], with room for as much again as the last two coefficients, of an interpolant that these say little of.
bool away_from_zero(const Coefficients& c, std::size_t N) {
  double sum = 0;
  for (std::size_t k = 1; k <= N; ++k) sum += std::abs(c[k]);
  const double last = std::abs(c[N]) + std::abs(c[N - 1]);
  return std::abs(c[0]) > sum + last && (last <= decayed * sum || last <= 1e-12 * std::abs(c[0]));
}

// A root of f between a and b, where it has different signs, to the digits of a number in [0, 1]: interpolate, truncate, project
// (I. F. D. Oliveira, R. H. C. Takahashi, ACM Trans. Math. Softw. 47 (2020) 5), kappa_1 = 0.2/(b - a), kappa_2 = 2, n_0 = 1.
template <class F>
double root_between(double a, double b, double fa, double fb, F&& f) {
  constexpr double tolerance = std::numeric_limits<double>::epsilon() / 2;
  const double k1 = 0.2 / (b - a);
  const int most = 1 + static_cast<int>(std::max(0.0, std::ceil(std::log2((b - a) / (2 * tolerance)))));
  for (int j = 0; b - a > 2 * tolerance && j < 2 * most; ++j) {
    const double middle = 0.5 * (a + b), linear = (fb * a - fa * b) / (fb - fa);
    const double room = std::max(0.0, tolerance * std::exp2(most - j) - 0.5 * (b - a));
    const double towards = sign_of(middle - linear), delta = k1 * (b - a) * (b - a);
    double x = delta <= std::abs(middle - linear) ? linear + towards * delta : middle;
    if (std::abs(x - middle) > room) x = middle - towards * room;
    if (!(x > a && x < b)) x = middle;
    if (!(x > a && x < b)) break;
    const double fx = f(x);
    if (fx == 0 || std::isnan(fx)) return x;
    if (sign_of(fx) == sign_of(fa)) {
      a = x;
      fa = fx;
    } else {
      b = x;
      fb = fx;
    }
  }
  return std::abs(fa) <= std::abs(fb) ? a : b;
}

double polynomial(std::span<const double> c, double x) {
  double sum = 0;
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * x + c[k];
  return sum;
}

// Where sum c_k x^k changes its sign in (-1, 1), ascending: between the places where its slope does.
std::vector<double> roots_of(std::span<const double> c) {
  std::vector<double> out;
  if (c.size() < 2) return out;
  std::vector<double> slope(c.size() - 1);
  for (std::size_t k = 1; k < c.size(); ++k) slope[k - 1] = static_cast<double>(k) * c[k];
  std::vector<double> ends = roots_of(slope);
  ends.push_back(1);
  double a = -1, fa = polynomial(c, a);
  for (const double b : ends) {
    const double fb = polynomial(c, b);
    if (sign_of(fa) * sign_of(fb) < 0) out.push_back(root_between(a, b, fa, fb, [&](double x) { return polynomial(c, x); }));
    if (fb == 0 && b < 1) out.push_back(b);
    a = b;
    fa = fb;
  }
  return out;
}

// Where the interpolant turns, in (-1, 1).
std::vector<double> turns_of(const Coefficients& c) {
  std::array<double, degree + 1> powers{}, before{1}, now{0, 1};  // of x: the sum, T_k-1, T_k
  powers[0] = c[0];
  for (std::size_t k = 1; k <= degree; ++k) {
    for (std::size_t j = 0; j <= k; ++j) powers[j] += c[k] * now[j];
    std::array<double, degree + 1> next{};
    for (std::size_t j = 0; j <= degree; ++j) next[j] = (j > 0 ? 2 * now[j - 1] : 0) - before[j];
    before = now;
    now = next;
  }
  std::array<double, degree> slope{};
  for (std::size_t k = 1; k <= degree; ++k) slope[k - 1] = static_cast<double>(k) * powers[k];
  return roots_of(slope);
}

}  // namespace

std::span<const Crossing> Crossings::operator()(Function rough, Function g, double g0, double g1, int& sign) {
  found_.clear();
  nodes_.clear();
  look_at(rough, 0, 1, g0, g1, 0);
  if (nodes_.empty() && sign_of(g0) != 0 && sign_of(g0) == sign_of(g1)) {
    sign = sign_of(g0);
    return found_;
  }
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.push_back(1);
  find(g, g0, g1, sign);
  return found_;
}

void Crossings::look_at(Function rough, double from, double to, double at_from, double at_to, int halvings) {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  const auto at = [&](std::size_t j) { return rough(middle + half * cosines[j]); };
  std::array<double, degree + 1> values{};
  values[0] = at_to;
  values[degree] = at_from;
  for (const std::size_t j : {2, 4, 6}) values[j] = at(j);
  const double few[] = {values[0], values[2], values[4], values[6], values[8]};
  if (away_from_zero(chebyshev(few, degree / 2), degree / 2)) return;
  for (const std::size_t j : {1, 3, 5, 7}) values[j] = at(j);
  const Coefficients c = chebyshev(values.data(), degree);
  if (away_from_zero(c, degree)) return;
  double sum = 0;
  for (const double x : c) sum += std::abs(x);
  if (!(std::abs(c[degree]) + std::abs(c[degree - 1]) <= smooth * sum) && halvings < most_halvings) {
    look_at(rough, from, middle, at_from, values[4], halvings + 1);
    nodes_.push_back(middle);
    look_at(rough, middle, to, values[4], at_to, halvings + 1);
    return;
  }
  for (const double x : turns_of(c)) nodes_.push_back(middle + half * x);
}

// From node to node: those before the last value that is not 0 are done with.
void Crossings::find(Function g, double g0, double g1, int& sign) {
  values_.clear();
  double most = std::abs(g0);
  for (const double b : nodes_) {
    values_.push_back(b == 1 ? g1 : g(b));
    if (!(std::abs(values_.back()) <= most)) most = std::abs(values_.back());
  }
  // A start at 0, to rounding, has no sign yet.
  const auto sign_at = [&](double x) { return sign == 0 && std::abs(x) <= 1e-9 * most ? 0 : sign_of(x); };
  double a = 0, at_a = g0, zero = -1;  // the first place since then where g is 0
  if (std::isnan(g0))
    sign = 0;
  else if (sign_at(g0) == 0)
    zero = 0;
  else
    sign = sign_of(g0);
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const double b = nodes_[k], at_b = values_[k];
    if (std::isnan(at_b)) {
      sign = 0;
      zero = -1;
      continue;
    }
    const int now = sign_at(at_b);
    if (now == 0) {
      if (zero < 0) zero = b;
      continue;
    }
    if (sign != 0 && now != sign) found_.push_back({zero >= 0 ? zero : root_between(a, b, at_a, at_b, g), now > 0});
    sign = now;
    a = b;
    at_a = at_b;
    zero = -1;
  }
}

}  // namespace actio::run
