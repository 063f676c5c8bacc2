#pragma once
#include <actio/method/spec.hpp>
#include <algorithm>
#include <vector>

namespace actio::laws {

// The specs given, and every method of the catalogue that can(traits) and is not among them, as it comes.
template <class Can>
std::vector<method::Spec> and_all_that(Can&& can, std::vector<method::Spec> specs = {}) {
  method::for_each_method([&]<class M>(std::type_identity<M>) {
    const auto is_one = [](const method::Spec& spec) { return std::holds_alternative<M>(spec.choice); };
    if (can(M::traits) && std::none_of(specs.begin(), specs.end(), is_one)) specs.push_back({M{}, false, {}});
  });
  return specs;
}

}  // namespace actio::laws
