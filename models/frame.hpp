#pragma once
#include "structure.hpp"

// A building: a frame of rigidly joined Euler-Bernoulli beams in space, 6 coordinates a node, clamped to rigid ground, with
// floors whose mass moves with the nodes. Columns stand along z, beams lie along x and y.
//   J. S. Przemieniecki, Theory of Matrix Structural Analysis (1968), 5.6 (stiffness), 11.7 (consistent mass, without rotary
//   inertia of bending).
namespace models {

// A member's section, and its material. Local x along the member; y, z principal axes of the section.
struct Section {
  double A = 0, Iy = 0, Iz = 0, J = 0;             // [m^2], [m^4]: area, second moments about y and z, torsion constant
  double E = 210e9, G = 81e9, rho = 7850, I0 = 0;  // [Pa], [kg/m^3]; polar second moment [m^4], Iy + Iz where 0
};
Section steel_box(double width, double wall);  // square and hollow [m]
Section heb600();                              // a rolled wide-flange beam, z upright

// Element matrices in local axes; unknowns u v w and rotations about x y z at either end.
Eigen::MatrixXd beam_stiffness(const Section& section, double length);
Eigen::MatrixXd beam_mass(const Section& section, double length);

struct Frame {
  int bays_x = 6, bays_y = 4, storeys = 50;
  int members = 1;               // elements a beam or column is divided into
  double bay = 6, storey = 3.5;  // [m]
  Section column = steel_box(0.7, 0.05), beam = heb600();
  double floor = 600;   // mass of slab, finishing and partitions [kg/m^2]
  bool clamped = true;  // the nodes on the ground
  Supports supports = Supports::left_out;
};

// Throws std::invalid_argument when a number makes no sense, or the frame has more than 1e8 nodes.
Structure make(const Frame& frame);

// Straight beam of `elements` along x from the origin, one end clamped or free: the model of the model's tests.
Structure make_beam(const Section& section, double length, int elements, bool clamped);

}  // namespace models
