#include "output_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

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

OutputFile::OutputFile(std::string path, bool again) : path_(std::move(path)) {
  file_.reset(std::fopen(path_.c_str(), again ? "r+b" : "wb"));
  if (!file_) refuse(path_);
}

void OutputFile::cut_back(std::int64_t bytes) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path_, error);
  if (error || size < static_cast<std::uintmax_t>(bytes)) not_the_output(path_);
  if (ftruncate(fileno(file_.get()), bytes) != 0 || std::fseek(file_.get(), 0, SEEK_END) != 0) refuse(path_);
}

std::string OutputFile::read(std::int64_t at, std::size_t size) {
  std::string out(size, '\0');
  out.resize(std::fseek(file_.get(), at, SEEK_SET) == 0 ? std::fread(out.data(), 1, size, file_.get()) : 0);
  return out;
}

bool OutputFile::put(std::string_view bytes) { return std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size(); }

void OutputFile::flush() {
  if (std::fflush(file_.get()) != 0) fail();
}

std::int64_t OutputFile::sync() {
  flush();
  if (fsync(fileno(file_.get())) != 0 && errno != EINVAL && errno != ENOTSUP) fail();  // a pipe has no such thing
  return std::ftell(file_.get());
}

void OutputFile::fail() const { cannot_write(step_, t_, path_, std::strerror(errno)); }

}  // namespace actio::run
