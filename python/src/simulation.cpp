#include "simulation.hpp"

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <mutex>

#include <fmt/format.h>

#include <actio/core/archive.hpp>
#include <actio/core/checksum.hpp>
#include <actio/core/error.hpp>
#include <actio/session/session.hpp>

#include "runner.hpp"

namespace actio::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

const std::atomic<bool> never = false;

class Simulation {
 public:
  Simulation(const io::Problem& problem, const std::string& kernels, const std::string& space) {
    session::OneProcess here(never);
    session_ = session::open(problem, choices(kernels, space), here);
    start(session_.task.schedule.start, session_.task.q0, session_.task.v0);
  }

  void start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    const std::scoped_lock alone(in_use_);
    need_size("q", q);
    need_size("v", v);
    session_.integrator->start(t, q, v);
    steps_ = 0;
    cached_ = false;
  }
  // Throws core::RunError where a step is not solved; the state is then the one before it.
  void step(long count, double h) {
    const std::scoped_lock alone(in_use_);
    if (count < 0) throw core::InputError(fmt::format("{} steps", count));
    if (!std::isfinite(h) || h == 0) throw core::InputError(fmt::format("a step of {}", h));
    cached_ = false;
    const method::BatchReport report = session_.integrator->advance(count, h, {work_, false, steps_});
    steps_ += report.steps;
    work_ = report.work;
    if (report.ok) return;
    method::Snapshot now;
    session_.integrator->snapshot(now);
    throw core::RunError(steps_, now.t, report.what, "a shorter step, or another method");
  }
  double own_step() const { return session_.problem.schedule.step[0]; }
  const io::Problem& problem() const { return session_.problem; }
  const method::Snapshot& state() {
    const std::scoped_lock alone(in_use_);
    if (!cached_) session_.integrator->snapshot(state_);
    cached_ = true;
    return state_;
  }
  double energy() {
    const std::scoped_lock alone(in_use_);
    return session_.integrator->energy();
  }
  long steps() const { return steps_; }

  nb::bytes save() {
    std::string out;
    {
      const std::scoped_lock alone(in_use_);
      out = written();
    }
    return nb::bytes(out.data(), out.size());
  }
  // Of a simulation of the same problem and method. Throws core::InputError where the bytes are of something else; the state is
  // then as it was.
  void restore(const nb::bytes& saved) {
    const std::scoped_lock alone(in_use_);
    const std::string before = written();
    try {
      read({saved.c_str(), saved.size()});
    } catch (const core::InputError&) {
      read(before);
      throw;
    }
  }

 private:
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
    cached_ = false;
  }

  session::Session session_;
  std::mutex in_use_;
  method::Snapshot state_;
  method::Work work_;
  bool cached_ = false;
  long steps_ = 0;
};

}  // namespace

void bind_simulation(nb::module_& m) {
  using Released = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Simulation>(m, "Simulation")
      .def(nb::init<const io::Problem&, const std::string&, const std::string&>(), "problem"_a, "kernels"_a, "space"_a,
           Released())
      .def("start", &Simulation::start, "t"_a, "q"_a, "v"_a, Released())
      .def("step", &Simulation::step, "count"_a, "h"_a, Released())
      .def_prop_ro("h", &Simulation::own_step)
      .def_prop_ro("problem", &Simulation::problem, nb::rv_policy::reference_internal)
      .def_prop_ro("t", [](Simulation& s) { return s.state().t; })
      .def_prop_ro("q", [](Simulation& s) { return Eigen::VectorXd(s.state().q); })
      .def_prop_ro("v", [](Simulation& s) { return Eigen::VectorXd(s.state().v); })
      .def_prop_ro("p", [](Simulation& s) { return Eigen::VectorXd(s.state().p); })
      .def_prop_ro("energy", &Simulation::energy)
      .def_prop_ro("steps", &Simulation::steps)
      .def("save", &Simulation::save)
      .def("restore", &Simulation::restore, "saved"_a);
}

}  // namespace actio::python
