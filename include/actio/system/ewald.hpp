#pragma once
#include <array>
#include <string>
#include <vector>

#include <actio/system/callbacks.hpp>
#include <actio/system/near_pairs.hpp>

// Coulomb energy of charges in a box with three periods, all images included: an Ewald sum (M. P. Allen, D. J. Tildesley,
// Computer Simulation of Liquids, 2nd ed., (6.4)), with a conductor around the whole,
//
//   V = sum_{i<j} K q_i q_j erfc(alpha r_ij)/r_ij                                              pairs that are near: a Term
//     + 2 pi K/V0 sum_{k != 0} exp(-k^2/(4 alpha^2))/k^2 |S(k)|^2 - K alpha/sqrt(pi) sum_i q_i^2       waves: what is here
//     - sum_{excluded} K q_i q_j erf(alpha r_ij)/r_ij,                                         pairs that do not interact: a Term
//
// S(k) = sum_i q_i exp(i k.r_i), V0 the volume. The second line takes O(N K) operations for N charges and K waves.
namespace actio::system {

struct EwaldSum {
  std::string name;
  std::array<NearPairs::Axis, 3> axes;  // each with a period; point k has charge k
  std::vector<double> charges;
  double constant = 1;  // K [energy length/charge^2]
  double alpha = 0;     // [1/length]
  // Waves k = 2 pi (n_x/L_x, n_y/L_y, n_z/L_z) with |k|^2 < (modes^2 + 2) (2 pi/L)^2, L the longest period. In a cube these are
  // the integers n with n^2 < modes^2 + 2, the rule of NIST's reference values for SPC/E water.
  long modes = 1;
};

// Relative to K <q^2>/a^2, where a^3 is the volume a charge has: root mean squares of the errors of forces, for charges that are
// placed at random (J. Kolafa, J. W. Perram, Mol. Simul. 9 (1992) 351).
struct EwaldErrors {
  double volume = 0, charges = 0;                                // how many are not 0
  double near(double alpha, double cutoff) const;                // pairs beyond the cutoff are left out
  double waves(double alpha, double longest, long modes) const;  // as are waves
};
// The least alpha with an error of pairs of at most `accuracy`, and where the energy jumps at the cutoff by less than 1e-9 of the
// interaction of a pair there, so that it does not tell in the energy of a run.
double alpha_of(const EwaldErrors& errors, double cutoff, double accuracy);
// The fewest modes with an error of waves of at most `accuracy`; `most` where more are needed.
long modes_of(const EwaldErrors& errors, double alpha, double longest, double accuracy, long most);

// The second line of the formula for each of the sums, and its derivatives. Any number of threads gives the same bits; calls may
// be made at the same time.
Callbacks callbacks_of(std::vector<EwaldSum> sums);

}  // namespace actio::system
