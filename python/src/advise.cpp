#include "advise.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>

#include <actio/core/error.hpp>
#include <actio/io/problem.hpp>
#include <actio/session/advise.hpp>

#include "callbacks.hpp"

namespace actio::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

// The advice as JSON and as text. Ctrl-C ends it after the trial that is made.
std::pair<std::string, std::string> advise(const std::optional<std::string>& given, const std::string& path,
                                           const std::vector<std::string>& overrides, double error, long tries, double seconds,
                                           const std::vector<std::string>& methods, const std::string& kernels) {
  take_interrupt();  // of what ended before
  std::atomic<bool> stop = false;
  const nb::gil_scoped_release others_run;
  const auto load = [&](const io::LoadOptions& how) {
    io::Problem p = given ? io::load_text(*given, path, how) : io::load(path, how);
    if (p.ensemble)
      throw core::InputError(path + " has an ensemble, and advice is on one motion", "actio advise takes one of its members");
    return p;
  };
  session::AdviseOptions options{error, tries, seconds, methods, session::choices(kernels, "automatic"), &stop, {}};
  options.progress = [&](const std::string&) {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) stop = true;
  };
  const session::Advice found = session::advise(load, overrides, options);
  {
    const nb::gil_scoped_acquire held;
    if (PyErr_Occurred()) throw nb::python_error();
  }
  return {session::json(found), session::text(found)};
}

}  // namespace

void bind_advise(nb::module_& m) {
  m.def("advise", &advise, "text"_a.none(), "path"_a, "overrides"_a, "error"_a, "tries"_a, "seconds"_a, "methods"_a, "kernels"_a);
}

}  // namespace actio::python
