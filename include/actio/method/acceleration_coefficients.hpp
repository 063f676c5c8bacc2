#pragma once

// Newmark, generalised-alpha, HHT, WBZ, Wilson-theta and central differences as one family. The acceleration a that solves the
// equation of motion is found at t + c h, of the states
//
//   qc = q0 + c h v0 + h^2 [(c_q - b_q) a0 + b_q a],   vc = v0 + h [(c - b_v) a0 + b_v a]
//
// and is the value at s of the line from a0 (at 0) to a1 (at 1): a1 = a0 + (a - a0)/s. The step is Newmark's,
//
//   q1 = q0 + h v0 + h^2 [(1/2 - beta) a0 + beta a1],   v1 = v0 + h [(1 - gamma) a0 + gamma a1]
namespace actio::method {

struct AccelerationCoefficients {
  double beta = 0.25, gamma = 0.5;
  double c = 1, s = 1;
  double c_q = 0.5, b_q = 0.25, b_v = 0.5;
  int iterations = 0;  // of Newton's method in a step, from a = 0; 0: until it is solved

  // The acceleration is found where the step ends.
  constexpr bool at_end() const { return c == 1 && s == 1; }
};

// Chung and Hulbert (1993): M [(1 - am) a1 + am a0] = forces at (1 - af) (t1, q1, v1) + af (t0, q0, v0), with
// gamma = 1/2 - am + af, beta = (1 - am + af)^2/4. They average the forces of linear systems; we take the forces of the average.
constexpr AccelerationCoefficients generalized_alpha(double am, double af) {
  const double beta = (1 - am + af) * (1 - am + af) / 4, gamma = 0.5 - am + af, c = 1 - af, s = 1 - am;
  return {beta, gamma, c, s, c / 2, c * beta / s, c * gamma / s};
}

}  // namespace actio::method
