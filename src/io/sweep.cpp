#include <algorithm>

#include <fmt/format.h>

#include "ensemble_parts.hpp"
#include "number.hpp"

// The values of parameters on the command line, as an ensemble of all their combinations.
namespace actio::io {
namespace {

constexpr std::size_t most_values = 2'000'000;  // of all parameters in all combinations: 300 MB while they are read

struct Swept {
  std::string name;
  std::vector<double> values;
  Place place;
};

Swept read(Document& document, const std::string& text, const std::vector<std::string>& parameters) {
  const int number = document.add_text("command line", text);
  const auto place = [&](std::size_t offset, std::size_t length) {
    return Place{static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(std::max<std::size_t>(1, length)), number};
  };
  Swept out;
  const std::size_t equals = std::min(text.find('='), text.size());
  out.name = text.substr(0, equals);
  out.place = place(0, equals);
  need_parameter(document, out.place, out.name, parameters);
  if (equals == text.size()) document.fail(out.place, fmt::format("{} has no values", out.name), "for example c=1,2,3");
  for (std::size_t begin = equals + 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = std::string_view(text).substr(begin, end - begin);
    const auto value = to_number<double>(word);
    if (!value) document.fail(place(begin, word.size()), fmt::format("\"{}\" is not a number", word), "for example c=1,2,3");
    out.values.push_back(*value);
    begin = end + 1;
  }
  return out;
}

}  // namespace

void add_sweep(Document& document, const std::vector<std::string>& texts) {
  if (const Entry* given = document.root.find_entry("ensemble"))
    document.fail(given->place, "the file has an ensemble, and a sweep makes one of its own", "run it with actio run");
  const Value* system = document.root.find("system");
  const Value* parameters = system ? system->find("parameters") : nullptr;
  std::vector<std::string> names;
  if (parameters)
    for (const Entry& entry : parameters->fields) names.push_back(entry.key);
  std::vector<Swept> swept;
  std::size_t count = 1;
  for (const std::string& text : texts) {
    swept.push_back(read(document, text, names));
    for (std::size_t k = 0; k + 1 < swept.size(); ++k)
      if (swept[k].name == swept.back().name)
        document.fail(swept.back().place, fmt::format("{} is given twice", swept.back().name));
    count *= std::max<std::size_t>(1, swept.back().values.size());
    if (count > most_values / texts.size())
      document.fail(swept.back().place,
                    fmt::format("there are more than {} combinations of values of {} {}", most_values / texts.size(),
                                texts.size(), plural(static_cast<long>(texts.size()), "parameter", "parameters")),
                    "[ensemble] takes more members, with expressions of their number");
  }
  Value& table = document.root.entry("ensemble", swept.front().place).value.entry("parameters", swept.front().place).value;
  std::size_t repeat = count;  // of the values, the last parameter changes fastest
  for (const Swept& of : swept) {
    repeat /= of.values.size();
    Value& list = table.entry(of.name, of.place).value;
    list.kind = Kind::array;
    for (std::size_t m = 0; m < count; ++m) {
      Value& item = list.items.emplace_back();
      item.kind = Kind::number;
      item.place = of.place;
      item.number = of.values[m / repeat % of.values.size()];
    }
  }
}

}  // namespace actio::io
