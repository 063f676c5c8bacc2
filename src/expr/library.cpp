#include "library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
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

class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (file_ >= 0) close(file_);
  }
  operator int() const { return file_; }

 private:
  int file_;
};

// Why another may have written what the status is of, or "".
std::string foreign(const struct stat& status) {
  if (status.st_uid != geteuid()) return "belongs to another user";
  return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 ? "can be written by other users" : "";
}

int open_folder(const fs::path& folder) { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }

// Nothing waits for the other end of a FIFO, and no link is followed.
int open_file(int folder, const fs::path& name, int access) {
  return openat(folder, name.c_str(), access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

std::optional<std::string> contents(int file) {
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return {};
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

bool sealed(const std::string& bytes, const std::string& key) {
  if (bytes.size() < sizeof(Seal)) return false;
  const std::string_view content(bytes.data(), bytes.size() - sizeof(Seal));
  const Seal expected = make_seal(content, key);
  return std::memcmp(&expected, bytes.data() + content.size(), sizeof(Seal)) == 0;
}

// What a descriptor is of, by a name that no other library is loaded by: the loader knows them by name, and the numbers of
// descriptors are used again. It does not look at how a path is written: a "/" or a "/./" a binary digit of a count.
std::string name_of(int file) {
  static std::atomic<std::uint64_t> count = 0;
  std::string name = "/proc/self/fd";
  for (std::uint64_t rest = ++count; rest > 0; rest /= 2) name += rest % 2 == 1 ? "/./" : "/";
  return fmt::format("{}/{}", name, file);
}

void* load(int file, const fs::path& path) {
  if (void* handle = dlopen(name_of(file).c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
  if (access("/proc/self/fd", X_OK) == 0) return nullptr;
  return dlopen(fs::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);  // a system without /proc
}

}  // namespace

Kept make_private(const fs::path& folder, bool own) {
  fs::path made;
  for (const fs::path& part : fs::absolute(folder)) {
    made /= part;
    (void)mkdir(made.c_str(), S_IRWXU);
  }
  const Descriptor opened(open_folder(folder));
  struct stat status {};
  if (opened < 0 || fstat(opened, &status) != 0) return {};
  if (own && status.st_uid == geteuid() && !foreign(status).empty() && fchmod(opened, S_IRWXU) == 0) (void)fstat(opened, &status);
  const std::string why = foreign(status);
  return {why.empty(), why};
}

std::shared_ptr<const Library> Library::open(const fs::path& file, const std::string& key, std::string& why) {
  const auto refuse = [&](const fs::path& what, const std::string& reason) {
    why = fmt::format("'{}' {}", what.string(), reason);
    return nullptr;
  };
  struct stat status {};
  const Descriptor folder(open_folder(file.parent_path()));
  if (folder < 0 || fstat(folder, &status) != 0) return refuse(file, "cannot be read");
  if (const std::string reason = foreign(status); !reason.empty()) return refuse(file.parent_path(), reason);
  const Descriptor opened(open_file(folder, file.filename(), O_RDONLY));
  if (opened < 0 || fstat(opened, &status) != 0) return refuse(file, "cannot be read");
  if (!S_ISREG(status.st_mode)) return refuse(file, "is no file");
  if (const std::string reason = foreign(status); !reason.empty()) return refuse(file, reason);
  const std::optional<std::string> bytes = contents(opened);
  if (!bytes || !sealed(*bytes, key)) return refuse(file, bytes ? "is damaged" : "cannot be read");
  void* handle = load(opened, file);
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
  const Descriptor opened(open_file(AT_FDCWD, file, O_RDWR | O_APPEND));
  const std::optional<std::string> bytes = contents(opened);
  if (!bytes || fchmod(opened, S_IRUSR | S_IWUSR) != 0) return false;
  const Seal made = make_seal(*bytes, key);
  return write(opened, &made, sizeof(made)) == static_cast<ssize_t>(sizeof(made));
}

}  // namespace actio::expr
