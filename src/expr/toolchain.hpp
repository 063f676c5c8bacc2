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
  bool ok = false;      // exit code 0
  std::string message;  // "" or what went wrong, with the first lines of its standard error
};
// Runs a program to its end with nothing on its standard input.
Ran run(const std::filesystem::path& program, const std::vector<std::string>& arguments);

}  // namespace actio::expr
