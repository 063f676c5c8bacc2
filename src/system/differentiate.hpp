#pragma once
#include <actio/expr/graph.hpp>
#include <actio/system/compiled.hpp>
#include <actio/system/model.hpp>
#include <vector>

// Terms, forces and equations differentiated into the outputs their kernels have.
namespace actio::system {

// An energy whose columns are [positions, velocities (if any), data].
struct Part {
  expr::Graph graph;
  expr::Id value = -1;
  long locals = 0, data = 0;
  bool velocities = false;
  long columns() const { return (velocities ? 2 : 1) * locals + data; }
};

// Outputs of the kernels `first` and `second` of one energy, or of rows.
struct Derivatives {
  std::vector<expr::Id> first, second;
  std::vector<Batch::Entry> entries;  // of an energy
  std::vector<int> locals;            // of a row: those with a derivative
  bool constant = true;               // every second derivative (of a row: every first) is
  bool mixed = false;                 // there is one by a position and a velocity
};

// The term; a potential of the Lagrangian gets its minus.
Part part_of(const Term& term, const Model& model, bool of_lagrangian);
// Sum of all elements of all terms over the system's own coordinates.
Part sum_of(const std::vector<Term>& terms, const Model& model, bool velocities, bool of_lagrangian);
// `w` is the index of the first weight among the uniforms. `full`: every entry of the matrix, column by column, none mirrored.
Derivatives differentiate(Part& part, const Model& model, int w, bool full);

// V'''[a, a] of the terms of a model without velocities among them, in one kernel or one a term.
std::shared_ptr<const ThirdDerivatives> third_derivatives(const Model& model, const expr::CompileOptions& options, bool fused);

// Rows as functions of [positions, velocities, accelerations (equations only), data]: of one batch, or of the whole system.
struct RowPart {
  expr::Graph graph;
  std::vector<expr::Id> values;
  long locals = 0, data = 0;
  int kinds = 2;
  long columns() const { return kinds * locals + data; }
};
template <class Row>  // Force, Equation or Constraint
RowPart part_of(const Row& row, const Model& model);
template <class Row>
RowPart sum_of(const std::vector<Row>& rows, const Model& model);
// `full`: by every local, row by row of the locals: a matrix column by column when there is one value a coordinate.
Derivatives differentiate(RowPart& part, const Model& model, int w, bool full);

// All constraints of a model, one value each, over its own coordinates.
RowPart sum_of(const std::vector<Constraint>& constraints, const Model& model);
// first: g. second: that, g_t if `moving`, then the derivatives by the locals (`full`: all of them), row by row.
Derivatives differentiate_constraints(RowPart& part, const Model& model, bool moving, bool full);

}  // namespace actio::system
