#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "trajectory_formats.hpp"

// The columns of run.columns in place of all.
namespace actio::run {
namespace {

enum class Part { q, v, p, energy, momentum, multiplier, ledger, measured, observed };

// One number of an observation, as the two formats name it.
struct Source {
  std::string name, dataset;
  Part part;
  std::size_t index;
};

std::vector<Source> sources_of(const TrajectoryHeader& header) {
  std::vector<Source> out;
  const auto state = [&](Part part, std::string_view before, std::string_view after) {
    for (std::size_t i = 0; i < header.coordinates.size(); ++i) {
      const std::string name = fmt::format("{}{}{}", before, header.coordinates[i], after);
      out.push_back({name, "columns/" + within_group(name), part, i});
    }
  };
  state(Part::q, "", "");
  state(Part::v, "", "'");
  state(Part::p, "p(", ")");
  out.push_back({"energy", "energy", Part::energy, 0});
  for (std::size_t i = 0; i < header.momentum.size(); ++i)
    out.push_back({header.momentum[i], "momentum/" + within_group(header.momentum[i]), Part::momentum, i});
  for (std::size_t i = 0; i < header.multipliers.size(); ++i)
    out.push_back({fmt::format("lambda({})", header.multipliers[i]), "multipliers/" + within_group(header.multipliers[i]),
                   Part::multiplier, i});
  if (header.ledger)
    for (std::size_t i = 0; i < ledger_columns.size(); ++i)
      out.push_back(
          {fmt::format("ledger/{}", ledger_columns[i].name), fmt::format("ledger/{}", ledger_columns[i].name), Part::ledger, i});
  for (std::size_t i = 0; i < header.measured.size(); ++i) {
    const std::size_t behind = header.measured[i].find('/') + 1;
    out.push_back({header.measured[i], header.measured[i].substr(0, behind) + within_group(header.measured[i].substr(behind)),
                   Part::measured, i});
  }
  const std::vector<std::string> observed = names_of(header.observed);
  for (std::size_t i = 0; i < observed.size(); ++i) out.push_back({observed[i], "observe/" + observed[i], Part::observed, i});
  return out;
}

// "x'" of "x[3]'"; "" where there is no index.
std::string family_of(const std::string& name) {
  const std::size_t open = name.find('['), close = name.find(']', open);
  return close == std::string::npos ? "" : name.substr(0, open) + name.substr(close + 1);
}

// What is chosen, with what becomes of it: all elements of an observable that was named as a whole are one dataset.
struct Choice {
  std::vector<Source> sources;  // one a number
  std::vector<OutputColumn> columns;
};

[[noreturn]] void no_column(const std::string& asked, std::span<const std::string> names) {
  std::string hint = core::did_you_mean(asked, names);
  if (asked.starts_with("ledger"))
    hint = "there is a ledger where forces act, constraints move, or the method claims to lose no energy";
  else if (asked.starts_with("lambda("))
    hint = "there are multipliers of constraints without a penalty, and of a penalty with run.window";
  throw core::InputError(fmt::format("run.columns has \"{}\", and this run has no such column", asked), hint);
}

Choice choose(const TrajectoryHeader& header) {
  Choice out;
  const std::vector<Source> all = sources_of(header);
  const std::vector<std::string> names = column_names(header);
  std::vector<bool> taken(all.size(), false);
  for (const std::string& asked : header.columns) {
    if (asked == "t") continue;
    const auto of = std::ranges::find(header.observed, asked, &ObservedColumn::name);
    std::vector<std::size_t> found = columns_named(asked, names);
    if (found.empty()) no_column(asked, names);
    std::erase_if(found, [&](std::size_t k) -> bool { return taken[k]; });
    const bool whole = of != header.observed.end() && static_cast<long>(found.size()) == of->elements;
    if (whole) out.columns.push_back({of->name, "observe/" + of->name, of->elements, of->definition, of->unit});
    for (const std::size_t k : found) {
      taken[k] = true;
      out.sources.push_back(all[k]);
      if (!whole) out.columns.push_back({all[k].name, all[k].dataset});
    }
  }
  return out;
}

class Chosen : public Trajectory {
 public:
  Chosen(Choice choice, std::unique_ptr<Trajectory> file)
      : choice_(std::move(choice)), file_(std::move(file)), values_(choice_.sources.size()) {}
  void observe(const Observation& now) override {
    state_.t = now.state.t;
    std::ranges::transform(choice_.sources, values_.begin(), [&](const Source& of) { return value(of, now); });
    file_->observe({now.step, state_, now.energy, {}, nullptr, {}, values_, {}});
  }
  void flush() override { file_->flush(); }
  // Reductions are no columns: all of them stay.
  void finish(std::string_view certificate, std::span<const Observed> observed) override {
    std::vector<Observed> kept;
    for (const Observed& of : observed)
      if (!of.column || std::ranges::find(choice_.columns, of.name, &OutputColumn::name) != choice_.columns.end())
        kept.push_back(of);
    file_->finish(certificate, kept);
  }
  std::int64_t sync() override { return file_->sync(); }
  std::string remains() const override { return file_->remains(); }
  void forget() override { file_->forget(); }

 private:
  static double value(const Source& of, const Observation& now) {
    switch (of.part) {
      case Part::q:
        return now.state.q[static_cast<long>(of.index)];
      case Part::v:
        return now.state.v[static_cast<long>(of.index)];
      case Part::p:
        return now.state.p[static_cast<long>(of.index)];
      case Part::energy:
        return now.energy;
      case Part::momentum:
        return now.momentum[of.index];
      case Part::multiplier:
        return now.multipliers[of.index];
      case Part::ledger:
        return now.ledger->*ledger_columns[of.index].value;
      case Part::measured:
        return now.measured[of.index];
      case Part::observed:
        break;
    }
    return now.observed[of.index];
  }
  Choice choice_;
  std::unique_ptr<Trajectory> file_;
  method::Snapshot state_;  // without coordinates
  std::vector<double> values_;
};

}  // namespace

std::vector<std::string> column_names(const TrajectoryHeader& header) {
  TrajectoryHeader all = header.probes.empty() ? header : of_probes(header);
  if (all.measured.empty()) all.measured = measured_names(header);
  std::vector<std::string> out;
  for (Source& of : sources_of(all)) out.push_back(std::move(of.name));
  return out;
}

std::vector<std::size_t> columns_named(std::string_view asked, std::span<const std::string> names) {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == asked) return {k};
  for (std::size_t k = 0; k < names.size(); ++k)
    if (family_of(names[k]) == asked || names[k].substr(0, names[k].find('/')) == asked) out.push_back(k);
  return out;
}

TrajectoryHeader of_columns(const TrajectoryHeader& header) {
  Choice choice = choose(header);
  TrajectoryHeader out = header;
  for (std::vector<std::string>* none : {&out.coordinates, &out.momentum, &out.multipliers, &out.measured}) none->clear();
  out.ledger = false;
  out.observed.clear();
  for (const Source& of : choice.sources) out.measured.push_back(of.name);
  out.chosen = std::move(choice.columns);
  return out;
}

std::unique_ptr<Trajectory> show_columns(const TrajectoryHeader& header, std::unique_ptr<Trajectory> file) {
  return std::make_unique<Chosen>(choose(header), std::move(file));
}

}  // namespace actio::run
