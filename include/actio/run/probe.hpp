#pragma once
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

}  // namespace actio::run
