#pragma once
#include <nanobind/nanobind.h>

namespace actio::python {

// Adds run().
void bind_saving(nanobind::module_& m);

}  // namespace actio::python
