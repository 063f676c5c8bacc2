#pragma once
#include <actio/expr/kernel.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/observer.hpp>
#include <actio/system/model.hpp>
#include <memory>
#include <span>
#include <vector>

namespace actio::run {

// States inside a step, by those at both its ends. What is made of them has no part in the steps, so what a method keeps it
// keeps.
//
//   q by the quintic through q, v, x'' of both ends, v by its slope: in the middle they are off by
//     h^6 q^(6)/46080 and, where that of v is largest, h^5 q^(6)/(6000 sqrt 5)
//   q by the cubic through q, v of both ends where constraints act, whose x'' is not known: h^4 q''''/384, h^3 q''''/(72 sqrt 3);
//     then moved onto the constraints
//   of gauss and lobatto of high degree, whose path is a polynomial of velocities W_j at nodes within the step: v by the
//   polynomial
//     through v, x'' of both ends and all W_j where there are 5 or more, through v and W_j where constraints act and there are 3
//     or more; q by its integral, which meets q of both ends. h^(m + 2) of q, h^(m + 1) of v with m of them
//   a rotation R0 exp(x), x by the cubic through 0 and log R0'R1 with the slopes of both ends
//
// In a step that the motion is too fast for (h w above 2.4: the x'' of the cubic and that of the equations differ by half) the
// quintic would swing, and the cubic is taken.
class DenseOutput {
 public:
  // Of a model's states: it compiles what x'' takes.
  explicit DenseOutput(const system::Model& model, const expr::CompileOptions& options = {});
  ~DenseOutput();
  DenseOutput(DenseOutput&&) noexcept;
  DenseOutput& operator=(DenseOutput&&) noexcept;

  // Of the error of q in h: 6, or 4.
  int order() const;
  // The step from one state to another. Steps that follow each other share x''.
  void step(const method::Snapshot& before, const method::Snapshot& after);
  // Of that step, by its path; see method::Integrator::path.
  void path(std::span<const double> nodes, const Eigen::MatrixXd& W);
  // t, q, v at the share s of the step, from 0 to 1. p is left alone. Constraints: see above.
  void at(double s, method::Snapshot& out) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The same as states of an integrator: on its constraints, with momenta, energy and multipliers.
class StatesWithin {
 public:
  explicit StatesWithin(DenseOutput& of) : of_(of) {}
  // The step to the integrator's state, after so many.
  void step(const method::Integrator& integrator, const method::Snapshot& before, const method::Snapshot& after, long steps);
  // Throws core::RunError where the constraints have no state near that of the interpolant.
  const method::Snapshot& at(double s);
  // t, q, v there as DenseOutput has them.
  void rough(double s, method::Snapshot& out) const { of_.at(s, out); }
  // An integrator at the state given last.
  const method::Integrator& there() const { return *copy_; }

 private:
  DenseOutput& of_;
  std::unique_ptr<method::Integrator> copy_;
  method::Snapshot state_;
  long steps_ = 0;
  std::vector<double> nodes_;
  Eigen::MatrixXd path_;
};

// A run at any time: an observer that keeps what it sees (3 n numbers an observation), and answers between.
//
//   run::DenseTrajectory path(model);
//   options.observers.push_back(&path);
//   run::integrate(*integrator, momentum, task, options);
//   path.at(0.55, state);
class DenseTrajectory final : public Observer {
 public:
  explicit DenseTrajectory(const system::Model& model, const expr::CompileOptions& options = {}) : dense_(model, options) {}
  void observe(const Observation& now) override { add(now.state.t, now.state.q, now.state.v); }
  void add(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);  // later than all before
  // t, q, v, by DenseOutput over the two observations around t. Throws core::InputError for a time outside of all.
  void at(double t, method::Snapshot& out);

 private:
  DenseOutput dense_;
  std::vector<method::Snapshot> states_;
  std::size_t from_ = 0;  // the observation before the times of dense_, from 1: 0 where there are none
};

}  // namespace actio::run
