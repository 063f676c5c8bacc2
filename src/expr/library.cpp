#include "library.hpp"

#include <dlfcn.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include <fmt/format.h>

namespace actio::expr {
namespace fs = std::filesystem;
namespace {

struct Seal {
  char magic[16] = {'a', 'c', 't', 'i', 'o', ' ', 'k', 'e', 'r', 'n', 'e', 'l', ' ', '1', '\n', '\0'};
  std::uint64_t size = 0;  // of what comes before
  Hash128 hash{};          // of what comes before, and of the key
};

Seal make_seal(std::string_view content, const std::string& key) {
  Seal made;
  made.size = content.size();
  made.hash = hash128(content, hash128(key)[0]);
  return made;
}

std::optional<std::string> contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return {};
  std::string bytes(static_cast<std::size_t>(in.tellg()), '\0');
  in.seekg(0);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return {};
  return bytes;
}

bool sealed(const std::string& bytes, const std::string& key) {
  if (bytes.size() < sizeof(Seal)) return false;
  const std::string_view content(bytes.data(), bytes.size() - sizeof(Seal));
  const Seal expected = make_seal(content, key);
  return std::memcmp(&expected, bytes.data() + content.size(), sizeof(Seal)) == 0;
}

}  // namespace

std::shared_ptr<const Library> Library::open(const fs::path& file, const std::string& key, std::string& why) {
  const std::optional<std::string> bytes = contents(file);
  if (!bytes || !sealed(*bytes, key)) {
    why = fmt::format("'{}' {}", file.string(), bytes ? "is damaged" : "cannot be read");
    return nullptr;
  }
  void* handle = dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* message = dlerror();
    why = message != nullptr ? message : "the compiled kernels cannot be loaded";
    return nullptr;
  }
  return std::shared_ptr<const Library>(new Library(handle));
}

Library::~Library() { dlclose(handle_); }

void* Library::symbol(const std::string& name) const { return dlsym(handle_, name.c_str()); }

bool seal(const fs::path& file, const std::string& key) {
  const std::optional<std::string> bytes = contents(file);
  if (!bytes) return false;
  const Seal made = make_seal(*bytes, key);
  std::ofstream out(file, std::ios::binary | std::ios::app);
  out.write(reinterpret_cast<const char*>(&made), sizeof(made));
  return static_cast<bool>(out.flush());
}

}  // namespace actio::expr
