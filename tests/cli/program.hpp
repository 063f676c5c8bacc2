#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

// The built program, run as a user runs it, from the repository's root.
namespace test {

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

// $ACTIO_BINARY, else the one beside this test's build folder.
inline std::string program() {
  if (const char* given = std::getenv("ACTIO_BINARY")) return given;
  return (fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "actio").string();
}

// A folder of its own, gone with it; compiled kernels stay inside.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("actio-cli-{}-{}", getpid(), next())) {
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  Result run(const std::string& arguments) const {
    const std::string command =
        fmt::format("'{}' {} >'{}' 2>'{}' </dev/null", program(), arguments, (path_ / "out").string(), (path_ / "err").string());
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(path_ / "out"), read(path_ / "err")};
  }

 private:
  static int next() {
    static int count = 0;
    return count++;
  }
  fs::path path_;
};

}  // namespace test
