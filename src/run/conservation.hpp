#pragma once
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include <actio/invariant/certificate.hpp>
#include <actio/invariant/momentum.hpp>
#include <actio/invariant/symmetry.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/schedule.hpp>

// Follows energy and momenta through a run: largest errors, drift, and whether a bound was left. No allocation an observation.
namespace actio::run {

class Conservation {
 public:
  Conservation(invariant::MomentumMap& momentum, method::Keeps keeps, const Schedule& schedule);
  void start(const method::Integrator& integrator, const method::Snapshot& s, std::span<const invariant::SymmetryCheck> checks);
  // `kinetic`: |p| . |v| / 2. `regular`: one of the evenly spaced looks of which the motion's kinetic energy is a mean; `even`:
  // of those the drift is a line through.
  void observe(const method::Integrator& integrator, const method::Snapshot& s, double energy, double kinetic, long step,
               double residual, bool regular, bool even);
  // A momentum that the method claims is beyond what round-off, the solver and its own rate allow at the last observation.
  bool momentum_lost(long step) const;
  // Where one was lost: those whose generators are no symmetries at `s`, or cannot be told from one, are claimed no longer; those
  // that are a little off there may change as fast. `h` is the step at `s`.
  void recheck_symmetry(const method::Integrator& integrator, const method::Snapshot& s, double h, long step);
  // Throws core::RunError when a declared bound or a momentum the method keeps is left at the last observation.
  void check(const Bounds& bounds, long step, double t, std::string_view method) const;
  std::span<const double> momentum() const { return now_; }
  void report(invariant::Certificate& c) const;
  void archive(core::Archive& a);

 private:
  struct Momentum {
    double initial = 0, error = 0, max_error = 0;
    double own_initial = 0, own_error = 0, own_max_error = 0;
    double scale = 0;
    bool claimed = false;
    double withdrawn = invariant::unmeasured;  // when
    invariant::SymmetryCheck check;
  };
  double allowed(const Momentum& m, long step) const;
  bool scale_changes(const method::Integrator& integrator, const method::Snapshot& s, std::size_t k);
  invariant::MomentumMap& map_;
  method::Keeps keeps_;
  const Schedule& schedule_;
  double h_ = 0;  // the largest [s]
  double energy_ = 0, energy_error_ = 0, max_energy_error_ = 0, max_energy_error_time_ = 0, largest_kinetic_ = 0;
  double resolution_ = 0, force_scale_ = 0;
  long early_observed_ = 0;  // of the first quarter
  double early_error_ = 0;
  long late_observed_ = 0;                                       // of the last quarter
  double late_least_ = std::numeric_limits<double>::infinity();  // E - E0 there
  double late_most_ = -std::numeric_limits<double>::infinity();
  invariant::Drift drift_;
  // Of the regular looks: p . v / 2 of each, and sums of velocities and momenta, of the first quarter and of all.
  struct Motion {
    long looks = 0;
    double kinetic = 0;
    Eigen::VectorXd v, p;
    void add(const method::Snapshot& s, double of_state);
    double about_mean() const;
    void archive(core::Archive& a) { a(looks, kinetic, v, p); }
  };
  Eigen::VectorXd mass_;  // of each coordinate, about: a weight that makes their squares add up
  Motion early_motion_, motion_;
  std::vector<double> kinetics_;
  double errors_ = 0;  // the sum of |E - E0|
  bool resting_ = true;
  double residual_ = 0;  // the solver's worst so far
  long observed_ = 0, first_gap_ = 0, last_step_ = 0, last_even_ = 0;
  double last_time_ = 0;
  std::vector<Momentum> momentum_;
  std::vector<double> now_, scale_, own_, own_scale_;
  Eigen::VectorXd x_, p_, p_before_;
};

}  // namespace actio::run
