#include <iterator>

#include <fmt/format.h>

#include "output_file.hpp"
#include "trajectory_formats.hpp"

namespace actio::run {

namespace {

// A frame an observation: the number of atoms, a comment of key=value, and a label and a place for each.
class XyzFile : public Trajectory {
 public:
  XyzFile(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes)
      : file_(path, bytes >= 0), atoms_(header.atoms) {
    if (atoms_.in_box()) {  // as extended XYZ has it, in the units of the places
      const auto [x, y, z] = atoms_.box;
      lattice_ = fmt::format(" Lattice=\"{} 0 0 0 {} 0 0 0 {}\"", atoms_.scale * x, atoms_.scale * y, atoms_.scale * z);
      if (x * y * z == 0)  // space goes on along an axis
        lattice_ += fmt::format(" pbc=\"{} {} {}\"", x > 0 ? 'T' : 'F', y > 0 ? 'T' : 'F', z > 0 ? 'T' : 'F');
    }
    if (bytes >= 0) go_on(bytes);
  }

  void observe(const Observation& now) override {
    file_.reached(now);
    buffer_.clear();
    const auto out = std::back_inserter(buffer_);
    fmt::format_to(out, "{}\nt={} energy={}{}{}\n", atoms_.labels.size(), now.state.t, now.energy, lattice_,
                   atoms_.units.empty() ? "" : " " + atoms_.units);
    for (std::size_t k = 0; k < atoms_.labels.size(); ++k) {
      fmt::format_to(out, "{}", atoms_.labels[k]);
      for (const std::int32_t i : atoms_.coordinates[k]) fmt::format_to(out, " {}", i < 0 ? 0.0 : atoms_.scale * now.state.q[i]);
      buffer_.push_back('\n');
    }
    file_.row({buffer_.data(), buffer_.size()});
  }

  void flush() override { file_.flush(); }
  void finish(std::string_view, std::span<const Observed>) override { file_.close(); }
  std::int64_t sync() override { return file_.sync(); }
  std::string remains() const override { return file_.remains(); }

 private:
  // Behind the bytes that were safe, if it has as many atoms and a line ends there.
  void go_on(std::int64_t bytes) {
    const std::string count = fmt::format("{}\n", atoms_.labels.size());
    const bool known = bytes == 0 || (file_.read(0, count.size()) == count && file_.read(bytes - 1, 1) == "\n");
    if (!known) not_the_output(file_.path());
    file_.cut_back(bytes);
  }

  OutputFile file_;
  Atoms atoms_;
  std::string lattice_;
  fmt::memory_buffer buffer_;
};

}  // namespace

std::unique_ptr<Trajectory> open_xyz(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes) {
  return std::make_unique<XyzFile>(path, header, bytes);
}

}  // namespace actio::run
