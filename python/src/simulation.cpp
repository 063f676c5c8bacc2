#include "simulation.hpp"

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>

#include <fmt/format.h>

#include <actio/core/archive.hpp>
#include <actio/core/checksum.hpp>
#include <actio/core/error.hpp>
#include <actio/session/session.hpp>

#include "callbacks.hpp"

namespace actio::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

const std::atomic<bool> never = false;

class Simulation {
 public:
  Simulation(const io::Problem& problem, const std::string& kernels, const std::string& space) {
    session::OneProcess here(never);
    session_ = session::open(problem, session::choices(kernels, space), here);
    start(session_.task.schedule.start, session_.task.q0, session_.task.v0);
  }

  // All of these are called without the interpreter's lock: a step may call functions of Python.
  void start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    const Alone alone(*this);
    if (!std::isfinite(t)) throw core::InputError("t is not finite");
    need_size("q", q);
    need_size("v", v);
    sound_ = false;
    session_.integrator->start(t, q, v);
    session_.integrator->set_reference();
    sound_ = true;
    steps_ = 0;
  }
  // In parts, between which `interrupted` is asked; that the steps are in parts changes no number of theirs. Throws
  // core::RunError where a step is not solved; the state is then the one before it.
  void step(long count, double h, const std::function<bool()>& interrupted) {
    const Alone alone(*this);
    need_sound();
    if (count < 0) throw core::InputError(fmt::format("{} steps", count));
    if (!std::isfinite(h) || h == 0) throw core::InputError(fmt::format("a step of {}", h));
    long part = 1;
    while (count > 0) {
      const auto before = std::chrono::steady_clock::now();
      part = std::min(part, count);
      sound_ = false;  // what throws in the middle of a step leaves the integrator anywhere
      const method::BatchReport report = session_.integrator->advance(part, h, {work_, false, steps_});
      sound_ = true;
      steps_ += report.steps;
      work_ = report.work;
      if (!report.ok) {
        method::Snapshot now;
        session_.integrator->snapshot(now);
        throw core::RunError(steps_, now.t, report.what, "a shorter step, or another method");
      }
      count -= part;
      if (interrupted() || count == 0) return;
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
      if (took.count() < 0.02) part *= 2;
    }
  }
  double own_step() const { return session_.problem.schedule.step[0]; }
  const io::Problem& problem() const { return session_.problem; }
  method::Snapshot state() {
    const Alone alone(*this);
    need_sound();
    method::Snapshot out;
    session_.integrator->snapshot(out);
    return out;
  }
  double energy() {
    const Alone alone(*this);
    need_sound();
    return session_.integrator->energy();
  }
  long steps() const { return steps_; }

  std::string save() {
    const Alone alone(*this);
    need_sound();
    return written();
  }
  // Of a simulation of the same problem and method. Throws core::InputError where the bytes are of something else; the state is
  // then as it was.
  void restore(const std::string& saved) {
    const Alone alone(*this);
    const std::string before = written();
    try {
      read(saved);
      sound_ = true;
    } catch (const core::InputError&) {
      read(before);
      throw;
    }
  }

 private:
  // The simulation to oneself. A function that its step calls may not ask for it.
  class Alone {
   public:
    explicit Alone(Simulation& of) : of_(of) {
      if (of_.owner_ == std::this_thread::get_id())
        throw core::InputError("a function that a step calls asks its own simulation", "it has the state as its arguments");
      of_.in_use_.lock();
      of_.owner_ = std::this_thread::get_id();
    }
    Alone(const Alone&) = delete;
    ~Alone() {
      of_.owner_ = std::thread::id();
      of_.in_use_.unlock();
    }

   private:
    Simulation& of_;
  };

  void need_sound() const {
    if (!sound_) throw core::InputError("a step was left in its middle by an exception", "start() or restore() the simulation");
  }
  void need_size(const char* name, const Eigen::VectorXd& x) const {
    if (x.size() != session_.integrator->size())
      throw core::InputError(
          fmt::format("{} has {} numbers, the system {} coordinates", name, x.size(), session_.integrator->size()));
    if (!x.allFinite()) throw core::InputError(fmt::format("{} is not finite", name));
  }
  // What is saved belongs to.
  std::string problem_words() const {
    std::string out = session_.problem.method.name() + '\n' + session_.problem.text;
    for (const std::string& word : session_.problem.overrides) out += '\n' + word;
    return out;
  }
  std::string written() {
    core::Archive a;
    std::uint32_t of = core::checksum(problem_words());
    auto steps = static_cast<std::int64_t>(steps_);
    a(of, steps, work_);
    session_.integrator->archive(a);
    return a.take();
  }
  void read(std::string_view bytes) {
    core::Archive a(bytes);
    std::uint32_t of = 0;
    std::int64_t steps = 0;
    a(of, steps);
    if (of != core::checksum(problem_words()))
      throw core::InputError("the saved state is of another problem or method", "restore it where it was saved");
    a(work_);
    session_.integrator->archive(a);
    if (!a.finished()) throw core::InputError("the saved state has another layout");
    steps_ = steps;
  }

  session::Session session_;
  std::mutex in_use_;
  std::atomic<std::thread::id> owner_;
  method::Work work_;
  bool sound_ = true;
  std::atomic<long> steps_ = 0;
};

}  // namespace

namespace {

// True on Ctrl-C, with the exception set.
bool interrupted() {
  const nb::gil_scoped_acquire held;
  if (take_interrupt()) PyErr_SetNone(PyExc_KeyboardInterrupt);
  return PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0;
}

void step(Simulation& s, long count, double h) {
  take_interrupt();  // of what ended before
  {
    const nb::gil_scoped_release others_run;
    s.step(count, h, &interrupted);
  }
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
}

}  // namespace

void bind_simulation(nb::module_& m) {
  using Released = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Simulation>(m, "Simulation")
      .def(nb::init<const io::Problem&, const std::string&, const std::string&>(), "problem"_a, "kernels"_a, "space"_a,
           Released())
      .def("start", &Simulation::start, "t"_a, "q"_a, "v"_a, Released())
      .def("step", &step, "count"_a, "h"_a)
      .def_prop_ro("h", &Simulation::own_step)
      .def_prop_ro("problem", &Simulation::problem, nb::rv_policy::reference_internal)
      .def("state",
           [](Simulation& s) {
             method::Snapshot now;
             {
               const nb::gil_scoped_release others_run;
               now = s.state();
             }
             return std::tuple(now.t, std::move(now.q), std::move(now.v), std::move(now.p));
           })
      .def("energy", &Simulation::energy, Released())
      .def_prop_ro("steps", &Simulation::steps)
      .def("save",
           [](Simulation& s) {
             std::string out;
             {
               const nb::gil_scoped_release others_run;
               out = s.save();
             }
             return nb::bytes(out.data(), out.size());
           })
      .def(
          "restore",
          [](Simulation& s, const nb::bytes& saved) {
            const std::string bytes(saved.c_str(), saved.size());
            const nb::gil_scoped_release others_run;
            s.restore(bytes);
          },
          "saved"_a);
}

}  // namespace actio::python
