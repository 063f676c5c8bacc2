#pragma once
#include <nanobind/nanobind.h>

namespace actio::python {

// What python/actio/advise.py is written over.
void bind_advise(nanobind::module_& m);

}  // namespace actio::python
