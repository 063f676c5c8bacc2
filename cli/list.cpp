#include <type_traits>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/invariant/json.hpp>
#include <actio/method/spec.hpp>

#include "session.hpp"

namespace actio::cli {

namespace {

// A field as words: its default and what it may be.
template <class Owner, class T>
std::string allowed(const core::Field<Owner, T>& field) {
  const T value = Owner{}.*(field.member);
  if constexpr (std::is_same_v<T, bool>) {
    return fmt::format("{}; true or false", value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    std::string words;
    for (std::string_view choice : field.choices)
      if (!choice.empty()) words += fmt::format("{}{}", words.empty() ? "" : ", ", choice);
    return fmt::format("\"{}\"; one of {}", value, words);
  } else {
    return fmt::format("{}; from {} to {}", value, field.least, field.most);
  }
}

template <class Owner>
std::string field_lines(std::string_view prefix) {
  std::string out;
  core::for_each_field<Owner>(
      [&](const auto& f) { out += fmt::format("    {:<15} {} ({})\n", fmt::format("{}{}", prefix, f.name), f.doc, allowed(f)); });
  return out;
}

template <class Owner>
void field_json(invariant::Json& j) {
  j.begin_array();
  core::for_each_field<Owner>([&](const auto& f) {
    using T = std::decay_t<decltype(Owner{}.*(f.member))>;
    const T value = Owner{}.*(f.member);
    j.begin().field("name", f.name).field("doc", f.doc);
    if constexpr (std::is_same_v<T, int>)
      j.field("default", static_cast<long>(value))
          .field("least", static_cast<long>(f.least))
          .field("most", static_cast<long>(f.most));
    else if constexpr (std::is_same_v<T, double>)
      j.field("default", value).field("least", f.least).field("most", f.most);
    else if constexpr (std::is_same_v<T, bool>)
      j.field("default", value);
    else {
      j.field("default", std::string_view(value)).key("choices").begin_array();
      for (std::string_view choice : f.choices)
        if (!choice.empty()) j.value(choice);
      j.end_array();
    }
    j.end();
  });
  j.end_array();
}

template <class M>
bool composes() {
  return method::composable(M::traits, M{}.properties());
}

template <class M>
std::string order_words() {
  const int order = M{}.properties().order;
  return order > 0 ? fmt::format("order {}", order) : "adaptive";
}

template <class M>
void explain_one() {
  constexpr auto& d = M::description;
  fmt::print("{}: {}\n\n", d.name, d.summary);
  fmt::print("  step       {}\n  order      {}{}\n  conserves  {}\n  needs      {}\n  from       {}\n", d.equation,
             order_words<M>(), composes<M>() ? ", or 4, 6, 8 with compose = { order, scheme }" : "", d.conserves,
             M::traits.separable ? "L = 1/2 v'Mv - V(q)" : "any L(q, v)", d.citation);
  if (const std::string fields = field_lines<M>(""); !fields.empty()) fmt::print("\n  fields of [method]\n{}", fields);
  if (composes<M>()) fmt::print("\n  composition\n{}", field_lines<method::Composition>("compose."));
}

}  // namespace

int list(const Arguments& arguments) {
  if (arguments.json) {
    invariant::Json j;
    j.begin_array();
    method::for_each_method([&]<class M>(std::type_identity<M>) {
      constexpr auto& d = M::description;
      j.begin().field("name", d.name).field("summary", d.summary).field("equation", d.equation);
      j.field("order", static_cast<long>(M{}.properties().order)).field("conserves", d.conserves).field("citation", d.citation);
      j.field("symmetric", M{}.properties().symmetric)
          .field("separable_only", M::traits.separable)
          .field("composes", composes<M>());
      j.key("fields");
      field_json<M>(j);
      j.end();
    });
    j.end_array();
    fmt::print("{}\n", j.text());
    return ok;
  }
  method::for_each_method([&]<class M>(std::type_identity<M>) {
    constexpr auto& d = M::description;
    fmt::print("{:<17} {} ({})\n", d.name, d.summary, order_words<M>());
    fmt::print("    {:<15} {}\n{}    {:<15} {}\n", "conserves", d.conserves, field_lines<M>(""), "from", d.citation);
  });
  fmt::print("\ncompose = {{ order, scheme }} beside a symmetric method of order 2:\n{}", field_lines<method::Composition>(""));
  return ok;
}

int explain(const Arguments& arguments) {
  require_method(arguments.method);
  if (arguments.spectral) return spectral(arguments);
  if (!arguments.overrides.empty()) throw core::InputError("fields of the method need --spectral");
  method::for_each_method([&]<class M>(std::type_identity<M>) {
    if (arguments.method == M::description.name) explain_one<M>();
  });
  return ok;
}

}  // namespace actio::cli
