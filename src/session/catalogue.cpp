#include <actio/session/catalogue.hpp>

#include <string_view>
#include <variant>
#include <vector>

#include <actio/core/meanings.hpp>
#include <actio/invariant/json.hpp>
#include <actio/io/vocabulary.hpp>
#include <actio/method/spec.hpp>
#include <actio/method/use.hpp>

namespace actio::session {
namespace {

void field_json(invariant::Json& j, const std::vector<core::AnyField>& fields) {
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

std::string_view word(method::Constraints how) {
  switch (how) {
    case method::Constraints::none:
      return "none";
    case method::Constraints::kept:
      return "kept";
    case method::Constraints::imposed:
      break;
  }
  return "imposed";
}

std::string_view word(method::Matrices of) {
  switch (of) {
    case method::Matrices::all:
      return "all";
    case method::Matrices::potential:
      return "potential";
    case method::Matrices::stiff:
      return "stiff";
    case method::Matrices::mass:
      return "mass";
    case method::Matrices::none:
      break;
  }
  return "none";
}

std::string_view word(method::Keeps what) {
  switch (what) {
    case method::Keeps::nothing:
      return "nothing";
    case method::Keeps::conjugate_form:
      return "conjugate symplectic form, momenta";
    case method::Keeps::canonical:
      return "symplectic form, momenta";
    case method::Keeps::energy:
      break;
  }
  return "energy, momenta";
}

// What a method is whatever its coefficients (method/method.hpp), under the names that they have there.
void traits_json(invariant::Json& j, const method::Traits& of) {
  j.begin()
      .field("separable", of.separable)
      .field("is_explicit", of.is_explicit)
      .field("chooses_steps", of.chooses_steps)
      .field("transforms_time", of.transforms_time)
      .field("finds_step", of.finds_step)
      .field("takes_equations", of.takes_equations)
      .field("velocity_forces", of.velocity_forces)
      .field("momentum_of_time", of.momentum_of_time)
      .field("third_derivatives", of.third_derivatives)
      .field("minimises", of.minimises)
      .field("element_energies", of.element_energies)
      .field("on_groups", of.on_groups)
      .field("needs_constraints", of.needs_constraints)
      .field("needs_split", of.needs_split)
      .field("redundant_constraints", of.redundant_constraints)
      .field("tangent_velocities", of.tangent_velocities)
      .field("matrices", word(of.matrices))
      .field("constraints", word(of.constraints))
      .field("distributed", of.distributed)
      .field("distributed_constraints", of.distributed_constraints)
      .field("generated_steps", of.generated_steps)
      .field("static_sizes", of.static_sizes)
      .field("symmetric_if", of.symmetric_if)
      .field("with_constraints", of.with_constraints)
      .end();
}

}  // namespace

std::string keys_json() {
  invariant::Json j;
  j.begin_array();
  for (const io::KeyTable& table : io::key_tables()) {
    j.begin()
        .field("table", table.name)
        .field("heading", table.heading)
        .field("meaning", table.meaning)
        .field("page", table.page);
    j.key("keys").begin_array();
    for (const io::KeyEntry& key : table.keys)
      j.begin()
          .field("name", key.name)
          .field("type", key.type)
          .field("unit", key.unit)
          .field("default", key.standard)
          .field("meaning", key.meaning)
          .end();
    j.end_array().end();
  }
  j.end_array();
  return j.text();
}

std::string kinds_json() {
  invariant::Json j;
  j.begin_array();
  for (const io::KindEntry& kind : io::all_kinds()) {
    j.begin().field("group", kind.group).field("name", kind.name).field("key", kind.key).field("summary", kind.summary);
    j.field("formula", kind.formula).field("citation", kind.citation).key("keys").begin_array();
    for (const std::string_view key : kind.keys) j.value(key);
    j.end_array().end();
  }
  j.end_array();
  return j.text();
}

std::string catalogue_json() {
  invariant::Json j;
  j.begin_array();
  for (method::Spec spec : method::all_methods()) {
    const auto& d = spec.description();
    const bool composes = method::composable(spec.traits(), spec.properties());
    j.begin().field("name", d.name).field("summary", d.summary).field("equation", d.equation);
    j.field("order", static_cast<long>(spec.properties().order)).field("conserves", d.conserves).field("citation", d.citation);
    j.field("symmetric", spec.properties().symmetric)
        .field("separable_only", spec.traits().separable)
        .field("composes", composes);
    j.field("keeps", word(spec.properties().keeps)).field("balances_linear", spec.properties().balances_linear).key("traits");
    traits_json(j, spec.traits());
    j.field("use", method::use_of(spec.traits()).name).key("also_called").begin_array();
    for (const std::string_view word : core::other_words_for(d.name)) j.value(word);
    j.end_array().key("fields");
    field_json(j, spec.fields());
    if (composes) {
      method::Composition composition;
      j.key("composition");
      field_json(j, core::fields_of(composition));
    }
    j.end();
  }
  j.end_array();
  return j.text();
}

}  // namespace actio::session
