#pragma once
#include <actio/run/dense_output.hpp>
#include <actio/run/event.hpp>
#include <actio/run/observables.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace actio::run {

// Follows events along a run: their number, and what is recorded at them, in memory.
class Events {
 public:
  // `observables` evaluates their numbers; null where all are functions. Throws core::InputError, with its place, where rows
  // would have too many columns.
  Events(std::vector<Event> events, Observables* observables, const system::Model& model);
  Events(const Events&) = delete;
  ~Events();

  // At the start, which is no event.
  void start(const method::Integrator& integrator, const method::Snapshot& state);
  // Those of the step between two states, the later one the integrator's, after so many steps; `within` is at that step. Returns
  // where in it, from 0 to 1, an event stops the run: those after it did not happen. Throws core::RunError where memory would
  // end.
  std::optional<double> step(StatesWithin& within, const method::Integrator& integrator, const method::Snapshot& before,
                             const method::Snapshot& after, long steps, bool last);
  // One for each event, with a table.
  std::vector<Observed> results() const;
  void archive(core::Archive& a);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace actio::run
