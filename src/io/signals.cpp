#include <array>
#include <cmath>

#include <fmt/format.h>

#include <actio/io/csv.hpp>

#include "parts.hpp"
#include "values.hpp"

// Functions of the time given by samples.
namespace actio::io {
namespace {

std::string text_of(const Section& section, const char* key) {
  const Value& value = section.need(key);
  need_kind(section.document(), value, section.path(key), Kind::string);
  return value.string;
}

// t = start, start + step, ...
std::vector<double> even_times(const Section& section, const SymbolTable& symbols, std::size_t count) {
  const Value& given = section.need("step");
  const double step = scalar(symbols, given, section.path("step"));
  if (!(step > 0)) section.document().fail(given.place, fmt::format("{} is {}; it must be positive", section.path("step"), step));
  const Value* from = section.find("start");
  const double start = from ? scalar(symbols, *from, section.path("start")) : 0;
  std::vector<double> t(count);
  for (std::size_t k = 0; k < count; ++k) t[k] = start + static_cast<double>(k) * step;
  if (!std::isfinite(t.back()) || (count > 1 && !(t[count - 1] > t[count - 2])))
    section.document().fail(given.place,
                            fmt::format("{} is {}, too {} to distinguish the times of {} samples", section.path("step"), step,
                                        std::isfinite(t.back()) ? "small" : "large", count));
  return t;
}

std::vector<double> numbers(const Section& section, const SymbolTable& symbols, const char* key) {
  const Value& list = section.need(key);
  need_kind(section.document(), list, section.path(key), Kind::array);
  if (list.items.empty()) section.document().fail(list.place, fmt::format("{} is empty", section.path(key)));
  std::vector<double> out;
  for (const Value& item : list.items) out.push_back(scalar(symbols, item, fmt::format("{}[{}]", section.path(key), out.size())));
  return out;
}

void from_file(const Section& section, const SymbolTable& symbols, bool even, system::Signal& signal) {
  const Value& file = section.need("csv");
  need_kind(section.document(), file, section.path("csv"), Kind::string);
  const std::string path = need_file(symbols, file, section.path("csv"));
  const CsvColumn value{text_of(section, "value")};
  if (even) {
    signal.value = std::move(read_csv(path, std::array{value}).front());
    return;
  }
  auto columns = read_csv(path, std::array{CsvColumn{text_of(section, "time"), true}, value});
  signal.t = std::move(columns[0]);
  signal.value = std::move(columns[1]);
}

void from_lists(const Section& section, const SymbolTable& symbols, bool even, system::Signal& signal) {
  const Document& document = section.document();
  signal.value = numbers(section, symbols, "value");
  if (even) return;
  signal.t = numbers(section, symbols, "time");
  if (signal.t.size() != signal.value.size())
    document.fail(section.need("value").place, fmt::format("{} has {} {}, {} has {}", section.path("value"), signal.value.size(),
                                                           plural(static_cast<long>(signal.value.size()), "entry", "entries"),
                                                           section.path("time"), signal.t.size()));
  for (std::size_t k = 1; k < signal.t.size(); ++k)
    if (!(signal.t[k] > signal.t[k - 1]))
      document.fail(section.need("time").items[k].place,
                    fmt::format("{} must increase: {} follows {}", section.path("time"), signal.t[k], signal.t[k - 1]));
}

system::Signal read_signal(const Section& signals, const SymbolTable& symbols, const Entry& entry) {
  const Document& document = signals.document();
  const std::string path = signals.path(entry.key);
  if (entry.value.kind != Kind::table)
    wrong_type(document, entry.value, path,
               "{ csv = \"file.csv\", time = \"t\", value = \"a\" }, or { time = [...], value = [...] }");
  const Section section(document, entry.value, path, keys_of_table("system.signals.<signal>"));
  const bool even = section.find("step") != nullptr;
  if (even && section.find("time"))
    document.fail(section.place_of("step"), fmt::format("{} has both times and a step", path), "give one of them");
  if (!even && section.find("start"))
    document.fail(section.place_of("start"), fmt::format("{} has a start without a step", path),
                  "times are given by time, or by step and start");
  if (!even && !section.find("time"))
    document.fail(entry.place, fmt::format("{} has no times of its samples", path),
                  "give time (a column, or a list), or the step between samples");
  system::Signal signal;
  signal.name = entry.key;
  section.find("csv") ? from_file(section, symbols, even, signal) : from_lists(section, symbols, even, signal);
  if (even) signal.t = even_times(section, symbols, signal.value.size());
  if (const Value* given = section.find("scale")) {
    const double scale = scalar(symbols, *given, section.path("scale"));
    for (double& x : signal.value) {
      x *= scale;
      if (!std::isfinite(x)) document.fail(given->place, fmt::format("{} makes a sample {}", section.path("scale"), x));
    }
  }
  return signal;
}

}  // namespace

void read_signals(const Section& system, SymbolTable& symbols) {
  const Value* table = system.find("signals");
  if (!table) return;
  need_kind(system.document(), *table, system.path("signals"), Kind::table);
  std::vector<std::string> names;
  for (const Entry& entry : table->fields) names.push_back(entry.key);
  const Section signals(system.document(), *table, system.path("signals"), names);
  for (const Entry& entry : table->fields) symbols.add_signal(read_signal(signals, symbols, entry), entry.place);
}

}  // namespace actio::io
