#include <actio/session/execution.hpp>

#include <chrono>

namespace actio::session {

std::unique_ptr<method::Integrator> OneProcess::integrator(const system::Model& model, const method::Spec& spec,
                                                           const method::BuildOptions& options) {
  return method::make_integrator(model, spec, options);
}

method::Statics OneProcess::equilibrium(const io::Problem& problem, const method::BuildOptions& options) {
  return method::equilibrium(problem.model, problem.schedule.start, problem.q0, options.compile);
}

double OneProcess::clock() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace actio::session
