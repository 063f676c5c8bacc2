#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

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

// Points as XYZ, DCD and H5MD files show them.
struct Atoms {
  std::vector<std::string> labels;
  std::vector<std::array<std::int32_t, 3>> coordinates;  // of each; the third is -1 in the plane
  double scale = 1;                                      // of the places: to angstroms, where the file names its units
  double time = 0, energy = 0;                           // units of the file [ps], [kJ/mol]; 0: it names none
  std::string units;                                     // key=value, for the comment
  std::array<double, 3> box{};                           // lengths of a periodic box, like the coordinates; zeros: none
  bool named_units() const { return time > 0; }
  bool in_box() const { return box != std::array<double, 3>{}; }
};

// Two points that are in one place of the box at q, or nothing.
std::optional<std::pair<std::size_t, std::size_t>> in_one_place(const Atoms& atoms, const Eigen::VectorXd& q);

}  // namespace actio::run
