#pragma once
#include <actio/discrete/nodes.hpp>
#include <actio/expr/kernel.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/observable.hpp>
#include <actio/run/schedule.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace actio::run {

// A column of a trajectory, or one for each element.
struct ObservedColumn {
  std::string name, unit, definition;
  long elements = 1;
};

// Evaluates observables along a run: those without a reduction at every observation, the others at their own steps, in memory
// that grows at most with the logarithm of the steps. The same to the bit for any number of threads.
class Observables {
 public:
  // `nodes`: of the method's discrete Lagrangian (method/discrete_nodes.hpp). Throws core::InputError, with its place, where an
  // observable asks for what the system, the method or the steps do not have.
  Observables(const system::Model& model, std::vector<Observable> asked, const Schedule& schedule,
              const std::optional<discrete::Nodes>& nodes = {}, const expr::CompileOptions& options = {});
  Observables(const Observables&) = delete;
  ~Observables();

  const std::vector<ObservedColumn>& columns() const;
  // The first step after `done` with something to be reduced; after the last step of the run where there is none.
  long next(long done) const;
  bool due(long done) const;
  // Takes the state after `step` steps into the reductions that are due. The state is the integrator's.
  void reduce(const method::Integrator& integrator, const method::Snapshot& state, long step);
  // The values of the columns there, one after another, as long as nothing else is called: once at each observation, which counts
  // in the figures of columns.
  std::span<const double> values(const method::Integrator& integrator, const method::Snapshot& state, long step);
  // Number k of those asked for, which is one number, at a state between steps too, after so many.
  double value(std::size_t k, const method::Integrator& integrator, const method::Snapshot& state, long step);
  // Whether that takes more than t, q and v of the state: its momenta, and an integrator there.
  bool needs_integrator(std::size_t k) const;
  // The next state is another one, though after as many steps.
  void forget_state();
  // Of the reductions, and of columns that are one number, so far.
  std::vector<Observed> results() const;
  void archive(core::Archive& a);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace actio::run
