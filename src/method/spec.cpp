#include <fmt/format.h>

#include <actio/method/spec.hpp>

namespace actio::method {

const Description& Spec::description() const {
  return std::visit([](const auto& m) -> const Description& { return m.description; }, choice);
}

std::string Spec::name() const {
  const std::string base(description().name);
  return composed ? fmt::format("{}, composed to order {} ({})", base, composition.order, composition.scheme) : base;
}

bool Spec::friction_at_end() const {
  return std::visit(
      [](const auto& m) {
        return requires { m.order_with_friction(); };
      },
      choice);
}

int Spec::order(bool friction) const {
  if (composed) return composition.order;
  return std::visit(
      [friction](const auto& m) {
        if constexpr (requires { m.order_with_friction(); })
          if (friction) return m.order_with_friction();
        return m.order();
      },
      choice);
}

// Newmark's own form depends on h, so a composition of unequal steps keeps none of its substeps' forms.
Keeps Spec::keeps() const {
  const Keeps base = std::visit([](const auto& m) { return m.keeps(); }, choice);
  return composed && base == Keeps::own_form ? Keeps::nothing : base;
}

bool Spec::solved() const {
  const auto* newmark = std::get_if<Newmark>(&choice);
  return !newmark || newmark->solved();
}

bool Spec::balances_linear() const {
  return std::visit(
      [](const auto& m) {
        if constexpr (requires { m.balances_linear(); })
          return m.balances_linear();
        else
          return false;
      },
      choice);
}

}  // namespace actio::method
