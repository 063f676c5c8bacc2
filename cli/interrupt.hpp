#pragma once
#include <atomic>

namespace actio::cli {

// From here on the first SIGINT or SIGTERM sets the flag: the run ends after its batch, and what it did is reported.
const std::atomic<bool>& catch_interrupts();

}  // namespace actio::cli
