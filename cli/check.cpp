#include <fmt/format.h>

#include <actio/invariant/json.hpp>
#include <actio/invariant/symmetry.hpp>

#include "commands.hpp"
#include "describe.hpp"
#include "frequencies.hpp"
#include "interrupt.hpp"
#include "terminal.hpp"

namespace actio::cli {

namespace {

struct Label {
  std::string_view word;
};
template <class... A>
void line(Label label, fmt::format_string<A...> format, A&&... a) {
  say("  {:<12} {}\n", label.word, one_line(fmt::format(format, std::forward<A>(a)...)));
}

// "; x = 1, y = 0" of few coordinates, with their velocities.
std::string start_words(const Session& s) {
  constexpr long most_coordinates = 12;
  if (s.task.q0.size() > most_coordinates) return "";
  std::string out;
  for (long i = 0; i < s.task.q0.size(); ++i)
    out += fmt::format("{} {} = {:.6g}, {}' = {:.6g}", i == 0 ? ";" : ",", s.problem.model.coordinate_name(i), s.task.q0[i],
                       s.problem.model.coordinate_name(i), s.task.v0[i]);
  return out;
}

}  // namespace

int check(const Arguments& arguments) {
  OneProcess execution(catch_interrupts());
  io::Problem problem = io::load(arguments.file, {arguments.overrides, {}});
  if (problem.ensemble && problem.ensemble->refused) throw core::InputError(*problem.ensemble->refused);
  Session s = session::open(std::move(problem), choices(arguments), execution);
  if (!s.problem.ensemble) session::observe(s);
  const auto& model = s.problem.model;
  const auto& schedule = s.problem.schedule;
  s.integrator->start(schedule.start, s.task.q0, s.task.v0);  // on the constraints, as run starts
  method::Snapshot state;
  s.integrator->snapshot(state);
  const auto symmetries = invariant::check_symmetries(*s.integrator, s.momentum, state, schedule.step_at(0));
  std::vector<double> J(s.momentum.size()), scale(s.momentum.size());
  s.momentum(state.t, state.q, state.p, J, scale);
  const double energy = s.integrator->energy();
  const session::Linearised linearised = arguments.quiet && !arguments.json ? session::Linearised{} : session::linearise(s);
  tell_remarks(arguments.quiet);

  if (arguments.json) {
    const bool one = schedule.step.equal();
    invariant::Json j;
    j.begin().field("title", std::string_view(model.title)).field("coordinates", model.size());
    j.field("terms", static_cast<long>(model.terms.size())).field("energy", energy);
    j.field("linear", s.integrator->properties().linear).field("fixed", static_cast<long>(model.fixed_dofs.size()));
    j.field("stiffness_entries", model.stiffness.nonZeros()).field("damping_entries", model.damping.nonZeros());
    j.key("rayleigh").begin_array();
    for (const io::Rayleigh& of : s.problem.rayleigh) {
      j.begin().field("path", std::string_view(of.path)).field("mass", of.mass).field("stiffness", of.stiffness);
      j.key("ratio").begin_array().value(of.ratio[0]).value(of.ratio[1]).end_array();
      j.key("frequency").begin_array().value(of.frequency[0]).value(of.frequency[1]).end_array();
      j.key("modes").begin_array();
      if (of.mode[0] > 0) j.value(of.mode[0]).value(of.mode[1]);
      j.end_array().end();
    }
    j.end_array();
    j.field("frictions", static_cast<long>(model.dissipation.size())).field("forces", static_cast<long>(model.forces.size()));
    j.field("equations", static_cast<long>(model.equations.size())).field("constraints", model.constraint_count());
    j.field("bodies", static_cast<long>(model.bodies.size())).field("solids", static_cast<long>(model.solids.size()));
    j.field("penalised", static_cast<long>(model.penalised.size())).field("omega", model.omega).key("signals").begin();
    for (const auto& signal : model.signals) {
      j.key(signal.name).begin().field("samples", static_cast<long>(signal.t.size()));
      j.field("start", signal.t.front()).field("end", signal.t.back()).field("largest", peak_of(signal).value).end();
    }
    j.end();
    j.field("method", std::string_view(s.problem.method.name())).field("step", one ? schedule.step[0] : invariant::unmeasured);
    j.field("smallest_step", schedule.step.smallest()).field("largest_step", schedule.step.largest());
    j.field("different_steps", schedule.step.different());
    if (schedule.to_a_time())
      j.field("steps", invariant::unmeasured);
    else
      j.field("steps", schedule.steps);
    j.key("momentum").begin();
    for (std::size_t k = 0; k < J.size(); ++k) {
      j.key(s.momentum.name(k)).begin().field("initial", J[k]).field("symmetry", symmetries[k].holds);
      j.field("symmetry_defect", symmetries[k].defect).field("affine", s.momentum.affine(k)).end();
    }
    j.end();
    if (s.problem.project)
      j.key("start")
          .begin()
          .field("moved_position", s.task.correction.q)
          .field("moved_velocity", s.task.correction.v)
          .field("q", s.task.q0)
          .field("v", s.task.v0)
          .end();
    j.field("time_unit", std::string_view(session::time_unit(s.problem))).field("past_end", std::string_view(schedule.past_end));
    write(linearised, j);
    j.field("verdict", "ok").end();
    fmt::print("{}\n", j.text());
    return ok;
  }
  if (arguments.quiet) return ok;

  if (!model.title.empty()) say("{}\n", one_line(model.title));
  for (const Fact& fact : describe(s.problem)) line({fact.label}, "{}", fact.text);
  line({"equations"}, "{}", s.integrator->properties().linear ? "linear" : "nonlinear");
  for (std::size_t k = 0; k < J.size(); ++k)
    line({"symmetry"}, "{}: {} (defect {:.1e}){}; momentum {:.10g}", s.momentum.name(k),
         symmetries[k].holds ? "holds" : "DOES NOT HOLD", symmetries[k].defect,
         s.momentum.affine(k) ? "" : ", not affine in q, so no method here conserves its momentum exactly", J[k]);
  if (J.empty()) line({"symmetry"}, "none declared");
  const auto& spec = s.problem.method;
  std::string fields;
  for (const auto& [name, value] : session::fields_of(spec)) fields += fmt::format(", {} = {}", name, value);
  line({"method"}, "{}{}", spec.name(), fields);
  if (s.statics)
    line({"start"}, "in equilibrium: load steps {}, iterations {}; largest displacement {:.6g}", s.statics->load_steps,
         s.statics->iterations, s.statics->moved);
  if (const auto& moved = s.task.correction; s.problem.project)
    line({"start"}, "{}",
         moved.q > 0 || moved.v > 0
             ? fmt::format("projected onto the constraints: position moved by {:.2e}, velocity by {:.2e}{}", moved.q, moved.v,
                           start_words(s))
             : std::string("on the constraints as it is given"));
  if (!schedule.past_end.empty()) line({"end"}, "{}", schedule.past_end);
  const std::string observed =
      schedule.at.empty() ? fmt::format("every {}", schedule.every) : fmt::format("at {} times", schedule.at.size());
  if (schedule.follows)
    line({"steps"}, "follow the motion, the first {:.6g}{}, observed {}: t = {:.6g}{}", schedule.step.largest(),
         schedule.to_a_time() ? "" : fmt::format(", {} of them", schedule.steps), observed, schedule.start,
         schedule.to_a_time() ? fmt::format(" to {:.8g}", schedule.end) : "");
  else
    line(
        {"steps"}, "{} of {}, observed {}: t = {:.6g} to {:.8g}", schedule.steps,
        invariant::step_words(schedule.step.smallest(), schedule.step.largest(), schedule.step.different(), schedule.last_step()),
        observed, schedule.start, schedule.last_time());
  std::vector<Fact> motions;
  describe(linearised, s, motions);
  for (const Fact& fact : motions) line({fact.label}, "{}", fact.text);
  line({"energy"}, "{:.12g} at the start{}", energy,
       s.task.autonomous ? s.task.constraints.moving() ? "; the constraints move" : "" : "; the Lagrangian depends on the time");
  const session::Kernels k = session::kernels(s);
  line({"kernels"}, "{}",
       !k.any ? (model.library.empty() ? "none needed: matrices define the system" : "none: the library computes the energy")
       : k.why_interpreted.empty() ? "compiled"
                                   : "interpreted: " + k.why_interpreted);
  return ok;
}

}  // namespace actio::cli
