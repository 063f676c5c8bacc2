#include <actio/core/error.hpp>
#include <actio/petsc/distributed.hpp>
#include <actio/petsc/distributed_model.hpp>

#include "static_search.hpp"

namespace actio::petsc {

method::Statics equilibrium(MPI_Comm comm, const system::Model& model, double t, const Eigen::VectorXd& q0,
                            const expr::CompileOptions& options) {
  if (const std::string why = why_not_distributed(model); !why.empty()) throw core::InputError(why);
  constexpr double least_pivot = 1e-13;  // as on one process
  const method::StaticProblem problem = method::static_problem(model, t, q0);
  DistributedModel system(comm, problem.supported, options);
  auto solver = system.space().solver(least_pivot);
  return method::StaticSearch<DistributedModel, DistributedSolver>(std::move(system), std::move(solver), problem)();
}

}  // namespace actio::petsc
