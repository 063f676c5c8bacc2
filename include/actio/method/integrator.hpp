#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <actio/core/archive.hpp>
#include <actio/core/function_ref.hpp>
#include <actio/discrete/work.hpp>
#include <actio/expr/kernel.hpp>
#include <actio/method/compatibility.hpp>
#include <actio/method/spec.hpp>
#include <actio/system/model.hpp>

// The one virtual boundary of a run: a batch of steps. Behind it a stepper written against a space runs inlined; in front of
// it observers see plain vectors.
namespace actio::method {

using discrete::Work;

struct Snapshot {
  double t = 0;
  Eigen::VectorXd q, v, p;  // (n) position, velocity, momentum dL/dv
};

// What the system is, as far as it says what can be claimed.
struct SystemProperties {
  bool forced = false;      // forces act that come from no Lagrangian
  bool linear = false;      // quadratic L and phi, affine F: every matrix of second derivatives is constant
  bool energy = true;       // it has one
  bool lagrangian = true;   // false: equations f(x'', x', x, t) = 0, of which nothing is claimed
  bool friction = false;    // some of the forces are friction
  long constraints = 0;     // that every step keeps
  bool thermostat = false;  // friction and noise of one act
  bool prescribed = false;  // each of them holds one coordinate, which is among fixed_dofs()
  bool contacts = false;    // gaps stay at or above 0
  bool inelastic = false;   // impacts of some of them take energy
};

// How far a state was moved to lie on the constraints, and its velocity along them.
struct Correction {
  bool found = true;    // false: none near it does, or the constraints are redundant; the state is as it was
  double q = 0, v = 0;  // |dq|, |dv|
};

// How a batch goes on from the one before it, so that what a run adds up does not depend on where one ended.
struct BatchOptions {
  Work work;             // to which that of the steps is added, one by one
  bool residual = true;  // of the last step is measured, which costs a little
  long first = -1;       // number of the first step in the run, by which noise is counted; -1: it follows the one before
  // Of steps that follow the motion: the batch ends at the first state at this time or later [s].
  double until = std::numeric_limits<double>::infinity();
};

// What a thermostat did to a run so far. Temperatures are kT [J]; NaN where nothing measured them.
struct Bath {
  struct Mean {
    double value = std::numeric_limits<double>::quiet_NaN(), error = value;  // and its standard error
  };
  std::string_view scheme;
  std::uint64_t seed = 0;
  double kT = 0;
  double slowest = 0, fastest = 0;  // rates at which friction damps momenta [1/s]
  long freedoms = 0;                // n less coordinates that are held, less constraints
  Mean kinetic, configurational;    // of p . v / freedoms beside the noise; of |grad V|^2 over the Laplacian of V, at the ends
};

// One impact, or the begin of a contact that lasts.
struct Impact {
  double t = 0;                  // [s]
  long contact = 0;              // number of the gap, through the elements of the model's contacts
  double impulse = 0;            // lambda of p+ = p- + lambda dg/dq [N s, with a gap in m]
  double before = 0, after = 0;  // rates of the gap [m/s]
  bool lasts = false;            // the gap stays 0 from here; `before` and `impulse` are 0
  void archive(core::Archive& a) { a(t, contact, impulse, before, after, lasts); }
};

// Those of a run so far.
struct Impacts {
  long count = 0;                                           // without those that last
  std::vector<Impact> table;                                // the first 10 million
  double lost = 0;                                          // of the energy [J]
  double lowest = std::numeric_limits<double>::infinity();  // of all gaps after a step, in units of what rounding allows
  double lowest_gap = 0;                                    // that gap
  long resting = 0;                                         // contacts that last now
  // The latest state, and h, whose step has one impact, well inside it; h = 0: there is none. There laws of a step are measured.
  Snapshot within;
  double h = 0;
};

// What a batch did. `ok` false: step number `steps` (0-based, so `steps` were completed) failed and the state is the one before
// it.
struct [[nodiscard]] BatchReport {
  long steps = 0;
  bool ok = true;
  long iterations = 0;         // of the nonlinear solver, summed
  long factorisations = 0;     // of its matrices, or preconditioners made of them
  long linear_iterations = 0;  // of solvers of linear equations that iterate
  Work work;                   // of forces that come from no Lagrangian, added to BatchOptions::work
  double worst_residual = 0;   // largest relative residual of the step equations that was measured
  double failed_residual = 0;  // of the failed step
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;  // of the steps, where they follow the motion [s]
  // Of steps that conserve a discrete energy: how far that of one was from it [J]; and what rounding allows.
  double energy_off = 0, energy_round_off = 0;
  std::string what;  // "Newton's method did not converge in 50 iterations"
  // What a part of the batch cost, and its residual.
  void count(const BatchReport& part) {
    iterations += part.iterations;
    factorisations += part.factorisations;
    linear_iterations += part.linear_iterations;
    worst_residual = std::max(worst_residual, part.worst_residual);
    energy_off = std::max(energy_off, part.energy_off);
    energy_round_off = std::max(energy_round_off, part.energy_round_off);
  }
  void took(double h) {
    shortest = std::min(shortest, std::abs(h));
    longest = std::max(longest, std::abs(h));
  }
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual long size() const = 0;  // n
  // A start is no new reference: see set_reference.
  virtual void start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) = 0;
  virtual void start_momentum(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& p) = 0;
  // Of steps that follow the motion: the current state becomes what they refer to, its energy is that of the run, and there a
  // step of h begins as h long. The first start does it too. Starts after it keep the reference, so that a step is one map of (q,
  // p).
  virtual void set_reference() {}
  // How long a step of h from a state is, about [s].
  virtual double physical_step(const Snapshot&, double h) const { return h; }
  // Whether it changes along a generator xi, so that a momentum of the system is none of the steps.
  virtual bool scale_changes_along(double, const Eigen::VectorXd&, const Eigen::VectorXd&) const { return false; }
  // The method itself, of whose steps those follow the motion.
  virtual const Integrator& of_equal_steps() const { return *this; }
  virtual BatchReport advance(long steps, double h, const BatchOptions& how = {}) = 0;
  virtual void snapshot(Snapshot& out) const = 0;
  virtual SystemProperties properties() const { return {}; }
  // Energy of the continuous system at the current state: v . dL/dv - L.
  virtual double energy() const = 0;
  // What the energy at the current state, and the friction of a step of h, are added up from where matrices cancel [J].
  virtual double energy_terms(double) const { return 0; }
  virtual std::span<const std::int32_t> fixed_dofs() const { return {}; }  // fixed and prescribed coordinates
  // Forces at a state that come from no Lagrangian, F - dphi/dv [N] (n).
  virtual void applied(double, const Eigen::VectorXd& q, const Eigen::VectorXd&, Eigen::VectorXd& F) { F.setZero(q.size()); }
  // The coordinates (x, p) in which the flow map is canonical: (q, p), but for Newmark x = q - beta h^2 a (KMOW 3.5). h as in
  // advance.
  virtual void conjugate_coordinates(double h, Eigen::VectorXd& x, Eigen::VectorXd& p) const = 0;
  // The matrix of one step on the method's own state (amplification.hpp), for linear systems without loads; empty where there is
  // none. The state of the integrator stays.
  virtual Eigen::MatrixXd amplification(double h) const {
    (void)h;
    return {};
  }
  // Whether a method that conserves momenta conserves that of the model's symmetry of this number too.
  virtual bool keeps_momentum(std::size_t) const { return true; }
  // The current state onto the constraints, the shortest way in the metric of the mass: g(t, q) = 0, G v + g_t = 0.
  virtual Correction project() { return {}; }
  // lambda (m) at the current state, of the discrete equations that join the step before it to one of h after it, which a copy
  // takes. Empty where no constraint is kept, or where that step fails.
  virtual void multipliers(double h, Eigen::VectorXd& lambda) const {
    (void)h;
    lambda.resize(0);
  }
  // The last step's path where that is a polynomial, q(t + c h) = q0 + h int_0^c v: W (n x stages) has its velocities at the
  // nodes c in (0, 1), one a column, which determine v. False: the method has no such path, or there was no step.
  virtual bool path(std::vector<double>& nodes, Eigen::MatrixXd& W) const {
    (void)nodes, (void)W;
    return false;
  }
  virtual std::unique_ptr<Integrator> clone() const = 0;  // an independent copy, same state

  // For a thermostat. On several processes each has the momenta of its share of the coordinates: which, ascending; empty: all.
  virtual std::vector<std::int32_t> share() const { return {}; }
  virtual void add_up(std::span<double> sums) const { (void)sums; }  // over the processes
  // The momenta (of the share) of the current state, to be changed in place: true when it did, as `change` says.
  virtual bool change_momenta(core::FunctionRef<bool(std::span<double> p)> change) {
    (void)change;
    return false;
  }
  // Makes momenta (of the share) at the current positions tangent to the constraints that every step keeps, the shortest way in
  // the metric of the mass. False: the constraints are redundant.
  virtual bool make_tangent(std::span<double> p) {
    (void)p;
    return true;
  }
  // One step with something done between its two halves: of Verlet, in the middle of the drift. Not ok where it has none.
  virtual BatchReport advance_around(double h, const BatchOptions& how, core::FunctionRef<bool()> between);
  // At the current positions: |grad V|^2 in the metric of the inverse mass, and v'V''v for the velocity v of the momenta p, by
  // forces at q + v and q - v. False where they are not known.
  virtual bool curvature(std::span<const double> p, double& square, double& along) const {
    (void)p, (void)square, (void)along;
    return false;
  }
  // The steps without the noise of a thermostat: what laws of a step are measured on.
  virtual const Integrator& without_noise() const { return *this; }
  // Looks at the temperature of the current state, which costs some forces; and what was seen. No bath: there is no thermostat.
  virtual void look_at_temperature() {}
  virtual std::optional<Bath> bath() const { return {}; }

  // All that the steps to come depend on: written, or read by an integrator of the same model and method, which then goes on to
  // the bit as this one does. Throws core::InputError where what is read is of something else; the state is then anything.
  virtual void archive(core::Archive& a);
  // Writing changes what follows, to the order of the method's tolerance: its history is not archived but begun anew.
  virtual bool restarts() const { return false; }

  // Of systems with contacts: of the run since set_reference(), which copies do not take along; null where there are none.
  virtual const Impacts* impacts() const { return nullptr; }
};

struct BuildOptions {
  expr::CompileOptions compile;
  enum class Space { automatic, fixed, dense, sparse } space = Space::automatic;
};

// Throws core::InputError when the method does not fit the system, with the reason; when the mass is not positive definite.
std::unique_ptr<Integrator> make_integrator(const system::Model& model, const Spec& spec, const BuildOptions& options = {});

}  // namespace actio::method
