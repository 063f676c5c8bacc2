#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/SparseCore>

#include <actio/system/mass_factor.hpp>

#include "section.hpp"
#include "symbol_table.hpp"

// Symmetric matrices of a problem file: masses, stiffnesses, dampings.
namespace actio::io {

// A coordinate without mass; what is said of it where it needs one, and where.
struct NoMass {
  std::int32_t coordinate = 0;
  core::Source place;
  std::string message;
};

struct GivenMatrix {
  bool diagonal = true;
  Eigen::VectorXd entries;           // (n), where diagonal
  Eigen::SparseMatrix<double> full;  // (n x n), both triangles, exactly symmetric, otherwise
  std::vector<NoMass> no_mass;       // empty rows of a mass, which have the smallest other entry on their diagonal
};

// Larger masses are factored, and so found positive definite, when a run first needs it: that can take a minute and gigabytes.
constexpr long most_rows_to_factor_at_once = 20'000;

// A number or an expression of the parameters (for all), a list (a diagonal), a table of families, a list of rows, or a Matrix
// Market file. `noun` is "mass"; `positive`: it must be positive definite but for empty rows. Throws at the entry, in the file
// that has it.
GivenMatrix read_symmetric(const SymbolTable& symbols, const Value& value, const std::string& path, const std::string& noun,
                           bool positive);

// What a mass says when its factorisation meets a pivot that is not positive, now or when the problem file no longer exists.
system::MassFactor::Refuse refusal_of_mass(const SymbolTable& symbols, const Value& value, const std::string& path);

// n of a matrix that says it by its shape: a Matrix Market file or a list of rows. -1 where there is none.
long rows_of(const SymbolTable& symbols, const Value& value, const std::string& path);

}  // namespace actio::io
