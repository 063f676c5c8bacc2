#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <actio/system/solid_element.hpp>

// What is written of a system with too many coordinates to write them all.
namespace actio::run {

// The mean of some coordinates, and of their velocities: "tip.z", the mean place of a group of nodes.
struct Probe {
  std::string name;
  std::vector<std::int32_t> coordinates;
};
// The mean stress of some elements: "root".
struct StressProbe {
  std::string name;
  std::vector<system::SolidElement> elements;
};

// Points as an XYZ file shows them.
struct Atoms {
  std::vector<std::string> labels;
  std::vector<std::array<std::int32_t, 3>> coordinates;  // of each; the third is -1 in the plane
  double scale = 1;                                      // of the places
  std::string units;                                     // key=value, for the comment
};

}  // namespace actio::run
