#include <actio/method/step_control.hpp>
#include <actio/session/session.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/method/contact.hpp>
#include <actio/method/discrete_nodes.hpp>
#include <actio/run/consistent_start.hpp>
#include <actio/system/bodies.hpp>
#include <actio/system/compiled.hpp>
#include <actio/system/constraint_error.hpp>
#include <actio/system/solid.hpp>

namespace actio::session {

namespace {

// What is wrong with the problem that f() meets, with its place in the file where that is known.
template <class F>
void with_places(const io::Problem& p, const core::Source& otherwise, F&& f) {
  try {
    f();
  } catch (const run::StartError& e) {
    throw io::placed(e, e.velocity ? p.places.velocity : p.places.position);
  } catch (const system::ConstraintError& e) {
    throw io::placed(e, p.places.of_constraint(p.model, e.constraint));
  } catch (const core::InputError& e) { throw io::placed(e, otherwise); }
}

// Steps that follow the motion begin with eps of what they follow.
void find_first_step(io::Problem& p, const run::Task& task, method::Integrator& integrator, const method::BuildOptions& options) {
  if (!p.method.control) return;
  const method::StepControl& control = *p.method.control;
  if (control.kind == method::StepControl::Kind::own && !(control.eps > 0)) return;
  double sigma = 0;
  if (control.kind == method::StepControl::Kind::own) {
    method::Snapshot s;
    integrator.start(p.schedule.start, task.q0, task.v0);
    integrator.snapshot(s);
    sigma = 1 / (0.5 * s.p.dot(s.v) - integrator.energy());
  } else {
    sigma = method::sigma(p.model, control, p.schedule.start, task.q0, options.compile);
  }
  if (!(sigma > 0) || !std::isfinite(sigma))
    throw core::InputError(p.places.step,
                           fmt::format("sigma is {:.6g} at the start; it must be positive and finite there", sigma),
                           control.kind == method::StepControl::Kind::own || control.sigma == method::StepControl::Sigma::energy
                               ? "the potential must be below 0: V = 0 where the parts are far from one another"
                               : "check run.step against [initial]");
  if (control.eps > 0) p.schedule.step = control.eps * sigma;
}

}  // namespace

Choices choices(const std::string& kernels, const std::string& space) {
  using Space = method::BuildOptions::Space;
  Choices out;
  out.must_compile = kernels == "compile";
  if (kernels == "interpret")
    out.build.compile.compiler = "none";
  else if (kernels != "auto" && kernels != "compile")
    throw core::InputError(fmt::format("kernels = \"{}\"", kernels), "auto, compile or interpret");
  if (space == "fixed")
    out.build.space = Space::fixed;
  else if (space == "dense")
    out.build.space = Space::dense;
  else if (space == "sparse")
    out.build.space = Space::sparse;
  else if (space != "automatic")
    throw core::InputError(fmt::format("space = \"{}\"", space), "automatic, fixed, dense or sparse");
  return out;
}

std::optional<method::Statics> find_equilibrium(io::Problem& problem, const Choices& choices, Execution& execution) {
  std::optional<method::Statics> out;
  if (!problem.equilibrium) return out;
  with_places(problem, problem.places.equilibrium, [&] { out = execution.equilibrium(problem, choices.build); });
  problem.q0 = out->q;
  return out;
}

Session open(io::Problem problem, const Choices& choices, Execution& execution) {
  const method::BuildOptions& options = choices.build;
  Session s;
  s.problem = std::move(problem);
  s.choices = choices;
  auto& p = s.problem;
  if (const std::string reason = method::why_incompatible(p.model, p.method); !reason.empty())
    throw core::InputError(fmt::format("{}: {}", p.path, reason), method::methods_that_fit(p.model));
  s.statics = find_equilibrium(p, choices, execution);  // before the integrator takes its memory
  const core::Source file{p.path, 0, 0, 1, {}};
  with_places(p, file, [&] { s.integrator = execution.integrator(p.model, p.method, options); });
  s.momentum = invariant::MomentumMap(p.model, options.compile);
  if (choices.must_compile)
    if (const std::string why = kernels(s).why_interpreted; !why.empty())
      throw core::InputError(fmt::format("kernels are not compiled: {}", why), "install a C compiler or set ACTIO_CC to one");
  s.task = {p.model.title, p.method, p.q0, p.v0, p.schedule, p.bounds, run::is_autonomous(p.model)};
  s.task.constraints = invariant::ConstraintMap(p.model, options.compile);
  if (p.model.omega > 0) s.task.penalty.emplace(p.model, p.schedule.window, options.compile);
  s.task.rest = system::rest_of(p.model);
  s.task.code = run::code_check(p.model);
  s.task.terms = run::energies_of(p.model);
  s.task.atoms = p.atoms;
  s.task.cutoffs = system::cutoff_jumps(p.model, p.q0);
  with_places(p, p.places.position, [&] {
    s.task.correction =
        run::make_consistent(p.model, s.task.constraints, *s.integrator, p.schedule.start, p.project, s.task.q0, s.task.v0);
  });
  with_places(p, p.places.position, [&] { method::check_open(p.model, s.task.q0, options.compile); });
  find_first_step(p, s.task, *s.integrator, options);
  s.task.schedule = p.schedule;
  return s;
}

void observe(Session& session) {
  const io::Problem& p = session.problem;
  if (!p.observables.empty())
    session.observables = std::make_unique<run::Observables>(p.model, p.observables, p.schedule, method::discrete_nodes(p.method),
                                                             session.choices.build.compile);
  if (!p.events.empty()) session.events = std::make_unique<run::Events>(p.events, session.observables.get(), p.model);
  if (session.events || !p.schedule.at.empty())
    session.dense = std::make_unique<run::DenseOutput>(p.model, session.choices.build.compile);
}

namespace {

// "0: floor, 1: ball[0], 2: ball[1]": what the numbers of contacts stand for, of the first ones.
std::string contact_names(const system::Model& model) {
  constexpr long most = 100;
  long count = 0;
  for (const system::Contact& contact : model.contacts) count += contact.elements;
  std::string out;
  for (long k = 0; k < std::min(count, most); ++k)
    out += fmt::format("{}{}: {}", k == 0 ? "" : ", ", k, method::contact_name(model, k));
  return count > most ? out + ", ..." : out;
}

// The impacts of a run, as the table of an event is.
run::Observed table_of(const method::Impacts& impacts, const system::Model& model) {
  run::Observed out;
  out.name = "impacts";
  out.definition = contact_names(model);
  out.times = impacts.count;
  out.event = true;
  run::Observed::Reduction table{"contacts", "", {}};
  for (const char* name : {"t", "contact", "impulse", "before", "after", "lasts"}) table.figures.push_back({name, {}, true});
  const method::Impact* rest = nullptr;
  for (const method::Impact& one : impacts.table) {
    if (one.lasts) rest = &one;
    const double row[] = {one.t, static_cast<double>(one.contact), one.impulse, one.before, one.after, one.lasts ? 1.0 : 0.0};
    for (std::size_t k = 0; k < table.figures.size(); ++k) table.figures[k].values.push_back(row[k]);
  }
  if (!impacts.table.empty()) {
    out.first = impacts.table.front().t;
    out.last = impacts.table.back().t;
  }
  table.text = fmt::format("{} impact{}", impacts.count, impacts.count == 1 ? "" : "s");
  if (impacts.count > 0)
    table.text += fmt::format(", the first of {} at t = {:.13g}", method::contact_name(model, impacts.table.front().contact),
                              impacts.table.front().t);
  if (rest)
    table.text += fmt::format("; {} closed for good from t = {:.13g}", method::contact_name(model, rest->contact), rest->t);
  out.reductions.push_back(std::move(table));
  return out;
}

}  // namespace

std::vector<run::Observed> observed(const Session& session) {
  std::vector<run::Observed> out;
  if (session.observables) out = session.observables->results();
  if (session.events) std::ranges::move(session.events->results(), std::back_inserter(out));
  if (const method::Impacts* impacts = session.integrator ? session.integrator->impacts() : nullptr)
    out.push_back(table_of(*impacts, session.problem.model));
  return out;
}

Kernels kernels(const Session& session) {
  const method::BuildOptions& options = session.choices.build;
  system::Model model = session.problem.model;
  if (!system::no_ambient_mass(model).empty()) model.mass.diagonal.setOnes(model.size());  // lie-group asks for none
  Kernels out;
  bool functions = false;
  system::for_each_list([&](auto list) { functions = functions || !(model.*list).empty(); });
  if (functions) {
    // The integrator's own are in the cache by now.
    const auto compiled = system::compile(model, options.compile, options.space != method::BuildOptions::Space::sparse);
    out.any = true;
    out.why_interpreted = compiled->module.why_interpreted();
  }
  if (session.momentum.size() > 0) {
    out.any = true;
    if (out.why_interpreted.empty() && !session.momentum.compiled()) out.why_interpreted = session.momentum.why_interpreted();
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> fields_of(method::Spec spec) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto add = [&](const std::vector<core::AnyField>& fields, const std::string& prefix) {
    for (const core::AnyField& field : fields)
      std::visit([&](const auto* value) { out.emplace_back(prefix + std::string(field.name), fmt::format("{}", *value)); },
                 field.value);
  };
  add(spec.fields(), "");
  if (spec.composed) add(core::fields_of(spec.composition), "compose.");
  return out;
}

run::TrajectoryHeader header(const Session& session) {
  const auto& p = session.problem;
  run::TrajectoryHeader h;
  for (long i = 0; i < p.model.size(); ++i) h.coordinates.push_back(p.model.coordinate_name(i));
  for (const auto& symmetry : p.model.symmetries) h.momentum.push_back(symmetry.name);
  std::string overrides;
  for (const auto& o : p.overrides) overrides += (overrides.empty() ? "" : "\n") + o;
  h.attributes = {{"title", p.model.title}, {"problem", p.text},         {"problem_path", p.path},
                  {"overrides", overrides}, {"method", p.method.name()}, {"version", version()}};
  for (const auto& [name, value] : fields_of(p.method)) h.attributes.emplace_back("method." + name, value);
  for (const auto& [quantity, unit] : p.units) h.attributes.emplace_back("units." + quantity, unit);
  h.smallest_step = p.schedule.one_size() ? p.schedule.step.largest() : p.schedule.step.smallest();
  h.largest_step = p.schedule.step.largest();
  h.start = p.schedule.start;
  h.every = p.schedule.at.empty() ? p.schedule.every : 0;
  if (p.model.omega == 0 || p.schedule.window > 0)
    for (long k = 0; k < session.task.constraints.size() - session.task.constraints.of_rotations(); ++k)
      h.multipliers.push_back(p.model.constraint_name(k));
  h.solids = p.model.solids;
  h.atoms = p.atoms;
  h.probes = p.probes;
  h.stresses = p.stresses;
  h.supports = p.supports;
  if (session.observables) h.observed = session.observables->columns();
  h.columns = p.columns;
  h.ledger = run::keeps_ledger(*session.integrator, session.task);
  return h;
}

}  // namespace actio::session
