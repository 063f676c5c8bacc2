#pragma once

// Errors of the library as exceptions of Python, with their parts as attributes (python/actio/errors.py).
namespace actio::python {

// From here on what functions of the module throw becomes actio.InputError and actio.RunError.
void translate_errors();

}  // namespace actio::python
