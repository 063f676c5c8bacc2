#include <actio/method/discrete_nodes.hpp>

namespace actio::method {

std::optional<discrete::Nodes> discrete_nodes(const Spec& spec) {
  if (spec.composed || spec.friction_at_end() || spec.transforms_time()) return {};
  return std::visit(
      [](const auto& method) -> std::optional<discrete::Nodes> {
        if constexpr (requires { method.nodes(); })
          return method.nodes();
        else
          return {};
      },
      spec.choice);
}

}  // namespace actio::method
