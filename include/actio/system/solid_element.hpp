#pragma once
#include <cstdint>

namespace actio::system {

// An element of dimension 3 of a model's solid, by its block and cell in the mesh.
struct SolidElement {
  std::int32_t solid = 0, block = 0, cell = 0;
};

}  // namespace actio::system
