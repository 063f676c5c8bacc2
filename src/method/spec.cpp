#include <fmt/format.h>

#include <actio/method/spec.hpp>
#include <actio/method/step_control.hpp>

namespace actio::method {

std::vector<core::AnyField> fields_of(AnyMethod& method) {
  return std::visit([](auto& m) { return core::fields_of(m); }, method);
}

const std::vector<Spec>& all_methods() {
  static const std::vector<Spec> all = [] {
    std::vector<Spec> specs;
    for_each_method([&]<class M>(std::type_identity<M>) { specs.push_back({M{}, false, {}}); });
    return specs;
  }();
  return all;
}

const Spec* method_named(std::string_view name) {
  for (const Spec& spec : all_methods())
    if (spec.description().name == name) return &spec;
  return nullptr;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Spec& spec : all_methods()) names.emplace_back(spec.description().name);
  return names;
}

const Description& Spec::description() const {
  return std::visit([](const auto& m) -> const Description& { return m.description; }, choice);
}

const Traits& Spec::traits() const {
  return std::visit([](const auto& m) -> const Traits& { return m.traits; }, choice);
}

Properties Spec::properties() const {
  return std::visit([](const auto& m) { return m.properties(); }, choice);
}

std::string Spec::name() const {
  const std::string base(description().name);
  const std::string whole =
      composed ? fmt::format("{}, composed to order {} ({})", base, composition.order, composition.scheme) : base;
  if (!control || control->kind == StepControl::Kind::own) return whole;
  return fmt::format("{}, {} by {}", whole, control->kind == StepControl::Kind::reversible ? "reversible steps" : "transformed",
                     control->definition);
}

int Spec::order(bool friction) const {
  if (composed) return composition.order;
  const Properties properties = this->properties();
  return friction && properties.order_with_friction != 0 ? properties.order_with_friction : properties.order;
}

// Newmark's conjugate form depends on h, so a composition of unequal steps keeps none of its substeps' forms.
Keeps Spec::keeps() const {
  const Keeps base = properties().keeps;
  return composed && base == Keeps::conjugate_form ? Keeps::nothing : base;
}

Stated::Stated(const Spec& spec)
    : name(spec.name()),
      properties(spec.properties()),
      chooses_steps(spec.traits().chooses_steps),
      transforms_time(spec.transforms_time()),
      reversible_steps(spec.control && spec.control->kind == StepControl::Kind::reversible),
      finds_step(spec.traits().finds_step) {
  properties.order = spec.order(false);
  if (properties.order_with_friction != 0) properties.order_with_friction = spec.order(true);
  properties.keeps = spec.keeps();
}

std::string detail::enumerate(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + std::string(names[k]);
  return text;
}

}  // namespace actio::method
