#include "toolchain.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
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

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t n = read(file, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    if (text.size() < 65536) text.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

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

Ran run(const fs::path& program, const std::vector<std::string>& arguments) {
  Pipe errors;
  if (!errors.open) return {false, fmt::format("no pipe to '{}': {}", program.string(), std::strerror(errno))};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors.ends[1], 2);
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return {false, fmt::format("compiler '{}' cannot be started: {}", program.string(), std::strerror(failed))};
  errors.close_end(1);
  const std::string said = first_lines(read_all(errors.ends[0]));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return {false, fmt::format("compiler '{}' was lost: {}", program.string(), std::strerror(errno))};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {true, {}};
  const std::string how = WIFEXITED(status) ? fmt::format("failed with exit code {}", WEXITSTATUS(status))
                                            : fmt::format("was ended by signal {}", WTERMSIG(status));
  return {false, fmt::format("compiler '{}' {}{}{}", program.string(), how, said.empty() ? "" : ": ", said)};
}

}  // namespace actio::expr
