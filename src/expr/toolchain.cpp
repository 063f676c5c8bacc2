#include "toolchain.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

#include <fmt/format.h>

extern char** environ;

namespace actio::expr {
namespace fs = std::filesystem;
namespace {

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// The first lines of a compiler's complaints, on one line of ours.
std::string first_lines(std::string text) {
  if (text.size() > 400) text = text.substr(0, 400) + "...";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

struct Pipe {
  Pipe() { open = pipe2(ends.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(std::size_t k) {
    if (open && ends[k] >= 0) close(ends[k]), ends[k] = -1;
  }
  std::array<int, 2> ends{-1, -1};
  bool open = false;
};

using Clock = std::chrono::steady_clock;

int milliseconds_until(Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1000));
}

// What is written to the other end until it is closed, or until `end`.
std::string read_all(int file, Clock::time_point end) {
  std::string text;
  std::array<char, 4096> buffer;
  while (Clock::now() < end) {
    pollfd ready{file, POLLIN, 0};
    if (poll(&ready, 1, milliseconds_until(end)) <= 0) continue;  // or interrupted
    const ssize_t n = read(file, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    if (text.size() < 65536) text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return text;
}

// A process in a group of its own, with nothing on its standard input and a limit of its processor time that its descendants
// inherit. It shares our memory until it is another program: it calls the system, and nothing else. Negative, or `error`, where
// there is none.
[[gnu::noinline]] pid_t start(const char* program, char* const* words, int errors, const rlimit* processor,
                              const sigset_t* signals, int* error) {
  const pid_t child = vfork();
  if (child != 0) return child;
  setpgid(0, 0);
  setrlimit(RLIMIT_CPU, processor);
  const int in = open("/dev/null", O_RDONLY), out = open("/dev/null", O_WRONLY);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  for (const int file : {in, out})
    if (file > STDERR_FILENO) close(file);
  sigprocmask(SIG_SETMASK, signals, nullptr);
  execve(program, words, environ);
  *error = errno;
  _exit(127);
}

// False, with errno, when it was lost. Past `end` its group is killed.
bool wait_for(pid_t child, Clock::time_point end, int& status, rusage& used, bool& too_long) {
  for (int pause = 50;; pause = std::min(2 * pause, 20000)) {  // microseconds
    const pid_t ended = wait4(child, &status, too_long ? 0 : WNOHANG, &used);
    if (ended == child) return true;
    if (ended < 0 && errno != EINTR) return false;
    if (!too_long && Clock::now() >= end) {
      too_long = true;
      (void)kill(-child, SIGKILL);
    } else if (!too_long) {
      usleep(static_cast<useconds_t>(pause));
    }
  }
}

double seconds_of(const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

}  // namespace

fs::path find_program(std::string_view name) {
  if (name.empty()) return {};
  if (name.find('/') != name.npos) return is_program(name) ? fs::path(name) : fs::path();
  const char* variable = std::getenv("PATH");
  std::string_view path = variable != nullptr ? variable : "/usr/bin:/bin";
  for (;;) {
    const std::size_t colon = path.find(':');
    const fs::path candidate = fs::path(path.substr(0, colon)) / name;
    if (candidate.is_absolute() && is_program(candidate)) return candidate;
    if (colon == path.npos) return {};
    path.remove_prefix(colon + 1);
  }
}

std::string identity(const fs::path& program) {
  std::error_code error;
  const fs::path real = fs::canonical(program, error);
  struct stat status {};
  if (error || stat(real.c_str(), &status) != 0) return program.string();
  return fmt::format("{} {} {} {}.{}", program.string(), real.string(), status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

std::string cpu_identity() {
#if defined(__x86_64__)
  std::string text;
  const auto ask = [&text](unsigned leaf, bool with_a, bool with_b) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid_count(leaf, 0, &a, &b, &c, &d) == 0) return;
    text += fmt::format(" {:x} {:x} {:x} {:x}", with_a ? a : 0, with_b ? b : 0, c, d);
  };
  ask(0, true, true);
  ask(1, true, false);  // b numbers the core
  ask(7, true, true);
  for (const unsigned leaf : {0x80000001U, 0x80000002U, 0x80000003U, 0x80000004U}) ask(leaf, true, true);
  return "x86-64" + text;
#elif defined(__linux__)
  return fmt::format("hwcap {:x} {:x}", getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
#else
  return "unknown";
#endif
}

Ran run(const fs::path& program, const std::vector<std::string>& arguments, const Patience& patience) {
  const auto failed = [&](const std::string& how) {
    return Ran{false, false, fmt::format("compiler '{}' {}", program.string(), how)};
  };
  Pipe errors;
  if (!errors.open) return failed(fmt::format("has no pipe: {}", std::strerror(errno)));
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  rlimit processor{};
  if (getrlimit(RLIMIT_CPU, &processor) != 0) processor = {RLIM_INFINITY, RLIM_INFINITY};
  processor.rlim_cur = std::min(processor.rlim_cur, static_cast<rlim_t>(std::ceil(patience.processor)));
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience.clock));
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int error = 0;
  const pid_t child = start(program.c_str(), argv.data(), errors.ends[1], &processor, &before, &error);
  if (child < 0) error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (child > 0 && error != 0) (void)waitpid(child, nullptr, 0);
  if (error != 0) return failed(fmt::format("cannot be started: {}", std::strerror(error)));
  errors.close_end(1);
  const std::string said = first_lines(read_all(errors.ends[0], end));
  int status = 0;
  rusage used{};
  bool too_long = false;
  if (!wait_for(child, end, status, used, too_long)) return failed(fmt::format("was lost: {}", std::strerror(errno)));
  if (!too_long && WIFEXITED(status) && WEXITSTATUS(status) == 0) return {true, false, {}};
  constexpr double nearly = 0.9;  // the limit is kept in ticks
  if (too_long || seconds_of(used.ru_utime) + seconds_of(used.ru_stime) >= nearly * std::ceil(patience.processor)) {
    Ran ran = failed(too_long ? fmt::format("was not done after {:.3g} s", patience.clock)
                              : fmt::format("was not done after {:.3g} s of processor time", std::ceil(patience.processor)));
    ran.too_long = true;
    return ran;
  }
  const std::string how = WIFEXITED(status) ? fmt::format("failed with exit code {}", WEXITSTATUS(status))
                                            : fmt::format("was ended by signal {}", WTERMSIG(status));
  return failed(fmt::format("{}{}{}", how, said.empty() ? "" : ": ", said));
}

}  // namespace actio::expr
