#include <actio/core/error.hpp>
#include <actio/method/splitting_coefficients.hpp>
#include <cmath>

namespace actio::method {

SplittingCoefficients mclachlan_atela(int order) {
  switch (order) {
    case 2: {
      const double r = std::sqrt(0.5);
      return {2, {1 - r, r}, {r, 1 - r}};
    }
    case 3: {
      const double a1 = 0.919661523017399857, a2 = 0.25 / a1 - a1 / 2, a3 = 1 - a1 - a2;
      return {3, {a3, a2, a1}, {a1, a2, a3}};
    }
    case 4:
      return {4,
              {0.134496199277431089, -0.224819803079420806, 0.756320000515668291, 0.334003603286321425},
              {0.515352837431122936, -0.085782019412973646, 0.441583023616466524, 0.128846158365384185}};
    case 5:
      return {6,
              {0.1193900292875672758, 0.6989273703824752308, -0.1713123582716007754, 0.4012695022513534480, 0.0107050818482359840,
               -0.0589796254980311632},
              {0.3398396258391100000, -0.088601336903027329, 0.5858564768259621188, -0.603039356536491888, 0.3235807965546976394,
               0.4423637942197494587}};
    default:
      throw core::InputError("mclachlan-atela has order 2, 3, 4 or 5");
  }
}

}  // namespace actio::method
