#include "child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include <actio/core/error.hpp>

namespace actio::cli {
namespace {

volatile std::sig_atomic_t passed_on = 0;
volatile pid_t child = 0;
static_assert(sizeof(pid_t) <= sizeof(std::sig_atomic_t));  // a signal handler reads it

extern "C" void pass_on(int) {
  passed_on = passed_on + 1;
  const int before = errno;
  (void)kill(child, passed_on <= 2 ? SIGUSR2 : SIGINT);
  errno = before;
}
extern "C" void pause_all(int) {
  const int before = errno;
  (void)kill(child, SIGTSTP);
  (void)raise(SIGSTOP);
  (void)kill(child, SIGCONT);
  errno = before;
}

// Signals wait while this lives.
class Held {
 public:
  Held() {
    sigset_t those;
    sigemptyset(&those);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGTSTP}) sigaddset(&those, signal);
    sigprocmask(SIG_BLOCK, &those, &before_);
  }
  ~Held() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  sigset_t before_{};
};

[[noreturn]] void become(char** words, pid_t parent, int failure) {
  setsid();  // the terminal's passed_on are ours to hand on
  prctl(PR_SET_PDEATHSIG, SIGINT);
  // mpiexec would end its processes at once, to which whoever ends all sends the same; they write their certificate.
  sigset_t those;
  sigemptyset(&those);
  sigaddset(&those, SIGTERM);
  sigprocmask(SIG_BLOCK, &those, nullptr);
  std::signal(SIGUSR2, SIG_IGN);  // until they listen
  if (getppid() != parent) _exit(1);
  if (const int nothing = ::open("/dev/null", O_RDONLY); nothing > STDIN_FILENO) {
    dup2(nothing, STDIN_FILENO);
    close(nothing);
  }
  execvp(words[0], words);
  const int code = errno;
  (void)!::write(failure, &code, sizeof code);
  _exit(1);
}

[[noreturn]] void refuse(int code) {
  throw core::InputError(fmt::format("cannot start mpiexec: {}", std::strerror(code)), "Debian: apt-get install openmpi-bin");
}

}  // namespace

int run_mpiexec(std::vector<std::string> words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) refuse(errno);
  const pid_t self = getpid();
  {
    const Held held;
    child = fork();
    if (child < 0) refuse(errno);
    if (child > 0) {
      std::signal(SIGINT, pass_on);
      std::signal(SIGTERM, pass_on);
      if (std::signal(SIGHUP, pass_on) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
      if (std::signal(SIGTSTP, pause_all) == SIG_IGN) std::signal(SIGTSTP, SIG_IGN);
    }
  }
  if (child == 0) become(list.data(), self, failure[1]);
  close(failure[1]);
  int code = 0;
  ssize_t told = 0;
  while ((told = read(failure[0], &code, sizeof code)) < 0 && errno == EINTR) {}
  close(failure[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (told == sizeof code) refuse(code);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace actio::cli
