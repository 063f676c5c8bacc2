#include <actio/run/events.hpp>
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "crossings.hpp"

namespace actio::run {
namespace {

constexpr std::size_t most_numbers = 200'000'000;  // of all rows: 1.6 GB
constexpr long most_state_columns = 10'000;

constexpr std::array direction_words{EventWord{"both", static_cast<int>(Event::Direction::both)},
                                     EventWord{"up", static_cast<int>(Event::Direction::up)},
                                     EventWord{"down", static_cast<int>(Event::Direction::down)}};
constexpr std::array action_words{EventWord{"record", static_cast<int>(Event::Action::record)},
                                  EventWord{"count", static_cast<int>(Event::Action::count)},
                                  EventWord{"stop", static_cast<int>(Event::Action::stop)}};

// An event, and what was seen of it.
struct Followed {
  Event of;
  double value = 0;  // at the state looked at last
  int sign = 0;      // before it
  long count = 0;
  double first = 0, last = 0;  // [s]
  bool stopped = false;
  std::vector<double> rows;
  void archive(core::Archive& a) { a(value, sign, count, first, last, stopped, rows); }
};

struct Found {
  Crossing at;
  std::size_t event;
};

}  // namespace

std::span<const EventWord> event_directions() { return direction_words; }
std::span<const EventWord> event_actions() { return action_words; }

struct Events::Parts {
  std::vector<Followed> followed;
  Observables* observables;
  std::vector<std::string> coordinates;
  bool constrained;
  Crossings crossings;
  std::vector<Found> found;
  method::Snapshot state;  // between steps, perhaps not quite on the constraints

  Parts(std::vector<Event> events, Observables* of, const system::Model& model)
      : observables(of), constrained(model.constraint_count() > 0 || !model.bodies.empty()) {
    for (Event& event : events) {
      if (event.states && event.action != Event::Action::count && 2 * model.size() > most_state_columns)
        throw core::InputError(
            event.source, fmt::format("{} would have {} columns, of every coordinate and velocity", event.name, 2 * model.size()),
            "record = [\"x[0]\"] chooses some, and do = \"count\" has none");
      followed.emplace_back().of = std::move(event);
    }
    for (long i = 0; i < model.size(); ++i) coordinates.push_back(model.coordinate_name(i));
  }

  std::size_t width(const Event& of) const { return 1 + (of.states ? 2 * coordinates.size() : of.columns.size()); }

  double value(const Event& of, const method::Integrator& there, const method::Snapshot& state, long steps) {
    return of.function ? of.function(state.t, state.q, state.v) : observables->value(of.when, there, state, steps);
  }

  double value_within(const Event& of, StatesWithin& within, double s, long steps) {
    const method::Snapshot& at = within.at(s);
    return value(of, within.there(), at, steps - 1);
  }

  void find(std::size_t e, StatesWithin& within, const method::Integrator& integrator, const method::Snapshot& after, long steps,
            bool last) {
    Followed& one = followed[e];
    const double before = one.value;
    one.value = value(one.of, integrator, after, steps);
    const auto g = [&](double s) { return value_within(one.of, within, s, steps); };
    const auto rough = [&](double s) {
      within.rough(s, state);
      return value(one.of, integrator, state, steps - 1);
    };
    const bool exact = !one.of.function && observables->needs_integrator(one.of.when);
    const Crossings::Function often = exact ? Crossings::Function(g) : Crossings::Function(rough);
    const Crossings::Function seldom = exact || constrained ? Crossings::Function(g) : Crossings::Function(rough);
    for (const Crossing& at : crossings(often, seldom, before, one.value, one.sign))
      if (one.of.direction == Event::Direction::both || at.up == (one.of.direction == Event::Direction::up))
        found.push_back({at, e});
    const bool up = one.sign < 0;
    if (last && one.value == 0 && one.sign != 0 &&
        (one.of.direction == Event::Direction::both || up == (one.of.direction == Event::Direction::up)))
      found.push_back({{1, up}, e});
  }

  void record(Followed& one, const method::Snapshot& at, const method::Integrator& there, long steps) {
    if (one.rows.size() + width(one.of) > most_numbers)
      throw core::RunError(steps, at.t,
                           fmt::format("the table of the event {} has {} rows, and no room for more", one.of.name, one.count - 1),
                           "do = \"count\", fewer columns in record, or a shorter run");
    one.rows.push_back(at.t);
    if (one.of.states) {
      one.rows.insert(one.rows.end(), at.q.begin(), at.q.end());
      one.rows.insert(one.rows.end(), at.v.begin(), at.v.end());
      return;
    }
    for (const auto& column : one.of.columns) one.rows.push_back(observables->value(column.second, there, at, steps - 1));
  }

  Observed result(const Followed& one) const {
    Observed out;
    out.name = one.of.name;
    out.definition = one.of.definition;
    out.times = one.count;
    out.first = one.first;
    out.last = one.last;
    out.event = true;
    const char* const word = one.count == 1 ? "time" : "times";
    Observed::Reduction table{"event", fmt::format("{} {}", one.count, word), {}};
    if (one.count == 1) table.text += fmt::format(", t = {:.10g}", one.first);
    if (one.count > 1)
      table.text += fmt::format(", from t = {:.8g} to {:.8g}, {:.8g} apart in the mean", one.first, one.last,
                                (one.last - one.first) / static_cast<double>(one.count - 1));
    if (one.stopped) table.text += "; it ended the run";
    if (one.of.action != Event::Action::count) {
      std::vector<std::string> names{"t"};
      if (one.of.states) {
        names.insert(names.end(), coordinates.begin(), coordinates.end());
        for (const std::string& x : coordinates) names.push_back(x + "'");
      } else {
        for (const auto& column : one.of.columns) names.push_back(column.first);
      }
      const std::size_t n = names.size();
      for (std::size_t c = 0; c < n; ++c) {
        Figure& of = table.figures.emplace_back(Figure{names[c], {}, true});
        for (std::size_t k = c; k < one.rows.size(); k += n) of.values.push_back(one.rows[k]);
      }
    }
    out.reductions.push_back(std::move(table));
    return out;
  }
};

Events::Events(std::vector<Event> events, Observables* observables, const system::Model& model)
    : parts_(std::make_unique<Parts>(std::move(events), observables, model)) {}
Events::~Events() = default;

void Events::start(const method::Integrator& integrator, const method::Snapshot& state) {
  for (Followed& one : parts_->followed) one.value = parts_->value(one.of, integrator, state, 0);
}

std::optional<double> Events::step(StatesWithin& within, const method::Integrator& integrator, const method::Snapshot& before,
                                   const method::Snapshot& after, long steps, bool last) {
  Parts& p = *parts_;
  p.found.clear();
  for (std::size_t e = 0; e < p.followed.size(); ++e) p.find(e, within, integrator, after, steps, last);
  std::stable_sort(p.found.begin(), p.found.end(), [](const Found& a, const Found& b) { return a.at.s < b.at.s; });
  std::optional<double> end;
  for (const Found& found : p.found) {
    if (end && found.at.s > *end) break;
    Followed& one = p.followed[found.event];
    const double t = before.t + found.at.s * (after.t - before.t);
    if (t < one.of.after) continue;
    if (one.count++ == 0) one.first = t;
    one.last = t;
    if (one.of.action != Event::Action::count) p.record(one, within.at(found.at.s), within.there(), steps);
    if (one.of.action != Event::Action::stop || one.count < one.of.occurrences) continue;
    one.stopped = true;
    end = found.at.s;
  }
  return end;
}

std::vector<Observed> Events::results() const {
  std::vector<Observed> out;
  for (const Followed& one : parts_->followed) out.push_back(parts_->result(one));
  return out;
}

void Events::archive(core::Archive& a) {
  std::size_t count = parts_->followed.size();
  a(count);
  if (count != parts_->followed.size()) throw core::InputError("the saved state has another layout");
  for (Followed& one : parts_->followed) a(one);
}

}  // namespace actio::run
