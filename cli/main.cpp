#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include <actio/algebra/blas_core.hpp>
#include <actio/method/not_built.hpp>

#include "options.hpp"

// Starts the program again with better kernels where OpenBLAS does not know the processor; returns where they are well chosen.
static void choose_blas_core(char** argv) {
  constexpr const char* variable = "OPENBLAS_CORETYPE";
  if (std::getenv(variable) != nullptr) return;
  const std::string core = actio::algebra::blas_core();
  const std::string better = actio::algebra::better_blas_core(core, actio::algebra::instructions());
  if (better.empty()) return;
  if (isatty(STDERR_FILENO))
    std::fprintf(stderr, "OpenBLAS takes this processor for a %s; its kernels for %s are used (%s)\n", core.c_str(),
                 better.c_str(), variable);
  if (setenv(variable, better.c_str(), 0) == 0) execv("/proc/self/exe", argv);
}

// Has ./actio, which names itself in ACTIO_BUILD, build the family and start the program again; returns where that is no use.
static void build_and_restart(const std::string& family, char** argv) {
  const char *script = std::getenv("ACTIO_BUILD"), *built = std::getenv("ACTIO_FAMILY");
  if (script != nullptr && (built == nullptr || family != built) && setenv("ACTIO_FAMILY", family.c_str(), 1) == 0)
    execv(script, argv);
}

// What was printed may still fail to be written: then the run counts as failed.
int main(int argc, char** argv) {
  choose_blas_core(argv);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of a file's size is an error like a full disk
  int code = actio::cli::run_failed;
  try {
    code = actio::cli::dispatch(argc, argv);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::fprintf(stderr, "error: cannot write to standard output: %s\n", std::strerror(errno));
  } catch (const actio::method::NotBuilt& e) {
    build_and_restart(e.family, argv);
    std::fprintf(stderr, "error: %s\n", e.what());
  } catch (const std::exception& e) { std::fprintf(stderr, "error: %s\n", e.what()); }
  return code == actio::cli::ok ? actio::cli::run_failed : code;
}
