#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "parts.hpp"
#include "steps.hpp"

namespace actio::io {
namespace {

constexpr long most_steps = 1'000'000'000'000'000;

// Of steps that follow the motion; 1 until it is known what eps of it is.
run::Steps first_step(const SymbolTable& symbols, const Value& step) {
  const Document& document = symbols.document();
  if (step.kind == Kind::array)
    document.fail(step.place, "run.step is a list, and the steps follow the motion", "give the size of the first one");
  const Value* first = step.kind == Kind::table ? step.find("first") : &step;
  if (!first) return 1;
  const double h = scalar(symbols, *first, step.kind == Kind::table ? "run.step.first" : "run.step");
  if (!(h > 0)) document.fail(first->place, fmt::format("the first step is {}; it must be positive", h));
  return h;
}

}  // namespace

run::Schedule read_schedule(const Section& root, const SymbolTable& symbols, bool penalty, bool follows) {
  const Document& document = root.document();
  const Section section(document, root.need("run"), "run", keys_of_table("run"));
  run::Schedule schedule;
  const Value& step = section.need("step");
  std::optional<run::Steps> cycle = follows ? first_step(symbols, step) : read_cycle(symbols, step);
  schedule.follows = follows;
  if (const Value* start = section.find("start")) schedule.start = finite(document, *start, "run.start");
  const Value *end = section.find("end"), *steps = section.find("steps");
  if (end && steps) {  // an override of one takes the place of the other in the file
    const bool end_given = section.place_of("end").text > 0, steps_given = section.place_of("steps").text > 0;
    if (end_given == steps_given)
      document.fail(section.place_of("steps"), "run.end and run.steps are both given", "give one of them");
    (end_given ? steps : end) = nullptr;
  }
  if (!end && !steps && !(cycle && step.kind == Kind::array))
    document.fail(section.table().place, "run.end is missing", "give the time to stop at (end), or the number of steps (steps)");
  const double stop = end ? finite(document, *end, "run.end") : std::numeric_limits<double>::infinity();
  if (end && !(stop > schedule.start))
    document.fail(end->place, fmt::format("run.end is {}; it must be later than the start, {}", stop, schedule.start));
  if (steps) schedule.steps = integer(document, *steps, "run.steps", 1, most_steps);
  if (!end && !steps) schedule.steps = cycle->cycle();
  if (end) schedule.end = stop;
  if (end && follows) {
    schedule.steps = most_steps;
  } else if (end && cycle) {
    const double count = steps_to(*cycle, schedule.start, stop);
    if (!(count <= static_cast<double>(most_steps)))
      document.fail(end->place, fmt::format("run.end is {:.3g} steps away; at most {:.0e} can be taken", count,
                                            static_cast<double>(most_steps)));
    schedule.steps = static_cast<long>(count);
  }
  if (cycle) {
    schedule.step = std::move(*cycle);
    schedule.step.truncate(schedule.steps);
  } else {
    schedule.step = steps_of_time(symbols, step, schedule.start, stop, steps ? schedule.steps : most_steps);
    schedule.steps = schedule.step.cycle();
  }
  if (const Value* every = section.find("every")) schedule.every = integer(document, *every, "run.every", 1, most_steps);
  if (const Value* window = section.find("window")) {
    schedule.window = positive(document, *window, "run.window");
    if (!penalty)
      document.fail(window->place, "run.window averages the multipliers of a penalty, and there is no penalty",
                    "remove it: without system.constraint_method = \"penalty\" multipliers need no average");
  }
  return schedule;
}

void read_certificate(const Section& root, run::Bounds& bounds, invariant::Level& level) {
  const Value* table = root.find("certificate");
  if (!table) return;
  const Document& document = root.document();
  const Section section(document, *table, "certificate", keys_of_table("certificate"));
  const auto read = [&](const char* key, double& bound) {
    if (const Value* value = section.find(key)) bound = positive(document, *value, section.path(key));
  };
  read("energy", bounds.energy);
  read("momentum", bounds.momentum);
  read("residual", bounds.residual);
  const Value* value = section.find("level");
  if (!value) return;
  need_kind(document, *value, section.path("level"), Kind::string);
  std::vector<std::string> words;
  for (const auto known : {invariant::Level::quick, invariant::Level::standard, invariant::Level::full, invariant::Level::off}) {
    words.emplace_back(invariant::word(known));
    if (words.back() != value->string) continue;
    level = known;
    return;
  }
  document.fail(value->place,
                fmt::format("{} is \"{}\"; it must be quick, standard, full or off", section.path("level"), value->string),
                core::did_you_mean(value->string, words));
}

}  // namespace actio::io
