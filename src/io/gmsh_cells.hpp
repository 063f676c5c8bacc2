#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <actio/system/mesh.hpp>

// Kinds of elements by Gmsh's numbers.
namespace actio::io {

struct GmshKind {
  std::optional<system::Cell> cell;  // none: to be left out
  int nodes = 0;
  std::span<const int> order;  // VTK's node a is Gmsh's order[a]; empty where the two agree
};

// Nothing where the number is of no kind that can be read or left out.
std::optional<GmshKind> gmsh_kind(std::int64_t type);
// "pyramids (type 7)"
std::string gmsh_kind_name(std::int64_t type);

}  // namespace actio::io
