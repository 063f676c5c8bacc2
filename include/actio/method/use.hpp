#pragma once
#include <string_view>
#include <vector>

#include <actio/method/spec.hpp>

// What methods are for, from their traits: how a list of them is put in groups.
namespace actio::method {

struct Use {
  std::string_view name;  // "explicit"
  std::string_view what;  // one line for those who choose
};
// In the order of a list.
const std::vector<Use>& uses();
const Use& use_of(const Traits& traits);

}  // namespace actio::method
