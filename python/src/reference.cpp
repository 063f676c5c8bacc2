#include "reference.hpp"

#include <nanobind/eigen/dense.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>
#include <tuple>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/session/reference.hpp>
#include <actio/session/session.hpp>

#include "callbacks.hpp"

namespace actio::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

using session::Reference;
using Times = nb::ndarray<const double, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

// Ctrl-C ends the run.
void run_reference(Reference& reference, io::Problem problem) {
  take_interrupt();  // of what ended before
  std::atomic<bool> stop = false;
  const nb::gil_scoped_release others_run;
  reference.prepare(problem);
  session::OneProcess here(stop);
  session::Session s = session::open(std::move(problem), {}, here);
  session::observe(s);
  session::Extremes extremes(s);
  run::Options options;
  options.observers = {&extremes, &reference};
  options.progress = [&](const run::Progress&) {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) stop = true;
  };
  const invariant::Certificate c = session::run(s, options, here);
  {
    const nb::gil_scoped_acquire held;
    if (take_interrupt() && !PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
    if (PyErr_Occurred()) throw nb::python_error();
  }
  reference.finish(c, extremes.found());
}

// Largest distance from the reference, the one at the end, and errors of peaks by name.
std::tuple<double, double, std::vector<std::pair<std::string, double>>> errors_of(
    const Reference& reference, const Times& t, const Rows& q, const std::vector<std::pair<std::string, double>>& peaks) {
  session::Errors errors(reference);
  const std::size_t n = q.shape(1);
  if (q.shape(0) != t.shape(0) || (reference.observations() > 0 && static_cast<long>(n) != reference.q(0).size()))
    throw core::InputError(fmt::format("a run has {} coordinates, and the reference {}", n, reference.q(0).size()),
                           "runs with a reference are of one problem");
  for (std::size_t k = 0; k < t.shape(0); ++k)
    errors.observe(t.data()[k], Eigen::Map<const Eigen::VectorXd>(q.data() + k * n, static_cast<long>(n)));
  std::vector<session::Extreme> of_run;
  for (const auto& [name, largest] : peaks) of_run.push_back({name, largest, largest});
  return {errors.largest, errors.at_end, session::peak_errors(of_run, reference.extremes())};
}

}  // namespace

void bind_reference(nb::module_& m) {
  nb::class_<Reference>(m, "Reference", "A run that others are compared with.")
      .def(nb::init<const std::string&>(), "words"_a)
      .def("run", &run_reference, "problem"_a)
      .def("errors_of", &errors_of, "t"_a, "q"_a, "peaks"_a)
      .def_prop_ro("method", &Reference::method)
      .def_prop_ro("step", &Reference::step)
      .def_prop_ro("observations", &Reference::observations)
      .def_prop_ro("moved", &Reference::moved)
      .def_prop_ro("energy_error", &Reference::energy_error)
      .def_prop_ro("words", &Reference::words);
}

}  // namespace actio::python
