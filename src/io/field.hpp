#pragma once
#include <string>
#include <vector>

#include <Eigen/Core>

#include <actio/system/solid.hpp>

#include "symbol_table.hpp"

// Expressions over a solid: of X, Y, Z, the place at rest, of the time and the parameters.
namespace actio::io {

struct OfField {
  bool time = true, signals = true, place = true;
  std::string why;  // said where one of these stands and may not
};

// Names an expression takes beside those of the file, and the nodes of a graph they become.
expr::Id read_with_names(const SymbolTable& symbols, const Value& value, const std::string& path,
                         const std::vector<std::string>& names, const std::vector<expr::Id>& nodes, const OfField& allowed,
                         expr::Graph& into);
// A number or an expression, as a component of the field.
void read_component(const SymbolTable& symbols, const Value& value, const std::string& path, const OfField& allowed,
                    std::size_t component, system::Field& out);
// A list of three of those.
system::Field read_field(const SymbolTable& symbols, const Value& value, const std::string& path, const OfField& allowed);
// Its values at places X (3 x N), where the time and the signals are 0; not finite ones too.
Eigen::Matrix3Xd values_at(const SymbolTable& symbols, const system::Field& field, const Eigen::Matrix3Xd& X);

}  // namespace actio::io
