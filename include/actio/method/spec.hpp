#pragma once
#include <actio/method/catalogue.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// What a user chooses: a method with its coefficients, whether its steps are composed, and whether they follow the motion.
namespace actio::method {

struct StepControl;  // step_control.hpp

// compose = { order, scheme }: a symmetric method of order 2 run with a symmetric sequence of steps gamma_i h.
struct Composition {
  int order = 4;
  std::string scheme = "yoshida";
  static constexpr auto fields() {
    return std::tuple{
        Field{"order", &Composition::order, 4, 10, "order of the composition: 4, 6, 8 or 10"},
        Field{"scheme", &Composition::scheme, {"yoshida", "suzuki", "kahan-li", "sofroniou-spaletta"}, "family of coefficients"}};
  }
};

// Of a method, to be read and set.
std::vector<core::AnyField> fields_of(AnyMethod& method);

struct Spec {
  AnyMethod choice;
  bool composed = false;
  Composition composition;
  std::shared_ptr<const StepControl> control{};  // null: steps are as long as a schedule says

  const Description& description() const;
  const Traits& traits() const;
  Properties properties() const;  // of the method that is composed
  std::vector<core::AnyField> fields() { return fields_of(choice); }
  // "verlet", or "verlet, composed to order 6 (yoshida)", or "verlet, reversible steps by r^1.5"
  std::string name() const;

  // Of the composition, if the method is composed.
  int order(bool friction = false) const;  // friction lowers the order of some methods
  Keeps keeps() const;
  bool symmetric() const { return properties().symmetric; }
  bool friction_at_end() const { return properties().order_with_friction != 0; }
  bool solved() const { return properties().solved; }
  bool transforms_time() const { return traits().transforms_time || control; }
  bool balances_linear() const { return properties().balances_linear; }
};

// Every method as it is without a word about its fields, in the order of `actio list`.
const std::vector<Spec>& all_methods();
// The one of that name; null: there is none.
const Spec* method_named(std::string_view name);
std::vector<std::string> method_names();

// What a run takes as true of its method, and measures: of one in the catalogue, composed or not, or of a stepper of your own
// (method/integrator_of.hpp): {"my method", {.order = 1, .symmetric = false}}.
struct Stated {
  std::string name;
  Properties properties{};
  bool chooses_steps = false;     // the steps are not of one size, so no law of a step is measured
  bool transforms_time = false;   // the time of a run is the state's; a step of h is one of a fictitious time
  bool reversible_steps = false;  // of a size that is a state of its own: no symplectic form is kept
  bool finds_step = false;        // no step of half the size can be asked for, so no order is measured
  bool by_author = false;  // not in the catalogue, so no test has seen its order: where it is not measured it is unresolved

  Stated() = default;
  Stated(std::string method, const Properties& of_it) : name(std::move(method)), properties(of_it), by_author(true) {}
  Stated(const Spec& spec);  // NOLINT: a choice from the catalogue states what the catalogue says
  int order(bool friction) const {
    return friction && properties.order_with_friction != 0 ? properties.order_with_friction : properties.order;
  }
  bool friction_at_end() const { return properties.order_with_friction != 0; }
  bool conserves_energy() const { return properties.keeps == Keeps::energy; }
};

namespace detail {
std::string enumerate(const std::vector<std::string_view>& names);
}

// "midpoint, rattle and shake": the names of the methods that can(traits), those of a special purpose first; "" for none.
template <class Can>
std::string names_of_those(Can&& can) {
  std::vector<std::string_view> groups, constrained, others;
  for_each_method([&]<class M>(std::type_identity<M>) {
    if (can(M::traits))
      (M::traits.on_groups ? groups : M::traits.needs_constraints ? constrained : others).push_back(M::description.name);
  });
  groups.insert(groups.end(), constrained.begin(), constrained.end());
  groups.insert(groups.end(), others.begin(), others.end());
  return detail::enumerate(groups);
}

}  // namespace actio::method
