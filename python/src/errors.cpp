#include "errors.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <actio/core/error.hpp>

namespace actio::python {
namespace nb = nanobind;
namespace {

void set(const char* kind, const std::string& text, const core::Diagnostic& parts, nb::object step, nb::object t) {
  const nb::object type = nb::module_::import_("actio.errors").attr(kind);
  nb::object error = type(text);
  error.attr("message") = parts.message;
  error.attr("hint") = parts.hint;
  if (parts.place) {
    error.attr("file") = parts.place->file;
    error.attr("line") = parts.place->line;
    error.attr("column") = parts.place->column;
  }
  if (!step.is_none()) {
    error.attr("step") = step;
    error.attr("t") = t;
  }
  PyErr_SetObject(type.ptr(), error.ptr());
}

}  // namespace

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const core::InputError& e) {
      set("InputError", e.what(), e.diagnostic(), nb::none(), nb::none());
    } catch (const core::RunError& e) { set("RunError", e.what(), e.diagnostic(), nb::cast(e.step), nb::cast(e.t)); }
  });
}

}  // namespace actio::python
