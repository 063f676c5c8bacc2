#pragma once

namespace actio::cli {

// actio run -np N ...: that is for the program actio-petsc on N processes.
bool asks_for_processes(int argc, char** argv);
// Waits for their end; the exit code. Throws core::InputError where N is no number of processes, or there is no actio-petsc or no
// mpiexec.
int start_processes(int argc, char** argv);

}  // namespace actio::cli
