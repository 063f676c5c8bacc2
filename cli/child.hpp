#pragma once
#include <string>
#include <vector>

namespace actio::cli {

// Runs mpiexec with these words and waits for its end: the exit code, 128 + the signal where one ended it. An interrupt (SIGINT,
// SIGTERM) goes on as SIGUSR2, which mpiexec hands to its processes where it would end them on the others; the third ends them.
// It ends when this process does, and has no terminal. Throws core::InputError where it cannot be started.
int run_mpiexec(std::vector<std::string> words);

}  // namespace actio::cli
