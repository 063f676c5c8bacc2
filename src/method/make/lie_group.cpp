#include <actio/method/integrator_of.hpp>
#include <actio/method/lie_group.hpp>
#include <actio/system/compiled.hpp>
#include <vector>

#include "../shared.hpp"
#include "make.hpp"

namespace actio::method {
namespace {

// The model without R'R = 1, its joints numbered as in `joints`.
system::Model without_rotations(const system::Model& model, std::vector<long>& joints) {
  system::Model out = model;
  out.constraints.clear();
  long row = 0;
  for (const system::Constraint& c : model.constraints) {
    for (long e = 0; e < c.elements && !c.of_rotations; ++e) joints.push_back(row + e);
    if (!c.of_rotations) out.constraints.push_back(c);
    row += c.elements;
  }
  // A mass that need not be positive definite: no solve is made with it.
  if (out.mass.kind == system::MassMatrix::Kind::diagonal) {
    const Eigen::VectorXd diagonal = out.mass.diagonal;
    out.mass = {};
    out.mass.kind = system::MassMatrix::Kind::full;
    out.mass.full.resize(diagonal.size(), diagonal.size());
    for (int i = 0; i < static_cast<int>(diagonal.size()); ++i) out.mass.full.insert(i, i) = diagonal[i];
    out.mass.full.makeCompressed();
  }
  out.mass.factor = nullptr;
  return out;
}

}  // namespace

// Matrices of the step are full, or sparse as options.space asks, automatically from some 16 freedoms and joints on.
template <>
std::unique_ptr<Integrator> make(const LieGroup& method, const system::Model& model, const BuildOptions& options,
                                 std::vector<double> composition) {
  using Full = algebra::DenseSpace<Eigen::Dynamic>;
  using algebra::SparseSpace;
  constexpr long largest_full = 16;
  std::vector<long> joints;
  const system::Model free = without_rotations(model, joints);
  const bool matrices = method.rule == "midpoint" || system::force_needs_velocity(model);
  auto compiled = system::compile(free, options.compile, false);
  auto bodies = std::make_shared<const discrete::BodyCoordinates>(free, compiled->mass);
  system::Assembled<SparseSpace> system(compiled, system::layout<SparseSpace>(*compiled, matrices));
  const bool sparse =
      options.space == BuildOptions::Space::sparse ||
      (options.space == BuildOptions::Space::automatic && bodies->size() + static_cast<long>(joints.size()) > largest_full);
  const long all = model.constraint_count();
  const auto integrator = [&](auto stepper) { return make_integrator(std::move(stepper), std::move(composition)); };
  if (sparse)
    return integrator(LieGroupStepper<SparseSpace>(std::move(system), std::move(bodies), method, std::move(joints), all));
  return integrator(LieGroupStepper<Full>(std::move(system), std::move(bodies), method, std::move(joints), all));
}

}  // namespace actio::method
