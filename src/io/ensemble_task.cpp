#include <actio/io/ensemble_task.hpp>

namespace actio::io {

run::EnsembleTask task_of(const Problem& problem) {
  const EnsembleRequest& request = *problem.ensemble;
  if (request.refused) throw core::InputError(*request.refused);
  return {.title = problem.model.title,
          .method = problem.method,
          .model = problem.model,
          .schedule = problem.schedule,
          .members = request.members,
          .outputs = request.outputs,
          .quantiles = request.quantiles,
          .stop = request.stop,
          .energy_bins = request.energy_bins};
}

}  // namespace actio::io
