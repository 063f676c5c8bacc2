#pragma once

namespace actio::cli {

// actio run -np N ...: the program actio-petsc on N processes takes its place.
bool asks_for_processes(int argc, char** argv);
// Does not return. Throws core::InputError where N is no number of processes, or there is no actio-petsc or no mpiexec.
[[noreturn]] void start_processes(int argc, char** argv);

}  // namespace actio::cli
