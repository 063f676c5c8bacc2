#pragma once
#include <atomic>

namespace actio::cli {

// From here on the first SIGINT, SIGTERM, SIGUSR2 or SIGHUP (unless it is ignored: nohup) sets the flag: the run ends after its
// batch, and what it did is reported. SIGUSR2 is what mpiexec hands to its processes.
const std::atomic<bool>& catch_interrupts();

}  // namespace actio::cli
