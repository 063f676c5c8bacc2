#include "output_file.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <actio/core/error.hpp>

namespace actio::run {

namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw core::InputError(fmt::format("cannot write \"{}\": {}", path, std::strerror(errno)));
}

}  // namespace

void cannot_write(long step, double t, const std::string& path, std::string_view why) {
  throw core::RunError(step, t, fmt::format("cannot write \"{}\": {}", path, why), advice_to_write);
}

void not_the_output(const std::string& path) {
  throw core::InputError(fmt::format("\"{}\" is not the output that the run had written when it was saved", path));
}

std::string rows_until(double t, const std::string& path) {
  if (std::isnan(t)) return fmt::format("no row is in \"{}\"", path);
  return fmt::format("the rows until t = {:.6g} are in \"{}\"", t, path);
}

OutputFile::OutputFile(std::string path, bool again) : path_(std::move(path)) {
  file_ = open(path_.c_str(), (again ? O_RDWR : O_WRONLY | O_CREAT | O_TRUNC) | O_CLOEXEC, 0666);
  if (file_ < 0) refuse(path_);
}

OutputFile::~OutputFile() {
  if (file_ < 0) return;
  if (failed_ == 0) (void)write();
  ::close(file_);
}

void OutputFile::cut_back(std::int64_t bytes) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path_, error);
  if (error || size < static_cast<std::uintmax_t>(bytes)) not_the_output(path_);
  if (ftruncate(file_, bytes) != 0 || lseek(file_, bytes, SEEK_SET) != bytes) refuse(path_);
  size_ = bytes;
}

std::string OutputFile::read(std::int64_t at, std::size_t size) {
  std::string out(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = pread(file_, out.data() + done, size - done, at + static_cast<std::int64_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  out.resize(done);
  return out;
}

void OutputFile::add(std::string_view bytes, bool observed) {
  if (failed_ != 0) fail(failed_);
  waiting_ += bytes;
  rows_.push_back({waiting_.size(), observed ? t_ : last_});
  if (waiting_.size() > 1 << 16) flush();
}

int OutputFile::write() {
  std::size_t done = 0;
  while (done < waiting_.size()) {
    const ssize_t n = ::write(file_, waiting_.data() + done, waiting_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      failed_ = n < 0 ? errno : ENOSPC;
      break;
    }
    done += static_cast<std::size_t>(n);
  }
  std::size_t whole = 0;
  for (const Row& row : rows_) {
    if (row.end > done) break;
    whole = row.end;
    last_ = row.t;
  }
  size_ += static_cast<std::int64_t>(whole);
  waiting_.clear();
  rows_.clear();
  if (whole < done) (void)!ftruncate(file_, size_);  // a pipe or a device keeps what it has
  return failed_;
}

void OutputFile::flush() {
  if (const int code = failed_ != 0 ? failed_ : write(); code != 0) fail(code);
}

std::int64_t OutputFile::sync() {
  flush();
  if (fsync(file_) != 0 && errno != EINVAL && errno != ENOTSUP) fail(failed_ = errno);  // a pipe has no such thing
  return size_;
}

int OutputFile::overwrite(std::int64_t at, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(file_, bytes.data(), bytes.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    at += n;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

void OutputFile::close() {
  flush();
  const int code = ::close(std::exchange(file_, -1)) == 0 || errno == EINTR ? 0 : errno;
  if (code != 0) fail(failed_ = code);
}

void OutputFile::fail(int code) const { cannot_write(step_, t_, path_, std::strerror(code)); }

std::string OutputFile::remains() const { return rows_until(last_, path_); }

}  // namespace actio::run
