#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <optional>
#include <string_view>
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

bool takes_digits(std::string_view& text, std::size_t least) {
  const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count >= least;
}

// What cannot be written, and why; "" where it can.
std::string cannot(const fs::path& path, int code) {
  return code == 0 ? "" : fmt::format("cannot write \"{}\": {}", path.string(), std::strerror(code));
}

int write_file(const fs::path& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  if (!out) return std::max(errno, 1);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  return out ? 0 : std::max(errno, 1);
}

// Waits until the file is on the disk.
std::string settle(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return cannot(path, errno);
  const int code = ::fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
  ::close(file);
  return cannot(path, code);
}

class Pvd : public Trajectory {
 public:
  Pvd(const std::string& path, const TrajectoryHeader& header, std::int64_t frames)
      : path_(path),
        stem_(fs::path(path).stem().string()),
        folder_(fs::path(path).parent_path() / stem_),
        process_(header.pieces.process),
        processes_(header.pieces.processes),
        first_error_(header.pieces.first_error) {
    const auto all_do = [&](bool mine, auto&& f) {
      if (const std::string why = agreed([&] { return mine ? f() : std::string(); }); !why.empty()) throw core::InputError(why);
    };
    all_do(true, [&] { return frames < 0 ? std::string() : go_on(frames); });
    all_do(first(), [&] { return begin(frames < 0); });
    const auto make = [&] {
      frames_.emplace(header.solids, header.model, header.compile, header.pieces);
      return std::string();
    };
    all_do(first(), make);  // it leaves its kernels where the others find them
    all_do(!first(), make);
  }

  void observe(const Observation& now) override {
    step_ = now.step;
    t_ = now.state.t;
    const std::string name = frame(count_), mine = processes_ > 1 ? piece(count_, process_) : name;
    all_write([&] { return cannot(folder_ / mine, frames_->write((folder_ / mine).string(), t_, now.state.q, now.state.v)); });
    if (processes_ > 1) all_write([&] { return first() ? cannot(folder_ / name, write_file(folder_ / name, pieces())) : ""; });
    last_ = t_;
    fmt::format_to(std::back_inserter(list_), "<DataSet timestep=\"{}\" part=\"0\" file=\"{}/{}\"/>\n", t_, attribute_text(stem_),
                   attribute_text(name));
    if (++count_ == 1) flush();
  }

  void flush() override {
    all_write([&] { return first() ? write_list() : ""; });
  }
  void finish(std::string_view, std::span<const Observed>) override { flush(); }
  std::string remains() const override {
    if (!listed_) return fmt::format("\"{}\" lists the frames that were whole about a second before", path_);
    if (count_ == 0) return fmt::format("no frame is in \"{}\"", path_);
    return fmt::format("the frames until t = {:.6g} are in \"{}\"", last_, path_);
  }
  // Frames, in place of bytes.
  std::int64_t sync() override {
    all_write([&] {
      std::string why;
      for (; safe_ < count_ && why.empty(); ++safe_) {
        if (processes_ > 1) why = settle(folder_ / piece(safe_, process_));
        if (why.empty() && first()) why = settle(folder_ / frame(safe_));
      }
      return why;
    });
    all_write([&] {
      if (!first()) return std::string();
      const std::string why = write_list();
      return why.empty() ? settle(path_) : why;
    });
    return count_;
  }

 private:
  bool first() const { return process_ == 0; }
  std::string frame(long k) const { return fmt::format("{}_{:06}.{}", stem_, k, processes_ > 1 ? "pvtu" : "vtu"); }
  std::string piece(long k, long process) const { return fmt::format("{}_{:06}_p{:04}.vtu", stem_, k, process); }
  std::string pieces() const {
    std::vector<std::string> names;
    for (long p = 0; p < processes_; ++p) names.push_back(piece(count_, p));
    return frames_->list_of(names);
  }

  // f(), and what it says is wrong, or what another process says; "" where all went well.
  template <class F>
  std::string agreed(F&& f) const {
    if (processes_ == 1) return f();
    std::string why;
    try {
      why = f();
    } catch (const std::bad_alloc&) { why = "out of memory"; } catch (const core::InputError& e) {
      why = core::words(e.diagnostic());
    } catch (const std::exception& e) { why = e.what(); }
    return first_error_(why);
  }
  template <class F>
  void all_write(F&& f) {
    const std::string why = agreed(f);
    if (why.empty()) return;
    drop_unlisted();
    throw core::RunError(step_, t_, why, advice_to_write);
  }
  // What there is of a frame that is not whole makes room for the list of those that are.
  void drop_unlisted() {
    std::error_code ignored;
    fs::remove(folder_ / (processes_ > 1 ? piece(count_, process_) : frame(count_)), ignored);
    if (first() && processes_ > 1) fs::remove(folder_ / frame(count_), ignored);
    if (first()) listed_ = write_list().empty();
  }

  // Behind the frames that were listed; those after them are written again.
  std::string go_on(std::int64_t frames) {
    std::ifstream in(path_, std::ios::binary);
    for (std::string line; count_ < frames && std::getline(in, line);) {
      if (!line.starts_with("<DataSet ")) continue;
      fmt::format_to(std::back_inserter(list_), "{}\n", line);
      ++count_;
    }
    safe_ = count_;
    if (count_ != frames) not_the_output(path_);
    return "";
  }
  // The list as it is now, then no file in the folder of a frame that is not in it.
  std::string begin(bool fresh) const {
    std::error_code error;
    if (fresh) fs::create_directory(folder_, error);
    if (error) return cannot(path_, error.value());
    std::vector<fs::path> stale;
    for (auto entry = fs::directory_iterator(folder_, error); !error && entry != fs::directory_iterator(); entry.increment(error))
      if (frame_of(entry->path().filename().string(), stem_) >= count_) stale.push_back(entry->path());
    if (error) return cannot(path_, error.value());
    if (std::string why = write_list(); !why.empty()) return why;
    for (const auto& frame : stale) fs::remove(frame, error);
    return "";
  }
  // All of it beside the old one, then in its place: a reader finds the old list or the new one.
  std::string write_list() const {
    const std::string next = next_list(path_);
    constexpr std::string_view head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
    int code =
        write_file(next, fmt::format("{}{}</Collection>\n</VTKFile>\n", head, std::string_view(list_.data(), list_.size())));
    if (code == 0 && std::rename(next.c_str(), path_.c_str()) != 0) code = errno;
    if (code != 0) (void)std::remove(next.c_str());
    return cannot(path_, code);
  }

  std::string path_, stem_;
  fs::path folder_;
  long process_, processes_;
  std::function<std::string(const std::string&)> first_error_;
  std::optional<VtuFrames> frames_;
  fmt::memory_buffer list_;  // an element a frame
  long safe_ = 0;            // of them on the disk
  long count_ = 0, step_ = 0;
  double t_ = 0, last_ = 0;  // the last frame's
  bool listed_ = true;       // all of them
};

}  // namespace

long frame_of(std::string_view name, const std::string& stem) {
  if (!name.starts_with(stem + "_")) return -1;
  name.remove_prefix(stem.size() + 1);
  const std::string_view number = name;
  if (!takes_digits(name, 6)) return -1;
  const std::string_view after = name;
  if (name.starts_with("_p")) {
    name.remove_prefix(2);
    if (!takes_digits(name, 4)) return -1;
  }
  if (name != ".vtu" && after != ".pvtu") return -1;
  long k = -1;
  std::from_chars(number.data(), number.data() + number.size(), k);
  return k;
}

std::unique_ptr<Trajectory> open_pvd(const std::string& path, const TrajectoryHeader& header, std::int64_t frames) {
  if (header.solids.empty())
    throw core::InputError(fmt::format("cannot write \"{}\": the problem has no solid", path),
                           "PVD files show meshes; .h5 and .csv hold the coordinates of any problem");
  return std::make_unique<Pvd>(path, header, frames);
}

}  // namespace actio::run
