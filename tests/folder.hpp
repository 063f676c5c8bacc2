#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace actio::test {

// A folder of its own that goes away with the test.
struct TemporaryFolder {
  std::filesystem::path path;

  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "actio-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all, error);
    std::filesystem::remove_all(path, error);
  }
  std::string operator/(const std::string& name) const { return path / name; }
  std::string write(const std::string& name, const std::string& bytes) const {
    const std::string file = path / name;
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }
};

}  // namespace actio::test
