#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "output_file.hpp"
#include "trajectory_formats.hpp"

namespace actio::run {

namespace {

constexpr double akma_time = 0.0488882129;  // sqrt(amu angstrom^2 / (kcal/mol)), as CHARMM has it [ps]
constexpr std::int64_t largest_integer = std::numeric_limits<std::int32_t>::max();

// Numbers in little endian.
template <class T>
void put_little(std::string& out, T x) {
  std::array<char, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), &x, sizeof x);
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  out.append(bytes.data(), bytes.size());
}
void put_integer(std::string& out, std::int64_t x) {
  put_little(out, static_cast<std::int32_t>(std::clamp(x, -largest_integer, largest_integer)));
}
std::int32_t integer_at(std::string_view bytes, std::size_t at) {
  std::uint32_t x = 0;
  for (std::size_t k = 4; k-- > 0;) x = x << 8U | static_cast<unsigned char>(bytes[at + k]);
  return std::bit_cast<std::int32_t>(x);
}

// 80 characters of ASCII, blanks behind.
std::string title_record(const std::string& text) {
  std::string out;
  for (const char c : text.substr(0, 80))
    if ((c & 0xC0) != 0x80) out += c >= ' ' && c < 127 ? c : '?';  // one for a character of several bytes
  out.resize(80, ' ');
  return out;
}

// The records of Fortran programs: bytes between two counts of them. A head, and for each frame, all of the same size:
//   (48   A, cos gamma, B, cos beta, cos alpha, C of the box, double precision   48)
//   4 n   x of n points, single precision   4 n,   the same of y and z
// The head counts the frames, and is written again when there are more of them. Readers go by this count or by the size of the
// file: both are right after a flush, and after a kill there may be more frames than the head counts.
class DcdFile : public Trajectory {
 public:
  DcdFile(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes)
      : file_(path, bytes >= 0),
        atoms_(header.atoms),
        titles_{title_record("Created by Actio " + attribute_of(header, "version")), title_record(attribute_of(header, "title"))},
        every_(std::max(header.every, 1L)) {
    if (header.every > 0 && header.smallest_step == header.largest_step && header.largest_step != 0) {
      step_ = header.largest_step;
      first_ = static_cast<std::int64_t>(std::clamp(std::round(header.start / step_), -static_cast<double>(largest_integer),
                                                    static_cast<double>(largest_integer)));
      if (atoms_.named_units()) step_ *= atoms_.time / akma_time;
    }
    head_size_ = static_cast<std::int64_t>(head(0).size());
    const auto n = static_cast<std::int64_t>(atoms_.labels.size());
    frame_size_ = (atoms_.in_box() ? 6 * 8 + 8 : 0) + 3 * (4 * n + 8);
    bytes >= 0 ? go_on(bytes) : file_.head(head(0));
  }
  DcdFile(const DcdFile&) = delete;
  ~DcdFile() override {
    try {
      flush();
    } catch (const core::RunError&) {}
  }

  void observe(const Observation& now) override {
    file_.reached(now);
    frame_.clear();
    if (atoms_.in_box()) {
      put_integer(frame_, 48);
      for (const double x : {atoms_.box[0], 0.0, atoms_.box[1], 0.0, 0.0, atoms_.box[2]}) put_little(frame_, atoms_.scale * x);
      put_integer(frame_, 48);
    }
    const auto size = static_cast<std::int64_t>(4 * atoms_.labels.size());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      put_integer(frame_, size);
      for (const auto& point : atoms_.coordinates) {
        const std::int32_t i = point[axis];
        put_little(frame_, static_cast<float>(i < 0 ? 0.0 : atoms_.scale * now.state.q[i]));
      }
      put_integer(frame_, size);
    }
    counted([&] { file_.row(frame_); });
  }

  void flush() override {
    counted([&] { file_.flush(); });
  }
  void finish(std::string_view, std::span<const Observed>) override {
    flush();
    file_.close();
  }
  std::int64_t sync() override {
    flush();
    return file_.sync();
  }
  std::string remains() const override { return file_.remains(); }

 private:
  // A file of so many frames. Numbers that need more than 32 bits are those of fewer, larger steps, as OpenMM does.
  std::string head(std::int64_t frames) const {
    std::int64_t first = first_, every = every_;
    double step = step_;
    if (every > 1 && first + frames * every > largest_integer) {
      first /= every;
      step *= static_cast<double>(every);
      every = 1;
    }
    std::string out;
    put_integer(out, 84);
    out += "CORD";
    put_integer(out, frames);                                                 // NSET
    put_integer(out, first);                                                  // ISTART: of the first frame
    put_integer(out, every);                                                  // NSAVC
    put_integer(out, first + std::max<std::int64_t>(frames - 1, 0) * every);  // NSTEP: of the last
    for (int k = 4; k < 9; ++k) put_integer(out, 0);
    put_little(out, static_cast<float>(step));  // DELTA
    put_integer(out, atoms_.in_box() ? 1 : 0);  // there are boxes
    for (int k = 11; k < 19; ++k) put_integer(out, 0);
    put_integer(out, 24);  // as of CHARMM 24
    put_integer(out, 84);
    put_integer(out, 164);
    put_integer(out, 2);
    out += titles_[0] + titles_[1];
    put_integer(out, 164);
    put_integer(out, 4);
    put_integer(out, static_cast<std::int64_t>(atoms_.labels.size()));
    put_integer(out, 4);
    return out;
  }

  // Behind the bytes that were safe, if the head is that of this run and a frame ends there.
  void go_on(std::int64_t bytes) {
    const std::string there = file_.read(0, static_cast<std::size_t>(head_size_));
    const bool known = bytes >= head_size_ && (bytes - head_size_) % frame_size_ == 0 &&
                       there.size() == static_cast<std::size_t>(head_size_) && there == head(integer_at(there, 8));
    if (!known) not_the_output(file_.path());
    file_.cut_back(bytes);
    counted_ = integer_at(there, 8);
    if (const int code = count(); code != 0) file_.fail(code);
  }

  // The number of frames in the file into its head. errno, or 0.
  int count() {
    const std::int64_t frames = (file_.size() - head_size_) / frame_size_;
    if (file_.size() < head_size_ || frames == counted_) return 0;
    const int code = file_.overwrite(0, head(frames));
    counted_ = frames;
    return code == ESPIPE ? 0 : code;  // a pipe has the frames alone
  }
  template <class F>
  void counted(F&& write) {
    try {
      write();
    } catch (const core::RunError&) {
      (void)count();
      throw;
    }
    if (const int code = count(); code != 0) file_.fail(code);
  }

  OutputFile file_;
  Atoms atoms_;
  std::array<std::string, 2> titles_;
  std::int64_t first_ = 0, every_ = 1;  // number of the first frame's step from t = 0; steps between frames
  double step_ = 0;                     // in AKMA units where the problem has units; 0 where steps differ
  std::int64_t head_size_ = 0, frame_size_ = 0, counted_ = 0;
  std::string frame_;
};

}  // namespace

std::unique_ptr<Trajectory> open_dcd(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes) {
  return std::make_unique<DcdFile>(path, header, bytes);
}

}  // namespace actio::run
