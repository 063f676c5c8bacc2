#pragma once
#include <nanobind/nanobind.h>

namespace actio::python {

// Adds Simulation: steps for those who own the loop.
void bind_simulation(nanobind::module_& m);

}  // namespace actio::python
