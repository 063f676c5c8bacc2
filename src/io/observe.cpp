#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <actio/core/meanings.hpp>

#include "elements.hpp"
#include "joint_axes.hpp"
#include "observed_expression.hpp"
#include "parts.hpp"
#include "values.hpp"

// [[observe]] and [output]: what is asked of the states of a run.
namespace actio::io {
namespace {

constexpr long most_columns = 10'000, most_bins = 1'000'000;

class ObservableReader {
 public:
  // `ensemble`: null where the file has none.
  ObservableReader(SymbolTable& symbols, const system::Model& model, const run::Schedule& schedule, const Value* ensemble)
      : symbols_(symbols), document_(symbols.document()), model_(model), schedule_(schedule), ensemble_(ensemble != nullptr) {
    const bool stops = ensemble && ensemble->find("stop");
    for (const run::Quantity& quantity : run::quantities_of(model))
      symbols_.quantities.push_back({quantity.name, stops && quantity.kind == run::Quantity::Kind::stopped_at
                                                        ? ""
                                                        : run::why_undefined(quantity.kind, model)});
  }

  // A table of [[observe]].
  run::Observable read(const Value& table, const std::string& path) {
    const Section section(document_, table, path, keys_of_table("observe"));
    const Value& name = section.need("name");
    need_kind(document_, name, section.path("name"), Kind::string);
    return read(section, name.string, name.place);
  }

  // A line of [output]: an expression, or a table with the keys of [[observe]] without the name.
  run::Observable read_output(const Entry& entry) {
    const std::string path = "output." + entry.key;
    if (entry.value.kind == Kind::table)
      return read(Section(document_, entry.value, path, keys_of_outputs()), entry.key, entry.place);
    if (entry.value.kind != Kind::string)
      wrong_type(document_, entry.value, path, "an expression, or a table with the expression as its value");
    Value table;
    table.place = entry.value.place;
    table.fields.push_back({"value", entry.place, entry.value});
    value_path_ = path;
    run::Observable out = read(Section(document_, table, path, {"value"}), entry.key, entry.place);
    value_path_.clear();
    return out;
  }

 private:
  static std::vector<std::string> keys_of_outputs() {
    std::vector<std::string> keys = keys_of_table("observe");
    std::erase(keys, "name");
    return keys;
  }

  run::Observable read(const Section& section, const std::string& name, const Place& place) {
    run::Observable out;
    read_name(name, place, out);
    read_value(section, out);
    read_reductions(section, out);
    read_times(section, out);
    check_shape(section, out);
    symbols_.quantities.push_back(known_as(out));
    return out;
  }

  void read_name(const std::string& name, const Place& place, run::Observable& out) {
    need_identifier(document_, name, place);
    const auto [earlier, fresh] = names_.emplace(name, place);
    if (!fresh) {
      const core::Source other = document_.source(earlier->second);
      document_.fail(place, fmt::format("two observables are named \"{}\": the other is at {}:{}:{}", name, other.file,
                                        other.line, other.column));
    }
    out.name = name;
  }

  void read_value(const Section& section, run::Observable& out) {
    if (const Value* unit = section.find("unit")) {
      need_kind(document_, *unit, section.path("unit"), Kind::string);
      out.unit = unit->string;
    }
    const Value *over = section.find("over"), *periodic = section.find("periodic");
    if (periodic && periodic->kind != Kind::boolean) wrong_type(document_, *periodic, section.path("periodic"), "true or false");
    const bool wraps = periodic && periodic->integer == 1;
    const Elements elements = over ? read_elements(symbols_, *over, section.path("over"), wraps) : Elements{{}, wraps, 1};
    if (elements.near)
      document_.fail(over->place, fmt::format("{}: an observable is of all pairs, and takes no cutoff", section.path("over")),
                     "over = \"a, b = pairs(atom)\"");
    const Value& value = section.need("value");
    out.source = document_.source(value.place);
    const std::string path = value_path_.empty() ? section.path("value") : value_path_;
    if (value.kind == Kind::array) {
      if (value.items.empty()) document_.fail(value.place, fmt::format("{} has no component", path));
      for (std::size_t c = 0; c < value.items.size(); ++c)
        add_expression(symbols_, model_, value.items[c], fmt::format("{}[{}]", path, c), elements, out);
    } else {
      if (value.kind != Kind::string) wrong_type(document_, value, path, "an expression, or a list of them for a vector");
      add_expression(symbols_, model_, value, path, elements, out);
    }
    if (over) out.definition += " over " + over->string;
    if (const Value* combine = section.find("combine")) {
      if (!over)
        document_.fail(combine->place, fmt::format("{} has nothing to combine", section.path("combine")),
                       "over = \"i = 0..9\" makes elements");
      out.combine = one_of(*combine, section.path("combine"), run::combine_types()).kind;
    }
  }

  // The entry of a table that is named by a string.
  template <class Type>
  const Type& one_of(const Value& value, const std::string& path, std::span<const Type> types) const {
    need_kind(document_, value, path, Kind::string);
    std::vector<std::string> names;
    for (const Type& type : types) {
      if (type.name == value.string) return type;
      names.emplace_back(type.name);
    }
    std::string hint = core::same_meaning(value.string, names);
    if (hint.empty()) hint = core::did_you_mean(value.string, names);
    if (hint.empty()) hint = fmt::format("it takes {}", fmt::join(names, ", "));
    document_.fail(value.place, fmt::format("{} is \"{}\", which is not known", path, value.string), hint);
  }

  void read_reductions(const Section& section, run::Observable& out) {
    if (const Value* reduce = section.find("reduce")) {
      const bool list = reduce->kind == Kind::array;
      if (list && reduce->items.empty())
        document_.fail(reduce->place, fmt::format("{} is empty", section.path("reduce")), "leave it out to have every value");
      for (std::size_t k = 0; k < (list ? reduce->items.size() : 1); ++k) {
        const Value& item = list ? reduce->items[k] : *reduce;
        const run::Reduce kind =
            one_of(item, list ? fmt::format("{}[{}]", section.path("reduce"), k) : section.path("reduce"), run::reduce_types())
                .kind;
        if (std::find(out.reductions.begin(), out.reductions.end(), kind) != out.reductions.end())
          document_.fail(item.place, fmt::format("{} has \"{}\" twice", section.path("reduce"), item.string));
        out.reductions.push_back(kind);
      }
    }
    const bool histogram = std::ranges::any_of(out.reductions, [](run::Reduce kind) { return run::type_of(kind).of_bins; });
    for (const char* key : {"from", "to", "bins"})
      if (section.find(key) && !histogram)
        document_.fail(section.place_of(key), fmt::format("{} belongs to a histogram", section.path(key)),
                       "reduce = \"histogram\"");
    if (!histogram) return;
    const run::Bins bins{scalar(symbols_, section.need("from"), section.path("from")),
                         scalar(symbols_, section.need("to"), section.path("to")),
                         integer(document_, section.need("bins"), section.path("bins"), 1, most_bins)};
    if (!(bins.to > bins.from))
      document_.fail(section.place_of("to"), fmt::format("{} is {}; it must be above {}, {}", section.path("to"), bins.to,
                                                         section.path("from"), bins.from));
    out.bins = bins;
    if (std::ranges::find(out.reductions, run::Reduce::radial_distribution) != out.reductions.end()) need_box(section, out);
  }

  // A radial distribution compares with points that are spread evenly in a box, as far as half of it.
  void need_box(const Section& section, run::Observable& out) const {
    const Place& place = section.place_of("reduce");
    if (symbols_.box.empty() || std::ranges::find(symbols_.box, 0.0) != symbols_.box.end())
      document_.fail(place, fmt::format("{} is a radial-distribution, which is that of points in a box", section.path("reduce")),
                     "[system] box = [20, 20, 20]; without one, a histogram counts distances");
    out.box = symbols_.box;
    const double half = 0.5 * *std::ranges::min_element(out.box);
    if (out.bins->from < 0 || out.bins->to > half * (1 + 1e-12))
      document_.fail(section.place_of(out.bins->from < 0 ? "from" : "to"),
                     fmt::format("a radial-distribution is of distances from 0 to half of the box, {}", half));
  }

  void read_times(const Section& section, run::Observable& out) {
    for (const char* key : {"every", "after"})
      if (section.find(key) && out.reductions.empty())
        document_.fail(section.place_of(key), fmt::format("{} belongs to a reduction", section.path(key)),
                       "without reduce the values are written every run.every steps");
    out.every = schedule_.every;
    if (const Value* every = section.find("every"))
      out.every = integer(document_, *every, section.path("every"), 1, std::numeric_limits<std::int32_t>::max());
    if (const Value* after = section.find("after")) out.after = scalar(symbols_, *after, section.path("after"));
  }

  void check_shape(const Section& section, const run::Observable& out) const {
    const bool vector = out.components.size() > 1;
    const Place& place = section.need("value").place;
    if (vector && out.combine != run::Combine::none)
      document_.fail(section.place_of("combine"),
                     fmt::format("{} takes numbers, and {} is a vector", section.path("combine"), out.name));
    for (const run::Reduce kind : out.reductions)
      if (vector && !run::type_of(kind).of_vectors)
        document_.fail(place, fmt::format("{} is a vector, and {} takes numbers", section.path("value"), run::type_of(kind).name),
                       "autocorrelation and mean-square-displacement take vectors");
    if (!out.reductions.empty()) return;
    if (vector)
      document_.fail(place, fmt::format("{} is a vector, and is not reduced", section.path("value")),
                     "give each component an observable of its own, or reduce = \"autocorrelation\"");
    const long columns = out.combine == run::Combine::none ? out.elements() : 1;
    if (columns > most_columns)
      document_.fail(
          section.place_of("over"),
          fmt::format("{} would have {} columns in the output, and at most {} are written", out.name, columns, most_columns),
          "combine = \"sum\" makes one number of them, and reduce one of all times");
    if (!ensemble_ &&
        std::any_of(symbols_.families.begin(), symbols_.families.end(), [&](const auto& f) { return f.name == out.name; }))
      document_.fail(names_.at(out.name), fmt::format("{} is a coordinate, which has columns already", out.name),
                     "give the observable another name");
  }

  // As later observables may name it. A name with a meaning of its own keeps that.
  KnownNumber known_as(const run::Observable& of) const {
    const bool taken = std::any_of(symbols_.quantities.begin(), symbols_.quantities.end(),
                                   [&](const KnownNumber& known) { return known.name == of.name; });
    if (taken) return {"", ""};
    if (of.single()) return {of.name, ""};
    return {of.name, of.components.size() > 1
                         ? "it is a vector"
                         : fmt::format("it has {} elements, and combine would make one of them", of.elements())};
  }

  SymbolTable& symbols_;
  const Document& document_;
  const system::Model& model_;
  const run::Schedule& schedule_;
  bool ensemble_;
  std::map<std::string, Place> names_;
  std::string value_path_;  // of a line of [output], whose value is the line's
};

}  // namespace

std::vector<run::Observable> read_observables(const Section& root, SymbolTable& symbols, const system::Model& model,
                                              const std::vector<system::Support>& supports, const run::Schedule& schedule) {
  std::vector<run::Observable> out;
  const Value *list = root.find("observe"), *outputs = root.find("output");
  if (!list && !outputs && !root.find("event")) return out;
  if (list && list->kind != Kind::array)
    wrong_type(root.document(), *list, "observe", "a list of tables, each headed [[observe]]");
  ObservableReader reader(symbols, model, schedule, root.find("ensemble"));
  out = read_joint_angles(root, symbols);
  for (run::Observable& reaction : support_reactions(supports, model)) out.push_back(std::move(reaction));
  for (const run::Observable& hidden : out) symbols.quantities.push_back({hidden.name, ""});
  for (std::size_t k = 0; list && k < list->items.size(); ++k)
    out.push_back(reader.read(list->items[k], fmt::format("observe[{}]", k)));
  if (!outputs) return out;
  need_kind(root.document(), *outputs, "output", Kind::table);
  std::vector<const Entry*> lines;  // as they stand in the file: one may name those before it
  for (const Entry& entry : outputs->fields) lines.push_back(&entry);
  std::ranges::sort(lines, {}, [](const Entry* e) { return std::pair(e->first.text, e->first.offset); });
  for (const Entry* line : lines) out.push_back(reader.read_output(*line));
  return out;
}

}  // namespace actio::io
