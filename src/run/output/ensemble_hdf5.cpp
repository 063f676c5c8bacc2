#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "ensemble_formats.hpp"
#include "hdf5_driver.hpp"
#include "hdf5_write.hpp"

namespace actio::run {
namespace {

using hdf5::check;

// A table of `columns` numbers a row that grows by rows; flat when `columns` is 0.
class EnsembleRows {
 public:
  EnsembleRows(hid_t at, const std::string& name, hsize_t columns)
      : rank_(columns == 0 ? 1 : 2), columns_(std::max<hsize_t>(columns, 1)) {
    const hsize_t now[2] = {0, columns_}, most[2] = {H5S_UNLIMITED, columns_};
    const hsize_t wide = std::min<hsize_t>(columns_, 65536), chunk[2] = {std::clamp<hsize_t>(8192 / wide, 1, 1024), wide};
    const hdf5::Space space(H5Screate_simple(rank_, now, most), "space");
    const hdf5::Properties how(H5Pcreate(H5P_DATASET_CREATE), "properties");
    check(H5Pset_chunk(how, rank_, chunk), "chunk");
    dataset_ = hdf5::Dataset(H5Dcreate2(at, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT), "dataset");
  }
  void add(const double* row) {
    const hsize_t size[2] = {rows_ + 1, columns_}, first[2] = {rows_, 0}, count[2] = {1, columns_};
    check(H5Dset_extent(dataset_, size), "grow a dataset");
    const hdf5::Space file(H5Dget_space(dataset_), "space");
    check(H5Sselect_hyperslab(file, H5S_SELECT_SET, first, nullptr, count, nullptr), "select");
    const hdf5::Space memory(H5Screate_simple(rank_, count, nullptr), "space");
    check(H5Dwrite(dataset_, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, row), "write a dataset");
    ++rows_;
  }

 private:
  hdf5::Dataset dataset_;
  int rank_;
  hsize_t columns_, rows_ = 0;
};

void put(hid_t at, const std::string& name, const double* values, hsize_t rows, hsize_t columns = 0) {
  const hsize_t size[2] = {rows, columns};
  const hdf5::Space space(H5Screate_simple(columns == 0 ? 1 : 2, size, nullptr), "space");
  const hdf5::Dataset d(H5Dcreate2(at, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "dataset");
  if (rows > 0) check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write a dataset");
}
void put(hid_t at, const std::string& name, const std::vector<std::int64_t>& values) {
  const hsize_t size = values.size();
  const hdf5::Space space(H5Screate_simple(1, &size, nullptr), "space");
  const hdf5::Dataset d(H5Dcreate2(at, name.c_str(), H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "dataset");
  check(H5Dwrite(d, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write a dataset");
}
hdf5::Group group(hid_t at, const std::string& name) {
  return {H5Gcreate2(at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group"};
}
std::string level(std::string name) {  // a slash is a level of the file
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

struct OutputRows {
  std::vector<EnsembleRows> numbers;  // mean, standard_deviation, min, max, count
  std::vector<EnsembleRows> tables;   // quantile, histogram, as far as they are asked for
};

class EnsembleHdf5 : public EnsembleFile {
 public:
  EnsembleHdf5(const std::string& path, const EnsembleHeader& header, const Ensemble& ensemble)
      : path_(path), keep_(header.keep) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const hdf5::Properties access(hdf5::careful_access(), "driver");
    file_ = hdf5::File(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), "create the file");
    const Members& members = ensemble.task().members;
    const auto count = static_cast<hsize_t>(members.count);
    for (const auto& [name, value] : header.attributes) hdf5::put_text(file_, name, value);
    std::vector<std::string> coordinates;
    for (long i = 0; i < ensemble.task().model.size(); ++i) coordinates.push_back(ensemble.task().model.coordinate_name(i));
    hdf5::put_names(file_, "coordinates", coordinates);
    std::vector<std::int64_t> numbers(count);
    for (hsize_t m = 0; m < count; ++m) numbers[m] = members.first + static_cast<long>(m);
    put(file_, "member", numbers);
    const hdf5::Group parameters = group(file_, "parameter"), start = group(file_, "start"), outputs = group(file_, "output");
    const std::vector<std::string> varied = members.varied_names(ensemble.task().model.parameter_names);
    for (std::size_t j = 0; j < varied.size(); ++j) put(parameters, varied[j], members.parameters[j].data(), count);
    put_states(start, "q", ensemble,
               [&](long m, long i) { return members.q0[static_cast<std::size_t>(i)][static_cast<std::size_t>(m)]; });
    put_states(start, "v", ensemble,
               [&](long m, long i) { return members.v0[static_cast<std::size_t>(i)][static_cast<std::size_t>(m)]; });
    t_.emplace_back(file_, "t", 0);
    if (!ensemble.task().quantiles.empty())
      put(file_, "quantiles", ensemble.task().quantiles.data(), ensemble.task().quantiles.size());
    for (std::size_t k = 0; k < ensemble.outputs(); ++k) {
      const hdf5::Group of = group(outputs, level(ensemble.name(k)));
      OutputRows& rows = rows_.emplace_back();
      for (const char* name : {"mean", "standard_deviation", "min", "max", "count"}) rows.numbers.emplace_back(of, name, 0);
      if (!ensemble.task().quantiles.empty()) rows.tables.emplace_back(of, "quantile", ensemble.task().quantiles.size());
      if (const auto& bins = ensemble.bins(k)) {
        rows.tables.emplace_back(of, "histogram", static_cast<hsize_t>(bins->count) + 2);
        std::vector<double> edges;
        for (long b = 0; b <= bins->count; ++b) edges.push_back(bins->edge(b));
        put(of, "bin_edges", edges.data(), edges.size());
      }
    }
    if (!keep_) return;
    const hdf5::Group trajectories = group(file_, "trajectory");
    for (std::size_t k = 0; k < ensemble.outputs(); ++k) kept_.emplace_back(trajectories, level(ensemble.name(k)), count);
  }
  EnsembleHdf5(const EnsembleHdf5&) = delete;
  EnsembleHdf5& operator=(const EnsembleHdf5&) = delete;

  void observe(const Ensemble& now) override {
    guarded(now, [&] {
      const double t = now.t();
      t_[0].add(&t);
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        const Reduced& r = now.reduced(k);
        const double numbers[] = {r.mean, r.standard_deviation, r.min, r.max, static_cast<double>(r.count)};
        for (std::size_t j = 0; j < rows_[k].numbers.size(); ++j) rows_[k].numbers[j].add(&numbers[j]);
        auto table = rows_[k].tables.begin();
        if (!r.quantiles.empty()) (table++)->add(r.quantiles.data());
        if (now.bins(k)) {
          std::vector<double> all{static_cast<double>(r.below)};
          all.insert(all.end(), r.bins.begin(), r.bins.end());
          all.push_back(static_cast<double>(r.above));
          table->add(all.data());
        }
      }
      for (std::size_t k = 0; k < kept_.size(); ++k) kept_[k].add(now.values(k).data());
    });
  }

  void finish(const Ensemble& now, std::string_view summary) override {
    guarded(now, [&] {
      const long count = now.task().members.count;
      const hdf5::Group end = group(file_, "end");
      put_states(end, "q", now, [&](long m, long i) { return now.q(m, i); });
      put_states(end, "v", now, [&](long m, long i) { return now.p(m, i) / now.task().model.mass.diagonal[i]; });
      put(file_, "energy_error", now.energy_errors().data(), static_cast<hsize_t>(count));
      std::vector<std::int64_t> failed(static_cast<std::size_t>(count), -1);
      for (const MemberFailure& f : now.failures())
        failed[static_cast<std::size_t>(f.member - now.task().members.first)] = f.step;
      put(file_, "failed_step", failed);
      hdf5::put_text(file_, "summary", std::string(summary));
      check(H5Fflush(file_, H5F_SCOPE_LOCAL), "flush");
    });
  }

 private:
  template <class F>
  static void put_states(hid_t at, const char* name, const Ensemble& ensemble, F&& value) {
    const long n = ensemble.task().model.size(), count = ensemble.task().members.count;
    std::vector<double> rows(static_cast<std::size_t>(n * count));
    for (long m = 0; m < count; ++m)
      for (long i = 0; i < n; ++i) rows[static_cast<std::size_t>(m * n + i)] = value(m, i);
    put(at, name, rows.data(), static_cast<hsize_t>(count), static_cast<hsize_t>(n));
  }
  template <class F>
  void guarded(const Ensemble& now, F&& f) {
    std::string why;
    try {
      f();
      if (const int code = hdf5::failed_write(file_); code != 0) why = std::strerror(code);
    } catch (const hdf5::Error& e) { why = e.what(); }
    if (!why.empty())
      throw core::RunError(now.step(), now.t(), fmt::format("cannot write \"{}\": {}", path_, why), "free some space");
  }
  std::string path_;
  bool keep_;
  hdf5::File file_;
  std::vector<EnsembleRows> t_, kept_;
  std::vector<OutputRows> rows_;
};

}  // namespace

std::unique_ptr<EnsembleFile> open_ensemble_hdf5(const std::string& path, const EnsembleHeader& header,
                                                 const Ensemble& ensemble) {
  if (!std::ofstream(path, std::ios::app))
    throw core::InputError(fmt::format("cannot write \"{}\": {}", path, std::generic_category().message(errno)));
  try {
    return std::make_unique<EnsembleHdf5>(path, header, ensemble);
  } catch (const hdf5::Error& e) { throw core::InputError(fmt::format("cannot write \"{}\": {}", path, e.what())); }
}

}  // namespace actio::run
