#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/core/error.hpp>
#include <actio/method/compatibility.hpp>
#include <actio/method/composition.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/compiled.hpp>
#include <actio/system/constrained.hpp>
#include <actio/system/motion.hpp>

#include "make/make.hpp"

namespace actio::method {

namespace {

using Kind = BuildOptions::Space;
constexpr long largest_fixed = 4;

template <Method M>
system::Entries entries(const system::CompiledModel& model) {
  switch (M::traits.matrices) {
    case Matrices::potential:
      return system::Entries::potential;
    case Matrices::stiff:
      return system::Entries::stiff;
    case Matrices::none:
      return model.separable ? system::Entries::none : system::Entries::all;
    case Matrices::all:
      break;
  }
  return system::Entries::all;
}

template <class Space, Method M>
std::unique_ptr<Integrator> on(const M& method, const std::shared_ptr<const system::CompiledModel>& model,
                               std::vector<double> composition) {
  System<Space> system(model, system::layout<Space>(*model, entries<M>(*model)));
  if constexpr (M::traits.constraints == Constraints::kept)
    if (system::is_constrained(system)) return make_constrained_on<M, Space>(method, std::move(system), std::move(composition));
  if constexpr (M::traits.needs_constraints)
    throw core::InputError("rattle and shake need constraints, and the system has none: take verlet");
  else
    return make_on<M, Space>(method, std::move(system), std::move(composition));
}

// Few coordinates take vectors of a fixed size where the method is compiled for them, some take full matrices, and many sparse
// ones.
Kind space_for(const system::CompiledModel& model, Kind asked, bool static_sizes, bool prescribed) {
  const bool may_be_fixed = static_sizes && model.n <= largest_fixed && !prescribed && model.constraints.count <= model.n;
  if (asked == Kind::automatic) asked = model.n > largest_dense ? Kind::sparse : Kind::fixed;
  return asked == Kind::fixed && !may_be_fixed ? Kind::dense : asked;
}

template <Method M>
std::unique_ptr<Integrator> make_of(const M& method, const system::Model& model, const BuildOptions& options,
                                    std::vector<double> composition) {
  using namespace algebra;
  const bool prescribed = M::traits.constraints == Constraints::imposed && !model.constraints.empty();
  const bool fuse = options.space != Kind::sparse && M::traits.matrices != Matrices::stiff;
  const std::shared_ptr<const system::CompiledModel> compiled =
      prescribed ? system::compile_prescribed(model, options.compile, fuse)
                 : system::compile(model, options.compile, fuse, M::traits.third_derivatives);
  const Kind space = space_for(*compiled, options.space, M::traits.static_sizes, prescribed);
  if (space == Kind::sparse) return on<SparseSpace>(method, compiled, std::move(composition));
  if constexpr (M::traits.static_sizes)
    if (space == Kind::fixed) switch (compiled->n) {
        case 1:
          return on<DenseSpace<1>>(method, compiled, std::move(composition));
        case 2:
          return on<DenseSpace<2>>(method, compiled, std::move(composition));
        case 3:
          return on<DenseSpace<3>>(method, compiled, std::move(composition));
        case 4:
          return on<DenseSpace<4>>(method, compiled, std::move(composition));
      }
  return on<DenseSpace<Eigen::Dynamic>>(method, compiled, std::move(composition));
}

}  // namespace

void Integrator::archive(core::Archive&) { throw core::InputError("this integrator cannot be archived"); }

std::unique_ptr<Integrator> make_integrator(const system::Model& model, const Spec& given, const BuildOptions& options) {
  const Spec spec = simplified(model, given);
  if (const std::string why = why_incompatible(model, spec); !why.empty()) throw core::InputError(why);
  return with_mass_of(spec, model, [&](const system::Model& stepped) {
    return std::visit([&](const auto& method) { return make_of(method, stepped, options, gammas(spec)); }, spec.choice);
  });
}

}  // namespace actio::method
