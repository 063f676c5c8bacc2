#include <actio/io/problem.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <actio/method/integrator.hpp>
#include <actio/system/bodies.hpp>
#include <actio/system/kinetic_energy.hpp>

#include "other_formats.hpp"
#include "parts.hpp"
#include "quantity.hpp"
#include "text.hpp"
#include "thermal_start.hpp"
#include "xyz.hpp"

namespace actio::io {
namespace {

constexpr std::size_t longest_problem = (std::size_t{16} << 20) + 1;  // bytes; Document gives the reason

void read_library(const Section& system, const SymbolTable& symbols, system::Model& model) {
  const Value* library = system.find("library");
  if (!library) return;
  need_kind(system.document(), *library, system.path("library"), Kind::string);
  model.library = std::filesystem::absolute(need_file(symbols, *library, system.path("library"))).string();
}

// Beside equations stand no energies but the one that is declared to be followed.
void check_equations(const Section& root, const Section& system, const system::Model& model) {
  const Document& document = root.document();
  if (model.equations.empty()) {
    if (!model.measured_energy.empty())
      document.fail(system.place_of(system.find("energy") ? "energy" : "term"),
                    "an energy is declared, but there are no equations",
                    "Actio computes the energy of a Lagrangian; system.energy belongs to [system.equations]");
    return;
  }
  if (!model.terms.empty() || !model.dissipation.empty() || !model.forces.empty())
    document.fail(system.place_of("term"), "terms with energies or forces cannot stand beside system.equations",
                  "equations replace the Lagrangian: write these terms into them");
  if (root.find("symmetry"))
    document.fail(root.place_of("symmetry"), "a symmetry cannot stand beside system.equations",
                  "a momentum map needs a Lagrangian");
}

// The coordinates of the bodies follow the others: matrices get rows for them, and the mass its blocks.
void join_bodies(const Section& system, const SymbolTable& symbols, system::Model& model) {
  model.families = symbols.families;
  if (model.bodies.empty()) return;
  const Document& document = system.document();
  if (symbols.listed() == 0)
    for (const char* key : {"mass", "stiffness", "damping", "rayleigh"})
      if (system.find(key))
        document.fail(system.place_of(key), fmt::format("{} applies to system.coordinates, and there are none", system.path(key)),
                      "bodies have masses and inertias of their own");
  if (symbols.listed() > 0 && model.mass.kind == system::MassMatrix::Kind::none)
    document.fail(system.place_of("coordinates"), fmt::format("{} has no mass", symbols.coordinate_name(0)),
                  "give the coordinates beside bodies a system.mass");
  for (const BodyFamily& bodies : symbols.bodies)
    model.families.push_back({bodies.name, bodies.count * bodies.stride(), bodies.offset, bodies.indexed});
  system::add_mass_of_bodies(model);
  const long n = symbols.size();
  for (Eigen::SparseMatrix<double>* matrix : {&model.stiffness, &model.damping})
    if (matrix->size() > 0) matrix->conservativeResize(n, n);
}

// One that is fixed needs no kinetic energy of its own: any will do.
void give_kinetic_energy(system::Model& model, std::int32_t i) {
  system::Term& term = model.terms.emplace_back();
  term.name = model.coordinate_name(i) + ", which is fixed";
  term.lagrangian = term.velocities = true;
  term.locals = 1;
  term.dofs = {i};
  expr::Graph& g = term.graph;
  term.value = g.mul(g.constant(0.5), g.pow(g.column(1), g.constant(2)));
}

// Every coordinate needs a kinetic energy: a mass, or its velocity in a Lagrangian. Lagrangians 1/2 v'Mv - V become a mass and a
// potential. Returns why velocities stay in one; "" where none do.
std::string read_kinetic_energy(const Section& system, const SymbolTable& symbols, system::Model& model,
                                const std::vector<bool>& moves, std::vector<NoMass>& no_mass) {
  if (!model.equations.empty()) return "";
  const auto moved = [&](std::int32_t i) { return moves[static_cast<std::size_t>(i)]; };
  system::MassMatrix given = model.mass;  // without what stands for masses of 0
  for (const NoMass& of : no_mass) {
    if (!moved(of.coordinate)) continue;
    if (given.kind == system::MassMatrix::Kind::full) given.full.coeffRef(of.coordinate, of.coordinate) = 0;
    if (given.kind == system::MassMatrix::Kind::diagonal) given.diagonal[of.coordinate] = 0;
  }
  std::swap(model.mass, given);
  const system::KineticEnergy taken = system::take_mass_from_terms(model);
  const auto message = [&](std::int32_t i) {
    return fmt::format("{} has no kinetic energy: the system has no mass, and no lagrangian depends on its velocity",
                       symbols.coordinate_name(i));
  };
  const core::Source place = system.document().source(system.place_of("coordinates"));
  const auto hint = [&](std::int32_t i) {
    return fmt::format("give [system] a mass, or a lagrangian with {}'", symbols.coordinate_name(i));
  };
  if (taken.why_not.empty()) {
    std::erase_if(no_mass, [&](const NoMass& of) { return moved(of.coordinate); });
    for (const std::int32_t i : taken.no_mass) no_mass.push_back({i, place, message(i)});
    if (model.mass.kind == system::MassMatrix::Kind::none && !moves.empty()) throw core::InputError(place, message(0), hint(0));
    return "";
  }
  for (const NoMass& of : no_mass)
    if (moved(of.coordinate))
      throw core::InputError(of.place, of.message, "its kinetic energy is all in the lagrangian: " + taken.why_not);
  std::swap(model.mass, given);
  if (model.mass.kind != system::MassMatrix::Kind::none) return taken.why_not;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(moves.size()); ++i) {
    if (moved(i)) continue;
    if (!std::ranges::binary_search(model.fixed_dofs, i)) throw core::InputError(place, message(i), hint(i));
    give_kinetic_energy(model, i);
  }
  return taken.why_not;
}

// What is only judged together with the method.
struct Kinetic {
  std::vector<NoMass> no_mass;
  std::string why_in_lagrangian;
};

SolidParts read_system(const Section& root, SymbolTable& symbols, Problem& problem, Kinetic& kinetic,
                       std::optional<Quantities>& quantities) {
  system::Model& model = problem.model;
  const Section system(root.document(), root.need("system"), "system", keys_of_table("system"));
  read_names(system, symbols);
  quantities.emplace(system, symbols);
  SolidParts solids = read_solids(system, symbols, model);
  if (model.solids.empty()) model.bodies = read_bodies(system, symbols);
  check_definitions(system, symbols);
  if (model.solids.empty()) model.mass = read_mass(system, symbols, kinetic.no_mass);
  std::vector<bool> moves(static_cast<std::size_t>(symbols.size()), false);
  read_structure(system, symbols, model);
  join_bodies(system, symbols, model);
  EquationReader equations(symbols);
  equations.read_table(system);
  read_terms(system, symbols, model, equations, moves);
  read_coulomb(system, symbols, model);
  equations.check(system);
  model.equations = std::move(equations.equations);
  model.parameter_names = symbols.parameter_names;
  model.parameters = symbols.parameters;
  model.signals = symbols.signals;
  need_same_mass(system, symbols, model);
  kinetic.why_in_lagrangian = read_kinetic_energy(system, symbols, model, moves, kinetic.no_mass);
  read_rayleigh(system, symbols, kinetic.no_mass, model, solids.dampings);
  model.thermostat = read_thermostat(system, symbols, *quantities, model);
  model.fast = read_split(system, symbols, model);
  read_forces(system, symbols, model);
  problem.bases = read_bases(system, symbols);
  read_constraints(system, symbols, model, problem.places.constraints);
  read_contacts(system, symbols, model);
  check_equations(root, system, model);
  read_library(system, symbols, model);
  model.symmetries = read_symmetries(root, symbols);
  model.symmetries.insert(model.symmetries.end(), solids.momenta.begin(), solids.momenta.end());
  return solids;
}

// Of the start: what [initial] gives, or the table, or where it would stand.
void note_places(const Section& root, Places& places) {
  const Document& document = root.document();
  const Value* initial = root.find("initial");
  const auto place = [&](std::initializer_list<const char*> keys) {
    for (const char* key : keys)
      if (const Value* given = initial ? initial->find(key) : nullptr) return document.source(given->place);
    return document.source(initial ? root.place_of("initial") : root.place_of("system"));
  };
  places.position = place({"position", "bodies", "solid"});
  places.velocity = place({"velocity", "temperature", "bodies", "solid"});
  places.equilibrium = place({"static"});
}

Problem read(Document& document, const LoadOptions& options) {
  for (const std::string& assignment : options.overrides) document.override_with(assignment);
  choose_method(document, options.method);
  if (!options.sweep.empty()) add_sweep(document, options.sweep);

  Problem problem;
  problem.path = document.path();
  problem.text = document.text();
  problem.overrides = options.overrides;
  if (!options.method.empty()) problem.overrides.push_back("method.name=" + options.method);

  const Section root(document, document.root, "", keys_of_table(""));
  if (const Value* title = root.find("title")) {
    need_kind(document, *title, "title", Kind::string);
    problem.model.title = title->string;
  }
  SymbolTable symbols(document, std::filesystem::path(document.path()).parent_path().string());
  read_names_by_member(root, symbols);
  Kinetic kinetic;
  std::optional<Quantities> quantities;
  SolidParts solids = read_system(root, symbols, problem, kinetic, quantities);
  problem.units = quantities->names();
  problem.probes = std::move(solids.probes);
  problem.stresses = std::move(solids.stresses);
  problem.supports = std::move(solids.supports);
  std::map<long, std::string> labels;
  problem.project = read_initial(root, symbols, *quantities, problem.model, problem.q0, problem.v0, labels);
  problem.atoms = atoms_of(symbols, *quantities, problem.model, labels);
  problem.equilibrium = read_static(root);
  if (problem.equilibrium && !problem.model.contacts.empty())
    document.fail(root.place_of("initial"), "initial.static finds where forces balance, without those of contacts",
                  "give the start yourself: a gap may be 0 there");
  note_places(root, problem.places);
  problem.method = read_method(root);
  settle_no_mass(kinetic.no_mass, problem.method, problem.model);
  problem.method.control = read_step_control(root, symbols, problem.method);
  if (const Value* step = root.need("run").find("step")) problem.places.step = document.source(step->place);
  problem.schedule = read_schedule(root, symbols, !problem.model.penalised.empty(), problem.method.transforms_time());
  read_observation_times(root, symbols, problem.model, problem.schedule);
  read_certificate(root, problem.bounds, problem.level);
  start_prescribed(problem.model, solids.prescribed, problem.schedule.start, problem.q0, problem.v0);
  add_dampings(solids.dampings, problem);
  draw_velocities(root, *quantities, problem.schedule.start, problem);
  problem.observables = read_observables(root, symbols, problem.model, problem.supports, problem.schedule);
  problem.events = read_events(root, symbols, problem);
  problem.columns = read_output_columns(root, problem);
  meet_end(problem);
  problem.ensemble = read_ensemble(root, symbols, problem, !options.sweep.empty());
  need_dampings_for_all(solids.dampings, problem);
  std::ranges::sort(*symbols.files);
  symbols.files->erase(std::unique(symbols.files->begin(), symbols.files->end()), symbols.files->end());
  problem.files = std::move(*symbols.files);
  if (const std::string reason = method::why_incompatible(problem.model, problem.method); !reason.empty()) {
    std::string hint = lagrangian_needs_velocity(problem.model) ? kinetic.why_in_lagrangian : "";
    if (const std::string fit = method::methods_that_fit(problem.model); !fit.empty()) hint += (hint.empty() ? "" : "; ") + fit;
    document.fail(root.need("method").find("name")->place, reason, hint);
  }
  return problem;
}

}  // namespace

Problem load_text(const std::string& text, const std::string& path, const LoadOptions& options) {
  Document document(text, path);
  return read(document, options);
}

Problem load(const std::string& path, const LoadOptions& options) {
  return load_text(read_text(path, longest_problem, Content::text, refuse_other_formats), path, options);
}

}  // namespace actio::io
