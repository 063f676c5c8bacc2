#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <actio/expr/graph.hpp>

// A mechanical system as data: coordinates, mass, energies as sums of terms, symmetries. What a problem file says, what
// Python builds, what the spaces turn into something that can be stepped. Nothing here depends on how it is solved.
namespace actio::system {

// "x" or "theta[200]": coordinates offset .. offset + size - 1.
struct Family {
  std::string name;
  long size = 1;
  long offset = 0;
  bool indexed = false;  // written with [ ]
};

// One small energy at many places: sum over e of value(columns of e).
// Columns of the graph: [0, locals) local positions, then [locals, 2 locals) local velocities if `velocities`, then data columns.
// Uniforms: 0 is the time, 1.. the parameters of the model.
struct Term {
  std::string name;
  expr::Graph graph;
  expr::Id value = -1;  // an energy: V, or L where `lagrangian`
  bool lagrangian = false;
  bool velocities = false;
  long locals = 0;
  long elements = 1;
  std::vector<std::int32_t> dofs;         // (locals x elements): local l of element e at l * elements + e
  std::vector<std::vector<double>> data;  // one vector of `elements` entries a data column
};

// Constant symmetric positive definite mass matrix [kg], (n x n). Absent (kind none) when the Lagrangian says it all.
struct MassMatrix {
  enum class Kind { none, diagonal, full } kind = Kind::none;
  Eigen::VectorXd diagonal;
  Eigen::SparseMatrix<double> full;  // both triangles
};

// xi(q), a vector field: element e of a block gives component `rows[e]`. Components no block names are zero.
struct GeneratorBlock {
  expr::Graph graph;
  expr::Id value = -1;
  long locals = 0;
  long elements = 1;
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> dofs;  // as in Term
  std::vector<std::vector<double>> data;
};
struct Symmetry {
  std::string name;
  std::vector<GeneratorBlock> blocks;
};

struct Model {
  std::string title;
  std::vector<Family> families;
  std::vector<std::string> parameter_names;
  std::vector<double> parameters;
  MassMatrix mass;
  std::vector<Term> terms;
  std::vector<Symmetry> symmetries;
  std::string library;  // path of a shared library with the C interface of system/potential_abi.h, or ""

  long size() const { return families.empty() ? 0 : families.back().offset + families.back().size; }
  std::string coordinate_name(long i) const;  // "x" or "theta[17]"
};

}  // namespace actio::system
