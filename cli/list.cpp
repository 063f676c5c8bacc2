#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/core/meanings.hpp>
#include <actio/io/vocabulary.hpp>
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

// "  end   number [time] (required without steps)  The time to stop at."
void print_key(const io::KeyEntry& key) {
  const std::string unit = key.unit.empty() ? "" : fmt::format(" [{}]", key.unit);
  const std::string standard = key.standard.empty() ? "" : fmt::format(" ({})", key.standard);
  fmt::print("  {:<17} {}\n  {:<17} {}{}{}\n", key.name, key.meaning, "", key.type, unit, standard);
}

void print_table(const io::KeyTable& table) {
  fmt::print("{}: {}\n\n", table.heading, table.meaning);
  for (const io::KeyEntry& key : table.keys) print_key(key);
}

void print_kind(const io::KindEntry& kind) {
  const io::KeyTable* table = nullptr;  // that the kind is; else a key of a table takes its name
  for (const io::KeyTable& of : io::key_tables())
    if (of.name == kind.key) table = &of;
  fmt::print("{} ({}): {}\n", kind.name, kind.group, kind.summary);
  if (!kind.formula.empty()) fmt::print("    {:<15} {}\n", "formula", kind.formula);
  if (table)
    fmt::print("    {:<15} {}\n", "written in", table->heading);
  else
    fmt::print("    {:<15} {}\n", "named by", kind.key);
  if (!kind.keys.empty()) fmt::print("    {:<15} {}\n", "its keys", fmt::join(kind.keys, ", "));
  if (!kind.citation.empty()) fmt::print("    {:<15} {}\n", "from", kind.citation);
}

int list_keys(bool json) {
  if (json) {
    fmt::print("{}\n", session::keys_json());
    return ok;
  }
  for (const io::KeyTable& table : io::key_tables()) {
    print_table(table);
    fmt::print("\n");
  }
  return ok;
}

int list_kinds(bool json) {
  if (json) {
    fmt::print("{}\n", session::kinds_json());
    return ok;
  }
  for (const io::KindEntry& kind : io::all_kinds()) print_kind(kind);
  return ok;
}

// A table "run", a key "run.step" or kinds "mean"; false where the word is none of them.
bool explain_word(std::string_view word) {
  bool found = false;
  for (const io::KeyTable& table : io::key_tables()) {
    if (table.name == word && !word.empty()) {
      print_table(table);
      found = true;
    }
    for (const io::KeyEntry& key : table.keys)
      if (!table.name.empty() && word == fmt::format("{}.{}", table.name, key.name)) {
        print_key(key);
        found = true;
      }
  }
  for (const io::KindEntry& kind : io::all_kinds())
    if (kind.name == word) {
      print_kind(kind);
      found = true;
    }
  return found;
}

// "run.evry" is no method: it was to be a key.
[[noreturn]] void fail_key(const std::string& word) {
  std::vector<std::string> known;
  for (const io::KeyTable& table : io::key_tables()) {
    if (table.name.empty()) continue;
    known.emplace_back(table.name);
    for (const io::KeyEntry& key : table.keys) known.push_back(fmt::format("{}.{}", table.name, key.name));
  }
  const std::string hint = core::did_you_mean(word, known);
  throw core::InputError(fmt::format("unknown key \"{}\"", word), hint.empty() ? "actio list keys has all of them" : hint);
}

}  // namespace

int list(const Arguments& arguments) {
  if (arguments.list_of == "keys") return list_keys(arguments.json);
  if (arguments.list_of == "kinds") return list_kinds(arguments.json);
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
  const bool known = method::method_named(arguments.method) != nullptr;
  if (!known && !arguments.spectral && arguments.overrides.empty() && explain_word(arguments.method)) return ok;
  if (!known && arguments.method.find('.') != std::string::npos) fail_key(arguments.method);
  require_method(arguments.method);
  if (arguments.spectral) return spectral(arguments);
  if (!arguments.overrides.empty()) throw core::InputError("fields of the method need --spectral");
  explain_one(*method::method_named(arguments.method));
  return ok;
}

}  // namespace actio::cli
