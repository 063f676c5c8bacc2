#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "hash.hpp"

// Compiled kernels on disk. A library file ends in a seal: a checksum of all before it and of its key, so that a half-written or
// damaged file is never loaded.
namespace actio::expr {

class Library {
 public:
  // Null, with the reason in `why`, when the file is missing, unsealed, damaged, of another key, or cannot be loaded.
  static std::shared_ptr<const Library> open(const std::filesystem::path& file, const std::string& key, std::string& why);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  void* symbol(const std::string& name) const;  // null when there is none

 private:
  explicit Library(void* handle) : handle_(handle) {}
  void* handle_;
};

// Appends the seal. False when the file cannot be read or written.
bool seal(const std::filesystem::path& file, const std::string& key);

}  // namespace actio::expr
