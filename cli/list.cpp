#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/invariant/json.hpp>
#include <actio/method/spec.hpp>

#include "commands.hpp"

namespace actio::cli {

namespace {

using Fields = std::vector<core::AnyField>;

// A field as words: its default and what it may be.
std::string allowed(const core::AnyField& field) {
  if (const auto* truth = std::get_if<bool*>(&field.value)) return fmt::format("{}; true or false", **truth);
  if (const auto* word = std::get_if<std::string*>(&field.value)) {
    std::string words;
    for (std::string_view choice : field.choices)
      if (!choice.empty()) words += fmt::format("{}{}", words.empty() ? "" : ", ", choice);
    return fmt::format("\"{}\"; one of {}", **word, words);
  }
  const auto* real = std::get_if<double*>(&field.value);
  return fmt::format("{}; from {} to {}", real ? **real : **std::get_if<int*>(&field.value), field.least, field.most);
}

std::string field_lines(std::string_view prefix, const Fields& fields) {
  std::string out;
  for (const core::AnyField& f : fields)
    out += fmt::format("    {:<15} {} ({})\n", fmt::format("{}{}", prefix, f.name), f.doc, allowed(f));
  return out;
}
std::string composition_lines(std::string_view prefix) {
  method::Composition composition;
  return field_lines(prefix, core::fields_of(composition));
}

void field_json(invariant::Json& j, const Fields& fields) {
  j.begin_array();
  for (const core::AnyField& f : fields) {
    j.begin().field("name", f.name).field("doc", f.doc);
    if (const auto* number = std::get_if<int*>(&f.value)) {
      j.field("default", static_cast<long>(**number))
          .field("least", static_cast<long>(f.least))
          .field("most", static_cast<long>(f.most));
    } else if (const auto* real = std::get_if<double*>(&f.value)) {
      j.field("default", **real).field("least", f.least).field("most", f.most);
    } else if (const auto* truth = std::get_if<bool*>(&f.value)) {
      j.field("default", **truth);
    } else {
      j.field("default", std::string_view(*std::get<std::string*>(f.value))).key("choices").begin_array();
      for (std::string_view choice : f.choices)
        if (!choice.empty()) j.value(choice);
      j.end_array();
    }
    j.end();
  }
  j.end_array();
}

bool composes(const method::Spec& spec) { return method::composable(spec.traits(), spec.properties()); }

std::string order_words(const method::Spec& spec) {
  const int order = spec.properties().order;
  return order > 0 ? fmt::format("order {}", order) : "adaptive";
}

void explain_one(method::Spec spec) {
  const auto& d = spec.description();
  fmt::print("{}: {}\n\n", d.name, d.summary);
  fmt::print("  step       {}\n  order      {}{}\n  conserves  {}\n  needs      {}\n  from       {}\n", d.equation,
             order_words(spec), composes(spec) ? ", or 4, 6, 8 with compose = { order, scheme }" : "", d.conserves,
             spec.traits().separable ? "L = 1/2 v'Mv - V(q)" : "any L(q, v)", d.citation);
  if (const std::string fields = field_lines("", spec.fields()); !fields.empty())
    fmt::print("\n  fields of [method]\n{}", fields);
  if (composes(spec)) fmt::print("\n  composition\n{}", composition_lines("compose."));
}

}  // namespace

int list(const Arguments& arguments) {
  if (arguments.json) {
    invariant::Json j;
    j.begin_array();
    for (method::Spec spec : method::all_methods()) {
      const auto& d = spec.description();
      j.begin().field("name", d.name).field("summary", d.summary).field("equation", d.equation);
      j.field("order", static_cast<long>(spec.properties().order)).field("conserves", d.conserves).field("citation", d.citation);
      j.field("symmetric", spec.properties().symmetric)
          .field("separable_only", spec.traits().separable)
          .field("composes", composes(spec));
      j.key("fields");
      field_json(j, spec.fields());
      j.end();
    }
    j.end_array();
    fmt::print("{}\n", j.text());
    return ok;
  }
  for (method::Spec spec : method::all_methods()) {
    const auto& d = spec.description();
    fmt::print("{:<17} {} ({})\n", d.name, d.summary, order_words(spec));
    fmt::print("    {:<15} {}\n{}    {:<15} {}\n", "conserves", d.conserves, field_lines("", spec.fields()), "from", d.citation);
  }
  fmt::print("\ncompose = {{ order, scheme }} beside a symmetric method of order 2:\n{}", composition_lines(""));
  return ok;
}

int explain(const Arguments& arguments) {
  require_method(arguments.method);
  if (arguments.spectral) return spectral(arguments);
  if (!arguments.overrides.empty()) throw core::InputError("fields of the method need --spectral");
  explain_one(*method::method_named(arguments.method));
  return ok;
}

}  // namespace actio::cli
