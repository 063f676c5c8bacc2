#include <algorithm>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/system/bodies.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/mechanical.hpp>
#include <actio/system/model.hpp>

namespace actio::system {

namespace {

// The body that has coordinate i, or null.
const Body* body_of(const Model& model, long i) {
  const auto after = std::ranges::upper_bound(model.bodies, i, {}, &Body::rotation);  // they stand in the order of coordinates
  if (after == model.bodies.begin()) return nullptr;
  const Body& body = *(after - 1);
  return i < body.rotation + size_of(body) ? &body : nullptr;
}

}  // namespace

std::string Model::coordinate_name(long i) const {
  if (const Body* body = body_of(*this, i)) return fmt::format("{}.{}", body->name, body_entry(i - body->rotation));
  for (const Family& family : families)
    if (i >= family.offset && i < family.offset + family.size)
      return family.indexed ? fmt::format("{}[{}]", family.name, i - family.offset) : family.name;
  return fmt::format("coordinate {}", i);
}

long Model::constraint_count() const {
  long m = 0;
  for (const Constraint& c : constraints) m += c.elements;
  return m;
}

std::string Model::constraint_name(long k) const {
  for (const Constraint& c : constraints.empty() ? penalised : constraints) {
    if (k < c.elements && c.of_rotations && c.elements == 3 * static_cast<long>(bodies.size()))
      return fmt::format("{} of {}", c.locals == 3 ? "length of an axis" : "angle of two axes",
                         bodies[static_cast<std::size_t>(k / 3)].name);
    if (k < c.elements) return c.elements == 1 ? c.name : fmt::format("{}[{}]", c.name, k);
    k -= c.elements;
  }
  return "";
}

bool is_forced(const Model& model) {
  return !model.forces.empty() || !model.dissipation.empty() || model.damping.nonZeros() > 0 ||
         (model.callbacks && model.callbacks->forced());
}

bool depends_on_velocity(const ElementFunction& function) {
  return depends_on_columns(function, function.locals, 2 * function.locals);
}

bool force_needs_velocity(const Model& model) {
  return !model.dissipation.empty() || model.damping.nonZeros() > 0 || (model.callbacks && model.callbacks->needs_velocity()) ||
         std::ranges::any_of(model.forces, depends_on_velocity);
}

bool lagrangian_needs_velocity(const Model& model) { return std::ranges::any_of(model.terms, &Term::velocities); }

Term of_elements(const Term& term, const std::vector<std::size_t>& chosen) {
  const bool ascend = std::ranges::adjacent_find(chosen, std::greater_equal<>()) == chosen.end();
  if (ascend && static_cast<long>(chosen.size()) == term.elements) return term;
  Term out{of_elements(static_cast<const ElementFunction&>(term), chosen), term.lagrangian, term.velocities, term.stiff};
  if (!term.interpolation) return out;
  const Interpolation& from = *term.interpolation;
  auto of = std::make_shared<Interpolation>();
  of->nodes = from.nodes;
  of->points = from.points;
  of->slopes = from.slopes;
  of->inverse = of_elements(from.inverse, term.elements, chosen);
  of->weight = of_elements(from.weight, term.elements, chosen);
  of->cells = of_elements(from.cells, term.elements, chosen);
  out.interpolation = std::move(of);
  return out;
}

Constraint of_elements(const Constraint& constraint, const std::vector<std::size_t>& chosen) {
  return {of_elements(static_cast<const ElementFunction&>(constraint), chosen), constraint.of_rotations};
}

Model model_of(long n, Callbacks code) {
  Model model;
  model.families = {{"q", n, 0, true}};
  model.callbacks = std::make_shared<const Callbacks>(std::move(code));
  return model;
}

void lump_mass(Model& model) {
  MassMatrix& mass = model.mass;
  if (mass.kind != MassMatrix::Kind::full) return;
  const Eigen::VectorXd sums = mass.full * Eigen::VectorXd::Ones(mass.full.cols());
  for (long i = 0; i < sums.size(); ++i)
    if (!(sums[i] > 0))
      throw core::InputError(
          fmt::format("the mass cannot be lumped: row {} of it sums to {}", model.coordinate_name(i), sums[i]));
  mass = {MassMatrix::Kind::diagonal, sums, {}, {}};
}

void penalise(Model& model, double omega) {
  for (const Constraint& constraint : model.constraints) {
    Term& term = model.terms.emplace_back(Term{constraint});
    term.stiff = true;
    expr::Graph& g = term.graph;  // 1/2 omega^2 g^2
    term.value = g.mul(g.constant(0.5 * omega * omega), g.mul(constraint.value, constraint.value));
  }
  model.omega = omega;
  model.penalised = std::move(model.constraints);
  model.constraints.clear();
}

bool depends_on_time(const Model& model, const expr::Graph& graph, expr::Id id) {
  if (expr::depends_on_uniform(graph, id, 0)) return true;
  const std::size_t first = 1 + model.parameters.size();  // of the signals
  for (std::size_t k = 0; k < model.signals.size(); ++k)
    if (expr::depends_on_uniform(graph, id, static_cast<int>(first + k))) return true;
  return false;
}

void throw_not_positive_definite() { throw core::InputError("mass is not positive definite"); }

}  // namespace actio::system
