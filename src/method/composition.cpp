#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/method/composition.hpp>
#include <cmath>

namespace actio::method {
namespace {

// gamma_1 .. gamma_m given, the middle one makes the sum 1, the rest mirror.
std::vector<double> mirrored(std::vector<double> half) {
  double sum = 0;
  for (const double g : half) sum += 2 * g;
  std::vector<double> all = half;
  all.push_back(1 - sum);
  all.insert(all.end(), half.rbegin(), half.rend());
  return all;
}

// Suzuki's fractal: five copies of a method of order k - 2 make one of order k.
std::vector<double> suzuki(int order) {
  if (order == 2) return {1};
  const std::vector<double> inner = suzuki(order - 2);
  const double outer = 1 / (4 - std::pow(4.0, 1.0 / (order - 1))), middle = 1 - 4 * outer;
  std::vector<double> all;
  for (const double scale : {outer, outer, middle, outer, outer})
    for (const double g : inner) all.push_back(scale * g);
  return all;
}

}  // namespace

std::vector<double> composition_coefficients(const Composition& c) {
  if (c.order != 4 && c.order != 6 && c.order != 8 && c.order != 10)
    throw core::InputError(fmt::format("compose.order is {}, it can be 4, 6, 8 or 10", c.order));
  if (c.scheme == "suzuki") return suzuki(c.order);
  if (c.scheme == "sofroniou-spaletta") {  // Optim. Methods Softw. 20 (2005) 597
    if (c.order != 10) throw core::InputError("compose.scheme sofroniou-spaletta has order 10: take kahan-li for 4, 6 and 8");
    return mirrored({0.078795722521686419263907679337684, 0.31309610341510852776481247192647, 0.027918383235078066109520273275299,
                     -0.22959284159390709415121339679655, 0.13096206107716486317465685927961, -0.26973340565451071434460973222411,
                     0.074973343155891435666137105641410, 0.11199342399981020488957508073640, 0.36613344954622675119314812353150,
                     -0.39910563013603589787862981058340, 0.10308739852747107731580277001372, 0.41143087395589023782070411897608,
                     -0.0048663605831352617621956593099771, -0.39203335370863990644808193642610,
                     0.051942502962449647037182904015976, 0.050665090759924496335874344156866,
                     0.049674370639729879054568800279461});
  }
  if (c.order == 10)
    throw core::InputError(
        fmt::format("compose.scheme {} has no order 10: take sofroniou-spaletta (35 steps), or suzuki (625)", c.scheme));
  if (c.scheme ==
      "yoshida") {  // Yoshida, Phys. Lett. A 150 (1990) 262: triple jump; solution A of order 6; solution D of order 8
    if (c.order == 4) return mirrored({1 / (2 - std::cbrt(2.0))});
    if (c.order == 6)
      return mirrored({0.7845136104775572638194976338663498757768, 0.2355732133593581336847931829785346016865,
                       -1.177679984178871006946415680964315734639});
    return mirrored({0.91484424622974, 0.253693336566229, -1.44485223686048, -0.158240635368243, 1.93813913762276,
                     -1.96061023297549, 0.102799849391985});
  }
  if (c.scheme == "kahan-li") {  // Kahan and Li, Math. Comp. 66 (1997) 1089; digits of Hairer, Lubich, Wanner, V.3
    if (c.order == 4) return suzuki(4);
    if (c.order == 6)
      return mirrored({0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981, 0.08221359629355080023});
    return mirrored({0.13020248308889008088, 0.56116298177510838456, -0.38947496264484728641, 0.15884190655515560090,
                     -0.39590389413323757734, 0.18453964097831570709, 0.25837438768632204729, 0.29501172360931029887});
  }
  throw core::InputError(
      fmt::format("unknown composition scheme \"{}\": yoshida, suzuki, kahan-li or sofroniou-spaletta", c.scheme));
}

std::vector<double> gammas(const Spec& spec) {
  return spec.composed ? composition_coefficients(spec.composition) : std::vector<double>{};
}

}  // namespace actio::method
