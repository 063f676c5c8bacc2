#pragma once
#include <actio/expr/graph.hpp>
#include <actio/system/compiled.hpp>
#include <actio/system/model.hpp>
#include <vector>

// The functions of a model differentiated into the outputs their kernels have.
namespace actio::system {

// Functions of [positions, velocities, accelerations (as many groups as `states`), data]: that of one batch, or those of the
// whole system over its own coordinates. An energy has one value, rows one a coordinate, constraints one each.
struct Part {
  expr::Graph graph;
  std::vector<expr::Id> values;
  long locals = 0, data = 0;
  int states = 1;
  long columns() const { return states * locals + data; }
};

// Outputs of the kernels `first` and `second`.
struct Derivatives {
  std::vector<expr::Id> first, second;
  std::vector<Batch::Entry> entries;  // of an energy
  std::vector<int> locals;            // of a row: those with a derivative
  bool constant = true;               // every second derivative (of a row: every first) is
  bool mixed = false;                 // there is one by a position and a velocity
};

// An energy; a potential of the Lagrangian gets its minus.
Part part_of(const Term& term, const Model& model, bool of_lagrangian);
// A value of the function's graph, in that of its part.
expr::Id add_value(Part& part, const ElementFunction& function, expr::Id value, const Model& model);
// Sum of all elements of all terms over the system's own coordinates.
Part sum_of(const std::vector<Term>& terms, const Model& model, bool velocities, bool of_lagrangian);
// -V(t, q) of a model without velocities in its terms: the terms and the stiffness, over the system's own coordinates.
Part minus_potential_of(const Model& model);
// A row, or a constraint.
Part part_of(const ElementFunction& function, int states, const Model& model);
// All rows of a system; Function: Force or Equation.
template <class Function>
Part sum_of_rows(const std::vector<Function>& functions, const Model& model);
// All constraints of a model.
Part sum_of(const std::vector<Constraint>& constraints, const Model& model);

// `w` is the index of the first weight among the uniforms. `full`: every entry of the matrix, column by column, none mirrored.
Derivatives differentiate_energy(Part& part, const Model& model, int w, bool full);
// `full`: by every local, row by row of the locals: a matrix column by column when there is one value a coordinate.
Derivatives differentiate_rows(Part& part, const Model& model, int w, bool full);
// first: g. second: that, g_t if `moving`, then the derivatives by the locals (`full`: all of them), row by row.
Derivatives differentiate_constraints(Part& part, const Model& model, bool moving, bool full);

// V'''[a, a] of the terms of a model without velocities among them, in one kernel or one a term.
std::shared_ptr<const ThirdDerivatives> third_derivatives(const Model& model, const expr::CompileOptions& options, bool fused);

}  // namespace actio::system
