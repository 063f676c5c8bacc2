#include <actio/system/constraints_alone.hpp>

namespace actio::system {

namespace {

// The shortest way onto the constraints is by the mass, where there is one: lengths of 1e6 beside rotations are of one size by
// it.
Eigen::VectorXd diagonal_of(const Model& model) {
  Eigen::VectorXd m;
  if (model.mass.kind == MassMatrix::Kind::diagonal) m = model.mass.diagonal;
  if (model.mass.kind == MassMatrix::Kind::full) m = model.mass.full.diagonal();
  if (m.size() != model.size() || !(m.array() > 0).all() || !m.allFinite()) return Eigen::VectorXd::Ones(model.size());
  return m / m.maxCoeff();
}

}  // namespace

Assembled<algebra::SparseSpace> constraints_alone(const Model& model, const expr::CompileOptions& options) {
  Model alone;
  alone.families = model.families;
  alone.parameter_names = model.parameter_names;
  alone.parameters = model.parameters;
  alone.fixed_dofs = model.fixed_dofs;
  alone.mass.kind = MassMatrix::Kind::diagonal;
  alone.mass.diagonal = diagonal_of(model);
  alone.constraints = model.constraints.empty() ? model.penalised : model.constraints;
  alone.least_squares = model.least_squares;
  const auto compiled = compile(alone, options, false);
  return {compiled, layout<algebra::SparseSpace>(*compiled, true)};
}

}  // namespace actio::system
