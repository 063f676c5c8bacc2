#pragma once
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

// One table a method drives the problem-file keys, their checks, `actio list`, the Python arguments and the docs:
//
//   struct Newmark {
//     double beta = 0.25;
//     static constexpr auto fields() { return std::tuple{Field{"beta", &Newmark::beta, 0.0, 10.0, "weight of the new
//     acceleration"}}; }
//   };
namespace actio::core {

template <class Owner, class T>
struct Field;

template <class Owner>
struct Field<Owner, double> {
  std::string_view name;
  double Owner::*member;
  double least, most;  // both included
  std::string_view doc;
};
template <class Owner>
struct Field<Owner, int> {
  std::string_view name;
  int Owner::*member;
  int least, most;
  std::string_view doc;
};
template <class Owner>
struct Field<Owner, bool> {
  std::string_view name;
  bool Owner::*member;
  std::string_view doc;
};
template <class Owner>
struct Field<Owner, std::string> {  // one of a few words
  std::string_view name;
  std::string Owner::*member;
  std::array<std::string_view, 4> choices;  // unused ones empty
  std::string_view doc;
};

template <class O>
Field(const char*, double O::*, double, double, const char*) -> Field<O, double>;
template <class O>
Field(const char*, int O::*, int, int, const char*) -> Field<O, int>;
template <class O>
Field(const char*, bool O::*, const char*) -> Field<O, bool>;
template <class O>
Field(const char*, std::string O::*, std::array<std::string_view, 4>, const char*) -> Field<O, std::string>;

template <class Owner, class F>
constexpr void for_each_field(F&& f) {
  std::apply([&](const auto&... field) { (f(field), ...); }, Owner::fields());
}

// A field of one object, whatever its type: for code that is compiled once, not for each owner.
struct AnyField {
  std::string_view name, doc;
  std::variant<double*, int*, bool*, std::string*> value;  // in the object
  double least = 0, most = 0;                              // of numbers
  std::array<std::string_view, 4> choices{};               // of words
};

template <class Owner>
std::vector<AnyField> fields_of(Owner& owner) {
  std::vector<AnyField> all;
  for_each_field<Owner>([&](const auto& field) {
    AnyField& any = all.emplace_back(AnyField{field.name, field.doc, &(owner.*field.member)});
    if constexpr (requires { field.least; }) {
      any.least = field.least;
      any.most = field.most;
    }
    if constexpr (requires { field.choices; }) any.choices = field.choices;
  });
  return all;
}

}  // namespace actio::core
