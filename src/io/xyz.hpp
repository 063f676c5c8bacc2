#pragma once
#include <map>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <actio/run/probe.hpp>
#include <actio/system/model.hpp>

#include "quantity.hpp"
#include "symbol_table.hpp"

namespace actio::io {

// The first frame of an XYZ file: a line with the number of atoms, a comment, and a line of a label and three coordinates for
// each.
struct Xyz {
  std::vector<std::string> labels;
  Eigen::Matrix3Xd places;  // as written, usually [angstrom]
};
// Throws core::InputError with the line.
Xyz read_xyz(const std::string& path);

// The points of the file as an XYZ file shows them; `labels` are those that were read, by coordinate along the first axis.
run::Atoms atoms_of(const SymbolTable& symbols, const Quantities& quantities, const system::Model& model,
                    const std::map<long, std::string>& labels);

}  // namespace actio::io
