#pragma once
#include <atomic>

namespace actio::cli {

// From here on the first SIGINT, SIGTERM or SIGUSR2 sets the flag: the run ends after its batch, and what it did is reported. The
// last is what mpiexec hands to its processes.
const std::atomic<bool>& catch_interrupts();

}  // namespace actio::cli
