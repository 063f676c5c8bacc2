#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/method/contact.hpp>
#include <actio/method/discrete_nodes.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/thermostat.hpp>

#include "gaps.hpp"
#include "impacts.hpp"

// What contacts a run may begin with, and which methods take them.
namespace actio::method {

void need_open(const Gaps& gaps, std::size_t k, const Gaps::Value& v) {
  if (v.g >= -rounding_of_gap * v.size) return;
  if (std::isnan(v.g)) throw core::InputError(fmt::format("the gap of {} is not a number at the start", gaps.name(k)));
  throw core::InputError(fmt::format("the gap of {} is {:.6g} at the start: what touches there overlaps", gaps.name(k), v.g),
                         "move the start to where every gap is 0 or more, or turn the sign of the gap: it is positive outside");
}

void check_open(const system::Model& model, const Eigen::VectorXd& q, const expr::CompileOptions& options) {
  if (model.contacts.empty()) return;
  Gaps gaps(model, options);
  for (std::size_t k = 0; k < gaps.size(); ++k) need_open(gaps, k, gaps.at(k, q, Eigen::VectorXd::Zero(q.size())));
}

std::string contact_name(const system::Model& model, long number) {
  for (const system::Contact& contact : model.contacts) {
    if (number < contact.elements) return contact.elements == 1 ? contact.name : fmt::format("{}[{}]", contact.name, number);
    number -= contact.elements;
  }
  return "";
}

std::string takes_no_contacts(const system::Model& model, const Spec& spec) {
  if (model.contacts.empty()) return "";
  const std::string name = spec.name();
  if (!model.equations.empty()) return "contacts need a Lagrangian, not equations f(x'', x', x, t) = 0";
  if (!model.bodies.empty() || !model.solids.empty())
    return "contacts are of coordinates and points: those of rigid bodies and solids are not known yet";
  if (!model.constraints.empty())
    return "contacts beside constraints are not known yet: take coordinates that need no constraints, or constraint_method = "
           "\"penalty\"";
  if (model.thermostat && model.thermostat->acts()) return "a thermostat takes no contacts: the time of an impact would be noise";
  if (spec.control || spec.transforms_time()) return "contacts need steps of one size: these follow the motion";
  const bool time = (model.callbacks && model.callbacks->time) ||
                    std::ranges::any_of(model.terms, [&](const auto& term) { return depends_on_time(model, term); });
  if (time) return "contacts need a potential that does not depend on the time; forces may";
  const bool of_polynomials = std::holds_alternative<Gauss>(spec.choice) || std::holds_alternative<Lobatto>(spec.choice);
  if (!spec.composed && spec.keeps() == Keeps::canonical && !spec.traits().minimises &&
      (of_polynomials || discrete_nodes(spec).has_value()))
    return "";
  return fmt::format(
      "{} takes no contacts: an impact divides a step in two, which methods with a discrete Lagrangian of positions can: verlet, "
      "variational, midpoint, gauss and lobatto, not composed",
      name);
}

}  // namespace actio::method
