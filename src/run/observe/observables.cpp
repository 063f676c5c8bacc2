#include <actio/run/observables.hpp>

#include <actio/run/lags.hpp>
#include <algorithm>

#include <fmt/format.h>

#include "accumulator.hpp"
#include "column_sums.hpp"
#include "state_values.hpp"

namespace actio::run {
namespace {

constexpr double most_stored = 1e8;  // numbers, of lags

// What becomes of the values of one observable.
struct Watched {
  const Observable* of = nullptr;
  std::vector<std::unique_ptr<Accumulator>> accumulators;
  ColumnSums sums;            // of a column that is one number
  long first = 0, times = 0;  // the first step that is reduced; how many values were reduced or written
  double from = std::numeric_limits<double>::quiet_NaN(), to = from;

  bool reduced() const { return !of->reductions.empty(); }
  bool written() const { return !reduced() && !of->hidden && !of->of_event; }
  bool due(long done) const { return reduced() && done >= first && done % of->every == 0; }
  void looked_at(double t) {
    if (times++ == 0) from = t;
    to = t;
  }
};

}  // namespace

struct Observables::Parts {
  std::vector<Observable> asked;
  Schedule schedule;
  StateValues at;
  std::vector<Watched> watched;
  std::vector<ObservedColumn> columns;
  std::vector<double> row;

  Parts(const system::Model& model, std::vector<Observable> list, const Schedule& s, const std::optional<discrete::Nodes>& nodes,
        const expr::CompileOptions& options)
      : asked(std::move(list)), schedule(s), at(model, asked, schedule, nodes, options) {
    watched.resize(asked.size());
    for (std::size_t k = 0; k < asked.size(); ++k) prepare(asked[k], watched[k]);
  }

  void prepare(const Observable& of, Watched& one) {
    one.of = &of;
    if (one.written()) {
      columns.push_back({of.name, of.unit, of.definition, static_cast<long>(of.combine == Combine::none ? of.elements() : 1)});
      row.resize(row.size() + static_cast<std::size_t>(columns.back().elements));
    }
    const double spacing = schedule.step[0] * static_cast<double>(of.every);
    for (const Reduce kind : of.reductions) {
      if (type_of(kind).of_lags) check_lags(of, kind);
      one.accumulators.push_back(make_accumulator(kind, of, spacing));
    }
    if (!one.reduced()) return;
    if (schedule.follows) {
      if (schedule.to_a_time() && of.after > schedule.end) has_no_value(of, schedule.end);
      return check_evenness(of);
    }
    one.first = (schedule.first_at(of.after) + of.every - 1) / of.every * of.every;
    if (one.first > schedule.steps) has_no_value(of, schedule.time(schedule.steps));
  }

  [[noreturn]] static void has_no_value(const Observable& of, double end) {
    throw core::InputError(of.source, fmt::format("{} has no value: the run ends at t = {:g} before the first", of.name, end),
                           "run longer, or choose a smaller after or every");
  }

  // The steps are close together where the motion is fast.
  static void check_evenness(const Observable& of) {
    for (const Reduce kind : of.reductions)
      if (kind != Reduce::largest && kind != Reduce::smallest)
        throw core::InputError(
            of.source,
            fmt::format("{} of {} is one over the time, and where steps follow the motion they are not even in it",
                        type_of(kind).name, of.name),
            "run.every_time writes values at even times; largest and smallest are taken over the steps");
  }

  void check_lags(const Observable& of, Reduce kind) const {
    const std::string_view name = type_of(kind).name;
    if (!schedule.step.equal())
      throw core::InputError(of.source,
                             fmt::format("{} of {} needs steps of one size, and those of the run differ", name, of.name));
    const double width =
        static_cast<double>(of.combine == Combine::none ? of.elements() : 1) * static_cast<double>(of.components.size());
    const double numbers = Lags::numbers(schedule.steps / of.every + 1, width);
    if (numbers > most_stored)
      throw core::InputError(of.source,
                             fmt::format("{} of {} would keep {:.2g} numbers in memory, and at most {:.0g} are", name, of.name,
                                         numbers, most_stored),
                             "observe fewer elements, or seldom: every = 100");
  }
};

Observables::Observables(const system::Model& model, std::vector<Observable> asked, const Schedule& schedule,
                         const std::optional<discrete::Nodes>& nodes, const expr::CompileOptions& options)
    : parts_(std::make_unique<Parts>(model, std::move(asked), schedule, nodes, options)) {}
Observables::~Observables() = default;

const std::vector<ObservedColumn>& Observables::columns() const { return parts_->columns; }

long Observables::next(long done) const {
  if (parts_->at.follows()) return done + 1;
  long out = parts_->schedule.steps + 1;
  for (const Watched& one : parts_->watched)
    if (one.reduced()) out = std::min(out, std::max(one.first, (done / one.of->every + 1) * one.of->every));
  return out;
}

bool Observables::due(long done) const {
  return parts_->at.follows() ||
         std::any_of(parts_->watched.begin(), parts_->watched.end(), [&](const Watched& one) { return one.due(done); });
}

void Observables::reduce(const method::Integrator& integrator, const method::Snapshot& state, long step) {
  Parts& p = *parts_;
  p.at.begin(state, step);
  for (std::size_t k = 0; k < p.watched.size(); ++k) {
    Watched& one = p.watched[k];
    if (p.at.followed(k)) p.at(k, integrator, state);
    if (!one.due(step) || (p.schedule.follows && state.t < one.of->after)) continue;
    const std::span<const double> now = p.at(k, integrator, state);
    for (const auto& accumulator : one.accumulators) accumulator->add(state.t, now);
    one.looked_at(state.t);
  }
}

std::span<const double> Observables::values(const method::Integrator& integrator, const method::Snapshot& state, long step) {
  Parts& p = *parts_;
  p.at.begin(state, step);
  auto to = p.row.begin();
  for (std::size_t k = 0; k < p.watched.size(); ++k) {
    Watched& one = p.watched[k];
    if (!one.written()) continue;
    const std::span<const double> now = p.at(k, integrator, state);
    to = std::copy(now.begin(), now.end(), to);
    if (!one.of->single()) continue;
    one.sums.add(state.t, now[0]);
    one.looked_at(state.t);
  }
  return p.row;
}

void Observables::forget_state() { parts_->at.forget(); }

double Observables::value(std::size_t k, const method::Integrator& integrator, const method::Snapshot& state, long step) {
  Parts& p = *parts_;
  forget_state();
  p.at.begin(state, step);
  const double out = p.at(k, integrator, state)[0];
  forget_state();
  return out;
}

bool Observables::needs_integrator(std::size_t k) const { return parts_->at.needs_integrator(k); }

std::vector<Observed> Observables::results() const {
  std::vector<Observed> out;
  for (const Watched& one : parts_->watched) {
    const Observable& of = *one.of;
    const bool column = one.written() && of.single();
    if (!one.reduced() && !column) continue;
    Observed& to = out.emplace_back(Observed{
        of.name, of.unit, of.definition, of.combine == Combine::none ? of.elements() : 1, one.times, one.from, one.to, {}});
    if (column) to.column = one.sums.summary();
    for (std::size_t k = 0; k < one.accumulators.size(); ++k)
      to.reductions.push_back(
          {std::string(type_of(of.reductions[k]).name), one.accumulators[k]->text(), one.accumulators[k]->figures()});
  }
  return out;
}

void Observables::archive(core::Archive& a) {
  Parts& p = *parts_;
  std::size_t count = p.watched.size();
  a(count);
  if (count != p.watched.size()) throw core::InputError("the saved state has another layout");
  for (Watched& one : p.watched) {
    a(one.times, one.from, one.to);
    for (const auto& accumulator : one.accumulators) accumulator->archive(a);
    if (one.written() && one.of->single()) one.sums.archive(a);
  }
  p.at.archive(a);
}

}  // namespace actio::run
