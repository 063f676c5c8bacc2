#include <array>
#include <map>
#include <string_view>

#include "hdf5_rows.hpp"
#include "hdf5_write.hpp"
#include "trajectory_formats.hpp"

namespace actio::run {

namespace {

using hdf5::check;
using hdf5::put_text;

// An attribute of integers: one, or a list.
void put_integers(hid_t at, const char* name, const std::vector<int>& values, bool list) {
  const hsize_t n = values.size();
  const hdf5::Space space(list ? H5Screate_simple(1, &n, nullptr) : H5Screate(H5S_SCALAR), "space");
  const hdf5::Attribute a(H5Acreate2(at, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT), "attribute");
  check(H5Awrite(a, H5T_NATIVE_INT, values.data()), "attribute");
}

// An attribute of the names of a list.
void put_words(hid_t at, const char* name, const std::vector<const char*>& words) {
  const hsize_t n = words.size();
  const hdf5::Type type = hdf5::text_type();
  const hdf5::Space space(H5Screate_simple(1, &n, nullptr), "space");
  const hdf5::Attribute a(H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT), "attribute");
  check(H5Awrite(a, type, words.data()), "attribute");
}

// Equal labels have equal numbers, in the order of their first points.
void put_species(hid_t at, const std::vector<std::string>& labels) {
  std::map<std::string_view, int> numbers;
  std::vector<int> species;
  for (const std::string& label : labels)
    species.push_back(numbers.emplace(label, static_cast<int>(numbers.size())).first->second);
  const hsize_t n = species.size();
  const hdf5::Space space(H5Screate_simple(1, &n, nullptr), "space");
  const hdf5::Dataset d(H5Dcreate2(at, "species", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "dataset");
  check(H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, species.data()), "write a dataset");
  hdf5::put_names(at, "label", labels);
}

std::int64_t bytes_before_points(const TrajectoryHeader& header) {
  constexpr std::int64_t element = 8192;  // a group, links to step and time, a dataset
  std::int64_t bytes = 1 << 17;
  for (const std::string& label : header.atoms.labels) bytes += static_cast<std::int64_t>(label.size()) + 64;
  bytes += static_cast<std::int64_t>(header.momentum.size() + ledger_columns.size()) * element;
  for (const ObservedColumn& column : header.observed) bytes += hdf5::room_for(column.definition.size()) + element;
  for (const auto& [name, value] : header.attributes) bytes += hdf5::room_for(name.size() + value.size());
  return bytes;
}

// H5MD 1.1 (de Buyl, Colberg, Hofling, Comput. Phys. Commun. 185 (2014) 1546; https://www.nongnu.org/h5md). Elements of the
// trajectory are groups of step, time and value; all have the datasets step and time of the position, by hard links. Where the
// problem names its units all is in nm, ps and kJ/mol, which have names in the H5MD module of units; its calorie is not Actio's.
class H5mdFile : public Trajectory {
 public:
  H5mdFile(const std::string& path, const TrajectoryHeader& header)
      : atoms_(header.atoms),
        observed_(header.observed),
        length_(atoms_.named_units() ? atoms_.scale / 10 : 1),
        speed_(atoms_.named_units() ? length_ / atoms_.time : 1),
        energy_(atoms_.named_units() ? atoms_.energy : 1),
        position_(3 * atoms_.labels.size()),
        velocity_(position_.size()),
        ledger_(header.ledger ? ledger_columns.size() : 0),
        file_(path, bytes_before_points(header), [&](hdf5::RowFile& file) { make(file, header); }) {
    for (std::size_t k = 0; k < 3; ++k) edges_[k] = length_ * atoms_.box[k];
  }

  void observe(const Observation& now) override {
    time_ = atoms_.named_units() ? atoms_.time * now.state.t : now.state.t;
    step_ = static_cast<double>(now.step);
    total_energy_ = energy_ * now.energy;
    std::size_t k = 0;
    for (const auto& point : atoms_.coordinates)
      for (const std::int32_t i : point) {
        position_[k] = i < 0 ? 0 : length_ * now.state.q[i];
        velocity_[k++] = i < 0 ? 0 : speed_ * now.state.v[i];
      }
    row_.assign({&time_, &step_, position_.data(), velocity_.data()});
    if (atoms_.in_box()) row_.push_back(edges_.data());
    row_.push_back(&total_energy_);
    for (const double& J : now.momentum) row_.push_back(&J);
    for (std::size_t j = 0; j < ledger_.size(); ++j) {
      ledger_[j] = energy_ * now.ledger->*ledger_columns[j].value;
      row_.push_back(&ledger_[j]);
    }
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
      if (reduces(observed)) hdf5::put_observed(file_.group(parameters_, "observe"), observed);
      if (!observed_.empty()) hdf5::put_summaries(observe_, observed, "/value");
      hdf5::put_events(parameters_, observed);
      put_text(parameters_, "certificate", std::string(certificate));
    });
  }
  std::string remains() const override { return file_.remains(); }

 private:
  void make(hdf5::RowFile& file, const TrajectoryHeader& header) {
    make_metadata(file, header);
    const hid_t points = file.group(file.group(file.id(), "particles"), "points");
    const hid_t position = file.group(points, "position");
    put_unit(file.column(position, "time"), "ps");
    file.column(position, "step", {}, H5T_STD_I64LE);
    const auto element = [&](hid_t at, const std::string& name, const std::vector<hsize_t>& shape, const char* unit) {
      const hid_t group = file.group(at, name);
      for (const char* of : {"step", "time"}) check(H5Lcreate_hard(position, of, group, of, H5P_DEFAULT, H5P_DEFAULT), "a link");
      const hid_t value = file.column(group, "value", shape);
      put_unit(value, unit);
      return value;
    };
    const hsize_t n = atoms_.labels.size();
    put_unit(file.column(position, "value", {n, 3}), "nm");
    element(points, "velocity", {n, 3}, "nm ps-1");
    const hid_t box = file.group(points, "box");
    put_integers(box, "dimension", {3}, false);
    std::vector<const char*> boundary;
    for (const double length : atoms_.box) boundary.push_back(length > 0 ? "periodic" : "none");
    put_words(box, "boundary", boundary);
    if (atoms_.in_box()) element(box, "edges", {3}, "nm");
    put_species(points, atoms_.labels);

    const hid_t observables = file.group(file.id(), "observables");
    element(observables, "energy", {}, "kJ mol-1");
    if (!header.momentum.empty()) {
      const hid_t momentum = file.group(observables, "momentum");
      for (const std::string& name : header.momentum) element(momentum, within_group(name), {}, "");
    }
    if (header.ledger) {
      const hid_t ledger = file.group(observables, "ledger");
      for (const LedgerColumn& column : ledger_columns) element(ledger, column.name, {}, "kJ mol-1");
    }
    if (observed_.empty()) return;
    observe_ = file.group(observables, "observe");
    for (const ObservedColumn& column : observed_) {
      const auto elements = static_cast<hsize_t>(column.elements);
      const auto shape = elements == 1 ? std::vector<hsize_t>{} : std::vector<hsize_t>{elements};
      const hid_t value = element(observe_, within_group(column.name), shape, "");
      put_text(value, "definition", column.definition);
      put_text(value, "unit_as_given", column.unit);
    }
  }
  void make_metadata(hdf5::RowFile& file, const TrajectoryHeader& header) {
    const hid_t h5md = file.group(file.id(), "h5md");
    put_integers(h5md, "version", {1, 1}, true);
    put_text(file.group(h5md, "author"), "name", "unknown");
    const hid_t creator = file.group(h5md, "creator");
    put_text(creator, "name", "Actio");
    put_text(creator, "version", attribute_of(header, "version"));
    if (atoms_.named_units()) {
      const hid_t units = file.group(file.group(h5md, "modules"), "units");
      put_integers(units, "version", {1, 0}, true);
      put_text(units, "system", "SI");
    }
    parameters_ = file.group(file.id(), "parameters");
    for (const auto& [name, value] : header.attributes) put_text(parameters_, name, value);
    hdf5::put_number(parameters_, "smallest_step", header.smallest_step);
    hdf5::put_number(parameters_, "largest_step", header.largest_step);
  }
  void put_unit(hid_t dataset, std::string_view unit) const {
    if (atoms_.named_units() && !unit.empty()) put_text(dataset, "unit", std::string(unit), H5T_CSET_ASCII);
  }

  Atoms atoms_;
  std::vector<ObservedColumn> observed_;
  hid_t observe_ = -1;
  double length_, speed_, energy_;  // units of the file, in those that are written
  hid_t parameters_ = -1;
  double time_ = 0, step_ = 0, total_energy_ = 0;
  std::vector<double> position_, velocity_, ledger_;
  std::array<double, 3> edges_{};
  std::vector<const double*> row_;
  hdf5::RowFile file_;
};

}  // namespace

std::unique_ptr<Trajectory> open_h5md(const std::string& path, const TrajectoryHeader& header) {
  return std::make_unique<H5mdFile>(path, header);
}

}  // namespace actio::run
