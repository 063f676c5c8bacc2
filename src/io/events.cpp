#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <actio/expr/operations.hpp>

#include "observed_expression.hpp"
#include "parts.hpp"
#include "values.hpp"

// [[event]]: times at which an expression passes through 0.
namespace actio::io {
namespace {

std::string why_not_an_event(const std::string& name) {
  return name == "observed" ? "an event cannot be named \"observed\": OUT.observed.csv is the table of reductions" : "";
}

class EventReader {
 public:
  EventReader(const SymbolTable& symbols, const Problem& problem, std::vector<run::Observable>& observables)
      : symbols_(symbols), document_(symbols.document()), problem_(problem), observables_(observables) {}

  run::Event read(const Value& table, const std::string& path, bool alone) {
    const Section section(document_, table, path, keys_of_table("event"));
    run::Event out;
    read_name(section, alone, out);
    const Value& when = section.need("when");
    out.source = document_.source(when.place);
    out.when = number(when, section.path("when"));
    out.definition = when.string;
    out.direction = word<run::Event::Direction>(section, "direction", run::event_directions());
    out.action = word<run::Event::Action>(section, "do", run::event_actions(), static_cast<int>(run::Event::Action::record));
    if (const Value* count = section.find("count")) {
      if (out.action != run::Event::Action::stop)
        document_.fail(section.place_of("count"),
                       fmt::format("{} is how often it happens until the run is stopped", section.path("count")),
                       "do = \"stop\"");
      out.occurrences = integer(document_, *count, section.path("count"), 1, 1'000'000'000'000);
    }
    if (const Value* after = section.find("after")) out.after = scalar(symbols_, *after, section.path("after"));
    if (const Value* record = section.find("record")) read_columns(*record, section, out);
    return out;
  }

 private:
  void read_name(const Section& section, bool alone, run::Event& out) {
    const Value* name = section.find("name");
    if (!name && !alone) (void)section.need("name");
    if (name) need_kind(document_, *name, section.path("name"), Kind::string);
    out.name = name ? name->string : "event";
    const Place& place = name ? name->place : section.table().place;
    need_identifier(document_, out.name, place);
    if (const std::string why = why_not_an_event(out.name); !why.empty()) document_.fail(place, why, "choose another name");
    const auto [earlier, fresh] = names_.emplace(out.name, place);
    if (fresh) return;
    const core::Source other = document_.source(earlier->second);
    document_.fail(place, fmt::format("two events are named \"{}\": the other is at {}:{}:{}", out.name, other.file, other.line,
                                      other.column));
  }

  // A hidden observable, which is one number.
  std::size_t number(const Value& text, const std::string& path) {
    if (text.kind != Kind::string) wrong_type(document_, text, path, "an expression of coordinates, velocities and the time");
    run::Observable& out = observables_.emplace_back();
    out.name = path;
    out.source = document_.source(text.place);
    out.of_event = true;
    add_expression(symbols_, problem_.model, text, path, Elements{{}, false, 1}, out);
    const system::ElementFunction& of = out.components.front();
    if (expr::is_boolean(of.graph[of.value].op))
      document_.fail(text.place, fmt::format("{} is true or false, and passes through no 0", path), "for x > 2 write \"x - 2\"");
    return observables_.size() - 1;
  }

  void read_columns(const Value& record, const Section& section, run::Event& out) {
    const std::string path = section.path("record");
    if (out.action == run::Event::Action::count)
      document_.fail(record.place, fmt::format("{} is what is recorded, and do = \"count\" records nothing", path),
                     "do = \"record\"");
    need_kind(document_, record, path, Kind::array);
    out.states = false;
    std::vector<std::string> names{"t"};  // as datasets
    for (std::size_t k = 0; k < record.items.size(); ++k) {
      std::string name = record.items[k].string;
      std::ranges::replace(name, '/', '_');
      if (std::ranges::find(names, name) != names.end())
        document_.fail(record.items[k].place,
                       fmt::format("{}[{}]: there is a column \"{}\" already", path, k, record.items[k].string),
                       name == "t" ? "the time is the first column without a word" : "");
      names.push_back(name);
      out.columns.emplace_back(record.items[k].string, number(record.items[k], fmt::format("{}[{}]", path, k)));
    }
  }

  template <class E>
  E word(const Section& section, const char* key, std::span<const run::EventWord> words, int otherwise = 0) const {
    const Value* value = section.find(key);
    if (!value) return static_cast<E>(otherwise);
    need_kind(document_, *value, section.path(key), Kind::string);
    std::vector<std::string> names;
    for (const run::EventWord& known : words) {
      if (known.name == value->string) return static_cast<E>(known.value);
      names.emplace_back(known.name);
    }
    std::string hint = core::did_you_mean(value->string, names);
    if (hint.empty()) hint = fmt::format("it takes {}, {} or {}", names[0], names[1], names[2]);
    document_.fail(value->place, fmt::format("{} is \"{}\", which is not known", section.path(key), value->string), hint);
  }

  const SymbolTable& symbols_;
  const Document& document_;
  const Problem& problem_;
  std::vector<run::Observable>& observables_;
  std::map<std::string, Place> names_;
};

}  // namespace

void add_event(Problem& problem, run::Event event) {
  std::string why = why_not_an_event(event.name);
  if (!is_identifier(event.name)) why = fmt::format("\"{}\" is not a name of an event", event.name);
  if (std::ranges::find(problem.events, event.name, &run::Event::name) != problem.events.end())
    why = fmt::format("two events are named \"{}\"", event.name);
  if (!why.empty()) throw core::InputError(why, identifiers);
  problem.events.push_back(std::move(event));
}

std::vector<run::Event> read_events(const Section& root, const SymbolTable& symbols, Problem& problem) {
  std::vector<run::Event> out;
  const Value* list = root.find("event");
  if (!list) return out;
  const Document& document = root.document();
  if (list->kind != Kind::array) wrong_type(document, *list, "event", "a list of tables, each headed [[event]]");
  if (problem.model.thermostat)
    document.fail(root.place_of("event"), "events need the path within a step, and that of a thermostat's noise is not known",
                  "[[observe]] follows what happens at the ends of steps");
  if (!problem.model.contacts.empty())
    document.fail(root.place_of("event"), "events need the path within a step, and an impact breaks it",
                  "impacts are in a table of their own, \"impacts\"; [[observe]] follows what happens at the ends of steps");
  EventReader reader(symbols, problem, problem.observables);
  for (std::size_t k = 0; k < list->items.size(); ++k)
    out.push_back(reader.read(list->items[k], fmt::format("event[{}]", k), list->items.size() == 1));
  return out;
}

}  // namespace actio::io
