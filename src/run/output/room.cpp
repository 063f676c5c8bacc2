#include "room.hpp"

#include <algorithm>
#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace actio::run {

namespace {

// As fallocate does, where a file system has none.
int write_zeros(int file, std::int64_t from, std::int64_t to) {
  const std::vector<char> zeros(1 << 16);
  while (from < to) {
    const auto size = static_cast<std::size_t>(std::min<std::int64_t>(to - from, std::int64_t{1} << 16));
    const ssize_t n = pwrite(file, zeros.data(), size, from);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : ENOSPC;
    from += n;
  }
  return 0;
}

int allocate(int file, std::int64_t from, std::int64_t to) {
#if defined(__linux__)
  for (;;) {
    if (fallocate(file, 0, from, to - from) == 0) return 0;
    if (errno == EINTR) continue;
    if (errno != EOPNOTSUPP && errno != ENOSYS && errno != ENODEV && errno != ESPIPE) return errno;
    break;
  }
#endif
  return write_zeros(file, from, to);
}

}  // namespace

Room::~Room() {
  if (file_ >= 0) ::close(file_);
}

int Room::open(const std::string& path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return file_ < 0 ? errno : 0;
}

int Room::hold(std::int64_t used, std::int64_t bytes) {
  const std::int64_t from = std::max(used, held_);
  if (bytes <= from) return 0;
  const int code = allocate(file_, from, bytes);
  if (code == 0) held_ = bytes;
  return code;
}

void Room::give_back(std::int64_t used) {
  struct stat status {};
  if (file_ >= 0 && fstat(file_, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > used) (void)!ftruncate(file_, used);
  held_ = used;
}

}  // namespace actio::run
