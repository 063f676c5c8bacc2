#include <actio/algebra/sparse.hpp>
#include <actio/method/statics.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/callbacks.hpp>
#include <string_view>

#include "static_search.hpp"

namespace actio::method {
namespace {

using Eigen::VectorXd;
using Space = algebra::SparseSpace;
using SparseSystem = system::Assembled<Space>;

void need_statics(const system::Model& model) {
  if (!model.equations.empty()) no_statics("the system has equations in place of a Lagrangian");
  if (!model.bodies.empty()) no_statics("the system has rigid bodies");
  if (model.mass.kind == system::MassMatrix::Kind::none || lagrangian_needs_velocity(model))
    no_statics("the Lagrangian is not 1/2 v'Mv - V(q)");
  if (model.callbacks && model.callbacks->without_tangent())
    no_statics(model.callbacks->built_in() ? model.callbacks->name + " gives no second derivatives"
                                           : "the callbacks give no tangent");
  for (const system::Constraint& c : model.constraints)
    if (static_cast<long>(c.dofs.size()) != c.elements) no_statics("the system has constraints between coordinates");
}

system::Model supported(system::Model model) {
  for (const system::Constraint& c : model.constraints)
    model.fixed_dofs.insert(model.fixed_dofs.end(), c.dofs.begin(), c.dofs.end());
  model.constraints.clear();
  std::sort(model.fixed_dofs.begin(), model.fixed_dofs.end());
  model.fixed_dofs.erase(std::unique(model.fixed_dofs.begin(), model.fixed_dofs.end()), model.fixed_dofs.end());
  model.symmetries.clear();
  model.mass = {system::MassMatrix::Kind::diagonal, VectorXd::Ones(model.size()), {}, {}};
  return model;
}

// Zero for coordinates that are not given. Empty where those are not at rest, as the start follows them then.
VectorXd driven_by(const system::Model& model, const VectorXd& q0) {
  const VectorXd rest = system::rest_of(model);
  if (rest.size() != q0.size()) return {};
  VectorXd others = q0 - rest, d = VectorXd::Zero(q0.size());
  for (const system::Constraint& c : model.constraints)
    for (const std::int32_t i : c.dofs) d[i] = std::exchange(others[i], 0.0);
  return others.isZero(0) && !d.isZero(0) ? d : VectorXd();
}

// The pivots show whether K is singular.
class Pivoted {
 public:
  explicit Pivoted(const SparseSystem& system)
      : solver_(system.space().solver()), symmetric_(system.space().symmetric), fixed_(system.model().fixed_dofs) {}
  bool factor(const algebra::SparseMatrix& K) {
    singular_ = !solver_.factor(K) || pivot_is_none();
    return !singular_;
  }
  bool solve(const VectorXd& b, VectorXd& x, double& eta) const {
    solver_.solve(b, x);
    eta = 0;
    return true;
  }
  bool singular() const { return singular_; }
  bool singular(const VectorXd&) const { return singular_; }

 private:
  bool pivot_is_none() {
    if (!symmetric_ || std::string_view(solver_.method()) == "L U") return false;
    solver_.pivots(pivots_);
    pivots_ = pivots_.cwiseAbs();
    for (const std::int32_t i : fixed_) pivots_[i] = 0;
    const double most = pivots_.maxCoeff();
    for (const std::int32_t i : fixed_) pivots_[i] = most;
    return !(pivots_.minCoeff() > 1e-13 * most);
  }

  algebra::SparseSolver solver_;
  bool symmetric_, singular_ = false;
  std::vector<std::int32_t> fixed_;
  VectorXd pivots_;
};

}  // namespace

void no_statics(const std::string& why) {
  throw core::InputError(fmt::format("no static start: {}", why),
                         "remove initial.static: the run then starts at the state in [initial]");
}

StaticProblem static_problem(const system::Model& model, double t, const VectorXd& q0) {
  need_statics(model);
  return {&model, supported(model), t, q0, driven_by(model, q0)};
}

Statics equilibrium(const system::Model& model, double t, const VectorXd& q0, const expr::CompileOptions& options) {
  const StaticProblem problem = static_problem(model, t, q0);
  const auto compiled = system::compile(problem.supported, options, false);
  SparseSystem system(compiled, system::layout<Space>(*compiled, system::Entries::all));
  Pivoted solver(system);
  return StaticSearch<SparseSystem, Pivoted>(std::move(system), std::move(solver), problem)();
}

}  // namespace actio::method
