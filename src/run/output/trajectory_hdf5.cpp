#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "hdf5.hpp"
#include "hdf5_driver.hpp"
#include "hdf5_write.hpp"
#include "output_file.hpp"
#include "room.hpp"
#include "trajectory_formats.hpp"

namespace actio::run {

namespace {

using hdf5::check;

using hdf5::put_names;
using hdf5::put_number;
using hdf5::put_text;

// A table that grows by rows: (N) when width is absent, else (N, width). Rows wait in memory until a block is full.
class Column {
 public:
  Column(hid_t at, const std::string& name, hsize_t width, bool flat) : width_(width), rank_(flat ? 1 : 2) {
    const hsize_t rows = rows_of_chunk(width);
    const hsize_t now[2] = {0, width}, most[2] = {H5S_UNLIMITED, width}, chunk[2] = {rows, std::max<hsize_t>(width, 1)};
    const hdf5::Space space(H5Screate_simple(rank_, now, most), "space");
    const hdf5::Properties how(H5Pcreate(H5P_DATASET_CREATE), "properties");
    check(H5Pset_chunk(how, rank_, chunk), "chunk");
    dataset_ = hdf5::Dataset(H5Dcreate2(at, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT), "dataset");
    block_ = rows * width;
    waiting_.reserve(block_);
  }

  // Chunks of about 64 KiB.
  static hsize_t rows_of_chunk(hsize_t width) { return std::clamp<hsize_t>(8192 / std::max<hsize_t>(width, 1), 1, 4096); }
  hsize_t rows_of_chunk() const { return rows_of_chunk(width_); }
  // At most, of so many rows: whole chunks, and nodes of 4 KiB of the tree that finds them, each of 32 chunks or more but for the
  // last of its level.
  std::int64_t bytes_of(hsize_t rows) const {
    const hsize_t chunks = (rows + rows_of_chunk() - 1) / rows_of_chunk();
    return static_cast<std::int64_t>(chunks * rows_of_chunk() * width_ * sizeof(double) + (chunks / 31 + 4) * 4096);
  }

  void describe(const ObservedColumn& column) const {
    put_text(dataset_, "definition", column.definition);
    put_text(dataset_, "unit", column.unit);
  }
  void add(const double* row) {
    waiting_.insert(waiting_.end(), row, row + width_);
    if (waiting_.size() >= block_) write();
  }

  void write() {
    if (waiting_.empty()) return;
    const hsize_t more = waiting_.size() / width_;
    const hsize_t size[2] = {rows_ + more, width_}, first[2] = {rows_, 0}, count[2] = {more, width_};
    check(H5Dset_extent(dataset_, size), "grow a dataset");
    const hdf5::Space file(H5Dget_space(dataset_), "space");
    check(H5Sselect_hyperslab(file, H5S_SELECT_SET, first, nullptr, count, nullptr), "select");
    const hdf5::Space memory(H5Screate_simple(rank_, count, nullptr), "space");
    check(H5Dwrite(dataset_, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, waiting_.data()), "write a dataset");
    rows_ += more;
    waiting_.clear();
  }

 private:
  hdf5::Dataset dataset_;
  hsize_t width_ = 1, rows_ = 0;
  int rank_;
  std::size_t block_ = 0;
  std::vector<double> waiting_;
};

// The library cannot bear a write that fails: its file does not open any more, and the program crashes as it ends. So the room
// for rows and certificate is taken before rows are accepted (Room), and what was accepted is written whatever becomes of the
// disk. Where a write fails all the same (a broken disk, a file system without promises) the library goes on with a file in
// memory.
class Hdf5 : public Trajectory {
 public:
  Hdf5(const std::string& path, const TrajectoryHeader& header) : path_(path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const hdf5::Properties access(hdf5::careful_access(), "driver");
    file_ = hdf5::File(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), "create the file");
    try {
      if (int code = room_.open(path); code != 0 || (code = room_.hold(size(), size_of(header))) != 0)
        throw hdf5::Error(std::strerror(code));
      make(header);
      put_out();
    } catch (const hdf5::Error&) {
      left_ = true;
      throw;
    }
    made_ = size();
    room_.forget(made_);
    for (const Column& column : columns_) ahead_ = std::min(ahead_, column.rows_of_chunk());
  }
  Hdf5(const Hdf5&) = delete;
  ~Hdf5() override { close(); }

  void observe(const Observation& now) override {
    step_ = now.step;
    t_ = now.state.t;
    if (left_) cannot_write(step_, t_, path_, "an earlier write had failed");
    if (rows_ == paid_)
      if (const int code = pay(rows_ + ahead_); code != 0) cannot_write(step_, t_, path_, std::strerror(code));
    guarded([&] {
      columns_[0].add(&now.state.t);
      columns_[1].add(now.state.q.data());
      columns_[2].add(now.state.v.data());
      columns_[3].add(now.state.p.data());
      columns_[4].add(&now.energy);
      for (std::size_t k = 0; k < now.momentum.size(); ++k) columns_[5 + k].add(&now.momentum[k]);
      Column* next = columns_.data() + 5 + now.momentum.size();
      if (!now.multipliers.empty()) (next++)->add(now.multipliers.data());
      if (now.ledger)
        for (const LedgerColumn& column : ledger_columns) (next++)->add(&(now.ledger->*column.value));
      for (const double& x : now.measured) (next++)->add(&x);
      const double* x = now.observed.data();
      for (const ObservedColumn& column : observed_) {
        (next++)->add(x);
        x += column.elements;
      }
      need_written();
      ++rows_;
      last_ = t_;
    });
  }

  void flush() override {
    if (left_) return;  // it was told
    guarded([&] {
      for (auto& column : columns_) column.write();
      put_out();
    });
    room_.forget(size());  // the library cuts the file off where it ends
    (void)pay(rows_);
    paid_ = rows_;
  }

  void finish(std::string_view certificate, std::span<const Observed> observed) override {
    flush();
    if (!left_) {
      const std::int64_t used = size();
      if (const int code = room_.hold(used, used + room_for(certificate.size()) + room_for(observed)); code != 0)
        cannot_write(step_, t_, path_, fmt::format("{} (of the certificate)", std::strerror(code)));
      guarded([&] {
        for (const Observed& of : observed) put(of);
        put_text(file_, "certificate", std::string(certificate));
        put_out();
      });
    }
    close();
    if (left_) last_ = left_behind();
  }

  std::string remains() const override {
    if (!left_ || !std::isnan(last_)) return rows_until(last_, path_);
    return fmt::format("\"{}\" was not whole when writing failed, and cannot be read", path_);
  }

 private:
  static constexpr std::int64_t for_certificate = 1 << 16;
  // Of an attribute of so many bytes, with what the library takes around it.
  static std::int64_t room_for(std::size_t bytes) { return static_cast<std::int64_t>(bytes) + (1 << 14); }
  static std::int64_t room_for(std::span<const Observed> observed) {
    std::int64_t bytes = 0;
    for (const Observed& of : observed) {
      bytes += room_for(of.definition.size() + of.unit.size());
      for (const auto& reduction : of.reductions)
        for (const Figure& figure : reduction.figures)
          bytes += static_cast<std::int64_t>(figure.values.size() * sizeof(double)) + 4096;
    }
    return bytes;
  }
  void put(const Observed& of) {
    if (observe_ < 0) observe_ = hdf5::Group(H5Gcreate2(file_, "observe", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
    const hdf5::Group group(H5Gcreate2(observe_, of.name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
    put_text(group, "definition", of.definition);
    put_text(group, "unit", of.unit);
    put_number(group, "elements", static_cast<double>(of.elements));
    put_number(group, "times", static_cast<double>(of.times));
    put_number(group, "first", of.first);
    put_number(group, "last", of.last);
    for (const auto& reduction : of.reductions) {
      const hdf5::Group to(H5Gcreate2(group, reduction.name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
      for (const Figure& figure : reduction.figures) {
        const hsize_t n = figure.values.size();
        const hdf5::Space space(figure.list ? H5Screate_simple(1, &n, nullptr) : H5Screate(H5S_SCALAR), "space");
        const hdf5::Dataset d(H5Dcreate2(to, figure.name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                              "dataset");
        if (n > 0) check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, figure.values.data()), "write a dataset");
      }
    }
  }
  // At most, before there are rows.
  static std::int64_t size_of(const TrajectoryHeader& header) {
    std::int64_t bytes = 1 << 16;
    const auto add = [&](const std::vector<std::string>& names, std::int64_t each) {
      for (const std::string& name : names) bytes += static_cast<std::int64_t>(name.size()) + each;
    };
    add(header.coordinates, 64);
    add(header.multipliers, 64);
    add(header.momentum, 4096);
    add(header.measured, 4096);
    for (const ObservedColumn& column : header.observed) bytes += room_for(column.definition.size()) + 8192;
    for (const auto& [name, value] : header.attributes) bytes += room_for(name.size() + value.size());
    return bytes;
  }
  std::int64_t size() const {
    hsize_t bytes = 0;
    check(H5Fget_filesize(file_, &bytes), "size");
    return static_cast<std::int64_t>(bytes);
  }
  // For so many rows, and the certificate. errno, or 0.
  int pay(hsize_t rows) {
    std::int64_t bytes = made_ + for_certificate;
    for (const Column& column : columns_) bytes += column.bytes_of(rows);
    const int code = room_.hold(size(), bytes);
    if (code == 0) paid_ = rows;
    return code;
  }

  void make(const TrajectoryHeader& header) {
    const hsize_t n = header.coordinates.size();
    put_names(file_, "coordinates", header.coordinates);
    if (!header.multipliers.empty()) put_names(file_, "constraints", header.multipliers);
    if (header.smallest_step == header.largest_step) put_number(file_, "step", header.largest_step);
    put_number(file_, "smallest_step", header.smallest_step);
    put_number(file_, "largest_step", header.largest_step);
    for (const auto& [name, value] : header.attributes) put_text(file_, name, value);
    columns_.reserve(6 + ledger_columns.size() + header.momentum.size() + header.measured.size() + header.observed.size());
    columns_.emplace_back(file_, "t", 1, true);
    for (const char* name : {"q", "v", "p"}) columns_.emplace_back(file_, name, n, false);
    columns_.emplace_back(file_, "energy", 1, true);
    momentum_ = hdf5::Group(H5Gcreate2(file_, "momentum", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
    for (std::string name : header.momentum) {
      std::replace(name.begin(), name.end(), '/', '_');  // a slash is a level of the file
      columns_.emplace_back(momentum_, name, 1, true);
    }
    if (!header.multipliers.empty()) columns_.emplace_back(file_, "multipliers", header.multipliers.size(), false);
    if (header.ledger) {
      ledger_ = hdf5::Group(H5Gcreate2(file_, "ledger", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
      for (const LedgerColumn& column : ledger_columns) columns_.emplace_back(ledger_, column.name, 1, true);
    }
    for (const std::string& name : header.measured) {  // "reaction/clamp.x"
      const std::size_t slash = name.find('/');
      const std::string group = name.substr(0, slash);
      std::string rest = name.substr(slash + 1);
      std::replace(rest.begin(), rest.end(), '/', '_');
      if (!measured_.contains(group))
        measured_[group] = hdf5::Group(H5Gcreate2(file_, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
      columns_.emplace_back(measured_[group], rest, 1, true);
    }
    observed_ = header.observed;
    if (!observed_.empty()) observe_ = hdf5::Group(H5Gcreate2(file_, "observe", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
    for (const ObservedColumn& column : observed_) {
      columns_.emplace_back(observe_, column.name, static_cast<hsize_t>(column.elements), column.elements == 1);
      columns_.back().describe(column);
    }
  }
  template <class F>
  void guarded(F&& f) {
    try {
      f();
    } catch (const hdf5::Error& e) {
      const std::string why = e.what();
      left_ = true;
      cannot_write(step_, t_, path_, why);
    }
  }

  // All that the library has, to the disk.
  void put_out() {
    check(H5Fflush(file_, H5F_SCOPE_LOCAL), "flush");
    need_written();
  }
  void need_written() const {
    if (const int code = hdf5::failed_write(file_); code != 0) throw hdf5::Error(std::strerror(code));
  }

  void close() noexcept {
    if (file_ < 0) return;
    hsize_t bytes = 0;
    if (!left_) {
      try {
        for (auto& column : columns_) column.write();
        put_out();
      } catch (const hdf5::Error&) { left_ = true; }
      (void)H5Fget_filesize(file_, &bytes);
    }
    columns_.clear();
    measured_.clear();
    momentum_ = {};
    ledger_ = {};
    observe_ = {};
    file_ = {};
    if (!left_) room_.give_back(static_cast<std::int64_t>(bytes));
  }

  // The time of the last row that a reader finds in the file that was left; not a number where there is none.
  double left_behind() const noexcept {
    try {
      const hdf5::File file(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "open");
      const hdf5::Dataset t(H5Dopen2(file, "t", H5P_DEFAULT), "t"), q(H5Dopen2(file, "q", H5P_DEFAULT), "q");
      const hsize_t rows = rows_of(t), whole = std::min(rows, rows_of(q));
      std::vector<double> times(rows);
      if (rows > 0) check(H5Dread(t, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times.data()), "read");
      if (whole > 0) return times[whole - 1];
    } catch (const std::exception&) {}
    return std::numeric_limits<double>::quiet_NaN();
  }
  static hsize_t rows_of(hid_t dataset) {
    const hdf5::Space space(H5Dget_space(dataset), "space");
    hsize_t size[2] = {0, 0};
    check(H5Sget_simple_extent_dims(space, size, nullptr), "size");
    return size[0];
  }

  std::string path_;
  hdf5::File file_;
  hdf5::Group momentum_, ledger_, observe_;
  std::vector<ObservedColumn> observed_;
  std::map<std::string, hdf5::Group> measured_;
  std::vector<Column> columns_;
  Room room_;
  std::int64_t made_ = 0;                       // bytes without rows
  hsize_t rows_ = 0, paid_ = 0, ahead_ = 4096;  // accepted; that there is room for; paid for at once
  bool left_ = false;                           // the library's file is not on the disk any more
  long step_ = 0;
  double t_ = 0, last_ = std::numeric_limits<double>::quiet_NaN();  // the last row accepted
};

}  // namespace

std::unique_ptr<Trajectory> open_hdf5(const std::string& path, const TrajectoryHeader& header) {
  // The library's own messages for a file that cannot be made are long; the system's say it.
  if (!std::ofstream(path, std::ios::app))
    throw core::InputError(fmt::format("cannot write \"{}\": {}", path, std::generic_category().message(errno)));
  try {
    return std::make_unique<Hdf5>(path, header);
  } catch (const hdf5::Error& e) { throw core::InputError(fmt::format("cannot write \"{}\": {}", path, e.what())); }
}

}  // namespace actio::run
