#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace actio::system {

// Nodes of a solid that are held, by the name of their group. A coordinate is of one support at most.
struct Support {
  struct Component {
    std::vector<std::int32_t> fixed_dofs;  // coordinates
    long constraint = 0, count = 0;        // or the constraints that drive it: the first of them, and how many
    bool prescribes() const { return !fixed_dofs.empty() || count > 0; }
  };
  std::string name;
  std::array<Component, 3> of{};  // x, y, z
};

}  // namespace actio::system
