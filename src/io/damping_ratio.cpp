#include "damping_ratio.hpp"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/method/compatibility.hpp>
#include <actio/method/elastic_frequencies.hpp>

#include "values.hpp"

namespace actio::io {
namespace {

constexpr const char* two_motions = "modes = [1, 3], or frequencies = [1, 10] [Hz]: the ratio holds at these two";

const Value& list_of_two(const Section& section, const char* key, const char* what) {
  const Value& list = section.need(key);
  need_kind(section.document(), list, section.path(key), Kind::array);
  if (list.items.size() != 2) section.document().fail(list.place, fmt::format("{} are two {}", section.path(key), what));
  return list;
}

double ratio_of(const Section& section, const SymbolTable& symbols, const Value& value, const std::string& path) {
  const double xi = scalar(symbols, value, path);
  if (!(xi >= 0 && xi < 1)) section.document().fail(value.place, fmt::format("{} is {}; it must lie between 0 and 1", path, xi));
  return xi;
}

// Of xi_i = (a/w_i + b w_i)/2. Two equal frequencies leave the one that is smallest at them.
void find_factors(Rayleigh& of, const core::Source& place) {
  const auto [xi1, xi2] = of.ratio;
  const double w1 = 2 * std::numbers::pi * of.frequency[0], w2 = 2 * std::numbers::pi * of.frequency[1];
  if (xi1 == xi2) {
    of.mass = 2 * xi1 * w1 * w2 / (w1 + w2);
    of.stiffness = 2 * xi1 / (w1 + w2);
    return;
  }
  const double difference = (w2 - w1) * (w2 + w1);
  of.mass = 2 * w1 * w2 * (xi1 * w2 - xi2 * w1) / difference;
  of.stiffness = 2 * (xi2 * w2 - xi1 * w1) / difference;
  if (!(of.mass >= 0 && of.stiffness >= 0))
    throw core::InputError(place,
                           fmt::format("{}: no a M + b K with a, b >= 0 has the ratios {} and {} at {:.6g} and {:.6g} Hz",
                                       of.path, xi1, xi2, of.frequency[0], of.frequency[1]),
                           fmt::format("the ratio of the higher one over that of the lower one lies between {:.3g} and {:.3g}",
                                       std::min(w1, w2) / std::max(w1, w2), std::max(w1, w2) / std::min(w1, w2)));
}

}  // namespace

DampingRatio read_damping_ratio(const Section& section, const SymbolTable& symbols) {
  const Document& document = section.document();
  DampingRatio out;
  out.given.path = section.path();
  const Value& ratio = section.need("ratio");
  if (ratio.kind == Kind::array) {
    const Value& list = list_of_two(section, "ratio", "numbers, or it is one");
    for (std::size_t k = 0; k < 2; ++k)
      out.given.ratio[k] = ratio_of(section, symbols, list.items[k], fmt::format("{}[{}]", section.path("ratio"), k));
  } else {
    out.given.ratio.fill(ratio_of(section, symbols, ratio, section.path("ratio")));
  }
  const bool modes = section.find("modes") != nullptr;
  if (modes == (section.find("frequencies") != nullptr))
    document.fail(modes ? section.place_of("modes") : section.place_of("ratio"),
                  fmt::format("{} {}", section.path(), modes ? "gives both modes and frequencies" : "needs modes or frequencies"),
                  two_motions);
  const char* const key = modes ? "modes" : "frequencies";
  const Value& list = list_of_two(section, key, modes ? "numbers of modes, from 1" : "[Hz], at which the ratio holds");
  out.place = document.source(list.place);
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string here = fmt::format("{}[{}]", section.path(key), k);
    if (modes)
      out.given.mode[k] = integer(document, list.items[k], here, 1, symbols.size());
    else
      out.given.frequency[k] = positive(document, list.items[k], here);
  }
  if (modes ? out.given.mode[0] == out.given.mode[1]
            : out.given.frequency[0] == out.given.frequency[1] && out.given.ratio[0] != out.given.ratio[1])
    document.fail(list.place, fmt::format("{} names one twice", section.path(key)), two_motions);
  return out;
}

void add_dampings(const std::vector<DampingRatio>& dampings, Problem& problem) {
  long most = 0;
  for (const DampingRatio& damping : dampings) most = std::max({most, damping.given.mode[0], damping.given.mode[1]});
  method::ElasticFrequencies found;
  if (most > 0) {
    const auto linearise = [&](const system::Model& model) {
      return method::linearise(model, problem.schedule.start, problem.q0);
    };
    found = method::elastic_frequencies(method::with_mass_of(problem.method, problem.model, linearise), most);
  }
  for (const DampingRatio& damping : dampings) {
    Rayleigh of = damping.given;
    for (std::size_t k = 0; k < 2; ++k) {
      if (of.mode[k] == 0) continue;
      if (!found.why_not.empty())
        throw core::InputError(damping.place, fmt::format("{} needs mode {}: {}", of.path, most, found.why_not),
                               "`actio modes` shows the modes; rayleigh takes frequencies too");
      of.frequency[k] = found.omega[of.mode[k] - 1] / (2 * std::numbers::pi);
    }
    find_factors(of, damping.place);
    damping.add(problem.model, of.mass, of.stiffness);
    problem.rayleigh.push_back(std::move(of));
  }
}

void need_dampings_for_all(const std::vector<DampingRatio>& dampings, const Problem& problem) {
  if (!problem.ensemble || problem.ensemble->members.varied.empty()) return;
  for (const DampingRatio& damping : dampings)
    if (damping.given.mode[0] > 0)
      throw core::InputError(damping.place,
                             fmt::format("{}.modes cannot stand beside parameters that differ between the members of an ensemble",
                                         damping.given.path),
                             "members have one damping, and their modes may differ; frequencies = [1, 10] [Hz] are those of all");
}

}  // namespace actio::io
