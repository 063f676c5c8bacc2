#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <actio/run/observable.hpp>
#include <actio/run/observer.hpp>

#include "hdf5.hpp"
#include "room.hpp"

// An HDF5 file with datasets that grow by a row an observation.
namespace actio::run::hdf5 {

// A dataset (N), or (N, shape[0], ...). Rows wait in memory until a block is full.
class Column {
 public:
  Column(hid_t at, const std::string& name, const std::vector<hsize_t>& shape, hid_t type);
  hsize_t rows_of_chunk() const;
  // At most, of so many rows.
  std::int64_t bytes_of(hsize_t rows) const;
  void add(const double* row);
  void write();
  hid_t dataset() const { return dataset_; }

 private:
  Dataset dataset_;
  std::vector<hsize_t> size_;  // of the dataset, the rows first
  hsize_t width_ = 1;          // numbers a row
  std::vector<double> waiting_;
};

// The library cannot bear a write that fails: its file does not open any more, and the program crashes as it ends. So the room
// for rows and certificate is taken before rows are accepted (Room), and what was accepted is written whatever becomes of the
// disk. Where a write fails all the same (a broken disk, a file system without promises) the library goes on with a file in
// memory.
class RowFile {
 public:
  // A new file; `make` puts in what comes before the rows, in so many bytes at most, and the columns, the time first. Throws
  // core::InputError when it cannot be written.
  RowFile(std::string path, std::int64_t bytes, const std::function<void(RowFile&)>& make);
  RowFile(const RowFile&) = delete;
  ~RowFile() { close(); }

  // While it is made, and the first in end(). A group stays open as long as the file.
  hid_t id() const { return file_; }
  hid_t group(hid_t at, const std::string& name);
  hid_t column(hid_t at, const std::string& name, const std::vector<hsize_t>& shape = {}, hid_t type = H5T_IEEE_F64LE);

  // A row of each column, in their order. Throws core::RunError, at this observation.
  void row(const Observation& now, std::span<const double* const> values);
  void flush();
  // `put` adds what comes behind the rows, in so many bytes at most; then the file is closed.
  void end(std::int64_t bytes, const std::function<void()>& put);
  // Which of the rows are in it, for a message.
  std::string remains() const;

 private:
  std::int64_t size() const;
  int pay(hsize_t rows);
  void put_out();
  void need_written() const;
  void close() noexcept;
  double left_behind() const noexcept;
  template <class F>
  void guarded(F&& f);

  std::string path_;
  File file_;
  std::vector<Group> groups_;
  std::vector<Column> columns_;
  std::vector<std::string> names_;  // of the columns, from the root
  Room room_;
  std::int64_t made_ = 0;                       // bytes without rows
  hsize_t rows_ = 0, paid_ = 0, ahead_ = 4096;  // accepted; that there is room for; paid for at once
  bool left_ = false;                           // the library's file is not on the disk any more
  long step_ = 0;
  double t_ = 0, last_ = std::numeric_limits<double>::quiet_NaN();  // the last row accepted
};

// At most: of an attribute of so many bytes, with what the library takes around it, and of reductions.
inline std::int64_t room_for(std::size_t bytes) { return static_cast<std::int64_t>(bytes) + (1 << 14); }
std::int64_t room_for(std::span<const Observed> observed);
// A group for each observable with reductions, and in it one for each.
void put_observed(hid_t at, std::span<const Observed> observed);
// A group "event" where there are any: in it a group for each, with a dataset a column and their names in order.
void put_events(hid_t at, std::span<const Observed> observed);
// The extremes of columns, as attributes of the datasets NAME or NAME/`within` at `at`.
void put_summaries(hid_t at, std::span<const Observed> observed, const char* within = "");

}  // namespace actio::run::hdf5
