#include "interrupt.hpp"

#include <csignal>

namespace actio::cli {

namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may set it

// Wrappers may send it twice, so only the third ends the program.
volatile std::sig_atomic_t interrupts = 0;
extern "C" void on_interrupt(int signal) {
  interrupted = true;
  interrupts = interrupts + 1;
  if (interrupts >= 2) std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGUSR2, on_interrupt);
  struct sigaction now {};
  if (sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) std::signal(SIGHUP, on_interrupt);  // or nohup
  return interrupted;
}

}  // namespace actio::cli
