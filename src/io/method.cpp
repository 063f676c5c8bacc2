#include <algorithm>
#include <array>
#include <type_traits>

#include <fmt/format.h>

#include "parts.hpp"

namespace actio::io {
namespace {

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  method::for_each_method([&]<class M>(std::type_identity<M>) { names.emplace_back(M::description.name); });
  return names;
}

template <class Owner>
std::vector<std::string> field_names() {
  std::vector<std::string> names;
  core::for_each_field<Owner>([&](const auto& field) { names.emplace_back(field.name); });
  return names;
}

void read_field(const Section& section, const Value& value, const auto& field, auto& owner) {
  using T = std::remove_reference_t<decltype(owner.*field.member)>;
  const Document& document = section.document();
  const std::string path = section.path(field.name);
  if constexpr (std::is_same_v<T, bool>) {
    if (value.kind != Kind::boolean) wrong_type(document, value, path, "true or false");
    owner.*field.member = value.integer == 1;
  } else if constexpr (std::is_same_v<T, int>) {
    owner.*field.member = static_cast<int>(integer(document, value, path, field.least, field.most));
  } else if constexpr (std::is_same_v<T, double>) {
    const double x = finite(document, value, path);
    if (!(x >= field.least && x <= field.most))
      document.fail(value.place, fmt::format("{} is {}; it must lie between {} and {}", path, x, field.least, field.most));
    owner.*field.member = x;
  } else {
    need_kind(document, value, path, Kind::string);
    std::vector<std::string> choices;
    for (std::string_view choice : field.choices)
      if (!choice.empty()) choices.emplace_back(choice);
    if (std::find(choices.begin(), choices.end(), value.string) == choices.end()) {
      std::string hint = core::did_you_mean(value.string, choices);
      if (hint.empty()) hint = fmt::format("it can be {}", fmt::join(choices, ", "));
      document.fail(value.place, fmt::format("{} cannot be \"{}\"", path, value.string), hint);
    }
    owner.*field.member = value.string;
  }
}

template <class Owner>
void read_fields(const Section& section, Owner& owner) {
  core::for_each_field<Owner>([&](const auto& field) {
    if (const Value* value = section.find(field.name)) read_field(section, *value, field, owner);
  });
}

// "" when it can be composed.
template <class M>
std::string why_not_composed(const M& chosen) {
  const std::string name(M::description.name);
  if (M::traits.chooses_steps) return fmt::format("{} cannot be composed: it chooses its own steps", name);
  std::string settings;
  core::for_each_field<M>([&](const auto& field) {
    settings += fmt::format("{}{} = {}", settings.empty() ? " with " : ", ", field.name, chosen.*field.member);
  });
  const method::Properties properties = chosen.properties();
  if (!properties.symmetric) return fmt::format("{}{} cannot be composed: it is not symmetric", name, settings);
  if (!method::composable(M::traits, properties))
    return fmt::format("{}{} cannot be composed: it is not of second order", name, settings);
  return "";
}

method::Composition read_composition(const Section& method, const Value& value) {
  const Section section(method.document(), value, method.path("compose"), field_names<method::Composition>());
  method::Composition composition;
  read_fields(section, composition);
  if (composition.order % 2 != 0)
    section.document().fail(section.need("order").place, fmt::format("{} is {}; the order of a composition is 4, 6 or 8",
                                                                     section.path("order"), composition.order));
  return composition;
}

template <class M>
method::Spec read_as(const Section& root, const Value& table) {
  std::vector<std::string> keys{"name"};
  for (auto& name : field_names<M>()) keys.push_back(name);
  keys.emplace_back("compose");
  const Section section(root.document(), table, "method", keys);
  method::Spec spec;
  M chosen;
  read_fields(section, chosen);
  spec.choice = chosen;
  if (const Value* compose = section.find("compose")) {
    spec.composition = read_composition(section, *compose);
    spec.composed = true;
    if (const std::string reason = why_not_composed(chosen); !reason.empty())
      root.document().fail(section.place_of("compose"), reason);
  }
  return spec;
}

// Calls f(std::type_identity<M>{}) for the method of that name; false when there is none.
template <class F>
bool with_method(std::string_view name, F&& f) {
  bool found = false;
  method::for_each_method([&]<class M>(std::type_identity<M> type) {
    if (M::description.name != name) return;
    found = true;
    f(type);
  });
  return found;
}

bool is_any_methods_field(std::string_view key) {
  bool found = key == "compose";
  method::for_each_method([&]<class M>(std::type_identity<M>) {
    for (const auto& name : field_names<M>()) found = found || name == key;
  });
  return found;
}

// The fields of M that a table sets, as far as they are sound; read_method reports the rest.
template <class M>
bool can_be_composed(const Document& document, const Value& table) {
  M chosen;
  core::for_each_field<M>([&](const auto& field) {
    const Value* value = table.find(field.name);
    try {
      if (value) read_field(Section(document, Value{}, "", {}), *value, field, chosen);
    } catch (const core::InputError&) {}
  });
  return why_not_composed(chosen).empty();
}

}  // namespace

void choose_method(Document& document, const std::string& name) {
  if (!name.empty()) {
    const std::string before = "method.name=";
    const int text = document.add_text("command line", before + name);
    const Place place{static_cast<std::uint32_t>(before.size()), static_cast<std::uint32_t>(name.size()), text};
    Value& table = document.root.entry("method", place).value;
    need_kind(document, table, "method", Kind::table);
    Value& given = table.entry("name", place).value;
    given = Value{};
    given.kind = Kind::string;
    given.string = name;
    given.place = place;
  }
  const Value* found = document.root.find("method");
  if (!found || found->kind != Kind::table) return;
  Value& table = document.root.entry("method", found->place).value;
  const Value* chosen = table.find("name");
  if (!chosen || chosen->kind != Kind::string || chosen->place.text == 0) return;
  // What the file says for its own method; with a name of its own in the options, what other overrides say as well.
  const auto may_drop = [&](const Entry& entry) { return !name.empty() || entry.place.text == 0; };
  with_method(chosen->string, [&]<class M>(std::type_identity<M>) {
    const auto own = field_names<M>();
    std::erase_if(table.fields, [&](const Entry& entry) {
      if (!may_drop(entry) || !is_any_methods_field(entry.key)) return false;
      return entry.key != "compose" && std::find(own.begin(), own.end(), entry.key) == own.end();
    });
    const bool composable = can_be_composed<M>(document, table);
    std::erase_if(table.fields, [&](const Entry& entry) { return entry.key == "compose" && may_drop(entry) && !composable; });
  });
}

method::Spec read_method(const Section& root) {
  const Document& document = root.document();
  const Value& table = root.need("method");
  need_kind(document, table, "method", Kind::table);
  const Value* name = table.find("name");
  const std::vector<std::string> names = method_names();
  const std::string choices = fmt::format("it can be {}", fmt::join(names, ", "));
  if (!name) document.fail(table.place, "method.name is missing", choices);
  need_kind(document, *name, "method.name", Kind::string);
  method::Spec spec;
  const bool found = with_method(name->string, [&]<class M>(std::type_identity<M>) { spec = read_as<M>(root, table); });
  if (!found) {
    const std::string hint = core::did_you_mean(name->string, names);
    document.fail(name->place, fmt::format("unknown method \"{}\"", name->string), hint.empty() ? choices : hint);
  }
  return spec;
}

method::Spec load_method(const std::string& text) {
  const bool name = !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  const Document document(name ? fmt::format("name = \"{}\"", text) : text, "method");
  Value root;
  root.entry("method", document.root.place).value = document.root;
  return read_method(Section(document, root, "", {"method"}));
}

}  // namespace actio::io
