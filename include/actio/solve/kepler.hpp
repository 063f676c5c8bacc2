#pragma once
#include <vector>

// The motion of points about fixed centres, x'' = -mu x/|x|^3, exact whatever the time: in universal variables, so of circles,
// ellipses, parabolas and hyperbolas alike, and with mu = 0 of straight lines.
//   E. Stumpff, Himmelsmechanik I (1959); J. Wisdom, D. M. Hernandez, Mon. Not. R. Astron. Soc. 453 (2015) 3015.
namespace actio::solve {

// Points by their numbers, eight at a time: x, y, z of all, velocities, then what rounding has taken from each of these six, in
// rows of `stride` numbers, and 1/|x|. z[axis * stride + i], z[(3 + axis) * stride + i], z[(6 + row) * stride + i], z[12 * stride
// + i].
class KeplerFlow {
 public:
  KeplerFlow() = default;
  explicit KeplerFlow(const std::vector<double>& mu);  // [m^3/s^2], not negative

  long stride() const { return stride_; }
  long rows() const { return 13 * stride_; }
  // When positions have been set: 1/|x|, and the points that fill up the last eight, which stand still at a distance of 1.
  void settle(double* z) const;
  // All points move for the time dt. False where one is not finite, or meets its centre.
  bool drift(double* z, double dt) const;
  // v += dt (a + mu x/|x|^3), a (3 x stride): the accelerations beside those of the centres.
  void kick(double* z, const double* a, double dt) const;

 private:
  long count_ = 0, stride_ = 0;
  std::vector<double> mu_;  // (stride)
};

// Of one point, x and v (3): what the lanes above leave to it, because a guess was far from the solution.
bool kepler_drift(double mu, double dt, double* x, double* v);

}  // namespace actio::solve
