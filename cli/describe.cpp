#include "describe.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <actio/expr/operations.hpp>
#include <actio/system/bodies.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/pairs.hpp>
#include <actio/system/solid.hpp>
#include <actio/system/thermostat.hpp>

namespace actio::cli {
namespace {

std::string counted(long count, const char* noun) { return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"); }

std::string mass_words(const system::Model& model) {
  using Kind = system::MassMatrix::Kind;
  if (!model.equations.empty()) return "in the equations";
  switch (model.mass.kind) {
    case Kind::diagonal:
      return "diagonal";
    case Kind::full:
      return fmt::format("full, {} entries", model.mass.full.nonZeros());
    case Kind::none:
      break;
  }
  return "in the Lagrangian";
}

// The first body of a family of bodies, or null.
const system::Body* first_body(const system::Model& model, const system::Family& family) {
  const auto at = std::ranges::lower_bound(model.bodies, family.offset, {}, &system::Body::rotation);
  return at != model.bodies.end() && at->rotation == family.offset ? &*at : nullptr;
}

std::string families(const system::Model& model) {
  std::string out;
  for (const auto& f : model.families) {
    if (first_body(model, f)) continue;
    out += (out.empty() ? "" : ", ") + (f.indexed ? fmt::format("{}[{}]", f.name, f.size) : f.name);
  }
  if (model.bodies.empty()) return out;
  return out + (out.empty() ? "" : ", and ") +
         fmt::format("those of {}", model.bodies.size() == 1 ? "a body" : fmt::format("{} bodies", model.bodies.size()));
}

// "top: mass 1, principal inertias 1, 1, 0.5; 12 coordinates"
void describe_bodies(const system::Model& model, std::vector<Fact>& out) {
  for (const auto& family : model.families) {
    const system::Body* body = first_body(model, family);
    if (!body) continue;
    const Eigen::Vector3d I = system::principal_inertias(body->inertia);
    const std::string mass = body->position < 0 ? "rotates about the origin" : fmt::format("mass {:.6g}", body->mass);
    out.push_back(
        {"body", fmt::format("{}: {}, principal inertias {:.6g}, {:.6g}, {:.6g}{}",
                             family.indexed ? fmt::format("{}[{}]", family.name, family.size / size_of(*body)) : family.name,
                             mass, I[0], I[1], I[2], family.indexed ? " of the first" : "")});
  }
  if (const std::string why = no_ambient_mass(model); !why.empty()) out.push_back({"", why});
}

// "x: 128 nodes, 10 hexahedron20; groups rubber, clamp, tip", and what it weighs.
void describe_solids(const system::Model& model, std::vector<Fact>& out) {
  for (const system::SolidBody& solid : model.solids) {
    const system::Mesh& mesh = *solid.mesh;
    std::string text = fmt::format("{}: {}", solid.name, counted(mesh.points.cols(), "node"));
    for (const system::CellBlock& block : mesh.blocks)
      if (system::dimension_of(block.cell) == 3 && block.size() > 0)
        text += fmt::format(", {} {}", block.size(), system::name_of(block.cell));
    for (std::size_t k = 0; k < mesh.groups.size() && k < 12; ++k) text += (k == 0 ? "; groups " : ", ") + mesh.groups[k].name;
    if (mesh.groups.size() > 12) text += fmt::format(" and {} more", mesh.groups.size() - 12);
    out.push_back({"solid", text});
    const system::SolidFigures figures = system::figures_of(model, solid);
    out.push_back({"", fmt::format("mass {:.6g}, volume {:.6g}, smallest det dX/dxi {:.3g} times the mean of its kind",
                                   figures.mass, figures.volume, figures.smallest_det)});
  }
}

std::string named(const std::string& name) { return name.empty() ? "" : name + ": "; }

// "of 2 coordinates and their velocities at 5 places"
std::string places(const system::ElementFunction& function, bool velocities) {
  const char* also = !velocities ? "" : function.locals == 1 ? " and its velocity" : " and their velocities";
  return fmt::format("of {}{} at {}", counted(function.locals, "coordinate"), also, counted(function.elements, "place"));
}

// "pairs of 512 points, closer than 2.5": nearest images where there is a box.
std::string near_pairs(const system::Term& term) {
  const system::NearPairs& near = *term.pairs->near;
  const bool box = std::ranges::any_of(near.axes, [](const system::NearPairs::Axis& axis) { return axis.period > 0; });
  const std::string list = system::takes_a_list(term) ? fmt::format("a list of those within {:.6g}", near.cutoff + near.skin)
                           : near.points < system::worth_a_list ? "all are tried, for they are few"
                                                                : "all are tried, for it has other coordinates too";
  return fmt::format("of pairs of {} points that are closer than {:.6g}{}; {}", near.points, near.cutoff,
                     box ? ", nearest images" : "", list);
}

std::string places(const system::Term& term) {
  if (term.pairs && term.pairs->near) return near_pairs(term);
  const bool velocities = term.velocities;
  if (!term.interpolation) {
    const long states = (velocities ? 2 : 1) * term.locals;
    const bool pieces = expr::has_pieces(term.graph, term.value, 0, states, expr::Shape::jump);
    return places(term, velocities) + (pieces ? ", in pieces" : "");
  }
  return fmt::format("of the deformation gradient{} at {} of {}", velocities ? " and its rate" : "",
                     counted(term.interpolation->points * term.elements, "point"), counted(term.elements, "element"));
}

// ", with the signals a, b"
std::string signals_in(const system::Model& model, const system::ElementFunction& function) {
  std::string out;
  for (std::size_t k = 0; k < model.signals.size(); ++k)
    if (expr::depends_on_uniform(function.graph, function.value, static_cast<int>(1 + model.parameters.size() + k)))
      out += (out.empty() ? ", by the signal " : ", ") + model.signals[k].name;
  return out;
}

std::string signal_words(const system::Signal& signal, const run::Schedule& schedule) {
  const Peak peak = peak_of(signal);
  std::string out =
      fmt::format("{}: {}, t = {:.6g} to {:.6g}, largest {:.4g} at t = {:.6g}", signal.name,
                  counted(static_cast<long>(signal.t.size()), "sample"), signal.t.front(), signal.t.back(), peak.value, peak.t);
  const double end = schedule.last_time(), slack = 1e-9 * (std::abs(end) + std::abs(schedule.start));
  if (schedule.start < signal.t.front() - slack) out += fmt::format("; 0 from t = {:.6g} until it begins", schedule.start);
  if (end > signal.t.back() + slack) out += fmt::format("; 0 from its end to the run's, t = {:.6g}", end);
  return out;
}

// "4 coordinates that move, 2 constraints: 2 degrees of freedom"
std::string freedom(const system::Model& model) {
  const long free = model.size() - static_cast<long>(model.fixed_dofs.size()), m = model.constraint_count();
  const std::string out = fmt::format("{} that move, {}{}: ", counted(free, "coordinate"), counted(m, "constraint"),
                                      model.bodies.empty() ? "" : fmt::format(", {} of rotations", 6 * model.bodies.size()));
  if (m > free) return out + "not all of them independent";
  return fmt::format("{}{} of freedom", out, counted(free - m, "degree"));
}

std::string constraint_words(const system::Model& model, const system::Constraint& constraint) {
  return fmt::format("{}{} {}", named(constraint.name), depends_on_time(model, constraint) ? "moves, a function" : "a function",
                     places(constraint, false));
}

void describe_thermostat(const system::Model& model, std::vector<Fact>& out) {
  if (!model.thermostat) return;
  const system::Thermostat& bath = *model.thermostat;
  out.push_back(
      {"thermostat",
       fmt::format("kT = {:.6g}, {}, scheme {}, seed {}{}", bath.kT,
                   bath.by_rate() ? fmt::format("friction at the rate {:.6g}", bath.rate) : std::string("friction as a force"),
                   system::name_of(bath.scheme), bath.seed, bath.acts() ? "" : ": without friction it does nothing")});
}

// What keeps the constraints, and how many motions they leave.
void describe_constraints(const system::Model& model, std::vector<Fact>& out) {
  const bool soft = !model.penalised.empty();
  for (const auto& constraint : soft ? model.penalised : model.constraints)
    if (!constraint.of_rotations) out.push_back({"constraint", constraint_words(model, constraint)});
  if (soft) out.push_back({"enforced by", fmt::format("a penalty 1/2 omega^2 g^2 each, omega = {:g}", model.omega)});
  if (model.constraints.empty()) return;
  out.push_back(
      {"enforced by", model.least_squares ? "multipliers, those of least norm where constraints are redundant" : "multipliers"});
  out.push_back({"freedom", freedom(model)});
}

// "bond: x[i+1] - x[i] over i = 0..30: mean, histogram"
std::string observable_words(const run::Observable& of) {
  std::string out = fmt::format("{}: {}", of.name, of.definition);
  for (std::size_t k = 0; k < of.reductions.size(); ++k)
    out += fmt::format("{} {}", k == 0 ? ":" : ",", run::type_of(of.reductions[k]).name);
  return out;
}

std::string_view name_in(std::span<const run::EventWord> words, int value) {
  return std::ranges::find(words, value, &run::EventWord::value)->name;
}

}  // namespace

Peak peak_of(const system::Signal& signal) {
  Peak peak;
  for (std::size_t k = 0; k < signal.t.size(); ++k)
    if (k == 0 || std::abs(signal.value[k]) > std::abs(peak.value)) peak = {signal.t[k], signal.value[k]};
  return peak;
}

std::string unit_words(const io::Problem& problem) {
  std::string out;
  for (const auto& [quantity, unit] : problem.units) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", quantity, unit);
  return out;
}

std::vector<Fact> describe(const io::Problem& problem) {
  const system::Model& model = problem.model;
  std::vector<Fact> out;
  out.push_back({"coordinates", fmt::format("{}: {}", model.size(), families(model))});
  if (!problem.units.empty()) out.push_back({"units", unit_words(problem)});
  describe_bodies(model, out);
  describe_solids(model, out);
  if (!model.fixed_dofs.empty())
    out.push_back({"fixed", fmt::format("{} of them, {} free", model.fixed_dofs.size(),
                                        model.size() - static_cast<long>(model.fixed_dofs.size()))});
  out.push_back({"mass", mass_words(model)});
  const auto matrix = [&](const char* label, const Eigen::SparseMatrix<double>& M) {
    if (M.size() > 0) out.push_back({label, fmt::format("{0} x {0}, {1} entries", M.rows(), M.nonZeros())});
  };
  matrix("stiffness", model.stiffness);
  matrix("damping", model.damping);
  for (const io::Rayleigh& of : problem.rayleigh)
    out.push_back(
        {"damping",
         fmt::format("{}: D = a M + b K with a = {:.6g} 1/s, b = {:.6g} s; ratios {:.4g} and {:.4g} at {}{:.6g} and {:.6g} Hz",
                     of.path, of.mass, of.stiffness, of.ratio[0], of.ratio[1],
                     of.mode[0] > 0 ? fmt::format("modes {} and {}, ", of.mode[0], of.mode[1]) : "", of.frequency[0],
                     of.frequency[1])});
  for (const auto& term : model.terms)
    out.push_back({"term", fmt::format("{}{} {}", named(term.name),
                                       term.lagrangian ? "a Lagrangian"
                                       : term.stiff    ? "a stiff potential"
                                                       : "a potential",
                                       places(term))});
  if (!model.library.empty()) out.push_back({"term", "library " + model.library});
  if (model.callbacks)
    for (const std::string& line : model.callbacks->description) out.push_back({"term", line});
  for (const auto& term : model.dissipation)
    out.push_back({"friction", fmt::format("{}a Rayleigh potential {}", named(term.name), places(term))});
  for (const auto& force : model.forces) {
    const std::string signals = signals_in(model, force);
    if (force.locals == 0)
      out.push_back({"load", fmt::format("{}on {}{}", named(force.name), counted(force.elements, "coordinate"), signals)});
    else
      out.push_back(
          {"force", fmt::format("{}a function {}{}", named(force.name), places(force, depends_on_velocity(force)), signals)});
  }
  for (const auto& equation : model.equations)
    out.push_back({"equation", fmt::format("{}of {} at {}{}", named(equation.name), counted(equation.locals, "coordinate"),
                                           counted(equation.elements, "place"), signals_in(model, equation))});
  for (const auto& term : model.measured_energy)
    out.push_back({"energy", fmt::format("{}declared, {}", named(term.name), places(term))});
  describe_constraints(model, out);
  for (const auto& contact : model.contacts)
    out.push_back({"contact", fmt::format("{}a gap {}, restitution {:g}", named(contact.name), places(contact, false),
                                          contact.restitution)});
  describe_thermostat(model, out);
  if (problem.drawn) {
    const io::ThermalStart& drawn = *problem.drawn;
    out.push_back({"velocities", fmt::format("of the temperature k_B T = {:.6g}: {}, {}, {} removed, {} of freedom", drawn.kT,
                                             counted(drawn.coordinates, "coordinate"), counted(drawn.constraints, "constraint"),
                                             drawn.momenta == 1 ? "1 momentum" : fmt::format("{} momenta", drawn.momenta),
                                             counted(drawn.freedom(), "degree"))});
  }
  for (const run::Observable& of : problem.observables)
    if (!of.hidden && !of.of_event) out.push_back({"observe", observable_words(of)});
  for (const run::Event& event : problem.events)
    out.push_back({"event", fmt::format("{}: {} = 0, {}; {}", event.name, event.definition,
                                        name_in(run::event_directions(), static_cast<int>(event.direction)),
                                        name_in(run::event_actions(), static_cast<int>(event.action)))});
  for (const auto& signal : model.signals) out.push_back({"signal", signal_words(signal, problem.schedule)});
  if (problem.ensemble) {
    const run::Members& members = problem.ensemble->members;
    std::string names;
    for (const std::string& name : members.varied_names(model.parameter_names))
      names += (names.empty() ? "; by member: " : ", ") + name;
    out.push_back({"ensemble", fmt::format("{} members{}; the rest is of the file's own values", members.count, names)});
  }
  return out;
}

}  // namespace actio::cli
