#pragma once
#include <string>

#include <Eigen/Core>

#include "symbol_table.hpp"

// One number a coordinate: the shape of a load, the direction of the ground's motion.
namespace actio::io {

// (n), finite. A number (for all), a list, an expression of the coordinate's number i, { csv, column }, a Matrix Market vector
// "r.mtx", or a table of coordinates such as { x = 1, "u[3..5]" = "sin(i)" } with 0 for those it does not name; there i is the
// index within the family.
Eigen::VectorXd read_pattern(const SymbolTable& symbols, const Value& value, const std::string& path);

// A string that names a Matrix Market file.
bool is_matrix_file(const Value& value);
// "the system has 3 coordinates"
std::string shape_of(const SymbolTable& symbols);

}  // namespace actio::io
