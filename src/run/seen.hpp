#pragma once
#include <string>

#include "ledger.hpp"

namespace actio::run {

// A state of a run that was looked at.
struct Seen {
  method::Snapshot state;
  long step = 0;    // steps until then
  Ledger ledger{};  // of these
  // Of steps that follow the motion: the integrator there, which has more than the state.
  std::string integrator{};
};

}  // namespace actio::run
