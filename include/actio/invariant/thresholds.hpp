#pragma once

// Where a measurement becomes a verdict. Each number stands here once, with where it comes from: rounding, theory, or the two
// error rates that tests/certificate measures (false "kept" over spoiled runs, false "failed" or "unresolved" over sound ones).
namespace actio::invariant::threshold {

// A symplectic step's defect is at the differences' own error: 1e-8 is a hundred times what they leave on smooth systems, and
// below the O(h^(p+1)) of every scheme that is not symplectic at steps users take. Estimated errors of differences are good to a
// factor 10.
inline constexpr double defect = 1e-8, of_floor = 10;
// Differences that are no better than this say nothing.
inline constexpr double defect_resolved = 1e-6;
// A difference that no other confirms: a defect this many times below the resolution is none, for else the error of the
// difference would have to cancel it.
inline constexpr double one_difference = 10;
// A step and a step back: rounding of a few solves.
inline constexpr double round_trip = 1e-9;

// Energies are compared with the mean kinetic energy of the motion about its mean velocity, S. A symplectic method's energy
// swings by (h omega)^2/8 S to (h omega)^2/4 S and returns: half of S that does not return is no swing at any step that follows
// the motion, a fifth could be the offset of a special start at a coarse step.
inline constexpr double energy_lost = 0.5, energy_unclear = 0.2;
// A drift that is seen and has come this far, and ten times what one step against two halves is off by, is no offset of the
// start.
inline constexpr double energy_drifted = 0.01, of_accuracy = 10;
// With fewer looks in the last quarter nobody sees whether it returns, unless it is larger than this.
inline constexpr long looks = 4;
inline constexpr double energy_absurd = 10;
// The mean of |E - E0|: a swing above S is not near the start, whether it returns or not; of an oscillator by Verlet it is 0.3 S
// at h omega = 1 and S at 1.4.
inline constexpr double energy_swing = 1, energy_swing_unclear = 0.3;
// The largest |E - E0| of steps that follow the motion, which are to be short where the error would be large.
inline constexpr double energy_followed = 0.5;
// Crossings of the mean by the kinetic energy: with fewer, an energy error that moves one way may be part of a swing.
inline constexpr long fewest_swings = 4;
// Gained without work, beyond this times all that was there and all that went in: fails any run, whatever its method claims.
inline constexpr double gained = 10;
// Where friction takes energy nothing swings: as much as all work done, to and fro, is too much.
inline constexpr double gained_with_friction = 1;
// And above this share of the largest kinetic energy: a motion that grows by itself has its energy where it is fastest.
inline constexpr double gained_of_largest = 0.1;
// A round-off above this share of S hides whether the energy is kept.
inline constexpr double energy_resolved = 0.1;

// One step and two half steps differ by this share of what the forces change in the step: the step does not follow the forces.
inline constexpr double coarse = 0.3;
// Among 64 steps. If more steps do not move with their velocities, all are too coarse, which the accuracy shows.
inline constexpr long few_slips = 8;
// A measured order may fall this short of the stated one: the laws of the tests hold 0.2 on states without kinks.
inline constexpr double order = 0.5;
// Power that the steps lose or gain as h goes to 0, relative to that of the forces: differences leave 1e-9 on smooth systems.
inline constexpr double inconsistency = 1e-6, inconsistency_resolved = 1e-2;

// Derivatives that a library gives, against differences of what they are derivatives of.
inline constexpr double code = 1e-5;

// Where the equations of a step are solved no better, its laws are not those of the method.
inline constexpr double residual_allowed = 1e-6, residual_believed = 1e-2;

// Velocities that are not claimed to be along the constraints leave them by more than this share of the fastest: too coarse.
inline constexpr double tangent = 0.1;

}  // namespace actio::invariant::threshold
