#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <actio/core/error.hpp>

#include "output_file.hpp"
#include "trajectory_formats.hpp"
#include "vtu.hpp"

namespace actio::run {
namespace {

namespace fs = std::filesystem;

// <stem>_<digits>.vtu
bool is_frame(const std::string& name, const std::string& stem) {
  constexpr std::string_view end = ".vtu";
  if (!name.starts_with(stem + "_") || !name.ends_with(end) || name.size() < stem.size() + 1 + 6 + end.size()) return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(stem.size() + 1),
                     name.end() - static_cast<std::ptrdiff_t>(end.size()), [](char c) { return c >= '0' && c <= '9'; });
}

class Pvd : public Trajectory {
 public:
  Pvd(const std::string& path, const TrajectoryHeader& header, std::int64_t frames)
      : path_(path),
        stem_(fs::path(path).stem().string()),
        folder_(fs::path(path).parent_path() / stem_),
        frames_(header.solids, header.model ? std::make_unique<system::CellStress>(*header.model, header.compile) : nullptr) {
    const auto check = [&](const std::error_code& error) {
      if (error) throw core::InputError(fmt::format("cannot write \"{}\": {}", path, error.message()));
    };
    if (frames >= 0) {
      go_on(frames);
      return;
    }
    std::error_code error;
    fs::create_directory(folder_, error);
    check(error);
    for (auto entry = fs::directory_iterator(folder_, error); !error && entry != fs::directory_iterator(); entry.increment(error))
      if (is_frame(entry->path().filename().string(), stem_)) stale_.push_back(entry->path());
    check(error);
    if (const int code = write_list()) check({code, std::generic_category()});
    for (const auto& frame : stale_) fs::remove(frame, error);
  }

  void observe(const Observation& now) override {
    step_ = now.step;
    t_ = now.state.t;
    const std::string name = frame(count_);
    if (const int code = frames_.write((folder_ / name).string(), t_, now.state.q, now.state.v)) fail(folder_ / name, code);
    fmt::format_to(std::back_inserter(list_), "<DataSet timestep=\"{}\" part=\"0\" file=\"{}/{}\"/>\n", t_, attribute_text(stem_),
                   attribute_text(name));
    if (++count_ == 1) flush();
  }

  void flush() override {
    if (const int code = write_list()) fail(path_, code);
  }
  void finish(std::string_view) override { flush(); }
  // Frames, in place of bytes.
  std::int64_t sync() override {
    for (; safe_ < count_; ++safe_) settle(folder_ / frame(safe_));
    flush();
    settle(path_);
    return count_;
  }

 private:
  std::string frame(long k) const { return fmt::format("{}_{:06}.vtu", stem_, k); }

  // Waits until the file is on the disk.
  void settle(const fs::path& path) const {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail(path, errno);
    const int code = ::fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    ::close(file);
    if (code != 0) fail(path, code);
  }

  // Behind the frames that were listed; those after them are written again.
  void go_on(std::int64_t frames) {
    std::ifstream in(path_, std::ios::binary);
    for (std::string line; count_ < frames && std::getline(in, line);) {
      if (!line.starts_with("<DataSet ")) continue;
      fmt::format_to(std::back_inserter(list_), "{}\n", line);
      ++count_;
    }
    safe_ = count_;
    if (count_ != frames) not_the_output(path_);
  }
  // All of it beside the old one, then in its place: a reader finds the old list or the new one.
  int write_list() const {
    const std::string next = path_ + ".new";
    {
      std::ofstream out(next, std::ios::binary);
      if (!out) return std::max(errno, 1);
      out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
      out.write(list_.data(), static_cast<std::streamsize>(list_.size()));
      out << "</Collection>\n</VTKFile>\n";
      out.close();
      if (!out) return std::max(errno, 1);
    }
    return std::rename(next.c_str(), path_.c_str()) == 0 ? 0 : errno;
  }

  [[noreturn]] void fail(const fs::path& path, int code) const { cannot_write(step_, t_, path.string(), std::strerror(code)); }

  std::string path_, stem_;
  fs::path folder_;
  VtuFrames frames_;
  std::vector<fs::path> stale_;  // of an earlier run
  fmt::memory_buffer list_;      // an element a frame
  long safe_ = 0;                // of them on the disk
  long count_ = 0, step_ = 0;
  double t_ = 0;
};

}  // namespace

std::unique_ptr<Trajectory> open_pvd(const std::string& path, const TrajectoryHeader& header, std::int64_t frames) {
  if (header.solids.empty())
    throw core::InputError(fmt::format("cannot write \"{}\": the problem has no solid", path),
                           "PVD files show meshes; .h5 and .csv hold the coordinates of any problem");
  return std::make_unique<Pvd>(path, header, frames);
}

}  // namespace actio::run
