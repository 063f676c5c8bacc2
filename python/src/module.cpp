#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <actio/core/parallel.hpp>
#include <actio/invariant/certificate.hpp>
#include <actio/io/problem.hpp>
#include <actio/session/catalogue.hpp>
#include <actio/session/session.hpp>

#include "advise.hpp"
#include "callbacks.hpp"
#include "command_line.hpp"
#include "errors.hpp"
#include "modes.hpp"
#include "recorder.hpp"
#include "reference.hpp"
#include "runner.hpp"
#include "saving.hpp"
#include "simulation.hpp"
#include "surface.hpp"

// actio._core: what the package's Python files (python/actio) are written over. All rules are the library's.
namespace actio::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

std::vector<std::string> names(const io::Problem& p) {
  std::vector<std::string> out;
  for (long i = 0; i < p.model.size(); ++i) out.push_back(p.model.coordinate_name(i));
  return out;
}

// (name, first, count, single) of each family of coordinates.
std::vector<std::tuple<std::string, long, long>> families(const io::Problem& p) {
  std::vector<std::tuple<std::string, long, long>> out;
  for (const system::Family& family : p.model.families) out.emplace_back(family.name, family.offset, family.size);
  return out;
}

}  // namespace

NB_MODULE(_core, m) {
  nb::set_leak_warnings(false);  // functions of Python that a system holds may hold the system
  translate_errors();
  nb::class_<io::Problem>(m, "Problem", "A problem file, read and checked.")
      .def_ro("path", &io::Problem::path, "The file; \"\" for a text.")
      .def_ro("text", &io::Problem::text, "What the file says, without the overrides.")
      .def_ro("overrides", &io::Problem::overrides, "What was changed: \"run.end=100\", ...")
      .def_prop_ro(
          "title", [](const io::Problem& p) { return p.model.title; }, "The title of the file, or \"\".")
      .def_prop_ro("coordinates", &names, "The names of all coordinates (n).")
      .def_prop_ro("families", &families, "Families of coordinates: name, number of the first, count.")
      .def_prop_ro(
          "q0", [](const io::Problem& p) { return p.q0; }, "The positions at the start (n).")
      .def_prop_ro(
          "v0", [](const io::Problem& p) { return p.v0; }, "The velocities at the start (n).")
      .def_prop_ro(
          "method", [](const io::Problem& p) { return p.method.name(); }, "The name of the method.")
      .def_prop_ro(
          "units", [](const io::Problem& p) { return p.units; }, "Quantities and their units, as far as the file names any.")
      .def_prop_ro(
          "start", [](const io::Problem& p) { return p.schedule.start; }, "The time of the start.")
      .def_prop_ro(
          "step", [](const io::Problem& p) { return p.schedule.step.largest(); }, "The largest step.")
      .def_prop_ro(
          "steps", [](const io::Problem& p) { return p.schedule.steps; }, "The number of steps.")
      .def_prop_ro(
          "every", [](const io::Problem& p) { return p.schedule.every; }, "Steps between two observations.")
      .def_prop_ro(
          "ensemble", [](const io::Problem& p) { return p.ensemble != nullptr; }, "Whether the file has an [ensemble].");
  m.def(
      "load",
      [](const std::string& path, std::vector<std::string> overrides, std::string method) {
        return io::load(path, {std::move(overrides), std::move(method), {}});
      },
      "path"_a, "overrides"_a, "method"_a, nb::call_guard<nb::gil_scoped_release>());
  m.def(
      "load_text",
      [](const std::string& text, const std::string& path, std::vector<std::string> overrides, std::string method) {
        return io::load_text(text, path, {std::move(overrides), std::move(method), {}});
      },
      "text"_a, "path"_a, "overrides"_a, "method"_a, nb::call_guard<nb::gil_scoped_release>());
  bind_runner(m);
  bind_reference(m);
  bind_saving(m);
  bind_simulation(m);
  bind_command_line(m);
  bind_modes(m);
  bind_advise(m);
  bind_callbacks(m);
  m.def("surface", &surface, "problem"_a, "most"_a, nb::call_guard<nb::gil_scoped_release>(),
        "The outer faces of a problem's solids, as numbers of the first coordinate at each corner.");
  m.def("catalogue", &session::catalogue_json, "Every method with its fields, as JSON.");
  m.def("why_no_energy_error", [] { return std::string(invariant::why_no_energy_error); });
  m.def("version", &session::version);
}

}  // namespace actio::python
