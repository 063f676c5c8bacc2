#include <actio/run/checkpoint.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <actio/core/checksum.hpp>
#include <actio/core/error.hpp>

namespace actio::run {

namespace {

using core::checksum;

constexpr std::string_view magic{"actio\r\n\x1a", 8};
constexpr std::uint64_t page = 4096, before_head = 36, before_record = 20;
constexpr std::uint64_t most = std::uint64_t{1} << 48;  // bytes of a record or a head

template <class T>
void put(std::string& out, T x) {
  std::array<char, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), &x, sizeof x);
  out.append(bytes.data(), bytes.size());
}
template <class T>
T get(std::string_view bytes, std::size_t at) {
  T x{};
  std::memcpy(&x, bytes.data() + at, sizeof x);
  return x;
}
std::uint64_t up_to_page(std::uint64_t n) { return (n + page - 1) / page * page; }
std::uint64_t slot(std::uint64_t head, std::uint64_t capacity, std::uint64_t number) {
  return up_to_page(before_head + head) + (number & 1U) * capacity;
}

std::string prelude(std::uint64_t capacity, const std::string& head) {
  std::string out(magic);
  put(out, CheckpointFile::version);
  put(out, std::uint32_t{0});
  put(out, capacity);
  put(out, std::uint64_t{head.size()});
  put(out, checksum(head, checksum(out)));
  return out;
}
std::string record_prelude(std::uint64_t number, std::string_view first, std::string_view second) {
  std::string out;
  put(out, number);
  put(out, std::uint64_t{first.size() + second.size()});
  put(out, checksum(second, checksum(first, checksum(out))));
  return out;
}

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

void write_at(int file, std::uint64_t at, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("write");
    at += static_cast<std::uint64_t>(n);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}
void write_record(int file, std::uint64_t at, std::uint64_t number, std::string_view first, std::string_view second) {
  const std::string begin = record_prelude(number, first, second);
  write_at(file, at, begin);
  write_at(file, at + begin.size(), first);
  write_at(file, at + begin.size() + first.size(), second);
  if (fsync(file) != 0) fail("fsync");
}

// Up to `size` bytes: fewer where the file ends.
std::string read_at(int file, std::uint64_t at, std::uint64_t size) {
  std::string out(size, '\0');
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = pread(file, out.data() + done, out.size() - done, static_cast<off_t>(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  out.resize(done);
  return out;
}

class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (file_ >= 0) close(file_);
  }
  operator int() const { return file_; }
  int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

// False where another process has it.
bool locked(int file) { return flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

// Whether the name still leads to the open file.
bool is_at(int file, const std::string& name) {
  struct stat one {
  }, two{};
  return fstat(file, &one) == 0 && stat(name.c_str(), &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

// number and bytes of a record that is whole
std::optional<std::pair<std::uint64_t, std::string>> read_record(int file, std::uint64_t size, std::uint64_t at) {
  if (at + before_record > size) return std::nullopt;
  const std::string begin = read_at(file, at, before_record);
  if (begin.size() < before_record) return std::nullopt;
  const auto number = get<std::uint64_t>(begin, 0), length = get<std::uint64_t>(begin, 8);
  if (number == 0 || length > size - at - before_record) return std::nullopt;
  std::string record = read_at(file, at + before_record, length);
  if (record.size() != length) return std::nullopt;
  if (checksum(record, checksum(std::string_view(begin).substr(0, 16))) != get<std::uint32_t>(begin, 16)) return std::nullopt;
  return std::pair(number, std::move(record));
}

}  // namespace

CheckpointFile::CheckpointFile(std::string path, std::string head) : path_(std::move(path)), head_(std::move(head)) {}
CheckpointFile::~CheckpointFile() {
  if (fresh_ >= 0) (void)unlink(fresh_path().c_str());
  for (const int file : {file_, lock_, fresh_})
    if (file >= 0) close(file);
}

bool CheckpointFile::lock(bool fresh) {
  for (;;) {
    const bool there = std::filesystem::exists(path_);
    if (!there && !fresh) return false;
    const std::string name = there ? path_ : fresh_path();
    Descriptor file(open(name.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | (there ? 0 : O_CREAT), 0666));
    if (file < 0) return there;  // who reads or writes it says why
    if (!locked(file))
      throw core::InputError(fmt::format("another run writes the checkpoint {}", path_),
                             "wait until it ends, or end it: an interrupt makes it write a last checkpoint");
    // Another run may have ended, or written its first record, before the file was locked.
    if (!is_at(file, name) || std::filesystem::exists(path_) != there) continue;
    (there ? lock_ : fresh_) = file.release();
    return there;
  }
}

void CheckpointFile::write(std::string_view first, std::string_view second) {
  ++number_;
  if (file_ < 0 || before_record + first.size() + second.size() > capacity_) return replace(first, second);
  write_record(file_, slot(head_.size(), capacity_, number_), number_, first, second);
}

// Beside the old file, which stays until the new one is whole; with room for a record that grows a little.
void CheckpointFile::replace(std::string_view first, std::string_view second) {
  const std::uint64_t size = before_record + first.size() + second.size(), capacity = up_to_page(size + size / 4);
  const std::string fresh = fresh_path();
  Descriptor file(fresh_ >= 0 ? std::exchange(fresh_, -1) : open(fresh.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (file < 0 || !locked(file) || ftruncate(file, 0) != 0) fail(fresh);
  write_at(file, 0, prelude(capacity, head_));
  write_at(file, before_head, head_);
  write_record(file, slot(head_.size(), capacity, number_), number_, first, second);
  if (std::rename(fresh.c_str(), path_.c_str()) != 0) fail(path_);
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  const Descriptor names(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (names >= 0) (void)fsync(names);  // some file systems have no such thing
  for (int* old : {&file_, &lock_})
    if (*old >= 0) close(std::exchange(*old, -1));
  file_ = file.release();
  capacity_ = capacity;
}

Checkpoint read_checkpoint(const std::string& path) {
  const auto refuse = [&](const std::string& what, const std::string& hint = {}) {
    throw core::InputError(fmt::format("{}: {}", path, what), hint);
  };
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat about {};
  if (file < 0 || fstat(file, &about) != 0) refuse(fmt::format("cannot open: {}", std::strerror(errno)));
  if (!S_ISREG(about.st_mode)) refuse("is not a file");
  const auto size = static_cast<std::uint64_t>(about.st_size);
  const std::string begin = read_at(file, 0, std::min(size, before_head));
  if (std::string_view(begin).substr(0, magic.size()) != magic) refuse("is not a checkpoint of actio");
  if (begin.size() < before_head) refuse("is cut off in its first line");
  const auto written_by = get<std::uint32_t>(begin, 8);
  if (written_by != CheckpointFile::version)
    refuse(
        fmt::format("is a checkpoint of version {}, and this program reads version {}", written_by, CheckpointFile::version),
        fmt::format("{} actio wrote it: resume with that one", written_by > CheckpointFile::version ? "a later" : "an earlier"));
  const auto capacity = get<std::uint64_t>(begin, 16), length = get<std::uint64_t>(begin, 24);
  if (capacity > most || length > size - before_head) refuse("is damaged: its header is incomplete");
  Checkpoint out;
  out.head = read_at(file, before_head, length);
  if (checksum(out.head, checksum(std::string_view(begin).substr(0, 32))) != get<std::uint32_t>(begin, 32))
    refuse("is damaged: the checksum of its header is wrong");
  auto one = read_record(file, size, slot(length, capacity, 0)), two = read_record(file, size, slot(length, capacity, 1));
  if (!one && !two) refuse("is damaged: neither of its records is complete", "run the problem from the start");
  auto& newer = !one || (two && two->first > one->first) ? two : one;
  // The other slot is empty after a new file took the place of an old one.
  const std::uint64_t other = slot(length, capacity, newer->first + 1);
  out.older = !(one && two) && read_at(file, other, before_record).find_first_not_of('\0') != std::string::npos;
  out.record = std::move(newer->second);
  return out;
}

}  // namespace actio::run
