#include <actio/core/error.hpp>
#include <actio/method/compatibility.hpp>
#include <actio/method/composition.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/step_control.hpp>
#include <actio/system/compiled.hpp>
#include <actio/system/motion.hpp>

#include "contact/impacts.hpp"
#include "follow/follow.hpp"
#include "make/make.hpp"
#include "thermostat/langevin.hpp"

namespace actio::method {

namespace {

// Few coordinates take vectors of a fixed size where the method is compiled for them, some take full matrices, and many sparse
// ones.
BuildOptions::Space space_for(const system::CompiledModel& model, BuildOptions::Space asked, bool static_sizes, bool prescribed) {
  using Kind = BuildOptions::Space;
  constexpr long largest_fixed = 4;
  const bool may_be_fixed = static_sizes && model.n <= largest_fixed && !prescribed && model.constraints.count <= model.n;
  if (asked == Kind::automatic) asked = model.n > largest_dense ? Kind::sparse : Kind::fixed;
  return asked == Kind::fixed && !may_be_fixed ? Kind::dense : asked;
}

}  // namespace

Compiled compiled_for(const Traits& traits, const system::Model& model, const BuildOptions& options) {
  const bool prescribed = traits.constraints == Constraints::imposed && !model.constraints.empty();
  const bool fuse = options.space != BuildOptions::Space::sparse && traits.matrices != Matrices::stiff;
  const bool no_hessian = traits.matrices == Matrices::none || traits.matrices == Matrices::mass;
  const system::Highest highest = traits.third_derivatives ? system::Highest::third
                                  : no_hessian             ? system::Highest::first
                                                           : system::Highest::second;
  Compiled out;
  out.model = prescribed ? system::compile_prescribed(model, options.compile, fuse)
                         : system::compile(model, options.compile, fuse, highest);
  out.space = space_for(*out.model, options.space, traits.static_sizes, prescribed);
  return out;
}

BatchReport Integrator::advance_around(double, const BatchOptions& how, core::FunctionRef<bool()>) {
  BatchReport report;
  report.ok = false;
  report.work = how.work;
  report.what = "the method's steps have no middle";
  return report;
}
void Integrator::archive(core::Archive&) { throw core::InputError("this integrator cannot be archived"); }

Spec without_control(const Spec& spec) {
  Spec out = spec;
  out.control = nullptr;
  return out;
}

std::unique_ptr<Integrator> with_control(const system::Model& model, const Spec& spec, const BuildOptions& options) {
  const bool transformed = spec.control->kind == StepControl::Kind::poincare;
  return transformed ? poincare_steps(model, spec, options) : reversible_steps(model, spec, options);
}

std::unique_ptr<Integrator> make_integrator(const system::Model& model, const Spec& given, const BuildOptions& options) {
  const Spec spec = simplified(model, given);
  if (const std::string why = why_incompatible(model, spec); !why.empty()) throw core::InputError(why);
  return with_mass_of(spec, model, [&](const system::Model& stepped) {
    if (!stepped.contacts.empty()) return with_contacts(stepped, spec, options);
    if (spec.control && spec.control->kind != StepControl::Kind::own) return with_control(stepped, spec, options);
    auto steps = std::visit([&](const auto& method) { return make(method, stepped, options, gammas(spec)); }, spec.choice);
    return with_thermostat(stepped, std::move(steps));
  });
}

}  // namespace actio::method
