#pragma once
#include <nanobind/nanobind.h>

namespace actio::python {

// What python/actio/modes.py is written over.
void bind_modes(nanobind::module_& m);

}  // namespace actio::python
