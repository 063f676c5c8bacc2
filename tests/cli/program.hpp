#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <folder.hpp>

// The built program, run as a user runs it, from the repository's root.
namespace actio::test {

namespace fs = std::filesystem;

struct Result {
  int code = -1;
  std::string out, err;
};

inline std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline const std::string oscillator = "examples/oscillator.toml";

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// $ACTIO_BINARY, else the one beside this test's build folder.
inline std::string program() {
  if (const char* given = std::getenv("ACTIO_BINARY")) return given;
  return (fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "actio").string();
}

// A folder to run the program in; compiled kernels stay inside.
struct Folder : TemporaryFolder {
  fs::path operator/(const std::string& name) const { return path / name; }
  // With words of a shell before it: limits of its resources, variables of its environment.
  Result run(const std::string& arguments, const std::string& before = "") const {
    const std::string out = path / "out", err = path / "err";
    const std::string command = fmt::format("{} '{}' {} >'{}' 2>'{}' </dev/null", before, program(), arguments, out, err);
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(out), read(err)};
  }
};

}  // namespace actio::test

namespace test = actio::test;
