#include <array>

#include <fmt/format.h>

#include "parts.hpp"

namespace actio::io {

std::vector<run::Observable> support_reactions(const std::vector<system::Support>& supports, const system::Model& model) {
  std::vector<run::Observable> out;
  if (!model.constraints.empty() || !model.bodies.empty()) return out;
  for (const system::Support& support : supports)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::vector<std::int32_t>& held = support.of[i].fixed_dofs;
      if (held.empty()) continue;
      run::Observable& sum = out.emplace_back();
      sum.definition = sum.name = fmt::format("reaction({}.{})", support.name, "xyz"[i]);
      sum.hidden = true;
      sum.combine = run::Combine::sum;
      system::ElementFunction& one = sum.components.emplace_back();
      one.locals = 1;
      one.elements = static_cast<long>(held.size());
      one.dofs.assign(held.begin(), held.end());
      one.value = one.graph.column(static_cast<int>(run::State::reaction));
    }
  return out;
}

}  // namespace actio::io
