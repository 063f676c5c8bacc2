#pragma once
#include <nanobind/nanobind.h>

namespace actio::python {

// Adds problem_of_callbacks(): a system whose potential and forces are functions of Python.
void bind_callbacks(nanobind::module_& m);

}  // namespace actio::python
