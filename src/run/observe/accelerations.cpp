#include "accelerations.hpp"

#include <actio/discrete/acceleration.hpp>
#include <actio/system/assembled.hpp>
#include <limits>

namespace actio::run {
namespace {

using Assembled = system::Assembled<algebra::SparseSpace>;

Assembled assembled(const system::Model& model, const expr::CompileOptions& options) {
  const auto compiled = system::compile(model, options, false);
  return {compiled, system::layout<algebra::SparseSpace>(*compiled, true)};
}

}  // namespace

struct Accelerations::System {
  discrete::Acceleration<Assembled> solve;
  std::vector<std::int32_t> fixed;
};

Accelerations::Accelerations(const system::Model& model, const expr::CompileOptions& options)
    : system_(new System{discrete::Acceleration<Assembled>(assembled(model, options)), model.fixed_dofs}) {}
Accelerations::~Accelerations() = default;

void Accelerations::operator()(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& a) {
  a.setZero(q.size());
  if (!system_->solve(t, q, v, a)) a.setConstant(std::numeric_limits<double>::quiet_NaN());
  for (const std::int32_t i : system_->fixed) a[i] = 0;
}

}  // namespace actio::run
