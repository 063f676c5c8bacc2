#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <actio/core/error.hpp>
#include <actio/invariant/accuracy.hpp>
#include <actio/invariant/agreement.hpp>
#include <actio/invariant/defects.hpp>
#include <actio/invariant/drift.hpp>
#include <actio/invariant/level.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/spec.hpp>

// What a run kept and what it lost, measured on the run itself. docs/certificate.md explains every line.
namespace actio::invariant {

inline constexpr double unmeasured = std::numeric_limits<double>::quiet_NaN();

// What is claimed of a run before it starts: a method's own table, and the system's structure.
struct Claims {
  method::Keeps keeps = method::Keeps::nothing;
  bool step_map = true;              // the method is a map of one step; false for an adaptive one
  bool reversible = false;           // a symmetric method: a step of -h undoes a step of h
  bool energy = true;                // near its start for long: by methods that keep anything, with steps all the same
  bool reversible_steps = false;     // of a size that is a state: no form is kept, and a reversible system's energy stays near
  bool conjugate_form_lost = false;  // the conjugate form depends on h and the steps differ, so it keeps nothing
  bool solved = true;                // the equations of a step are solved, not left after a number of iterations
  bool forced = false;      // forces act that come from no Lagrangian: energy and the symplectic form are not expected to hold
  bool friction = false;    // not linear, among those forces
  bool thermostat = false;  // noise acts between the steps: what is claimed of a step is claimed of those without it
  bool energy_balanced = false;  // the method loses no energy of this system: what is not work or friction is 0 (Karow 13)
  bool tangent = true;           // velocities are along the constraints, where there are any
  bool discrete_energy = false;  // of a step, by which its size is found (KMO)
  bool order = false;            // the order is its author's statement, to be measured like the rest
  bool inelastic = false;        // impacts take energy, and no step back gives it back
};

struct Certificate {
  enum class Verdict {
    kept,        // everything claimed was measured and holds: `kept` names it, `not_kept` what is not claimed
    unresolved,  // nothing measured speaks against the claims, but not all of them could be measured
    no_claims,   // ran to the end; the method claims nothing
    stopped,     // interrupted; what was measured until then
    failed       // did not reach the end, or a claim or a declared bound does not hold
  };

  struct Energy {
    double initial = 0, max_error = 0, max_error_time = 0;              // E0, largest |E - E0| seen and when
    double drift_per_step = unmeasured, drift_confidence = unmeasured;  // slope of E - E0 and its 95 % half width
    double lost = unmeasured;  // smallest |E - E0| of the last quarter, with its sign; 0 if both signs
    bool conserved = true;     // no forces act, and the Lagrangian does not depend on the time
    bool defined = true;       // false: equations without a declared energy
    bool declared = false;     // true: equations with one, of which nothing is claimed
    double jump = 0;           // of a pair that crosses the cutoff of this term [J]; 0: none does
    std::string jumps_in{};
    std::string rough{};  // the term, where pairs that cross its cutoff change the force by a jump
    // Of the discrete energy: the largest difference of a step's from that of the first, and what rounding allows [J].
    double discrete_error = unmeasured, discrete_allowed = unmeasured;
    double largest_kinetic = 0;                                // of p . v / 2, to compare losses with [J]
    double resolution = 0;                                     // a smaller |E - E0| is round-off [J]
    double early_error = unmeasured, late_error = unmeasured;  // largest |E - E0| of the first and of the last quarter
    double typical_error = unmeasured;                         // the mean of |E - E0|
    double last_error = unmeasured;                            // E - E0 at the end
    // The mean kinetic energy of the motion about its mean velocity, and that of the first quarter: what energies are compared
    // with.
    double motion = 0, early_motion = 0;
    long late_looks = 0;   // states of the last quarter that were looked at
    long swings = 0;       // how often the kinetic energy passed its mean
    bool resting = false;  // nothing moved but by round-off
    bool given = true;     // false: the forces have a potential that nobody computes, and none of these numbers is known
  };
  // Where the energy went, from the start to the last state [J]:
  //   change = external + constraints + heat - dissipated + residual - method
  struct Ledger {
    double change = 0;           // E1 - E0
    double external = 0;         // work of external forces
    double constraints = 0;      // of constraints that move
    double heat = 0;             // of a thermostat's noise
    double dissipated = 0;       // by friction, a thermostat's too
    double residual = 0;         // work of what the solver left of the equations
    double method = unmeasured;  // lost by the method; NaN where the Lagrangian itself depends on the time
    double worst_method = 0;     // its largest size at any observation
    double lost = unmeasured;    // smallest |method| of the last quarter, with its sign; 0 if both signs
    double moved = 0;            // work that went in and out, both counted
    double round_off = 0;        // of adding all that up; below, the loss is 0
    double cancellation = 0;     // what matrices add the energy up from, relative to it: a state is rounded by eps of that
  };
  // How far the states were from g = 0 and their velocities from it, each constraint in its own units over |dg/dq|: a distance
  // and a speed, the largest over the constraints and the observations.
  struct Constraints {
    long count = 0;                          // m
    bool penalty = false;                    // not kept, but held by stiff springs: nothing is claimed
    bool moving = false;                     // g depends on the time
    double distance = 0, distance_time = 0;  // |g| / |dg/dq|
    double speed = 0;                        // |G v + g_t| / |dg/dq|
    double allowed_distance = 0, allowed_speed = 0;
    double fastest = 0;                       // |v| of the coordinates of a constraint
    double corrected_q = 0, corrected_v = 0;  // of the start, by projecting it: |dq|, |dv|
  };
  // How far the matrices R of the bodies were from rotations, the largest over the bodies and the observations.
  struct Rotations {
    long bodies = 0;
    double orthogonality = 0, orthogonality_time = 0;  // |R'R - 1| (Frobenius)
    double determinant = 0;                            // |det R - 1|
    double allowed = 0;                                // of |R'R - 1|; NaN where a penalty keeps it and nothing is claimed
  };
  // Gaps that stay at or above 0, and the impacts where they come to 0.
  struct Contacts {
    long impacts = 0, resting = 0;  // contacts that last at the end
    double lost = 0;                // by impacts [J], which the ledger counts as dissipated
    double lowest_gap = 0;          // after a step
    bool open = true;               // it is not below 0 by more than rounding
    bool within = false;            // the laws of a step were measured on a step with an impact too
  };
  struct Momentum {
    std::string name;
    double initial = 0, max_error = 0;                      // J0, largest |J - J0| seen
    double own_max_error = unmeasured, bound = unmeasured;  // J of the method's own coordinates; round-off and solver allow this
    bool affine = false, symmetry = false, claimed = false;
    double symmetry_defect = unmeasured;
    double withdrawn = unmeasured;  // J was lost at this time [s], where xi is no symmetry, or could not be checked
  };
  struct Solver {
    double worst_residual = 0;
    long iterations = 0;
    long factorisations = 0;
    long linear_iterations = 0;
  };
  // What of a step was measured, and what that took.
  struct Measuring {
    Level level = Level::standard;
    long states = 0, of_states = 0;  // at which the step was measured
    double seconds = 0;
    std::string why_less;  // "" when all was measured, else what more would take, and how to get it
  };
  struct Failure {
    long step;
    double t;
    std::string message, hint{};  // what happened, and what to try
    std::string text() const;     // as it is printed on a terminal
  };

  std::string title, method;
  int order = 0;  // 0: adaptive
  Claims claims;
  long coordinates = 0;
  double step = 0;                // h [s], the largest of those planned
  double smallest_step = 0;       // [s]
  long different_steps = 1;       // how many sizes of them
  double last_step = unmeasured;  // [s], where it alone is shorter, to meet the end
  double end = unmeasured;        // the time that was asked for, where one was [s]
  std::string past_end{};         // why the run goes past it, and what to choose
  // Steps that follow the motion: `step` is the size with which they begin, and those made were from `shortest` to `longest` [s].
  bool follows = false;
  double shortest = unmeasured, longest = unmeasured;
  long steps = 0, planned = 0;
  long observations = 0;
  method::Snapshot last;
  double wall_seconds = 0;  // of the steps and their observation; measuring the defects is not counted
  Energy energy;
  std::optional<Ledger> ledger;  // where forces act, or the method claims to lose nothing
  std::vector<Momentum> momentum;
  std::optional<Constraints> constraints;
  std::optional<Rotations> rotations;
  Symplecticity symplecticity{{unmeasured, unmeasured}, {unmeasured, unmeasured}};
  double reversibility = unmeasured;
  Accuracy accuracy;
  std::optional<Agreement> code;  // of a library's potential, at the states
  std::optional<method::Bath> thermostat;
  Measuring measuring;
  Solver solver;
  std::optional<Failure> failure;
  bool interrupted = false;
  std::vector<std::string> broken;      // claims that were measured and do not hold, one sentence each
  std::vector<std::string> unresolved;  // claims that could not be measured, one sentence each
  std::vector<std::string> kept;        // what the method claims, was measured and holds: "the symplectic form"
  std::vector<std::string> not_kept;    // what it does not claim: "energy (drifts)"
  Verdict verdict = Verdict::failed;
  std::optional<Contacts> contacts;
};

Certificate::Failure failure(const core::RunError& error);
// Compares the claims with the measurements: fills broken, unresolved and verdict.
void judge(Certificate& c);

// The defect was measured, to 1e-3 or better: below, it says something; else it is neither kept nor lost.
bool resolved(const Defect& d);
// The defect is below what the differences resolve: 1e-8, or ten times their own error estimate.
bool none_seen(const Defect& d);
// Whether E - E0 is an error: not where forces act, constraints move or the Lagrangian depends on time.
bool energy_expected_to_stay(const Certificate& c);
// The largest |E - E0|, and its drift a step, where they are errors; else unmeasured.
double energy_error(const Certificate& c);
double energy_drift(const Certificate& c);
// Why a table has neither.
inline constexpr std::string_view why_no_energy_error =
    "no energy error where forces act, constraints move or the Lagrangian depends on time: the energy then changes by itself, "
    "and "
    "the ledger of the certificate shows what the method lost of it";
// Energy was gained that no force has done: fails any run.
bool energy_gained(const Certificate& c);
// A step, and a step back, each solved to round-off or to the solver's residual, can miss by this much.
double reversibility_allowance(double worst_residual, double cancellation = 0);
// The largest change of a momentum that round-off and the solver's residual can explain: see docs/certificate.md.
double momentum_allowance(double scale, long steps, double worst_residual);

std::string_view word(Certificate::Verdict verdict);          // as in JSON: "no_claims"
std::string_view verdict_text(Certificate::Verdict verdict);  // as printed: "no claims"
// "0.1", "0.01 to 0.03, 3 different", or where the last alone is shorter "0.1, the last 0.05"
std::string step_words(double smallest, double largest, long different, double last = unmeasured);
std::string text(const Certificate& c);                          // aligned lines, no trailing newline
std::string json(const Certificate& c, bool with_state = true);  // one object on one line; with final.q and final.v

}  // namespace actio::invariant
