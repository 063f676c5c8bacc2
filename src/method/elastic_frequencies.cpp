#include <actio/method/elastic_frequencies.hpp>

#include <fmt/format.h>

#include <actio/solve/lowest_modes.hpp>
#include <algorithm>
#include <cmath>

namespace actio::method {

ElasticFrequencies elastic_frequencies(const Linearisation& motion, long count) {
  if (!motion.done()) return {motion.why_not, {}};
  const long n = motion.K.rows();
  constexpr long of_a_free_body = 6;
  for (long want = count + of_a_free_body;;) {
    const solve::LowestModes found = solve::lowest_modes(motion.K, motion.M, std::min(want, n));
    if (!found.found()) return {found.why_not, {}};
    if (found.lambda[0] < -found.zero) return {"the start is unstable: a mode grows", {}};
    const long rigid = (found.lambda.array() <= found.zero).count(), elastic = found.lambda.size() - rigid;
    if (elastic >= count) return {"", found.lambda.segment(rigid, count).cwiseSqrt()};
    if (want >= n)
      return {fmt::format("there {} {} mode{} with stiffness", elastic == 1 ? "is" : "are", elastic, elastic == 1 ? "" : "s"),
              {}};
    want = count + rigid + of_a_free_body;
  }
}

}  // namespace actio::method
