#pragma once
#include <cmath>

namespace actio::core {

// A sum with the roundings of its additions kept beside it (Neumaier 1974): right to an eps of the result, however many terms of
// one sign.
struct Sum {
  double high = 0, low = 0;

  void add(double x) {
    const double s = high + x, part = s - high;
    low += (high - (s - part)) + (x - part);
    high = s;
  }
  // += a b, the rounding of the product kept too
  void add_product(double a, double b) {
    const double product = a * b;
    low += std::fma(a, b, -product);
    add(product);
  }
  void add(const Sum& x) {
    low += x.low;
    add(x.high);
  }
  double value() const { return high + low; }
};

}  // namespace actio::core
