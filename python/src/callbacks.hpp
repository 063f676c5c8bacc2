#pragma once
#include <nanobind/nanobind.h>

namespace actio::python {

// Whether Ctrl-C came within a function of a system since this was asked last. The function was then called again, so the step
// goes on; whoever runs the steps ends them.
bool interrupted_in_a_function();

// Adds problem_of_callbacks(): a system whose potential and forces are functions of Python.
void bind_callbacks(nanobind::module_& m);

}  // namespace actio::python
