#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "hdf5.hpp"
#include "output_file.hpp"
#include "trajectory_formats.hpp"

namespace actio::run {

namespace {

using hdf5::check;

hdf5::Type text_type() {
  hdf5::Type type(H5Tcopy(H5T_C_S1), "type");
  check(H5Tset_size(type, H5T_VARIABLE), "type");  // kept in the heap: no limit on its length
  check(H5Tset_cset(type, H5T_CSET_UTF8), "type");
  return type;
}

void put_text(hid_t at, const std::string& name, const std::string& value) {
  const hdf5::Type type = text_type();
  const hdf5::Space scalar(H5Screate(H5S_SCALAR), "space");
  if (H5Aexists(at, name.c_str()) > 0) check(H5Adelete(at, name.c_str()), "attribute");
  const hdf5::Attribute a(H5Acreate2(at, name.c_str(), type, scalar, H5P_DEFAULT, H5P_DEFAULT), "attribute");
  const char* text = value.c_str();
  check(H5Awrite(a, type, &text), "attribute");
}

void put_number(hid_t at, const char* name, double value) {
  const hdf5::Space scalar(H5Screate(H5S_SCALAR), "space");
  const hdf5::Attribute a(H5Acreate2(at, name, H5T_IEEE_F64LE, scalar, H5P_DEFAULT, H5P_DEFAULT), "attribute");
  check(H5Awrite(a, H5T_NATIVE_DOUBLE, &value), "attribute");
}

// A table that grows by rows: (N) when width is absent, else (N, width). Rows wait in memory until a block is full.
class Column {
 public:
  Column(hid_t at, const std::string& name, hsize_t width, bool flat) : width_(width), rank_(flat ? 1 : 2) {
    // Chunks of about 64 KiB.
    const hsize_t rows = std::clamp<hsize_t>(8192 / std::max<hsize_t>(width, 1), 1, 4096);
    const hsize_t now[2] = {0, width}, most[2] = {H5S_UNLIMITED, width}, chunk[2] = {rows, std::max<hsize_t>(width, 1)};
    const hdf5::Space space(H5Screate_simple(rank_, now, most), "space");
    const hdf5::Properties how(H5Pcreate(H5P_DATASET_CREATE), "properties");
    check(H5Pset_chunk(how, rank_, chunk), "chunk");
    dataset_ = hdf5::Dataset(H5Dcreate2(at, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT), "dataset");
    block_ = rows * width;
    waiting_.reserve(block_);
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

class Hdf5 : public Trajectory {
 public:
  Hdf5(const std::string& path, const TrajectoryHeader& header) : path_(path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    file_ = hdf5::File(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "create the file");
    const hsize_t n = header.coordinates.size();
    put_names("coordinates", header.coordinates);
    if (!header.multipliers.empty()) put_names("constraints", header.multipliers);
    if (header.smallest_step == header.largest_step) put_number(file_, "step", header.largest_step);
    put_number(file_, "smallest_step", header.smallest_step);
    put_number(file_, "largest_step", header.largest_step);
    for (const auto& [name, value] : header.attributes) put_text(file_, name, value);
    columns_.reserve(6 + ledger_columns.size() + header.momentum.size() + header.measured.size());
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
    check(H5Fflush(file_, H5F_SCOPE_LOCAL), "flush");
  }

  void observe(const Observation& now) override {
    step_ = now.step;
    t_ = now.state.t;
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
    });
  }

  void flush() override {
    guarded([&] {
      for (auto& column : columns_) column.write();
      check(H5Fflush(file_, H5F_SCOPE_LOCAL), "flush");
    });
  }

  void finish(std::string_view certificate) override {
    guarded([&] { put_text(file_, "certificate", std::string(certificate)); });
    flush();
  }

 private:
  void put_names(const char* of, const std::vector<std::string>& names) {
    const hsize_t n = names.size();
    const hdf5::Type type = text_type();
    const hdf5::Space space(H5Screate_simple(1, &n, nullptr), "space");
    const hdf5::Dataset d(H5Dcreate2(file_, of, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "dataset");
    std::vector<const char*> text(names.size());
    std::transform(names.begin(), names.end(), text.begin(), [](const std::string& s) { return s.c_str(); });
    if (n > 0) check(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), "names");
  }
  template <class F>
  void guarded(F&& f) {
    try {
      f();
    } catch (const hdf5::Error& e) { cannot_write(step_, t_, path_, e.what()); }
  }

  std::string path_;
  hdf5::File file_;
  hdf5::Group momentum_, ledger_;
  std::map<std::string, hdf5::Group> measured_;
  std::vector<Column> columns_;
  long step_ = 0;
  double t_ = 0;
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
