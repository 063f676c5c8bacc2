#pragma once
#include <Eigen/Core>
#include <array>
#include <cmath>

// Numbers that carry their first and second derivatives with respect to K variables, so that a function written once, as a
// template of its scalar, gives its gradient and Hessian to round-off (forward differentiation: A. Griewank, A. Walther,
// Evaluating Derivatives, 2008, ch. 3 and 13). Eigen's vectors of them work.
//
//   const auto x = Jet<2>::variable(1.2, 0), y = Jet<2>::variable(0.7, 1);
//   const auto f = x * x * sin(y);                   // f.value, f.gradient[i], f.second(i, j)
//
// A function that has no derivative at a point, as sqrt at 0, gives NaN there. In a template that is used for double as well, say
// `using std::sin;` for each function that it calls.
namespace actio::expr {

template <int K>
struct Jet {
  static constexpr int variables = K, entries = K * (K + 1) / 2;
  double value = 0;
  std::array<double, K> gradient{};
  std::array<double, entries> hessian{};  // the lower triangle by rows

  Jet() = default;
  Jet(double x) : value(x) {}  // NOLINT: a constant is a jet
  static Jet variable(double x, int k) {
    Jet out(x);
    out.gradient[static_cast<std::size_t>(k)] = 1;
    return out;
  }
  double second(int i, int j) const { return i >= j ? hessian[static_cast<std::size_t>(i * (i + 1) / 2 + j)] : second(j, i); }

  Jet& operator+=(const Jet& b) {
    value += b.value;
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += b.gradient[i];
    for (std::size_t i = 0; i < hessian.size(); ++i) hessian[i] += b.hessian[i];
    return *this;
  }
  Jet& operator*=(double s) {
    value *= s;
    for (double& x : gradient) x *= s;
    for (double& x : hessian) x *= s;
    return *this;
  }
  Jet& operator-=(const Jet& b) { return *this += -b; }
  Jet& operator*=(const Jet& b) { return *this = *this * b; }
  Jet& operator/=(const Jet& b) { return *this = *this / b; }
  friend Jet operator+(Jet a, const Jet& b) { return a += b; }
  friend Jet operator-(Jet a) { return a *= -1; }
  friend Jet operator-(Jet a, const Jet& b) { return a -= b; }
  friend Jet operator*(const Jet& a, const Jet& b) {
    Jet out(a.value * b.value);
    std::size_t at = 0;
    for (std::size_t i = 0; i < K; ++i) {
      out.gradient[i] = a.value * b.gradient[i] + b.value * a.gradient[i];
      for (std::size_t j = 0; j <= i; ++j, ++at)
        out.hessian[at] =
            a.value * b.hessian[at] + b.value * a.hessian[at] + a.gradient[i] * b.gradient[j] + a.gradient[j] * b.gradient[i];
    }
    return out;
  }
  friend Jet operator*(double s, Jet a) { return a *= s; }
  friend Jet operator*(Jet a, double s) { return a *= s; }
  friend Jet operator/(const Jet& a, const Jet& b) {
    const double x = 1 / b.value;
    return a * b.composed(x, -x * x, 2 * x * x * x);
  }
  friend Jet operator/(Jet a, double s) { return a *= 1 / s; }
  friend bool operator<(const Jet& a, const Jet& b) { return a.value < b.value; }
  friend bool operator>(const Jet& a, const Jet& b) { return a.value > b.value; }
  friend bool operator<=(const Jet& a, const Jet& b) { return a.value <= b.value; }
  friend bool operator>=(const Jet& a, const Jet& b) { return a.value >= b.value; }
  friend bool operator==(const Jet& a, const Jet& b) { return a.value == b.value; }

  // f of this number, by f, f' and f'' at its value.
  Jet composed(double f, double f1, double f2) const {
    Jet out(f);
    std::size_t at = 0;
    for (std::size_t i = 0; i < K; ++i) {
      out.gradient[i] = f1 * gradient[i];
      for (std::size_t j = 0; j <= i; ++j, ++at) out.hessian[at] = f1 * hessian[at] + f2 * gradient[i] * gradient[j];
    }
    return out;
  }

  friend Jet sqrt(const Jet& a) {
    const double r = std::sqrt(a.value);
    return a.composed(r, 0.5 / r, -0.25 / (r * a.value));
  }
  friend Jet exp(const Jet& a) {
    const double e = std::exp(a.value);
    return a.composed(e, e, e);
  }
  friend Jet log(const Jet& a) { return a.composed(std::log(a.value), 1 / a.value, -1 / (a.value * a.value)); }
  friend Jet sin(const Jet& a) {
    const double s = std::sin(a.value);
    return a.composed(s, std::cos(a.value), -s);
  }
  friend Jet cos(const Jet& a) {
    const double c = std::cos(a.value);
    return a.composed(c, -std::sin(a.value), -c);
  }
  friend Jet tan(const Jet& a) {
    const double t = std::tan(a.value), d = 1 + t * t;
    return a.composed(t, d, 2 * t * d);
  }
  friend Jet asin(const Jet& a) {
    const double d = 1 / std::sqrt(1 - a.value * a.value);
    return a.composed(std::asin(a.value), d, a.value * d * d * d);
  }
  friend Jet acos(const Jet& a) {
    const double d = 1 / std::sqrt(1 - a.value * a.value);
    return a.composed(std::acos(a.value), -d, -a.value * d * d * d);
  }
  friend Jet atan2(const Jet& y, const Jet& x) {
    Jet out = std::abs(x.value) >= std::abs(y.value) ? atan(y / x) : -atan(x / y);
    out.value = std::atan2(y.value, x.value);
    return out;
  }
  friend Jet hypot(const Jet& x, const Jet& y) { return sqrt(x * x + y * y); }
  friend Jet atan(const Jet& a) {
    const double d = 1 / (1 + a.value * a.value);
    return a.composed(std::atan(a.value), d, -2 * a.value * d * d);
  }
  friend Jet cosh(const Jet& a) {
    const double c = std::cosh(a.value);
    return a.composed(c, std::sinh(a.value), c);
  }
  friend Jet sinh(const Jet& a) {
    const double s = std::sinh(a.value);
    return a.composed(s, std::cosh(a.value), s);
  }
  friend Jet tanh(const Jet& a) {
    const double t = std::tanh(a.value), d = 1 - t * t;
    return a.composed(t, d, -2 * t * d);
  }
  friend Jet abs(const Jet& a) { return a.value < 0 ? -a : a; }
  friend Jet pow(const Jet& a, const Jet& e) { return exp(e * log(a)); }
  friend Jet pow(const Jet& a, double e) {
    return a.composed(std::pow(a.value, e), e == 0 ? 0 : e * std::pow(a.value, e - 1),
                      e == 0 || e == 1 ? 0 : e * (e - 1) * std::pow(a.value, e - 2));
  }
};

}  // namespace actio::expr

template <int K>
struct Eigen::NumTraits<actio::expr::Jet<K>> : Eigen::NumTraits<double> {
  using Real = actio::expr::Jet<K>;
  using NonInteger = Real;
  using Nested = Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = K * K,
    AddCost = K * K,
    MulCost = 4 * K * K
  };
};
template <int K, class Op>
struct Eigen::ScalarBinaryOpTraits<actio::expr::Jet<K>, double, Op> {
  using ReturnType = actio::expr::Jet<K>;
};
template <int K, class Op>
struct Eigen::ScalarBinaryOpTraits<double, actio::expr::Jet<K>, Op> {
  using ReturnType = actio::expr::Jet<K>;
};
