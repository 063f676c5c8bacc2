#include "spoiled.hpp"

#include <algorithm>
#include <utility>

namespace certificate {

namespace {

using Eigen::VectorXd;
using method::BatchOptions, method::BatchReport, method::Snapshot;

// Both integrators are told every state by its position and velocity.
class Spoiled : public method::Integrator {
 public:
  Spoiled(std::unique_ptr<Integrator> truth, std::unique_ptr<Integrator> other, Step step)
      : truth_(std::move(truth)), other_(std::move(other)), step_(std::move(step)) {}
  Spoiled(const Spoiled& from)
      : truth_(from.truth_->clone()),
        other_(from.other_ ? from.other_->clone() : nullptr),
        step_(from.step_),
        taken_(from.taken_) {}

  long size() const override { return truth_->size(); }
  void start(double t, const VectorXd& q, const VectorXd& v) override {
    truth_->start(t, q, v);
    if (other_) other_->start(t, q, v);
  }
  void start_momentum(double t, const VectorXd& q, const VectorXd& p) override {
    truth_->start_momentum(t, q, p);
    lead();
  }
  BatchReport advance(long steps, double h, const BatchOptions& how) override {
    Integrator& walks = other_ ? *other_ : *truth_;
    BatchReport all;
    all.work = how.work;
    if (!step_) {
      all = walks.advance(steps, h, how);
      taken_ += all.steps;
    }
    for (; step_ && all.steps < steps && all.ok; ++taken_) {
      BatchReport one = step_(walks, h, taken_);
      all.steps += one.steps;
      all.iterations += one.iterations;
      all.factorisations += one.factorisations;
      all.work += one.work;
      all.worst_residual = std::max(all.worst_residual, one.worst_residual);
      all.ok = one.ok;
      all.failed_residual = one.failed_residual;
      all.what = std::move(one.what);
    }
    if (other_) {
      Snapshot s;
      other_->snapshot(s);
      truth_->start(s.t, s.q, s.v);
    }
    return all;
  }
  void snapshot(Snapshot& out) const override { truth_->snapshot(out); }
  method::SystemProperties properties() const override { return truth_->properties(); }
  double energy() const override { return truth_->energy(); }
  double energy_terms(double h) const override { return truth_->energy_terms(h); }
  std::span<const std::int32_t> fixed_dofs() const override { return truth_->fixed_dofs(); }
  void applied(double t, const VectorXd& q, const VectorXd& v, VectorXd& F) override { truth_->applied(t, q, v, F); }
  void conjugate_coordinates(double h, VectorXd& x, VectorXd& p) const override {
    (other_ ? *other_ : *truth_).conjugate_coordinates(h, x, p);
  }
  bool keeps_momentum(std::size_t k) const override { return truth_->keeps_momentum(k); }
  method::Correction project() override {
    const method::Correction done = truth_->project();
    lead();
    return done;
  }
  void multipliers(double h, VectorXd& lambda) const override { (other_ ? *other_ : *truth_).multipliers(h, lambda); }
  std::unique_ptr<Integrator> clone() const override { return std::make_unique<Spoiled>(*this); }
  bool restarts() const override { return truth_->restarts(); }

 private:
  void lead() {
    if (!other_) return;
    Snapshot s;
    truth_->snapshot(s);
    other_->start(s.t, s.q, s.v);
  }
  std::unique_ptr<Integrator> truth_, other_;
  Step step_;
  long taken_ = 0;
};

}  // namespace

std::unique_ptr<method::Integrator> spoil(std::unique_ptr<method::Integrator> truth, std::unique_ptr<method::Integrator> other,
                                          Step step) {
  return std::make_unique<Spoiled>(std::move(truth), std::move(other), std::move(step));
}

Step then(Change change) {
  return [change = std::move(change)](method::Integrator& system, double h, long number) {
    Snapshot before, after;
    system.snapshot(before);
    BatchReport report = system.advance(1, h);
    if (!report.ok) return report;
    system.snapshot(after);
    change(before, after, h, number);
    system.start_momentum(after.t, after.q, after.p);
    return report;
  };
}

Step stretched(double f) {
  return [f](method::Integrator& system, double h, long) {
    Snapshot before, after;
    system.snapshot(before);
    BatchReport report = system.advance(1, h * f);
    if (!report.ok) return report;
    system.snapshot(after);
    system.start_momentum(before.t + h, after.q, after.p);
    return report;
  };
}

Step skipping(long every) {
  return [every](method::Integrator& system, double h, long number) {
    if (number % every != every - 1) return system.advance(1, h);
    Snapshot s;
    system.snapshot(s);
    system.start_momentum(s.t + h, s.q, s.p);
    BatchReport report;
    report.steps = 1;
    return report;
  };
}

}  // namespace certificate
