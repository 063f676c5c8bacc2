#include <actio/system/constraints_alone.hpp>

namespace actio::system {

Assembled<algebra::SparseSpace> constraints_alone(const Model& model, const expr::CompileOptions& options) {
  Model alone;
  alone.families = model.families;
  alone.parameter_names = model.parameter_names;
  alone.parameters = model.parameters;
  alone.fixed = model.fixed;
  alone.mass.kind = MassMatrix::Kind::diagonal;
  alone.mass.diagonal = Eigen::VectorXd::Ones(model.size());
  alone.constraints = model.constraints.empty() ? model.penalised : model.constraints;
  alone.least_squares = model.least_squares;
  const auto compiled = compile(alone, options, false);
  return {compiled, layout<algebra::SparseSpace>(*compiled, true)};
}

}  // namespace actio::system
