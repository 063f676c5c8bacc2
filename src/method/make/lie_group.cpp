#include "lie_group.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <actio/method/lie_group.hpp>
#include <actio/system/compiled.hpp>

#include "../integrator_of.hpp"
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

template <class Space>
std::unique_ptr<Integrator> make_on(system::Assembled<algebra::SparseSpace> system,
                                    std::shared_ptr<const discrete::BodyCoordinates> bodies, const Spec& spec,
                                    std::vector<long> joints, long all) {
  return integrator_of(
      LieGroupStepper<Space>(std::move(system), std::move(bodies), std::get<LieGroup>(spec.choice), std::move(joints), all),
      spec);
}

}  // namespace

std::string not_for_lie_group(const system::Model& model, const LieGroup& m) {
  if (model.bodies.empty()) return "lie-group is for rigid bodies, and the system has none (system.bodies)";
  if (std::none_of(model.constraints.begin(), model.constraints.end(), [](const auto& c) { return c.of_rotations; }))
    return "lie-group is for rigid bodies, and a penalty leaves theirs soft";
  if (m.rule == "midpoint" && m.alpha != 0.5) return "lie-group with rule = \"midpoint\" takes no alpha: it is for endpoints";
  if (const std::string why = discrete::not_of_bodies(model); !why.empty()) return "lie-group: " + why;
  return "";
}

std::unique_ptr<Integrator> make_lie_group(const system::Model& model, const Spec& spec, const BuildOptions& options) {
  using Full = algebra::DenseSpace<Eigen::Dynamic>;
  using algebra::SparseSpace;
  constexpr long largest_full = 16;
  std::vector<long> joints;
  const system::Model free = without_rotations(model, joints);
  const auto& m = std::get<LieGroup>(spec.choice);
  const bool matrices = m.rule == "midpoint" || system::force_needs_velocity(model);
  auto compiled = system::compile(free, options.compile, false);
  auto bodies = std::make_shared<const discrete::BodyCoordinates>(free, compiled->mass);
  System<SparseSpace> system(compiled, system::layout<SparseSpace>(*compiled, matrices));
  const bool sparse =
      options.space == BuildOptions::Space::sparse ||
      (options.space == BuildOptions::Space::automatic && bodies->size() + static_cast<long>(joints.size()) > largest_full);
  const long all = model.constraint_count();
  if (sparse) return make_on<SparseSpace>(std::move(system), std::move(bodies), spec, std::move(joints), all);
  return make_on<Full>(std::move(system), std::move(bodies), spec, std::move(joints), all);
}

}  // namespace actio::method
