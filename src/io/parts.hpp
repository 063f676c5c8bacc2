#pragma once
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <actio/io/problem.hpp>
#include <actio/run/probe.hpp>

#include "damping_ratio.hpp"
#include "matrix.hpp"
#include "rows.hpp"
#include "section.hpp"
#include "symbol_table.hpp"

// The parts of a problem file, in the order they are read. Each throws core::InputError.
namespace actio::io {

class Quantities;

void read_names(const Section& system, SymbolTable& symbols);  // definitions, parameters, coordinates, points, tables, signals
void read_definitions(const Section& system, SymbolTable& symbols);         // define: the names alone
void read_point_families(const Section& system, SymbolTable& symbols);      // points
void read_box(const Section& system, SymbolTable& symbols);                 // box
void check_definitions(const Section& system, const SymbolTable& symbols);  // their texts, with all names known
// "x", or "theta[200]" with its size ("theta[*]": 1).
struct DeclaredName {
  std::string name;
  long size = 1;
  bool indexed = false;
  Place place;
};
DeclaredName declared_name(const SymbolTable& symbols, const Value& item, const std::string& path);
void read_signals(const Section& system, SymbolTable& symbols);  // [system.signals]
// bodies; their coordinates follow those declared by name.
std::vector<system::Body> read_bodies(const Section& system, SymbolTable& symbols);
// solid: families of coordinates, with the masses, energies and loads of them. Nothing but terms, forces and constraints may
// stand beside them.
struct SolidParts {
  std::vector<run::Probe> probes;
  std::vector<run::StressProbe> stresses;
  std::vector<system::Support> supports;
  std::vector<system::Symmetry> momenta;
  std::vector<DampingRatio> dampings;
  long prescribed = 0;  // of the model's constraints, the first
};
SolidParts read_solids(const Section& system, SymbolTable& symbols, system::Model& model);
// Coordinates without mass have a placeholder in it: settle_no_mass decides.
system::MassMatrix read_mass(const Section& system, const SymbolTable& symbols, std::vector<NoMass>& no_mass);
// Throws where a coordinate without mass is free, or prescribed and the method divides by its mass.
void settle_no_mass(const std::vector<NoMass>& no_mass, const method::Spec& method, system::Model& model);
// stiffness, damping, fixed.
void read_structure(const Section& system, const SymbolTable& symbols, system::Model& model);
// rayleigh, which adds to the damping: at once where it gives factors. The mass is known, that of terms too.
void read_rayleigh(const Section& system, const SymbolTable& symbols, const std::vector<NoMass>& no_mass, system::Model& model,
                   std::vector<DampingRatio>& dampings);

// thermostat; null where there is none. The mass is known, that of terms too.
std::shared_ptr<const system::Thermostat> read_thermostat(const Section& system, const SymbolTable& symbols,
                                                          const Quantities& quantities, const system::Model& model);

// split; null where there is none. The mass is known, that of terms too.
std::shared_ptr<const system::FastPart> read_split(const Section& system, const SymbolTable& symbols, const system::Model& model);

// The equations of a system, from [system.equations] and from terms.
class EquationReader {
 public:
  explicit EquationReader(const SymbolTable& symbols)
      : symbols_(symbols),
        has_equation_(static_cast<std::size_t>(symbols.size())),
        accelerates_(static_cast<std::size_t>(symbols.size())) {}
  void read_table(const Section& system);
  void read(const Value& text, const std::string& path, std::string name, Rows at);
  // Throws when a coordinate has no equation, an acceleration is in none, or a Lagrangian stands beside them.
  void check(const Section& system) const;

  std::vector<system::Equation> equations;

 private:
  const SymbolTable& symbols_;
  std::vector<bool> has_equation_, accelerates_;
};

// potential, lagrangian, dissipation, energy and [[system.term]], whose equations go to the reader of equations. `moves[i]`
// tells whether the velocity of coordinate i is in a Lagrangian.
void read_terms(const Section& system, const SymbolTable& symbols, system::Model& model, EquationReader& equations,
                std::vector<bool>& moves);
// coulomb: energies of charges in a box, by Ewald sums.
void read_coulomb(const Section& system, const SymbolTable& symbols, system::Model& model);
// External forces: force, a table of coordinates, and kinds that are a table [system.kind], or several headed [[system.kind]].
void read_forces(const Section& system, const SymbolTable& symbols, system::Model& model);
// Name and direction r (n) of every [system.base], which has been read.
std::vector<std::pair<std::string, Eigen::VectorXd>> read_bases(const Section& system, const SymbolTable& symbols);
std::vector<std::string> force_keys();  // of all kinds: force, load, ...
void read_drag(const Section& section, const SymbolTable& symbols, const std::string& name, system::Model& model);
// constraints, [[system.constraint]], redundant, constraint_method, omega. `fixed` has been read. Where each of model.constraints
// stands goes into `places`.
void read_constraints(const Section& system, const SymbolTable& symbols, system::Model& model, std::vector<core::Source>& places);
// [[system.contact]]. `fixed` has been read.
void read_contacts(const Section& system, const SymbolTable& symbols, system::Model& model);
// [[system.joint]], as constraints.
void read_joints(const Section& system, const SymbolTable& symbols, system::Model& model, std::vector<core::Source>& places);
// Where the bodies start, and how they move, into q0 and v0 (n): what the table `bodies` of [initial] says, R = 1 and rest where
// it says nothing. `initial` may be null.
void read_initial_bodies(const Section* initial, const SymbolTable& symbols, std::uint64_t seed, Eigen::VectorXd& q0,
                         Eigen::VectorXd& v0);
// Where solids start, into q0 and v0: their meshes and rest where the table `solid` says nothing. `initial` may be null.
void read_initial_solids(const Section* initial, const SymbolTable& symbols, const system::Model& model, Eigen::VectorXd& q0,
                         Eigen::VectorXd& v0);
// Coordinates that the first `prescribed` constraints move, where those have them at time t.
void start_prescribed(const system::Model& model, long prescribed, double t, Eigen::VectorXd& q0, Eigen::VectorXd& v0);
// Generators that turn points about an axis a of space through the origin, or shift them by d: coordinates x, y, z of each.
void rotate_points(const std::vector<std::array<long, 3>>& points, const Eigen::Vector3d& a, system::Symmetry& out);
void shift_points(const std::vector<std::array<long, 3>>& points, const Eigen::Vector3d& d, system::Symmetry& out);
// Of [[symmetry]]: `key` is "rotation" or "translation", of space; body and axis.
void read_space_symmetry(const Section& section, const SymbolTable& symbols, const char* key, system::Symmetry& out);
void read_axis_symmetry(const Section& section, const SymbolTable& symbols, system::Symmetry& out);
std::vector<system::Symmetry> read_symmetries(const Section& root, const SymbolTable& symbols);
// [[observe]], then [output]. What expressions of observables may name goes into the symbols.
std::vector<run::Observable> read_observables(const Section& root, SymbolTable& symbols, const system::Model& model,
                                              const std::vector<system::Support>& supports, const run::Schedule& schedule);
// [[event]]: their numbers become hidden observables of the problem. The symbols have what those before may be named.
std::vector<run::Event> read_events(const Section& root, const SymbolTable& symbols, Problem& problem);
// run.at, run.every_time.
void read_observation_times(const Section& root, const SymbolTable& symbols, const system::Model& model, run::Schedule& schedule);
// The forces of supports of solids, hidden observables "reaction(clamp.x)". None where constraints act.
std::vector<run::Observable> support_reactions(const std::vector<system::Support>& supports, const system::Model& model);
// True where the start is to be put on the constraints. `labels`: those of points that were read, by their first coordinate.
bool read_initial(const Section& root, const SymbolTable& symbols, const Quantities& quantities, const system::Model& model,
                  Eigen::VectorXd& q0, Eigen::VectorXd& v0, std::map<long, std::string>& labels);
// Part of a start: what is given for coordinates offset to offset + size - 1.
struct StatePiece {
  const Value* value;
  std::string path;
  long offset, size;
  std::string shape;  // of what a list must have the length, for messages
};
// Those of the key "position" or "velocity" of a table of starts; none where it is not there and not required.
std::vector<StatePiece> state_pieces(const Section& initial, const SymbolTable& symbols, const char* key, bool required);
// [ensemble]: the names of the parameters that differ, before there are parameters; then all of it.
void read_names_by_member(const Section& root, SymbolTable& symbols);
std::shared_ptr<const EnsembleRequest> read_ensemble(const Section& root, const SymbolTable& symbols, const Problem& problem,
                                                     bool sweep);
// Gives the document an ensemble of all combinations: "c=1,2,3" and others like it.
void add_sweep(Document& document, const std::vector<std::string>& texts);
// Throws where a kinetic energy that becomes the mass depends on a parameter that differs between members.
void need_same_mass(const Section& system, const SymbolTable& symbols, const system::Model& model);
// initial.static: the start is to be in equilibrium.
bool read_static(const Section& root);
// Puts `name` (when not empty) in the place of method.name. Fields the newly chosen method lacks are dropped.
void choose_method(Document& document, const std::string& name);
method::Spec read_method(const Section& root);
run::Schedule read_schedule(const Section& root, const SymbolTable& symbols, bool penalty, bool follows);
// run.step where it is a table: steps that follow the motion; else null.
std::shared_ptr<const method::StepControl> read_step_control(const Section& root, const SymbolTable& symbols,
                                                             const method::Spec& spec);
// run.columns: names of columns that the problem's trajectory has, each checked; none where it is not given.
std::vector<std::string> read_output_columns(const Section& root, const Problem& problem);
// Makes the last step shorter where a whole number of steps passes run.end, or says why it does not.
void meet_end(Problem& problem);
void read_certificate(const Section& root, run::Bounds& bounds, invariant::Level& level);

}  // namespace actio::io
