#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "options.hpp"
#include "session.hpp"

// What was printed may still fail to be written: then the run counts as failed.
int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of a file's size is an error like a full disk
  int code = actio::cli::run_failed;
  try {
    code = actio::cli::dispatch(argc, argv);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::fprintf(stderr, "error: cannot write to standard output: %s\n", std::strerror(errno));
  } catch (const std::exception& e) { std::fprintf(stderr, "error: %s\n", e.what()); }
  return code == actio::cli::ok ? actio::cli::run_failed : code;
}
