#include <algorithm>
#include <array>
#include <variant>

#include <fmt/format.h>

#include <actio/method/composition.hpp>

#include "parts.hpp"

namespace actio::io {
namespace {

using Fields = std::vector<core::AnyField>;

std::vector<std::string> names_of(const Fields& fields) {
  std::vector<std::string> names;
  for (const core::AnyField& field : fields) names.emplace_back(field.name);
  return names;
}

void read_field(const Section& section, const Value& value, const core::AnyField& field) {
  const Document& document = section.document();
  const std::string path = section.path(field.name);
  if (bool* const* truth = std::get_if<bool*>(&field.value)) {
    if (value.kind != Kind::boolean) wrong_type(document, value, path, "true or false");
    **truth = value.integer == 1;
  } else if (int* const* number = std::get_if<int*>(&field.value)) {
    **number = static_cast<int>(integer(document, value, path, static_cast<long>(field.least), static_cast<long>(field.most)));
  } else if (double* const* real = std::get_if<double*>(&field.value)) {
    const double x = finite(document, value, path);
    if (!(x >= field.least && x <= field.most))
      document.fail(value.place, fmt::format("{} is {}; it must lie between {} and {}", path, x, field.least, field.most));
    **real = x;
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
    *std::get<std::string*>(field.value) = value.string;
  }
}

void read_fields(const Section& section, const Fields& fields) {
  for (const core::AnyField& field : fields)
    if (const Value* value = section.find(field.name)) read_field(section, *value, field);
}

// "" when it can be composed.
std::string why_not_composed(method::Spec chosen) {
  const std::string name(chosen.description().name);
  if (chosen.traits().chooses_steps) return fmt::format("{} cannot be composed: it chooses its own steps", name);
  if (chosen.traits().needs_split)
    return fmt::format("{} cannot be composed: saba and sbab with more stages, and aba, have the higher orders", name);
  std::string settings;
  for (const core::AnyField& field : chosen.fields())
    std::visit(
        [&](const auto* value) { settings += fmt::format("{}{} = {}", settings.empty() ? " with " : ", ", field.name, *value); },
        field.value);
  const method::Properties properties = chosen.properties();
  if (!properties.symmetric) return fmt::format("{}{} cannot be composed: it is not symmetric", name, settings);
  if (!method::composable(chosen.traits(), properties))
    return fmt::format("{}{} cannot be composed: it is not of second order", name, settings);
  return "";
}

method::Composition read_composition(const Section& method, const Value& value) {
  method::Composition composition;
  const Fields fields = core::fields_of(composition);
  const Section section(method.document(), value, method.path("compose"), names_of(fields));
  read_fields(section, fields);
  if (composition.order % 2 != 0)
    section.document().fail(section.need("order").place, fmt::format("{} is {}; the order of a composition is 4, 6, 8 or 10",
                                                                     section.path("order"), composition.order));
  try {
    (void)method::composition_coefficients(composition);
  } catch (const core::InputError& e) {  // a scheme that has no such order
    section.document().fail(method.place_of("compose"), e.diagnostic().message);
  }
  return composition;
}

method::Spec read_as(method::Spec spec, const Section& root, const Value& table) {
  const Fields fields = spec.fields();
  std::vector<std::string> keys = keys_of_table("method");
  for (auto& name : names_of(fields)) keys.push_back(name);
  const Section section(root.document(), table, "method", keys);
  read_fields(section, fields);
  if (const Value* compose = section.find("compose")) {
    spec.composition = read_composition(section, *compose);
    spec.composed = true;
    if (const std::string reason = why_not_composed(spec); !reason.empty())
      root.document().fail(section.place_of("compose"), reason);
  }
  return spec;
}

bool is_any_methods_field(std::string_view key) {
  if (key == "compose") return true;
  for (method::Spec spec : method::all_methods()) {
    const Fields fields = spec.fields();
    if (std::any_of(fields.begin(), fields.end(), [&](const core::AnyField& field) { return field.name == key; })) return true;
  }
  return false;
}

// With the fields that a table sets, as far as they are sound; read_method reports the rest.
bool can_be_composed(method::Spec chosen, const Document& document, const Value& table) {
  for (const core::AnyField& field : chosen.fields()) {
    const Value* value = table.find(field.name);
    try {
      if (value) read_field(Section(document, Value{}, "", {}), *value, field);
    } catch (const core::InputError&) {}
  }
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
  const method::Spec* known = method::method_named(chosen->string);
  if (known == nullptr) return;
  method::Spec spec = *known;
  const auto own = names_of(spec.fields());
  std::erase_if(table.fields, [&](const Entry& entry) {
    if (!may_drop(entry) || !is_any_methods_field(entry.key)) return false;
    return entry.key != "compose" && std::find(own.begin(), own.end(), entry.key) == own.end();
  });
  const bool composable = can_be_composed(spec, document, table);
  std::erase_if(table.fields, [&](const Entry& entry) { return entry.key == "compose" && may_drop(entry) && !composable; });
}

method::Spec read_method(const Section& root) {
  const Document& document = root.document();
  const Value& table = root.need("method");
  need_kind(document, table, "method", Kind::table);
  const Value* name = table.find("name");
  const std::vector<std::string> names = method::method_names();
  const std::string choices = fmt::format("it can be {}", fmt::join(names, ", "));
  if (!name) document.fail(table.place, "method.name is missing", choices);
  need_kind(document, *name, "method.name", Kind::string);
  if (const method::Spec* known = method::method_named(name->string)) return read_as(*known, root, table);
  const std::string hint = core::did_you_mean(name->string, names);
  document.fail(name->place, fmt::format("unknown method \"{}\"", name->string), hint.empty() ? choices : hint);
}

method::Spec load_method(const std::string& text) {
  const bool name = !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  const Document document(name ? fmt::format("name = \"{}\"", text) : text, "method");
  Value root;
  root.entry("method", document.root.place).value = document.root;
  return read_method(Section(document, root, "", {"method"}));
}

}  // namespace actio::io
