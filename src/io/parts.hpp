#pragma once
#include <string>
#include <vector>

#include <actio/io/problem.hpp>

#include "section.hpp"
#include "vocabulary.hpp"

// The parts of a problem file, in the order they are read. Each throws core::InputError.
namespace actio::io {

void read_names(const Section& system, Vocabulary& vocabulary);  // parameters, coordinates, tables
system::MassMatrix read_mass(const Section& system, const Vocabulary& vocabulary);
// potential, lagrangian and [[system.term]]. `moves[i]` tells whether the velocity of coordinate i is in a Lagrangian.
std::vector<system::Term> read_terms(const Section& system, const Vocabulary& vocabulary, std::vector<bool>& moves);
std::vector<system::Symmetry> read_symmetries(const Section& root, const Vocabulary& vocabulary);
void read_initial(const Section& root, const Vocabulary& vocabulary, Eigen::VectorXd& q0, Eigen::VectorXd& v0);
// Puts `name` (when not empty) in the place of method.name. Fields the newly chosen method lacks are dropped.
void choose_method(Document& document, const std::string& name);
method::Spec read_method(const Section& root);
run::Schedule read_schedule(const Section& root, const Vocabulary& vocabulary);
run::Bounds read_bounds(const Section& root);

}  // namespace actio::io
