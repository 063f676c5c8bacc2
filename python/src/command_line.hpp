#pragma once
#include <nanobind/nanobind.h>

namespace actio::python {

// Adds command_line(words): the program, in this process.
void bind_command_line(nanobind::module_& m);

}  // namespace actio::python
