#pragma once
#include <nanobind/nanobind.h>

#include <actio/session/session.hpp>
#include <string>

namespace actio::python {

// kernels: "auto", "compile" or "interpret"; space: "automatic", "fixed", "dense" or "sparse". Throws core::InputError.
session::Choices choices(const std::string& kernels, const std::string& space);

// Adds run().
void bind_runner(nanobind::module_& m);

}  // namespace actio::python
