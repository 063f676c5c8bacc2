#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// The system compiler as a program to run: found, identified, started without a shell.
namespace actio::expr {

// The executable a name means, by $PATH unless it holds a '/'; empty when there is none.
std::filesystem::path find_program(std::string_view name);
// Changes when the program behind the path does.
std::string identity(const std::filesystem::path& program);
// What -march=native depends on.
std::string cpu_identity();

struct [[nodiscard]] Ran {
  bool ok = false;        // exit code 0
  bool too_long = false;  // it was ended, for it took more than it was given
  std::string message;    // "" or what went wrong, with the first lines of its standard error
};
// How long a program may take [s]: of the processor, which another load of the machine does not change, and by the clock, for one
// that waits. The former is rounded up to seconds.
struct Patience {
  double processor, clock;
};
// Runs a program to its end with nothing on its standard input, in a process group of its own, which is killed when it takes too
// long.
Ran run(const std::filesystem::path& program, const std::vector<std::string>& arguments, const Patience& patience);

}  // namespace actio::expr
