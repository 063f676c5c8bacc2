#include <map>

#include "hdf5_rows.hpp"
#include "hdf5_write.hpp"
#include "trajectory_formats.hpp"

namespace actio::run {

namespace {

// At most, before there are rows.
std::int64_t bytes_before_rows(const TrajectoryHeader& header) {
  std::int64_t bytes = 1 << 16;
  const auto add = [&](const std::vector<std::string>& names, std::int64_t each) {
    for (const std::string& name : names) bytes += static_cast<std::int64_t>(name.size()) + each;
  };
  add(header.coordinates, 64);
  add(header.multipliers, 64);
  add(header.momentum, 4096);
  add(header.measured, 4096);
  for (const OutputColumn& column : header.chosen) bytes += hdf5::room_for(column.definition.size() + column.unit.size());
  for (const ObservedColumn& column : header.observed) bytes += hdf5::room_for(column.definition.size()) + 8192;
  for (const auto& [name, value] : header.attributes) bytes += hdf5::room_for(name.size() + value.size());
  return bytes;
}

class Hdf5 : public Trajectory {
 public:
  Hdf5(const std::string& path, const TrajectoryHeader& header)
      : all_(header.columns.empty()),
        observed_(header.observed),
        chosen_(header.chosen),
        file_(path, bytes_before_rows(header), [&](hdf5::RowFile& file) { make(file, header); }) {}

  void observe(const Observation& now) override {
    if (!all_) return observe_chosen(now);
    row_.assign({&now.state.t, now.state.q.data(), now.state.v.data(), now.state.p.data(), &now.energy});
    for (const double& J : now.momentum) row_.push_back(&J);
    if (!now.multipliers.empty()) row_.push_back(now.multipliers.data());
    if (now.ledger)
      for (const LedgerColumn& column : ledger_columns) row_.push_back(&(now.ledger->*column.value));
    for (const double& x : now.measured) row_.push_back(&x);
    const double* x = now.observed.data();
    for (const ObservedColumn& column : observed_) {
      row_.push_back(x);
      x += column.elements;
    }
    file_.row(now, row_);
  }

  void flush() override { file_.flush(); }
  void finish(std::string_view certificate, std::span<const Observed> observed) override {
    file_.end(hdf5::room_for(certificate.size()) + hdf5::room_for(observed), [&] {
      if (reduces(observed) && observe_ < 0) observe_ = file_.group(file_.id(), "observe");
      hdf5::put_observed(observe_, observed);
      hdf5::put_events(file_.id(), observed);
      hdf5::put_summaries(observe_, observed);
      hdf5::put_text(file_.id(), "certificate", std::string(certificate));
    });
  }
  std::string remains() const override { return file_.remains(); }

 private:
  void make(hdf5::RowFile& file, const TrajectoryHeader& header) {
    if (all_) hdf5::put_names(file.id(), "coordinates", header.coordinates);
    if (!header.multipliers.empty()) hdf5::put_names(file.id(), "constraints", header.multipliers);
    if (header.smallest_step == header.largest_step) hdf5::put_number(file.id(), "step", header.largest_step);
    hdf5::put_number(file.id(), "smallest_step", header.smallest_step);
    hdf5::put_number(file.id(), "largest_step", header.largest_step);
    for (const auto& [name, value] : header.attributes) hdf5::put_text(file.id(), name, value);
    file.column(file.id(), "t");
    all_ ? make_all(file, header) : make_chosen(file);
  }
  void make_chosen(hdf5::RowFile& file) {
    std::map<std::string, hid_t> groups;
    for (const OutputColumn& column : chosen_) {  // "energy", "momentum/spin"
      const std::size_t slash = column.dataset.find('/');
      hid_t at = file.id();
      if (slash != std::string::npos) {
        const auto [group, fresh] = groups.try_emplace(column.dataset.substr(0, slash), -1);
        if (fresh) group->second = file.group(file.id(), group->first);
        at = group->second;
      }
      const hid_t dataset = file.column(at, column.dataset.substr(slash + 1), shape_of(column.elements));
      if (column.definition.empty()) continue;
      hdf5::put_text(dataset, "definition", column.definition);
      hdf5::put_text(dataset, "unit", column.unit);
    }
    if (const auto found = groups.find("observe"); found != groups.end()) observe_ = found->second;
  }
  void observe_chosen(const Observation& now) {
    row_.assign({&now.state.t});
    const double* x = now.measured.data();
    for (const OutputColumn& column : chosen_) {
      row_.push_back(x);
      x += column.elements;
    }
    file_.row(now, row_);
  }
  static std::vector<hsize_t> shape_of(long elements) {
    return elements == 1 ? std::vector<hsize_t>{} : std::vector<hsize_t>{static_cast<hsize_t>(elements)};
  }
  void make_all(hdf5::RowFile& file, const TrajectoryHeader& header) {
    const hsize_t n = header.coordinates.size();
    for (const char* name : {"q", "v", "p"}) file.column(file.id(), name, {n});
    file.column(file.id(), "energy");
    const hid_t momentum = file.group(file.id(), "momentum");
    for (const std::string& name : header.momentum) file.column(momentum, within_group(name));
    if (!header.multipliers.empty()) file.column(file.id(), "multipliers", {header.multipliers.size()});
    if (header.ledger) {
      const hid_t ledger = file.group(file.id(), "ledger");
      for (const LedgerColumn& column : ledger_columns) file.column(ledger, column.name);
    }
    std::map<std::string, hid_t> measured;
    for (const std::string& name : header.measured) {  // "reaction/clamp.x"
      const std::size_t slash = name.find('/');
      const std::string group = name.substr(0, slash);
      if (!measured.contains(group)) measured[group] = file.group(file.id(), group);
      file.column(measured[group], within_group(name.substr(slash + 1)));
    }
    if (!observed_.empty()) observe_ = file.group(file.id(), "observe");
    for (const ObservedColumn& column : observed_) {
      const hid_t dataset = file.column(observe_, column.name, shape_of(column.elements));
      hdf5::put_text(dataset, "definition", column.definition);
      hdf5::put_text(dataset, "unit", column.unit);
    }
  }

  bool all_;
  std::vector<ObservedColumn> observed_;
  std::vector<OutputColumn> chosen_;
  hid_t observe_ = -1;
  std::vector<const double*> row_;
  hdf5::RowFile file_;
};

}  // namespace

std::unique_ptr<Trajectory> open_hdf5(const std::string& path, const TrajectoryHeader& header) {
  return std::make_unique<Hdf5>(path, header);
}

}  // namespace actio::run
