#pragma once
#include <actio/discrete/nodes.hpp>
#include <actio/expr/kernel.hpp>
#include <actio/invariant/momentum.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/observable.hpp>
#include <actio/run/schedule.hpp>
#include <actio/system/model.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "accelerations.hpp"
#include "element_values.hpp"
#include "fixed_reactions.hpp"

namespace actio::run {

// The values of a list of observables at a state of a run: their kernels, and what a run knows of a state beside q, v and p, each
// computed once a state and only where it is asked for.
class StateValues {
 public:
  StateValues(const system::Model& model, const std::vector<Observable>& asked, const Schedule& schedule,
              const std::optional<discrete::Nodes>& nodes, const expr::CompileOptions& options);
  StateValues(const StateValues&) = delete;

  // The state after so many steps, whose integrator it is; with `forget` another state, though after as many.
  void begin(const method::Snapshot& state, long step);
  void forget() { step_ = -1; }
  // Of observable k there, all elements or one number, until the next state.
  std::span<const double> operator()(std::size_t k, const method::Integrator& integrator, const method::Snapshot& state);
  bool needs_integrator(std::size_t k) const;
  // An angle that others name: it is followed from step to step.
  bool followed(std::size_t k) const { return asked_[k].turns && parts_[k].named; }
  bool follows() const { return follows_; }
  void archive(core::Archive& a);

 private:
  static constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
  struct Part {  // of an observable
    std::vector<ElementValues> kernels;
    std::vector<std::size_t> quantities, earlier;                   // that its expressions contain
    std::vector<double> values;                                     // of all elements, component after component
    std::vector<double> result;                                     // the combined one, or empty: `values`
    long look = -1;                                                 // of the values
    bool named = false;                                             // by one after it
    bool accelerates = false, reacts = false, steps_ahead = false;  // its expressions contain x'', a reaction, the next state
    double angle = undefined;                                       // of a joint, within half a turn
    long turns = 0;
    bool asks_for(State state) const;
    void follow();
    std::span<const double> now() const { return result.empty() ? values : result; }
  };
  void prepare(std::size_t k, std::vector<expr::KernelSource>& sources);
  double value_of(const Quantity& quantity, const method::Integrator& integrator, const method::Snapshot& state);
  void look_ahead(const method::Integrator& integrator, const method::Snapshot& state);

  const std::vector<Observable>& asked_;
  const Schedule& schedule_;
  std::optional<discrete::Nodes> nodes_;
  std::vector<system::Signal> signals_;
  std::vector<Quantity> quantities_;
  double freedom_ = 0;
  expr::Module module_;
  invariant::MomentumMap momentum_;
  std::unique_ptr<Accelerations> accelerations_;
  std::unique_ptr<FixedReactions> reactions_;
  bool follows_ = false;  // angles, which are looked at after every step
  std::vector<Part> parts_;

  // Of the state that is looked at.
  long step_ = -1, look_ = 0;
  std::vector<double> uniforms_;
  std::vector<bool> known_;  // quantities
  std::size_t first_quantity_ = 0, first_observable_ = 0;
  std::vector<std::size_t> signal_at_;
  Eigen::VectorXd acceleration_, reaction_, middle_, w_, force_;
  bool accelerated_ = false, reacted_ = false, stepped_ = false, mapped_ = false, next_mapped_ = false;
  method::Snapshot next_;
  double discrete_energy_ = undefined;
  std::vector<double> J_, J_next_, scale_;
};

}  // namespace actio::run
