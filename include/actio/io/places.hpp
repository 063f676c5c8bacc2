#pragma once
#include <vector>

#include <actio/core/error.hpp>
#include <actio/system/model.hpp>

// Where a problem file says what can turn out to be wrong only later: when the energies are compiled, or at the start.
namespace actio::io {

struct Places {
  core::Source position, velocity;        // of [initial]; the table itself where they are not given
  core::Source equilibrium;               // initial.static
  core::Source step;                      // run.step
  std::vector<core::Source> constraints;  // one an entry of model.constraints

  // The place of constraint k of the model, counted as in constraint_name(k).
  const core::Source& of_constraint(const system::Model& model, long k) const;
};

// The same error with its place, where it has none yet.
core::InputError placed(const core::InputError& error, const core::Source& where);

}  // namespace actio::io
