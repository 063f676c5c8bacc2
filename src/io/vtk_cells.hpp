#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <actio/system/mesh.hpp>

// Kinds of cells by VTK's numbers.
namespace actio::io {

struct VtkKind {
  std::optional<system::Cell> cell;  // none: to be left out
  std::span<const int> order;        // of pixels and voxels, whose nodes go by rows
};

// Nothing where the number is of no kind that can be read or left out.
std::optional<VtkKind> vtk_kind(std::int64_t type);
// "pyramids (type 14)"
std::string vtk_kind_name(std::int64_t type);

}  // namespace actio::io
