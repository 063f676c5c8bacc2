#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "hash.hpp"

// Compiled kernels on disk. A library file ends in a seal: a checksum of all before it and of its key, so that a half-written or
// damaged file is never loaded. The seal is no secret, so what is loaded runs with the user's rights only if nobody else can have
// written it: a plain file of the user's own, in a folder of the user's own, that no other may write.
namespace actio::expr {

// Whether libraries are kept in a folder and loaded from it.
struct Kept {
  bool possible = false;
  std::string foreign;  // why others may have written there; "" where that is not the reason
};
// Makes a folder, and those above it that are missing, that only the user may enter. `own`: one that is there, and the user's, is
// closed to others.
Kept make_private(const std::filesystem::path& folder, bool own);

class Library {
 public:
  // Null, with the reason in `why`, when the file is missing, unsealed, damaged, of another key, open to others, or cannot be
  // loaded.
  static std::shared_ptr<const Library> open(const std::filesystem::path& file, const std::string& key, std::string& why);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  void* symbol(const std::string& name) const;  // null when there is none

 private:
  explicit Library(void* handle) : handle_(handle) {}
  void* handle_;
};

// Appends the seal, and closes the file to others. False when it cannot be read or written.
bool seal(const std::filesystem::path& file, const std::string& key);

}  // namespace actio::expr
