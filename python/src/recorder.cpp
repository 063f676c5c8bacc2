#include "recorder.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>

namespace actio::python {
namespace nb = nanobind;
namespace {

constexpr std::size_t most_reserved = 1 << 22;  // numbers of a table, before there are any

}  // namespace

Recorder::Recorder(const session::Session& session, const std::string& states) {
  const run::TrajectoryHeader header = session::header(session);
  const long n = session.problem.model.size();
  tables_.push_back({What::t, "t", -1});
  tables_.push_back({What::energy, "energy", -1});
  for (const auto& [what, name] : {std::pair{What::q, "q"}, std::pair{What::v, "v"}, std::pair{What::p, "p"}})
    if (states.find(name) != std::string::npos) tables_.push_back({what, name, n});
  if (!header.momentum.empty()) tables_.push_back({What::momentum, "momentum", static_cast<long>(header.momentum.size())});
  if (header.ledger) tables_.push_back({What::ledger, "ledger", 6});
  if (!header.multipliers.empty())
    tables_.push_back({What::multipliers, "multipliers", static_cast<long>(header.multipliers.size())});
  long observed = 0;
  for (const run::ObservedColumn& column : header.observed) observed += column.elements;
  if (observed > 0) tables_.push_back({What::observed, "observed", observed});
  probes_ = header.probes;
  if (!probes_.empty()) tables_.push_back({What::probes, "probes", 3 * static_cast<long>(probes_.size())});
  const run::Schedule& schedule = session.problem.schedule;
  const auto rows = !schedule.at.empty()   ? schedule.at.size()
                    : schedule.to_a_time() ? 0
                                           : static_cast<std::size_t>(schedule.steps / std::max(schedule.every, 1L) + 2);
  for (Table& of : tables_) of.values.reserve(std::min(rows * static_cast<std::size_t>(std::max(of.columns, 1L)), most_reserved));
}

void Recorder::observe(const run::Observation& now) {
  const auto add = [&](Table& to, const double* from, std::size_t count) {
    to.values.insert(to.values.end(), from, from + count);
    to.values.resize(static_cast<std::size_t>(rows_ + 1) * static_cast<std::size_t>(std::max(to.columns, 1L)),
                     std::numeric_limits<double>::quiet_NaN());
  };
  for (Table& to : tables_) {
    const auto whole = [&](const Eigen::VectorXd& x) { add(to, x.data(), static_cast<std::size_t>(x.size())); };
    const auto part = [&](std::span<const double> x) { add(to, x.data(), x.size()); };
    switch (to.what) {
      case What::t:
        add(to, &now.state.t, 1);
        break;
      case What::energy:
        add(to, &now.energy, 1);
        break;
      case What::q:
        whole(now.state.q);
        break;
      case What::v:
        whole(now.state.v);
        break;
      case What::p:
        whole(now.state.p);
        break;
      case What::momentum:
        part(now.momentum);
        break;
      case What::multipliers:
        part(now.multipliers);
        break;
      case What::observed:
        part(now.observed);
        break;
      case What::probes: {
        std::vector<double> row;
        for (const run::Probe& probe : probes_) row.push_back(now.state.q(probe.coordinates).mean());
        for (const run::Probe& probe : probes_) row.push_back(now.state.v(probe.coordinates).mean());
        for (const run::Probe& probe : probes_) row.push_back(now.state.p(probe.coordinates).sum());
        part(row);
        break;
      }
      case What::ledger: {
        const run::LedgerEntry of = now.ledger ? *now.ledger : run::LedgerEntry();
        const double row[] = {of.external, of.constraints, of.heat, of.dissipated, of.method, of.solver};
        add(to, row, 6);
      }
    }
  }
  ++rows_;
}

nb::dict Recorder::arrays() {
  nb::dict out;
  for (Table& of : tables_) {
    auto* values = new std::vector<double>(std::move(of.values));
    const nb::capsule owner(values, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    const std::size_t shape[] = {static_cast<std::size_t>(rows_), static_cast<std::size_t>(std::max(of.columns, 0L))};
    out[of.name] =
        nb::cast(nb::ndarray<nb::numpy, double>(values->data(), of.columns < 0 ? 1 : 2, shape, owner), nb::rv_policy::reference);
  }
  return out;
}

}  // namespace actio::python
