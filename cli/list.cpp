#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/core/meanings.hpp>
#include <actio/method/spec.hpp>
#include <actio/method/use.hpp>
#include <actio/session/catalogue.hpp>

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

bool composes(const method::Spec& spec) { return method::composable(spec.traits(), spec.properties()); }

std::string order_words(const method::Spec& spec) {
  const int order = spec.properties().order;
  return order > 0 ? fmt::format("order {}", order) : "adaptive";
}

void explain_one(method::Spec spec) {
  const auto& d = spec.description();
  fmt::print("{}: {}\n\n", d.name, d.summary);
  if (const auto words = core::other_words_for(d.name); !words.empty()) fmt::print("  also called {}\n", fmt::join(words, ", "));
  fmt::print("  use        {}: {}\n", method::use_of(spec.traits()).name, method::use_of(spec.traits()).what);
  fmt::print("  step       {}\n  order      {}{}\n  conserves  {}\n  needs      {}\n  from       {}\n", d.equation,
             order_words(spec), composes(spec) ? ", or 4, 6, 8, 10 with compose = { order, scheme }" : "", d.conserves,
             spec.traits().separable ? "L = 1/2 v'Mv - V(q)" : "any L(q, v)", d.citation);
  if (const std::string fields = field_lines("", spec.fields()); !fields.empty())
    fmt::print("\n  fields of [method]\n{}", fields);
  if (composes(spec)) fmt::print("\n  composition\n{}", composition_lines("compose."));
}

void list_one(method::Spec& spec) {
  const auto& d = spec.description();
  fmt::print("{:<17} {} ({})\n", d.name, d.summary, order_words(spec));
  if (const auto words = core::other_words_for(d.name); !words.empty())
    fmt::print("    {:<15} {}\n", "also called", fmt::join(words, ", "));
  fmt::print("    {:<15} {}\n{}    {:<15} {}\n", "conserves", d.conserves, field_lines("", spec.fields()), "from", d.citation);
}

}  // namespace

int list(const Arguments& arguments) {
  if (arguments.json) {
    fmt::print("{}\n", session::catalogue_json());
    return ok;
  }
  for (const method::Use& use : method::uses()) {
    fmt::print("{}: {}\n\n", use.name, use.what);
    for (method::Spec spec : method::all_methods())
      if (method::use_of(spec.traits()).name == use.name) list_one(spec);
    fmt::print("\n");
  }
  fmt::print("compose = {{ order, scheme }} beside a symmetric method of order 2:\n{}", composition_lines(""));
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
