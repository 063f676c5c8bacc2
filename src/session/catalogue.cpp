#include <actio/session/catalogue.hpp>

#include <string_view>
#include <variant>
#include <vector>

#include <actio/core/meanings.hpp>
#include <actio/invariant/json.hpp>
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

}  // namespace

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
