#pragma once
#include "ledger.hpp"

namespace actio::run {

// A state of a run that was looked at.
struct Seen {
  method::Snapshot state;
  long step = 0;    // steps until then
  Ledger ledger{};  // of these
};

}  // namespace actio::run
