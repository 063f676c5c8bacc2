#pragma once
#include <actio/method/catalogue/split.hpp>
#include <vector>

// The coefficients of methods that take turns between the motion A that is known and kicks by the rest B.
namespace actio::method {

struct SplitScheme {
  bool drift_first = true;
  std::vector<double> part;  // of A and B in turn; an odd number, the same from both ends
  // X(a, b) = e^{a A} e^{b B} e^{-a A} of a symplectic corrector, in turn; none without one
  struct Turn {
    double a, b;
  };
  std::vector<Turn> corrector{};
};

SplitScheme scheme_of(const WisdomHolman& method);
SplitScheme scheme_of(const Saba& method);
SplitScheme scheme_of(const Sbab& method);
SplitScheme scheme_of(const Aba& method);

}  // namespace actio::method
