#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "parts.hpp"
#include "values.hpp"

// run.at and run.every_time: observations at times of their own.
namespace actio::io {
namespace {

constexpr double most_times = 4e6;

void read_list(const SymbolTable& symbols, const Value& list, double end, run::Schedule& schedule) {
  const Document& document = symbols.document();
  if (list.kind != Kind::array) wrong_type(document, list, "run.at", "a list of times");
  if (list.items.empty())
    document.fail(list.place, "run.at is empty", "leave it out to have an observation every run.every steps");
  for (std::size_t k = 0; k < list.items.size(); ++k) {
    const std::string path = fmt::format("run.at[{}]", k);
    const double t = scalar(symbols, list.items[k], path);
    const double slack = schedule.blur(0);
    if (t < schedule.start - slack || t > end + slack)
      document.fail(list.items[k].place, fmt::format("{} is {}, and the run is from {} to {}", path, t, schedule.start, end));
    if (k > 0 && !(t - schedule.at.back() > 2 * slack))
      document.fail(list.items[k].place,
                    fmt::format("{} is {}, which is not later than the time before it, {}", path, t, schedule.at.back()));
    schedule.at.push_back(t);
  }
}

// The last one is the end of the run.
void read_spacing(const SymbolTable& symbols, const Value& value, double end, run::Schedule& schedule) {
  const Document& document = symbols.document();
  const double spacing = scalar(symbols, value, "run.every_time");
  if (!(spacing > 0)) document.fail(value.place, fmt::format("run.every_time is {}; it must be positive", spacing));
  const double count = (end - schedule.start) / spacing;
  if (!(count < most_times))
    document.fail(value.place,
                  fmt::format("there are {:.2g} observations {} apart, and at most {:.0e} are taken", count, spacing, most_times),
                  "run.every = N has one every N steps, as many as there are");
  for (long k = 0; k <= static_cast<long>(count + 1e-9); ++k)
    schedule.at.push_back(std::min(end, schedule.start + static_cast<double>(k) * spacing));
  if (end - schedule.at.back() > 1e-9 * spacing) schedule.at.push_back(end);
}

}  // namespace

void read_observation_times(const Section& root, const SymbolTable& symbols, const system::Model& model,
                            run::Schedule& schedule) {
  const Document& document = root.document();
  const Value& run = root.need("run");
  const auto place = [&](const char* key) -> const Place& { return run.find_entry(key)->place; };
  constexpr const char *list = "at", *spacing = "every_time", *every = "every";
  std::vector<const char*> given;  // an override of one takes the place of the others in the file
  for (const char* key : {list, spacing, every})
    if (run.find(key)) given.push_back(key);
  const auto overrides = [&](const char* key) { return place(key).text > 0; };
  if (std::ranges::any_of(given, overrides)) std::erase_if(given, [&](const char* key) { return !overrides(key); });
  if (given.size() > 1)
    document.fail(place(given[0]), fmt::format("run.{} and run.{} are both given", given[0], given[1]), "give one of them");
  if (given.empty() || given[0] == every) return;
  const char* const key = given[0];
  if (schedule.window > 0)
    document.fail(place(key), fmt::format("run.{} with run.window: means over that time are known after steps alone", key),
                  "run.every = N");
  if (model.thermostat)
    document.fail(place(key),
                  fmt::format("run.{} needs the path within a step, and that of a thermostat's noise is not known", key),
                  "run.every = N");
  if (!model.contacts.empty())
    document.fail(place(key), fmt::format("run.{} needs the path within a step, and an impact breaks it", key), "run.every = N");
  if (schedule.follows && !schedule.to_a_time())
    document.fail(place(key),
                  fmt::format("run.{} with run.steps: where steps follow the motion, when they end is not known", key),
                  "give run.end in place of run.steps");
  const double end = std::isnan(schedule.end) ? schedule.last_time() : schedule.end;
  (key == list ? read_list : read_spacing)(symbols, *run.find(key), end, schedule);
}

}  // namespace actio::io
