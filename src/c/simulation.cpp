#include <actio/c/actio.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <actio/core/archive.hpp>
#include <actio/core/checksum.hpp>
#include <actio/core/error.hpp>
#include <actio/core/parallel.hpp>
#include <actio/invariant/agreement.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/frequencies.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/dense_output.hpp>
#include <actio/run/integrate.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/symmetry.hpp>

#include "code.hpp"

struct actio_simulation {
  std::shared_ptr<actio::c::Calls> calls;
  actio::system::Model model;
  actio::method::Spec method;
  std::string named;           // the method, as it was given
  std::uint32_t checksum = 0;  // of the code
  std::unique_ptr<actio::method::Integrator> integrator;
  std::optional<actio::run::DenseOutput> dense;  // once a state between others was asked for
  std::string certificate, certificate_json;
  bool started = false;
  bool busy = false;   // a function of this interface is at work on it: callbacks and observers may not call another
  bool shown = false;  // but for an observer, that looks at its state
};

namespace actio::c {
namespace {

thread_local std::string message;

// What an interface function gives back in place of ACTIO_OK.
struct Outcome {
  int code;
  std::string why;
};

// Nothing is thrown further; a failure leaves its message.
template <class F>
int guarded(F&& f) noexcept {
  try {
    try {
      f();
      return ACTIO_OK;
    } catch (const Outcome& e) {
      message = e.why;
      return e.code;
    } catch (const core::InputError& e) {
      message = e.what();
      return ACTIO_WRONG_INPUT;
    } catch (const core::RunError& e) {
      message = e.what();
      return ACTIO_RUN_FAILED;
    } catch (const std::bad_alloc&) { message = "out of memory"; } catch (const std::exception& e) {
      message = e.what();
      return ACTIO_FAULT;
    } catch (...) {
      message = "a callback threw an object that is not a std::exception";
      return ACTIO_FAULT;
    }
  } catch (...) {}  // no memory for the message either
  return ACTIO_OUT_OF_MEMORY;
}

[[noreturn]] void wrong(std::string why) { throw Outcome{ACTIO_WRONG_INPUT, "error: " + std::move(why)}; }

template <class T>
T& need(T* given, const char* what) {
  if (!given) wrong(fmt::format("{} is null", what));
  return *given;
}

Eigen::VectorXd vector(const actio_simulation& s, const char* name, std::int64_t n, const double* x) {
  if (n != s.integrator->size())
    wrong(fmt::format("{} has {} numbers, the code has {} coordinates", name, n, s.integrator->size()));
  Eigen::VectorXd out = Eigen::Map<const Eigen::VectorXd>(&need(x, name), n);
  if (!out.allFinite()) wrong(fmt::format("{} is not finite", name));
  return out;
}

void need_start(const actio_simulation& s) {
  if (!s.started) wrong("there is no state: call actio_start first");
}
void need_steps(std::int64_t steps, double h) {
  if (steps < 0) wrong(fmt::format("{} steps", steps));
  if (!std::isfinite(h) || h == 0) wrong(fmt::format("a step of {}", h));
}

bool knows_energy(const actio_simulation& s) { return s.integrator->properties().energy; }

// A simulation that nothing else works on.
class Alone {
 public:
  explicit Alone(actio_simulation* simulation) : s_(need(simulation, "the simulation")) {
    if (s_.busy) wrong("a callback or an observer calls a function that works on its own simulation");
    s_.busy = true;
  }
  Alone(const Alone&) = delete;
  ~Alone() { s_.busy = false; }
  actio_simulation& operator*() { return s_; }

 private:
  actio_simulation& s_;
};

// An exception in the middle of a call leaves the integrator anywhere.
class Started {
 public:
  explicit Started(actio_simulation& s) : s_(s) {
    s_.started = false;
    s_.calls->clear();
  }
  void sound() { s_.started = true; }

 private:
  actio_simulation& s_;
};

[[noreturn]] void failed(const actio_simulation& s, const std::string& how = {}) {
  throw Outcome{ACTIO_CALLBACK_FAILED, (how.empty() ? "error: " : how + "\n  ") + s.calls->words()};
}

// f(), which calls functions of the code. What is thrown when one of them has failed is their failure, whatever it looks like.
template <class F>
void calling(const actio_simulation& s, F&& f) {
  try {
    f();
  } catch (const core::InputError& e) {
    if (s.calls->function) failed(s, e.what());
    throw;
  } catch (const core::RunError& e) {
    if (s.calls->function) failed(s, e.what());
    throw;
  }
}

// The same of a question, which makes no step: there is no way around a failure.
template <class F>
void asking(actio_simulation& s, F&& f) {
  if (s.calls->stopped) failed(s, "error: no function is called until actio_start, actio_restore, actio_advance or actio_run");
  s.calls->clear();
  calling(s, f);
  if (s.calls->function) failed(s);
}

void start(actio_simulation& s, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Started started(s);
  method::Snapshot now;
  calling(s, [&] {
    s.integrator->start(t, q, v);
    s.integrator->set_reference();
    s.integrator->snapshot(now);
  });
  if (s.calls->function) failed(s);
  if (!now.p.allFinite()) wrong("the momentum of the start is not finite");
  started.sound();
}

// Whether a step that is not a number is told from one that is: where equations are solved. Explicit steps compute what they are
// given.
bool solves_equations(const method::Spec& spec) {
  return std::visit(
      []<class M>(const M& m) {
        if constexpr (requires { m.beta; }) return m.beta != 0;
        using namespace method;
        return std::is_same_v<M, Variational> || std::is_same_v<M, Midpoint> || std::is_same_v<M, GeneralizedAlpha> ||
               std::is_same_v<M, Hht> || std::is_same_v<M, Wbz> || std::is_same_v<M, Wilson> || std::is_same_v<M, TwoStep> ||
               std::is_same_v<M, ZhangSkeel> || std::is_same_v<M, ZhangSkeelSimplified> || std::is_same_v<M, CvodeAdams>;
      },
      spec.choice);
}

// Steps one by one, up to one that ends in no state, before which the integrator is left then.
method::BatchReport advance_explicitly(actio_simulation& s, std::int64_t steps, double h) {
  method::BatchReport all;
  method::Snapshot now;
  for (; all.steps < steps; ++all.steps) {
    core::Archive before;
    s.integrator->archive(before);
    method::BatchReport step = s.integrator->advance(1, h, {all.work, all.steps + 1 == steps});
    s.integrator->snapshot(now);
    all.count(step);
    all.what = step.what;
    all.ok = step.ok;
    if (all.ok && now.q.allFinite() && now.v.allFinite() && now.p.allFinite()) {
      all.work = step.work;
      continue;
    }
    if (all.ok) {
      core::Archive back(before.bytes());
      s.integrator->archive(back);
      all.what = "the state after it is not finite";
    }
    all.ok = false;
    break;
  }
  return all;
}

class Observer final : public run::Observer {
 public:
  Observer(actio_simulation& s, actio_observer shown, void* user, std::atomic<bool>& stop)
      : s_(s), shown_(shown), user_(user), stop_(stop) {}
  void observe(const run::Observation& now) override {
    s_.started = s_.shown = true;  // not beyond it, should anything be thrown
    const int end = shown_(now.step, now.state.t, now.energy, user_);
    s_.started = s_.shown = false;
    if (end != 0) stop_ = true;
  }

 private:
  actio_simulation& s_;
  actio_observer shown_;
  void* user_;
  std::atomic<bool>& stop_;
};

void certified(actio_simulation& s, std::int64_t steps, double h, std::int64_t every, actio_observer shown, void* user,
               actio_report* report) {
  method::Snapshot now;
  s.integrator->snapshot(now);
  run::Task task{s.model.title, s.method, now.q, now.v, {}, {}};
  task.schedule.start = now.t;
  task.schedule.step = h;
  task.schedule.steps = steps;
  task.schedule.every = every;
  task.schedule.follows = task.method.transforms_time;
  task.autonomous = run::is_autonomous(s.model);
  s.certificate.clear();
  s.certificate_json.clear();
  std::atomic<bool> stop = false;
  std::unique_ptr<Observer> observer;
  run::Options options;
  options.stop = &stop;
  if (shown) {
    observer = std::make_unique<Observer>(s, shown, user, stop);
    options.observers.push_back(observer.get());
  }
  core::Archive before;
  s.integrator->archive(before);
  Started started(s);
  invariant::MomentumMap momentum(s.model);
  invariant::Certificate certificate;
  calling(s, [&] { certificate = run::integrate(*s.integrator, momentum, task, options); });
  if (certificate.failure && certificate.steps == 0) {  // not even its start was sound
    core::Archive back(before.bytes());
    s.integrator->archive(back);
  }
  started.sound();
  s.certificate = invariant::text(certificate);
  s.certificate_json = invariant::json(certificate, false);
  if (report) {
    const auto& ledger = certificate.ledger;
    *report = {certificate.steps,
               certificate.solver.iterations,
               certificate.solver.factorisations,
               certificate.solver.worst_residual,
               ledger ? ledger->external : 0,
               ledger ? ledger->dissipated : 0};
  }
  s.integrator->snapshot(now);
  if (certificate.failure && s.calls->explain(now.t, h)) failed(s, certificate.failure->text());
  if (s.calls->stopped) failed(s);  // while its end was measured
  if (certificate.failure) throw Outcome{ACTIO_RUN_FAILED, certificate.failure->text()};
  if (certificate.verdict == invariant::Certificate::Verdict::failed)
    throw Outcome{ACTIO_RUN_FAILED, certificate.broken.empty() ? "a claim does not hold" : certificate.broken.front()};
}

constexpr const char* saved_by = ACTIO_VERSION;
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// What it is of, what a step depends on, and at the end a checksum of both.
std::string save(actio_simulation& s) {
  core::Archive out;
  long n = s.integrator->size();
  std::string version = saved_by;
  out(version, n, s.checksum, s.named);
  s.integrator->archive(out);
  std::string bytes = out.take();
  const std::uint32_t sum = core::checksum(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

void restore(actio_simulation& s, std::string_view bytes) {
  std::uint32_t sum = 0;
  const std::size_t size = bytes.size() - std::min(bytes.size(), sizeof sum);
  if (size > 0) std::memcpy(&sum, bytes.data() + size, sizeof sum);
  if (size == 0 || sum != core::checksum(bytes.substr(0, size))) wrong("the saved state is incomplete, or was changed since");
  core::Archive in(bytes.substr(0, size));
  long n = 0;
  std::uint32_t code = 0;
  std::string version, named;
  in(version);
  if (version != saved_by) wrong(fmt::format("the saved state is of Actio {}, this is {}", version, saved_by));
  in(n, code, named);
  if (n != s.integrator->size())
    wrong(fmt::format("the saved state has {} coordinates, this code has {}", n, s.integrator->size()));
  if (named != s.named)
    wrong(fmt::format("the saved state is of the method `{}`, this is `{}`", one_line(named), one_line(s.named)));
  if (code != s.checksum) wrong("the saved state is of a code with another mass, pattern, damping, fixed coordinates or flags");
  Started started(s);
  calling(s, [&] { s.integrator->archive(in); });
  if (s.calls->function) failed(s);
  if (!in.finished()) wrong("the saved state has another layout");
  started.sound();
}

}  // namespace
}  // namespace actio::c

using namespace actio;
using namespace actio::c;

int actio_open(const actio_code* code, const char* method, actio_simulation** simulation) {
  if (simulation) *simulation = nullptr;
  return guarded([&] {
    need(simulation, "the pointer to the simulation");
    auto s = std::make_unique<actio_simulation>();
    s->calls = std::make_shared<Calls>();
    s->named = &need(method, "the method");
    s->method = io::load_method(s->named);
    s->model = model_of(need(code, "the code"), s->calls);
    s->checksum = checksum(*code);
    s->integrator = method::make_integrator(s->model, s->method);
    *simulation = s.release();
  });
}

void actio_close(actio_simulation* simulation) {
  if (simulation && !simulation->busy) delete simulation;
}

int actio_start(actio_simulation* simulation, double t, int64_t n, const double* q, const double* v) {
  return guarded([&] {
    Alone alone(simulation);
    actio_simulation& s = *alone;
    if (!std::isfinite(t)) wrong("the time is not finite");
    const Eigen::VectorXd from = vector(s, "q", n, q);
    start(s, t, from, vector(s, "v", n, v));
  });
}

int actio_advance(actio_simulation* simulation, int64_t steps, double h, actio_report* report) {
  if (report) *report = {};
  return guarded([&] {
    Alone alone(simulation);
    actio_simulation& s = *alone;
    need_start(s);
    need_steps(steps, h);
    Started started(s);
    method::BatchReport batch;
    calling(s, [&] { batch = solves_equations(s.method) ? s.integrator->advance(steps, h) : advance_explicitly(s, steps, h); });
    started.sound();
    if (report)
      *report = {batch.steps,          batch.iterations,    batch.factorisations,
                 batch.worst_residual, batch.work.external, batch.work.dissipated};
    if (batch.ok) return;
    std::string why = fmt::format("error: step {} of {}: {}", batch.steps + 1, steps, batch.what);
    method::Snapshot now;
    s.integrator->snapshot(now);
    if (!s.calls->explain(now.t, h)) throw Outcome{ACTIO_RUN_FAILED, why};
    failed(s, why);
  });
}

int actio_state(const actio_simulation* simulation, double* t, int64_t n, double* q, double* v, double* p) {
  return guarded([&] {
    const actio_simulation& s = need(simulation, "the simulation");
    if (s.busy && !s.shown) wrong("a callback looks at its own simulation");
    need_start(s);
    if ((q || v || p) && n != s.integrator->size())
      wrong(fmt::format("room for {} numbers, the code has {} coordinates", n, s.integrator->size()));
    method::Snapshot now;
    s.integrator->snapshot(now);
    if (t) *t = now.t;
    if (q) std::ranges::copy(now.q, q);
    if (v) std::ranges::copy(now.v, v);
    if (p) std::ranges::copy(now.p, p);
  });
}

int actio_between(actio_simulation* simulation, int64_t n, double t0, const double* q0, const double* v0, double t1,
                  const double* q1, const double* v1, double t, double* q, double* v) {
  return guarded([&] {
    Alone alone(simulation);
    actio_simulation& s = *alone;
    const method::Snapshot before{t0, vector(s, "q0", n, q0), vector(s, "v0", n, v0), {}},
        after{t1, vector(s, "q1", n, q1), vector(s, "v1", n, v1), {}};
    if (!(t0 < t1 && t >= t0 && t <= t1)) wrong(fmt::format("t = {} is not from {} to a later time, {}", t, t0, t1));
    method::Snapshot out;
    calling(s, [&] {
      if (!s.dense) s.dense.emplace(s.model);
      s.dense->step(before, after);
      s.dense->at((t - t0) / (t1 - t0), out);
    });
    if (s.calls->function) failed(s);
    if (q) std::ranges::copy(out.q, q);
    if (v) std::ranges::copy(out.v, v);
  });
}

int actio_energy(actio_simulation* simulation, double* energy) {
  return guarded([&] {
    Alone alone(simulation);
    actio_simulation& s = *alone;
    need_start(s);
    need(energy, "the pointer to the energy");
    if (!knows_energy(s)) wrong("the code does not compute its energy");
    asking(s, [&] { *energy = s.integrator->energy(); });
  });
}

int actio_save(actio_simulation* simulation, int64_t room, void* bytes, int64_t* size) {
  return guarded([&] {
    Alone alone(simulation);
    need_start(*alone);
    const std::string saved = save(*alone);
    need(size, "the pointer to the size") = static_cast<std::int64_t>(saved.size());
    if (!bytes) return;
    if (room < *size) wrong(fmt::format("room for {} bytes, the simulation takes {}", room, *size));
    std::ranges::copy(saved, static_cast<char*>(bytes));
  });
}

int actio_restore(actio_simulation* simulation, int64_t size, const void* bytes) {
  return guarded([&] {
    Alone alone(simulation);
    if (size < 0) wrong(fmt::format("{} bytes", size));
    need(static_cast<const char*>(bytes), "the saved state");
    restore(*alone, {static_cast<const char*>(bytes), static_cast<std::size_t>(size)});
  });
}

int actio_run(actio_simulation* simulation, int64_t steps, double h, int64_t every, actio_observer observer, void* user,
              actio_report* report) {
  if (report) *report = {};
  return guarded([&] {
    Alone alone(simulation);
    actio_simulation& s = *alone;
    need_start(s);
    need_steps(steps, h);
    if (steps == 0 || every < 1) wrong(fmt::format("a run of {} steps, observed every {}", steps, every));
    certified(s, steps, h, every, observer, user, report);
  });
}

const char* actio_certificate(const actio_simulation* simulation) { return simulation ? simulation->certificate.c_str() : ""; }
const char* actio_certificate_json(const actio_simulation* simulation) {
  return simulation ? simulation->certificate_json.c_str() : "";
}

int actio_symmetry(actio_simulation* simulation, const char* name, int64_t count, const int32_t* rows, const int32_t* columns,
                   const double* values, int64_t n, const double* b) {
  return guarded([&] {
    Alone alone(simulation);
    actio_simulation& s = *alone;
    const std::string called = &need(name, "the name");
    if (count < 0 || (count > 0 && !(rows && columns && values))) wrong(fmt::format("{} entries of the symmetry", count));
    if (n != s.integrator->size()) wrong(fmt::format("b has {} numbers, the code has {} coordinates", n, s.integrator->size()));
    const auto size = static_cast<std::size_t>(count);
    s.model.symmetries.push_back(system::affine_symmetry(called, n, {rows, size}, {columns, size}, {values, size},
                                                         {b, b ? static_cast<std::size_t>(n) : 0}));
  });
}

int actio_check(actio_simulation* simulation, double t, int64_t n, const double* q, const double* v, double length, double h,
                actio_agreement* agreement) {
  return guarded([&] {
    Alone alone(simulation);
    actio_simulation& s = *alone;
    actio_agreement& out = need(agreement, "the pointer to the agreement");
    need_steps(0, h);
    const Eigen::VectorXd at = vector(s, "q", n, q), with = vector(s, "v", n, v);
    asking(s, [&] {
      const auto found = invariant::agreement(s.model, t, at, with, length, length / std::abs(h));
      out = {found.energy, found.tangent, found.symmetry, found.force_tangent};
    });
  });
}

int actio_frequencies(actio_simulation* simulation, double t, int64_t n, const double* q, double* lowest, double* highest) {
  return guarded([&] {
    Alone alone(simulation);
    actio_simulation& s = *alone;
    const Eigen::VectorXd at = vector(s, "q", n, q);
    method::Frequencies found;
    asking(s, [&] { found = method::frequencies(s.model, t, at); });
    if (!found.measured()) wrong("no frequencies: " + found.why_not);
    if (lowest) *lowest = found.lowest;
    if (highest) *highest = found.highest;
  });
}

int actio_threads(int32_t count) {
  return guarded([&] {
    if (count < 1 || count > core::most_threads) wrong(fmt::format("{} threads, of 1 to {}", count, core::most_threads));
    core::set_threads(count);
  });
}

const char* actio_error(void) { return message.c_str(); }
