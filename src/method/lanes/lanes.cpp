#include <actio/method/lanes.hpp>

#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/method/composition.hpp>
#include <actio/system/thermostat.hpp>

#include "../../expr/compiled_text.hpp"
#include "../../expr/emit.hpp"
#include "system.hpp"

namespace actio::method {
namespace {

using lanes::Scheme;

// None: steps of the method are not generated.
std::optional<Scheme> scheme_of(const Spec& spec) {
  if (std::holds_alternative<Midpoint>(spec.choice)) return Scheme::midpoint;
  const auto* verlet = std::get_if<Verlet>(&spec.choice);
  if (!verlet) return {};
  return verlet->form == "position" ? Scheme::position_verlet : Scheme::velocity_verlet;
}
bool is_implicit(const Spec& spec) { return scheme_of(spec) == Scheme::midpoint; }

// q, p, and what the method carries.
long rows_of(const system::Model& model, const Spec& spec) {
  switch (scheme_of(spec).value_or(Scheme::midpoint)) {
    case Scheme::velocity_verlet:
      return 3 * model.size();
    case Scheme::position_verlet:
      return 2 * model.size();
    default:
      return 4 * model.size();
  }
}

lanes::System system_of(const system::Model& model, std::span<const int> varied, const LaneStop* stop) {
  return {&model, {varied.begin(), varied.end()}, stop};
}

// Lanes that iterate together until all of them have converged: enough for vector code, few that wait for others.
constexpr long group = 32;

// What stands before the functions for this machine. Another one, a GPU where a lane is a thread, defines it all itself
// (bench/gpu/device.h): the functions are C that C++ and CUDA compile too.
std::string surroundings(bool vector_functions) {
  return fmt::format("#ifndef ACTIO_LANES\n#define ACTIO_LANES {}\n#define ACTIO_GROUP {}\n#define ACTIO_FUNCTION\n{}#endif\n",
                     Lanes::width, group, expr::declarations(vector_functions, true));
}

}  // namespace

std::string Lanes::why_not(const system::Model& model, const Spec& spec) {
  if (spec.transforms_time()) return "steps that follow the motion are of single runs";
  const bool implicit = is_implicit(spec);
  if (!scheme_of(spec))
    return fmt::format("steps of an ensemble are generated for verlet and midpoint, not for {}", spec.description().name);
  const auto not_with = [](const std::string& what) {
    return fmt::format("steps of an ensemble are not generated for systems with {}", what);
  };
  if (const std::string what = lanes::no_steps_with(model); !what.empty()) return not_with(what);
  if (model.thermostat && model.thermostat->acts()) return not_with("a thermostat");
  if (!model.contacts.empty()) return not_with("contacts");
  if (implicit && !model.forces.empty()) return not_with("forces (of midpoint: those of a potential only)");
  const long most = implicit ? most_implicit : lanes::most_explicit;
  if (model.size() > most)
    return fmt::format("steps of an ensemble with {} are generated for at most {} coordinates, and there are {}",
                       spec.description().name, most, model.size());
  if (const std::size_t operations = lanes::operations(model); operations > lanes::most_operations)
    return fmt::format("steps of an ensemble are generated for energies of at most {} operations, and these have {}",
                       lanes::most_operations, operations);
  return "";
}

std::string Lanes::text(const system::Model& model, const Spec& spec, std::span<const int> varied, const LaneStop* stop,
                        bool vector_functions) {
  const lanes::System system = system_of(model, varied, stop);
  const Scheme scheme = scheme_of(spec).value();
  const lanes::Forces forces = lanes::forces_of(model, scheme == Scheme::midpoint);
  const auto make = scheme == Scheme::midpoint          ? lanes::midpoint_text
                    : scheme == Scheme::position_verlet ? lanes::position_verlet_text
                                                        : lanes::velocity_verlet_text;
  return surroundings(vector_functions) + make(system, forces);
}

Lanes::Lanes(const system::Model& model, const Spec& spec, std::span<const int> varied, const expr::CompileOptions& options,
             const LaneStop* stop)
    : n_(model.size()),
      rows_(rows_of(model, spec) + (stop ? 2 : 0)),
      force_in_the_middle_(scheme_of(spec) != Scheme::velocity_verlet) {
  if (const std::string reason = why_not(model, spec); !reason.empty()) throw core::InputError(reason);
  uniforms_ = lanes::uniforms_of(model);
  gamma_ = gammas(spec);
  if (gamma_.empty()) gamma_ = {1};
  auto code = std::make_shared<expr::CompiledText>(
      expr::CompiledText::build(text(model, spec, varied, stop, options.vector_functions), options));
  start_ = reinterpret_cast<Start>(code->symbol("lanes_start"));
  step_ = reinterpret_cast<Step>(code->symbol("lanes_step"));
  if (start_ == nullptr || step_ == nullptr)
    throw core::InputError(fmt::format("steps of an ensemble are generated as C and not interpreted: {}", code->why_not()),
                           "install a C compiler or set ACTIO_CC to one");
  code_ = std::move(code);
}

void Lanes::start(double t, const double* c, double* x) const { start_(t, uniforms_.data(), c, x); }

void Lanes::step(const Substeps& substeps, const double* c, double* x, double* note) const {
  step_(static_cast<long>(substeps.h.size()), substeps.h.data(), substeps.at.data(), substeps.s.data(), substeps.end.data(),
        substeps.whole.data(), uniforms_.data(), c, x, note);
}

void Lanes::add(double t, double h, Before& before, Substeps& to) const {
  double now = t;
  for (const double gamma : gamma_) {
    const double part = gamma * h;
    // the line through the last two w, each in the middle of its substep
    const double between = before.h + before.h_before;
    const bool known = before.h_before != 0 && std::abs(between) > 0.5 * std::abs(before.h);
    to.s.push_back(!known ? 0 : before.h == part && before.h_before == part ? 1 : (before.h + part) / between);
    to.h.push_back(part);
    to.at.push_back(force_in_the_middle_ ? now + 0.5 * part : now + part);
    now += part;
    to.end.push_back(now);
    to.whole.push_back(0);
    before = {part, before.h};
  }
  to.whole.back() = 1;
  to.end.back() = t + h;
}

}  // namespace actio::method
