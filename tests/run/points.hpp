#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include <actio/core/error.hpp>
#include <actio/run/trajectory.hpp>
#include <folder.hpp>

// Points to be shown, and what files of them have in common.
namespace actio::run::test {

using Eigen::VectorXd;
using PointsFolder = actio::test::TemporaryFolder;

// Two points in space and one in the plane, among coordinates that are of none; h = 0.5, every second step.
inline TrajectoryHeader points_header() {
  TrajectoryHeader header{{"u", "x[0]", "x[1]", "y[0]", "y[1]", "z[0]", "z[1]", "a", "b"}, {"J"}, {}, {}, 0.5, 0.5};
  header.attributes = {{"title", "Three points"}, {"version", "1.2"}};
  header.every = 2;
  header.atoms.labels = {"O", "H", "O"};
  header.atoms.coordinates = {{1, 3, 5}, {2, 4, 6}, {7, 8, -1}};
  return header;
}
// Bohr, amu, hartree would have other numbers; these are easily told apart.
inline void name_units(TrajectoryHeader& header) {
  header.atoms.scale = 0.25;  // angstrom
  header.atoms.time = 0.5;    // ps
  header.atoms.energy = 8;    // kJ/mol
  header.atoms.units = "length_unit=angstrom";
}
inline VectorXd places(long k) { return VectorXd::LinSpaced(9, 0, 8) + VectorXd::Constant(9, 0.1 * static_cast<double>(k)); }
inline void observe_points(Trajectory& out, long k) {
  const double t = static_cast<double>(k), J = 3 * t;
  const method::Snapshot s{t, places(k), -2 * places(k), VectorXd::Zero(9)};
  out.observe({2 * k, s, 0.125 * t, {&J, 1}});
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace actio::run::test
