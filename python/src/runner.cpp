#include "runner.hpp"

#include <nanobind/eigen/dense.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/invariant/certificate.hpp>
#include <actio/invariant/json.hpp>
#include <actio/run/trajectory.hpp>

#include "callbacks.hpp"
#include "recorder.hpp"

namespace actio::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

// Ends a run from Python: by Ctrl-C, wherever it comes, by what an observer gives back, by another exception of one, which is
// thrown after the run.
class Stop {
 public:
  const std::atomic<bool>& flag() const { return flag_; }
  void set() { flag_ = true; }
  void set(nb::python_error error) {
    if (!error_ && !error.matches(PyExc_KeyboardInterrupt)) error_ = std::make_unique<nb::python_error>(std::move(error));
    flag_ = true;
  }
  // Holds the lock of the interpreter while it looks.
  void look_for_signals() {
    const nb::gil_scoped_acquire held;
    if (take_interrupt()) flag_ = true;
    if (PyErr_CheckSignals() != 0) set(nb::python_error());  // which takes it
  }
  void rethrow() {
    if (error_) throw nb::python_error(std::move(*error_));
  }

 private:
  std::atomic<bool> flag_ = false;
  std::unique_ptr<nb::python_error> error_;
};

// observer(step, t, q, v, energy): anything true that it gives back ends the run.
class Caller final : public run::Observer {
 public:
  Caller(nb::object observer, Stop& stop) : observer_(std::move(observer)), stop_(stop) {}
  void observe(const run::Observation& now) override {
    const nb::gil_scoped_acquire held;
    try {
      const nb::object answer = observer_(now.step, now.state.t, now.state.q, now.state.v, now.energy);
      if (nb::cast<bool>(nb::bool_(answer))) stop_.set();
    } catch (nb::python_error& e) { stop_.set(std::move(e)); }
  }

 private:
  nb::object observer_;
  Stop& stop_;
};

// (name, g(t, q, v), direction, stop after so many or 0)
using EventWords = std::vector<std::tuple<std::string, nb::object, int, long>>;
void add_events(const EventWords& words, io::Problem& to) {
  for (const auto& [name, g, direction, stop] : words) {
    run::Event event;
    event.name = name;
    event.definition = "a function of Python";
    event.direction = direction > 0   ? run::Event::Direction::up
                      : direction < 0 ? run::Event::Direction::down
                                      : run::Event::Direction::both;
    if (stop > 0) event.action = run::Event::Action::stop;
    event.occurrences = std::max(1L, stop);
    event.function = [g = shared(g)](double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
      const nb::gil_scoped_acquire held;
      const nb::object answer = (*g)(t, q, v);
      const double x = PyFloat_AsDouble(answer.ptr());
      if (PyErr_Occurred()) throw nb::python_error();
      return x;
    };
    io::add_event(to, std::move(event));
  }
}

nb::object taken(std::vector<double> values) {
  auto* kept = new std::vector<double>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double>(kept->data(), {kept->size()}, owner), nb::rv_policy::reference);
}

// {name: (times, definition, {"t": (times), column: (times)})}
nb::dict tables(const std::vector<run::Observed>& observed) {
  nb::dict out;
  for (const run::Observed& of : observed) {
    if (!of.event) continue;
    nb::dict table;
    for (const run::Figure& column : of.reductions[0].figures) table[column.name.c_str()] = taken(column.values);
    out[of.name.c_str()] = nb::make_tuple(of.times, of.definition, table);
  }
  return out;
}

nb::dict result(session::Session& s, const invariant::Certificate& c, Recorder& recorder) {
  const run::TrajectoryHeader header = session::header(s);
  nb::dict out;
  out["arrays"] = recorder.arrays();
  out["coordinates"] = header.coordinates;
  out["momentum"] = header.momentum;
  out["multipliers"] = header.multipliers;
  nb::list probes;
  for (const run::Probe& probe : header.probes) probes.append(probe.name);
  out["probes"] = probes;
  nb::list observed;
  for (const run::ObservedColumn& column : header.observed)
    observed.append(nb::make_tuple(column.name, column.elements, column.definition, column.unit));
  out["observed"] = observed;
  std::vector<run::Observed> all = session::observed(s);
  const std::string of_observables = session::observed_text(all);
  out["events"] = tables(all);
  std::erase_if(all, [](const run::Observed& of) { return of.event; });
  out["certificate"] = session::json(c, all);
  out["text"] = invariant::text(c) + (of_observables.empty() ? "" : "\n" + of_observables.substr(0, of_observables.size() - 1));
  out["attributes"] = header.attributes;
  out["smallest_step"] = header.smallest_step;
  out["largest_step"] = header.largest_step;
  out["start"] = header.start;
  out["every"] = header.every;
  out["interrupted"] = c.interrupted;
  if (c.failure) out["failure"] = c.failure->text();
  return out;
}

nb::dict run(const io::Problem& problem, const std::string& states, const std::string& kernels, const std::string& space,
             const std::string& output, nb::object progress, nb::object observer, const EventWords& events, nb::object warn) {
  if (problem.ensemble)
    throw core::InputError(fmt::format("{} has an ensemble, and this runs one system", problem.path),
                           "actio run FILE -o members.h5, on the command line");
  take_interrupt();  // of what ended before
  Stop stop;
  io::Problem asked = problem;
  add_events(events, asked);
  session::OneProcess here(stop.flag());
  std::unique_ptr<session::Session> s;
  std::unique_ptr<Recorder> recorder;
  std::unique_ptr<Caller> caller;
  if (!observer.is_none()) caller = std::make_unique<Caller>(observer, stop);
  invariant::Certificate c;
  {
    const nb::gil_scoped_release others_run;
    s = std::make_unique<session::Session>(session::open(std::move(asked), session::choices(kernels, space), here));
    session::observe(*s);
    recorder = std::make_unique<Recorder>(*s, states);
    run::Options options;
    options.multipliers = true;
    options.observers.push_back(recorder.get());
    if (caller) options.observers.push_back(caller.get());
    std::unique_ptr<run::Trajectory> file;
    if (!output.empty()) {
      run::TrajectoryHeader header = session::header(*s);
      header.model = &s->problem.model;
      header.compile = s->choices.build.compile;
      file = run::open_trajectory(output, header);
      options.observers.push_back(file.get());
    }
    options.progress = [&](const run::Progress& now) {
      stop.look_for_signals();
      if (progress.is_none()) return;
      const nb::gil_scoped_acquire held;
      try {
        progress(now.done, now.total, now.seconds);
      } catch (nb::python_error& e) { stop.set(std::move(e)); }
    };
    c = session::run(*s, options, here, [&](const std::string& words) {
      const nb::gil_scoped_acquire held;
      try {
        warn(words);
      } catch (nb::python_error& e) { stop.set(std::move(e)); }
    });
    stop.look_for_signals();  // what came in the last steps
    if (file) file->finish(invariant::json(c, false), session::observed(*s));
  }
  stop.rethrow();
  nb::dict out = result(*s, c, *recorder);
  if (stop.flag()) out["interrupted"] = true;
  return out;
}

// q and v (2 n) at each of the times, within rows t (N), q, v (N, n) of a run's states.
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
Rows states_at(const io::Problem& problem, const std::string& kernels, const Eigen::VectorXd& t, const nb::DRef<const Rows>& q,
               const nb::DRef<const Rows>& v, const Eigen::VectorXd& times) {
  if (q.cols() != problem.model.size() || v.cols() != q.cols() || q.rows() != t.size() || v.rows() != t.size())
    throw core::InputError(
        fmt::format("there are {} columns of positions, and the system has {} coordinates", q.cols(), problem.model.size()),
        "a file of a solid with probes has no states to go between");
  const nb::gil_scoped_release others_run;
  run::DenseTrajectory path(problem.model, session::choices(kernels, "automatic").build.compile);
  for (long k = 0; k < t.size(); ++k) path.add(t[k], q.row(k), v.row(k));
  Rows out(times.size(), 2 * q.cols());
  method::Snapshot at;
  for (long k = 0; k < times.size(); ++k) {
    path.at(times[k], at);
    out.row(k) << at.q.transpose(), at.v.transpose();
  }
  return out;
}

}  // namespace

void bind_runner(nb::module_& m) {
  m.def("states_at", &states_at, "problem"_a, "kernels"_a, "t"_a, "q"_a, "v"_a, "times"_a);
  m.def("run", &run, "problem"_a, "states"_a, "kernels"_a, "space"_a, "output"_a, "progress"_a.none(), "observer"_a.none(),
        "events"_a, "warn"_a);
}

}  // namespace actio::python
