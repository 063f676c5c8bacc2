#pragma once
#include <nanobind/nanobind.h>
#include <memory>

namespace actio::python {

// Adds problem_of_callbacks(): a system whose potential and forces are functions of Python.
void bind_callbacks(nanobind::module_& m);

// Owns a function of Python, and lets go of it with the lock held, on whatever thread the last copy ends.
std::shared_ptr<nanobind::object> shared(nanobind::object function);

// Whether Ctrl-C came inside such a function on this thread since it was last asked. The function is then called again, so that
// the step it belongs to is completed; a second Ctrl-C before the answer passes through as KeyboardInterrupt.
bool take_interrupt();

}  // namespace actio::python
