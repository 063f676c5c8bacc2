#pragma once
#include <actio/core/fields.hpp>
#include <concepts>
#include <string_view>

// How a method is declared: a struct of coefficients with a table of its fields, a description, and traits. Everything that is
// asked about methods is answered from these: the problem file's [method] keys, `actio list` and `explain`, which systems a
// method fits and which others do, what runs over many processes, the certificate's claims, the tests' lists.
//
// A method is added by its struct (catalogue/), its name in catalogue.hpp, its stepper with `with_stepper`, and the line
// ACTIO_MAKE(its name) in a file of src/method/make, which compiles it.
namespace actio::method {

using core::Field;

struct Description {
  std::string_view name;
  std::string_view summary;   // one line
  std::string_view equation;  // one step, as in the paper
  std::string_view conserves;
  std::string_view citation;
};

// How a method meets constraints g(t, q) = 0.
enum class Constraints {
  none,     // not at all
  kept,     // by multipliers
  imposed,  // only those that give a coordinate as a function of time: it imposes that motion, and needs no mass there
};

// What matrices a method makes of second derivatives of a separable system.
enum class Matrices {
  all,
  potential,  // M + s V''
  stiff,      // M + s V1'' of the stiff terms
  mass,       // M, where nothing but a potential acts
  none,
};

// What is true of a method whatever its coefficients: what it needs of a system, and what it takes.
struct Traits {
  bool separable = false;          // needs L = 1/2 v'Mv - V(q)
  bool is_explicit = false;        // solves no equations but those of the mass
  bool chooses_steps = false;      // adaptive: cannot be composed, no law of a step
  bool transforms_time = false;    // its steps follow the motion: a step of h is one of a fictitious time, the state has the time
  bool finds_step = false;         // its equations say how long a step is: h is the first one
  bool takes_equations = false;    // takes f(a, v, q, t) = 0 in place of a Lagrangian
  bool velocity_forces = true;     // takes forces that depend on velocities
  bool momentum_of_time = true;    // takes a momentum dL/dv that depends on t
  bool third_derivatives = false;  // needs V'''[a, a]
  bool minimises = false;          // needs a potential of all forces but loads f(t)
  bool element_energies = false;   // needs the energy of each element
  bool on_groups = false;          // for rigid bodies, whose rotations it keeps without multipliers or an ambient mass
  bool needs_constraints = false;  // without any it is verlet
  bool needs_split = false;        // needs a part whose motion is known exactly (system/fast_part.hpp)
  bool redundant_constraints = true;  // takes constraints that follow from one another
  bool tangent_velocities = true;     // velocities at the end of a step lie along the constraints
  Matrices matrices = Matrices::all;
  Constraints constraints = Constraints::none;
  bool distributed = false;              // runs on many processes
  bool distributed_constraints = false;  // with constraints too
  bool generated_steps = false;          // of few coordinates: whole steps as C (explicit_steps.hpp)
  bool static_sizes = false;             // compiled for systems of 1, 2, 3 and 4 coordinates
  std::string_view symmetric_if{};       // what coefficients make it symmetric: "gamma = 0.5"
  std::string_view with_constraints{};   // which method is this one with constraints
};

// What the flow map keeps, at round-off, whatever the step: the symplectic form of (q, p), or one conjugate to it, and with it
// momenta; or energy and momenta, and no form.
enum class Keeps { nothing, conjugate_form, canonical, energy };

// What is true of a method with its coefficients.
struct Properties {
  int order = 2;  // 0: adaptive
  bool symmetric = true;
  Keeps keeps = Keeps::canonical;
  // Not 0: a minimum principle takes friction at (q1 - q0)/h as a force at one end of the step. With it the order is this one, a
  // step back does not undo a step, and it pushes along a rotation although it would not in the middle.
  int order_with_friction = 0;
  bool balances_linear = false;      // on linear systems E1 - E0 is the work done, less what friction took, to round-off
  bool solved = true;                // the equations of a step are solved, not left after a number of iterations
  bool at_end = false;               // the equation of motion is solved at the end of the step
  std::string_view contradiction{};  // why these coefficients cannot be taken together: "takes no alpha"
  bool two_halves = false;           // a step is a half and its adjoint, with something between them where it is asked for
  bool lumps_mass = false;           // takes the mass with the sum of each row on the diagonal
};

template <class M>
concept Method = std::default_initializable<M> && requires(const M& m) {
  { M::description } -> std::same_as<const Description&>;
  { M::traits } -> std::same_as<const Traits&>;
  { m.properties() } -> std::same_as<Properties>;
  M::fields();
};

// Whether steps of the method can be composed to a higher order.
inline bool composable(const Traits& traits, const Properties& properties) {
  return !traits.chooses_steps && !traits.needs_split && !traits.finds_step && properties.symmetric && properties.order == 2;
}

}  // namespace actio::method
