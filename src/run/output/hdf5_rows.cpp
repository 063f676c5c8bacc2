#include "hdf5_rows.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "hdf5_driver.hpp"
#include "hdf5_write.hpp"
#include "output_file.hpp"

namespace actio::run::hdf5 {

namespace {

constexpr std::int64_t for_certificate = 1 << 16;

// Chunks of about 64 KiB.
hsize_t rows_of_chunk_of(hsize_t width) { return std::clamp<hsize_t>(8192 / std::max<hsize_t>(width, 1), 1, 4096); }

std::string name_of(hid_t object) {
  std::string name(static_cast<std::size_t>(std::max<ssize_t>(H5Iget_name(object, nullptr, 0), 0)), '\0');
  (void)H5Iget_name(object, name.data(), name.size() + 1);
  return name;
}

hsize_t rows_in(hid_t dataset) {
  const Space space(H5Dget_space(dataset), "space");
  hsize_t size[H5S_MAX_RANK] = {0};
  check(H5Sget_simple_extent_dims(space, size, nullptr), "size");
  return size[0];
}

}  // namespace

Column::Column(hid_t at, const std::string& name, const std::vector<hsize_t>& shape, hid_t type) : size_{0} {
  for (const hsize_t n : shape) {
    size_.push_back(n);
    width_ *= n;
  }
  std::vector<hsize_t> most = size_, chunk = size_;
  most[0] = H5S_UNLIMITED;
  chunk[0] = rows_of_chunk();
  for (hsize_t& n : chunk) n = std::max<hsize_t>(n, 1);
  const auto rank = static_cast<int>(size_.size());
  const Space space(H5Screate_simple(rank, size_.data(), most.data()), "space");
  const Properties how(H5Pcreate(H5P_DATASET_CREATE), "properties");
  check(H5Pset_chunk(how, rank, chunk.data()), "chunk");
  dataset_ = Dataset(H5Dcreate2(at, name.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT), "dataset");
  waiting_.reserve(rows_of_chunk() * width_);
}

hsize_t Column::rows_of_chunk() const { return rows_of_chunk_of(width_); }

// Whole chunks, and nodes of 4 KiB of the tree that finds them, each of 32 chunks or more but for the last of its level.
std::int64_t Column::bytes_of(hsize_t rows) const {
  const hsize_t chunks = (rows + rows_of_chunk() - 1) / rows_of_chunk();
  return static_cast<std::int64_t>(chunks * rows_of_chunk() * width_ * sizeof(double) + (chunks / 31 + 4) * 4096);
}

void Column::add(const double* row) {
  waiting_.insert(waiting_.end(), row, row + width_);
  if (waiting_.size() >= rows_of_chunk() * width_) write();
}

void Column::write() {
  if (waiting_.empty()) return;
  std::vector<hsize_t> first(size_.size()), count = size_;
  first[0] = size_[0];
  count[0] = waiting_.size() / width_;
  std::vector<hsize_t> grown = size_;
  grown[0] += count[0];
  check(H5Dset_extent(dataset_, grown.data()), "grow a dataset");
  const Space file(H5Dget_space(dataset_), "space");
  check(H5Sselect_hyperslab(file, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr), "select");
  const Space memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), "space");
  check(H5Dwrite(dataset_, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, waiting_.data()), "write a dataset");
  size_ = grown;
  waiting_.clear();
}

RowFile::RowFile(std::string path, std::int64_t bytes, const std::function<void(RowFile&)>& make) : path_(std::move(path)) {
  // The library's own messages for a file that cannot be made are long; the system's say it.
  if (!std::ofstream(path_, std::ios::app))
    throw core::InputError(fmt::format("cannot write \"{}\": {}", path_, std::generic_category().message(errno)));
  try {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const Properties access(careful_access(), "driver");
    file_ = File(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), "create the file");
    if (int code = room_.open(path_); code != 0 || (code = room_.hold(size(), bytes)) != 0) throw Error(std::strerror(code));
    make(*this);
    put_out();
    made_ = size();
  } catch (const Error& e) {
    left_ = true;
    close();
    throw core::InputError(fmt::format("cannot write \"{}\": {}", path_, e.what()));
  }
  room_.forget(made_);
  for (const Column& column : columns_) {
    ahead_ = std::min(ahead_, column.rows_of_chunk());
    names_.push_back(name_of(column.dataset()));
  }
}

hid_t RowFile::group(hid_t at, const std::string& name) {
  groups_.emplace_back(H5Gcreate2(at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
  return groups_.back();
}

hid_t RowFile::column(hid_t at, const std::string& name, const std::vector<hsize_t>& shape, hid_t type) {
  columns_.emplace_back(at, name, shape, type);
  return columns_.back().dataset();
}

template <class F>
void RowFile::guarded(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    const std::string why = e.what();
    left_ = true;
    cannot_write(step_, t_, path_, why);
  }
}

void RowFile::row(const Observation& now, std::span<const double* const> values) {
  assert(values.size() == columns_.size());
  step_ = now.step;
  t_ = now.state.t;
  if (left_) cannot_write(step_, t_, path_, "an earlier write had failed");
  if (rows_ == paid_)
    if (const int code = pay(rows_ + ahead_); code != 0) cannot_write(step_, t_, path_, std::strerror(code));
  guarded([&] {
    for (std::size_t k = 0; k < values.size(); ++k) columns_[k].add(values[k]);
    need_written();
    ++rows_;
    last_ = t_;
  });
}

void RowFile::flush() {
  if (left_) return;  // it was told
  guarded([&] {
    for (auto& column : columns_) column.write();
    put_out();
  });
  room_.forget(size());  // the library cuts the file off where it ends
  (void)pay(rows_);
  paid_ = rows_;
}

void RowFile::end(std::int64_t bytes, const std::function<void()>& put) {
  flush();
  if (!left_) {
    const std::int64_t used = size();
    if (const int code = room_.hold(used, used + bytes); code != 0)
      cannot_write(step_, t_, path_, fmt::format("{} (of the certificate)", std::strerror(code)));
    guarded([&] {
      put();
      put_out();
    });
  }
  close();
  if (left_) last_ = left_behind();
}

std::string RowFile::remains() const {
  if (!left_ || !std::isnan(last_)) return rows_until(last_, path_);
  return fmt::format("\"{}\" was not whole when writing failed, and cannot be read", path_);
}

std::int64_t RowFile::size() const {
  hsize_t bytes = 0;
  check(H5Fget_filesize(file_, &bytes), "size");
  return static_cast<std::int64_t>(bytes);
}

// For so many rows, and the certificate. errno, or 0.
int RowFile::pay(hsize_t rows) {
  std::int64_t bytes = made_ + for_certificate;
  for (const Column& column : columns_) bytes += column.bytes_of(rows);
  const int code = room_.hold(size(), bytes);
  if (code == 0) paid_ = rows;
  return code;
}

// All that the library has, to the disk.
void RowFile::put_out() {
  check(H5Fflush(file_, H5F_SCOPE_LOCAL), "flush");
  need_written();
}

void RowFile::need_written() const {
  if (const int code = failed_write(file_); code != 0) throw Error(std::strerror(code));
}

void RowFile::close() noexcept {
  if (file_ < 0) return;
  hsize_t bytes = 0;
  if (!left_) {
    try {
      for (auto& column : columns_) column.write();
      put_out();
    } catch (const Error&) { left_ = true; }
    (void)H5Fget_filesize(file_, &bytes);
  }
  columns_.clear();
  groups_.clear();
  file_ = {};
  if (!left_) room_.give_back(static_cast<std::int64_t>(bytes));
}

// The time of the last row that a reader finds in the file that was left; not a number where there is none.
double RowFile::left_behind() const noexcept {
  try {
    const File file(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "open");
    const Dataset t(H5Dopen2(file, names_.at(0).c_str(), H5P_DEFAULT), "time");
    std::vector<double> times(rows_in(t));
    hsize_t whole = times.size();
    for (const std::string& name : names_)
      whole = std::min(whole, rows_in(Dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), "")));
    if (!times.empty()) check(H5Dread(t, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times.data()), "read");
    if (whole > 0) return times[whole - 1];
  } catch (const std::exception&) {}
  return std::numeric_limits<double>::quiet_NaN();
}

std::int64_t room_for(std::span<const Observed> observed) {
  std::int64_t bytes = 0;
  for (const Observed& of : observed) {
    bytes += room_for(of.definition.size() + of.unit.size());
    if (of.column) bytes += 4096;
    for (const auto& reduction : of.reductions)
      for (const Figure& figure : reduction.figures)
        bytes += static_cast<std::int64_t>(figure.values.size() * sizeof(double)) + 4096;
  }
  return bytes;
}

void put_summaries(hid_t at, std::span<const Observed> observed, const char* within) {
  for (const Observed& of : observed) {
    if (!of.column) continue;
    const std::string path = within_group(of.name) + within;
    const Dataset column(H5Dopen2(at, path.c_str(), H5P_DEFAULT), "dataset");
    for (const SummaryFigure& figure : summary_figures) put_number(column, figure.name, *of.column.*figure.value);
  }
}

namespace {

void put_figure(hid_t at, const Figure& figure) {
  const hsize_t n = figure.values.size();
  const Space space(figure.list ? H5Screate_simple(1, &n, nullptr) : H5Screate(H5S_SCALAR), "space");
  const Dataset d(H5Dcreate2(at, figure.name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "dataset");
  if (n > 0) check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, figure.values.data()), "write a dataset");
}

}  // namespace

void put_observed(hid_t at, std::span<const Observed> observed) {
  for (const Observed& of : observed) {
    if (of.column || of.event) continue;
    const Group group(H5Gcreate2(at, of.name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
    put_text(group, "definition", of.definition);
    put_text(group, "unit", of.unit);
    put_number(group, "elements", static_cast<double>(of.elements));
    put_number(group, "times", static_cast<double>(of.times));
    put_number(group, "first", of.first);
    put_number(group, "last", of.last);
    for (const auto& reduction : of.reductions) {
      const Group to(H5Gcreate2(group, reduction.name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
      for (const Figure& figure : reduction.figures) put_figure(to, figure);
    }
  }
}

void put_events(hid_t at, std::span<const Observed> observed) {
  if (std::none_of(observed.begin(), observed.end(), [](const Observed& of) { return of.event; })) return;
  const Group events(H5Gcreate2(at, "event", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
  for (const Observed& of : observed) {
    if (!of.event) continue;
    const Group group(H5Gcreate2(events, of.name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
    put_text(group, "definition", of.definition);
    put_number(group, "times", static_cast<double>(of.times));
    std::string columns;  // one a line
    for (const Figure& figure : of.reductions[0].figures) {
      put_figure(group, {within_group(figure.name), figure.values, true});
      columns += (columns.empty() ? "" : "\n") + figure.name;
    }
    put_text(group, "columns", columns);
  }
}

}  // namespace actio::run::hdf5
