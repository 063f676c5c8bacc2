#pragma once
#include <string>
#include <utility>
#include <vector>

#include <actio/io/problem.hpp>

#include "rows.hpp"
#include "section.hpp"
#include "vocabulary.hpp"

// The parts of a problem file, in the order they are read. Each throws core::InputError.
namespace actio::io {

void read_names(const Section& system, Vocabulary& vocabulary);    // parameters, coordinates, tables, signals
void read_signals(const Section& system, Vocabulary& vocabulary);  // [system.signals]
system::MassMatrix read_mass(const Section& system, const Vocabulary& vocabulary);
// stiffness, damping, rayleigh, fixed. The mass has been read.
void read_structure(const Section& system, const Vocabulary& vocabulary, system::Model& model);

// The equations of a system, from [system.equations] and from terms.
class EquationReader {
 public:
  explicit EquationReader(const Vocabulary& vocabulary)
      : vocabulary_(vocabulary),
        has_equation_(static_cast<std::size_t>(vocabulary.size())),
        accelerates_(static_cast<std::size_t>(vocabulary.size())) {}
  void read_table(const Section& system);
  void read(const Value& text, const std::string& path, std::string name, Rows at);
  // Throws when a coordinate has no equation, an acceleration is in none, or a Lagrangian stands beside them.
  void check(const Section& system) const;

  std::vector<system::Equation> equations;

 private:
  const Vocabulary& vocabulary_;
  std::vector<bool> has_equation_, accelerates_;
};

// potential, lagrangian, dissipation, energy and [[system.term]], whose equations go to the reader of equations. `moves[i]`
// tells whether the velocity of coordinate i is in a Lagrangian.
void read_terms(const Section& system, const Vocabulary& vocabulary, system::Model& model, EquationReader& equations,
                std::vector<bool>& moves);
void read_forces(const Section& system, const Vocabulary& vocabulary, system::Model& model);  // force, load, base
// constraints, [[system.constraint]], redundant, constraint_method, omega. `fixed` has been read.
void read_constraints(const Section& system, const Vocabulary& vocabulary, system::Model& model);
std::vector<system::Symmetry> read_symmetries(const Section& root, const Vocabulary& vocabulary);
// True where the start is to be put on the constraints.
bool read_initial(const Section& root, const Vocabulary& vocabulary, const system::Model& model, Eigen::VectorXd& q0,
                  Eigen::VectorXd& v0);
// Puts `name` (when not empty) in the place of method.name. Fields the newly chosen method lacks are dropped.
void choose_method(Document& document, const std::string& name);
method::Spec read_method(const Section& root);
run::Schedule read_schedule(const Section& root, const Vocabulary& vocabulary, bool penalty);
run::Bounds read_bounds(const Section& root);

}  // namespace actio::io
