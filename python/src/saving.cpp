#include "saving.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <actio/run/trajectory.hpp>

// A trajectory in memory as a file, by what writes the files of runs.
namespace actio::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

using Column = nb::ndarray<const double, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

// Rows of a table of numpy; no numbers where there is none.
class RowsOf {
 public:
  RowsOf(const nb::dict& arrays, const char* name) {
    if (arrays.contains(name)) table_ = nb::cast<Table>(arrays[name]);
  }
  explicit operator bool() const { return table_.has_value(); }
  std::span<const double> row(std::size_t k) const {
    if (!table_) return {};
    return {table_->data() + k * table_->shape(1), table_->shape(1)};
  }
  std::size_t rows() const { return table_ ? table_->shape(0) : 0; }

 private:
  std::optional<Table> table_;
};

double number_of(const nb::handle& x) { return x.is_none() ? std::numeric_limits<double>::quiet_NaN() : nb::cast<double>(x); }

// What a certificate in JSON has under "observables" and "observed", see session::json.
std::vector<run::Observed> observed_of(const nb::dict& columns, const nb::dict& reductions) {
  std::vector<run::Observed> out;
  const auto common = [&](const nb::handle& name, const nb::dict& of) -> run::Observed& {
    run::Observed& one = out.emplace_back();
    one.name = nb::cast<std::string>(name);
    one.definition = nb::cast<std::string>(of["definition"]);
    one.unit = nb::cast<std::string>(of["unit"]);
    return one;
  };
  for (const auto& [name, of] : columns) {
    const auto entries = nb::cast<nb::dict>(of);
    run::ColumnSummary& summary = common(name, entries).column.emplace();
    for (const run::SummaryFigure& figure : run::summary_figures) summary.*figure.value = number_of(entries[figure.name]);
  }
  for (const auto& [name, of] : reductions) {
    const auto entries = nb::cast<nb::dict>(of);
    run::Observed& one = common(name, entries);
    one.elements = nb::cast<long>(entries["elements"]);
    one.times = nb::cast<long>(entries["times"]);
    one.first = number_of(entries["first"]);
    one.last = number_of(entries["last"]);
    for (const auto& [reduction, figures] : entries) {
      if (!nb::isinstance<nb::dict>(figures)) continue;
      run::Observed::Reduction& to = one.reductions.emplace_back();
      to.name = nb::cast<std::string>(reduction);
      for (const auto& [figure, value] : nb::cast<nb::dict>(figures)) {
        run::Figure& f = to.figures.emplace_back();
        f.name = nb::cast<std::string>(figure);
        f.list = nb::isinstance<nb::list>(value);
        if (!f.list) f.values.push_back(number_of(value));
        if (f.list)
          for (const nb::handle x : nb::cast<nb::list>(value)) f.values.push_back(number_of(x));
      }
    }
  }
  return out;
}

// As the result of a run has them: {name: (times, definition, {column: values})}.
void add_events(const nb::dict& events, std::vector<run::Observed>& out) {
  for (const auto& [name, of] : events) {
    const auto [times, definition, table] = nb::cast<std::tuple<long, std::string, nb::dict>>(of);
    run::Observed& one = out.emplace_back();
    one.name = nb::cast<std::string>(name);
    one.definition = definition;
    one.times = times;
    one.event = true;
    run::Observed::Reduction& to = one.reductions.emplace_back();
    for (const auto& [column, values] : table) {
      const auto numbers = nb::cast<Column>(values);
      to.figures.push_back({nb::cast<std::string>(column), {numbers.data(), numbers.data() + numbers.shape(0)}, true});
    }
  }
}

// arrays: those of a run, and "measured" for the names of that.
void save(const std::string& path, const nb::dict& of, const nb::dict& arrays, const std::string& certificate,
          const nb::dict& columns, const nb::dict& reductions, const nb::dict& events) {
  run::TrajectoryHeader header;
  header.coordinates = nb::cast<std::vector<std::string>>(of["coordinates"]);
  header.momentum = nb::cast<std::vector<std::string>>(of["momentum"]);
  header.multipliers = nb::cast<std::vector<std::string>>(of["multipliers"]);
  header.measured = nb::cast<std::vector<std::string>>(of["measured"]);
  header.columns = nb::cast<std::vector<std::string>>(of["columns"]);
  header.attributes = nb::cast<std::vector<std::pair<std::string, std::string>>>(of["attributes"]);
  header.smallest_step = nb::cast<double>(of["smallest_step"]);
  header.largest_step = nb::cast<double>(of["largest_step"]);
  using Words = std::tuple<std::string, long, std::string, std::string>;
  for (auto& [name, elements, definition, unit] : nb::cast<std::vector<Words>>(of["observed"]))
    header.observed.push_back({name, unit, definition, elements});
  const RowsOf t(arrays, "t"), energy(arrays, "energy"), q(arrays, "q"), v(arrays, "v"), p(arrays, "p");
  const RowsOf momentum(arrays, "momentum"), ledger(arrays, "ledger"), multipliers(arrays, "multipliers");
  const RowsOf measured(arrays, "measured"), observed(arrays, "observed");
  header.ledger = static_cast<bool>(ledger);
  const auto file = run::open_trajectory(path, header);
  method::Snapshot state;
  for (std::size_t k = 0; k < t.rows(); ++k) {
    const auto vector = [&](const RowsOf& from, Eigen::VectorXd& to) {
      const std::span<const double> row = from.row(k);
      to = Eigen::Map<const Eigen::VectorXd>(row.data(), static_cast<long>(row.size()));
    };
    state.t = t.row(k)[0];
    vector(q, state.q);
    vector(v, state.v);
    vector(p, state.p);
    run::LedgerEntry entry;
    if (const std::span<const double> row = ledger.row(k); !row.empty()) entry = {row[0], row[1], row[2], row[3], row[4], row[5]};
    const double E = energy ? energy.row(k)[0] : std::numeric_limits<double>::quiet_NaN();
    file->observe({static_cast<long>(k), state, E, momentum.row(k), ledger ? &entry : nullptr, multipliers.row(k),
                   measured.row(k), observed.row(k)});
  }
  std::vector<run::Observed> results = observed_of(columns, reductions);
  add_events(events, results);
  file->finish(certificate, results);
}

}  // namespace

void bind_saving(nb::module_& m) {
  m.def("save", &save, "path"_a, "of"_a, "arrays"_a, "certificate"_a, "columns"_a, "reductions"_a, "events"_a);
}

}  // namespace actio::python
